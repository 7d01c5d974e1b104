/// Tick: the only unit of time below a process's shell. One tick is 1/60 s by default; all
/// simulated, recorded or transmitted data is stamped in ticks.
#pragma once

#include <compare>
#include <cstdint>

namespace perigee {

/// A point on the world's time line. Wraps after 2^32 ticks (828 days at 60 Hz): compare with
/// `before` / `ticks_between`, which are correct for distances below 2^31.
struct Tick {
  std::uint32_t count = 0;

  friend constexpr bool operator==(Tick, Tick) = default;
  friend constexpr Tick operator+(Tick tick, std::int32_t ticks) {
    return Tick{tick.count + static_cast<std::uint32_t>(ticks)};
  }
  friend constexpr Tick operator-(Tick tick, std::int32_t ticks) { return tick + -ticks; }
  constexpr Tick& operator++() {
    ++count;
    return *this;
  }
};

/// later - earlier, negative if `later` comes first.
constexpr std::int32_t ticks_between(Tick earlier, Tick later) {
  return static_cast<std::int32_t>(later.count - earlier.count);
}

constexpr bool before(Tick a, Tick b) { return ticks_between(a, b) > 0; }
constexpr bool not_after(Tick a, Tick b) { return ticks_between(a, b) >= 0; }
constexpr Tick later_of(Tick a, Tick b) { return before(a, b) ? b : a; }

constexpr std::uint16_t low_half(Tick tick) { return static_cast<std::uint16_t>(tick.count); }
/// The tick with this low half that is nearest to `near`: the right one within nine minutes.
constexpr Tick tick_with(std::uint16_t low_half, Tick near) {
  return near + static_cast<std::int16_t>(low_half - near.count);
}

/// Wall or virtual time in microseconds; only shells know its epoch.
using Micros = std::int64_t;

inline constexpr std::int32_t default_tick_rate_hz = 60;
inline constexpr double seconds_per_tick = 1.0 / default_tick_rate_hz;
inline constexpr double ticks_per_us = default_tick_rate_hz * 1e-6;

/// A 1/256-tick stamp that the gateway gives every received packet. Modulo 2^32 (about 77 h).
struct FineTick {
  std::uint32_t count = 0;
  friend constexpr bool operator==(FineTick, FineTick) = default;
};
constexpr std::int32_t fine_between(FineTick earlier, FineTick later) {
  return static_cast<std::int32_t>(later.count - earlier.count);
}

}  // namespace perigee
