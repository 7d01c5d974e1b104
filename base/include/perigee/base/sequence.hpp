/// Sequence numbers that wrap, and the window that acknowledges them.
#pragma once

#include <bit>
#include <cstdint>

namespace perigee {

/// A 16-bit number that wraps; comparisons hold for distances below 32768.
struct Sequence {
  std::uint16_t value = 0;
  friend constexpr bool operator==(Sequence, Sequence) = default;
  friend constexpr Sequence operator+(Sequence s, int n) {
    return {static_cast<std::uint16_t>(s.value + n)};
  }
};
/// later - earlier in -32768 .. 32767.
constexpr int sequences_between(Sequence earlier, Sequence later) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(later.value - earlier.value));
}
constexpr bool before(Sequence a, Sequence b) { return sequences_between(a, b) > 0; }

/// The sequences that a receiver has: all before `next`, and of the 32 from `next + 1` on those
/// with their bit set (bit i stands for next + 1 + i). `next` itself is missing by definition.
struct AckWindow {
  static constexpr int bits_count = 32;
  Sequence next;
  std::uint32_t bits = 0;
  friend constexpr bool operator==(const AckWindow&, const AckWindow&) = default;

  constexpr bool has(Sequence s) const {
    const int ahead = sequences_between(next, s);
    if (ahead < 0) return true;
    if (ahead == 0 || ahead > bits_count) return false;
    return (bits >> (ahead - 1) & 1U) != 0;
  }
  /// Returns false for a duplicate or a sequence too far ahead: the caller drops it.
  constexpr bool mark(Sequence s) {
    const int ahead = sequences_between(next, s);
    if (ahead < 0 || ahead > bits_count || has(s)) return false;
    if (ahead > 0) {
      bits |= 1U << (ahead - 1);
      return true;
    }
    const int run = std::countr_one(bits);  // these arrived early and are in order now
    next = next + (1 + run);
    bits = run >= 31 ? 0 : bits >> (run + 1);
    return true;
  }
};

}  // namespace perigee
