/// Sliding window over packet sequences: each passes once, and none that is 256 or more behind.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

namespace perigee::transport {

class ReplayWindow {
 public:
  static constexpr std::uint64_t size = 256;
  enum class Verdict : std::uint8_t { Fresh, TooOld, Seen };

  /// Called before decryption.
  Verdict judge(std::uint64_t sequence) const {
    // A subtraction: `sequence + size <= newest` would overflow near 2^64.
    if (newest_ >= size && sequence <= newest_ - size) return Verdict::TooOld;
    const std::size_t at = sequence % size;
    return used_[at] && sequences_[at] == sequence ? Verdict::Seen : Verdict::Fresh;
  }
  bool newer_than_all(std::uint64_t sequence) const {
    return sequence > newest_ || !used_[newest_ % size];
  }
  /// Called after the tag verified: forged sequences must not move the window.
  void mark(std::uint64_t sequence) {
    if (sequence > newest_) newest_ = sequence;
    const std::size_t at = sequence % size;
    used_.set(at);
    sequences_[at] = sequence;
  }

 private:
  std::uint64_t newest_ = 0;
  std::bitset<size> used_;
  std::array<std::uint64_t, size> sequences_{};
};

}  // namespace perigee::transport
