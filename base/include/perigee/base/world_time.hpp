/// World time: conversion of the directory's clock to ticks, before and after an announced change
/// of rate. Plain data and arithmetic.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/tick.hpp"

namespace perigee {

inline constexpr std::uint32_t ppm_per_percent = 10'000;
inline constexpr std::uint32_t real_time_ppm = 1'000'000;
/// A slower game would be unplayable: below this rate an overloaded worker falls behind instead.
inline constexpr std::uint32_t slowest_ppm = 500'000;

/// Tick `tick` begins at `wall_us` of the directory's clock; from there on time passes at
/// `rate_ppm` millionths of the nominal rate.
struct TimeSegment {
  Micros wall_us = 0;
  Tick tick;
  std::uint32_t tick_rate_hz = default_tick_rate_hz;
  std::uint32_t rate_ppm = real_time_ppm;
  friend bool operator==(const TimeSegment&, const TimeSegment&) = default;
};

/// Ticks since the segment's start as a real number; may be negative before it.
constexpr double ticks_since_start(const TimeSegment& segment, Micros directory_us) {
  return static_cast<double>(directory_us - segment.wall_us) * 1e-6 * segment.tick_rate_hz *
         (segment.rate_ppm * 1e-6);
}
/// The tick that is running at `directory_us`. Ticks wrap, also if the segment is of another clock.
constexpr Tick tick_at(const TimeSegment& segment, Micros directory_us) {
  const double ticks = ticks_since_start(segment, directory_us);
  const auto whole = static_cast<std::int64_t>(ticks);
  return segment.tick +
         static_cast<std::int32_t>(ticks < static_cast<double>(whole) ? whole - 1 : whole);
}
constexpr FineTick fine_tick_at(const TimeSegment& segment, Micros directory_us) {
  const double fine = ticks_since_start(segment, directory_us) * 256.0;
  return FineTick{(segment.tick.count << 8) +
                  static_cast<std::uint32_t>(static_cast<std::int64_t>(fine))};
}
/// When `tick` begins on the directory's clock.
constexpr Micros tick_start_us(const TimeSegment& segment, Tick tick) {
  const double per_tick = 1e6 / segment.tick_rate_hz / (segment.rate_ppm * 1e-6);
  const double us = ticks_between(segment.tick, tick) * per_tick;
  const auto whole = static_cast<Micros>(us);
  return segment.wall_us + (us > static_cast<double>(whole) ? whole + 1 : whole);
}
/// Changes the rate from the start of `tick` on: no tick is skipped or repeated, and real-valued
/// ticks are continuous to within a microsecond, the clock's resolution.
constexpr TimeSegment go_on(const TimeSegment& segment, Tick tick, std::uint32_t rate_ppm) {
  return {tick_start_us(segment, tick), tick, segment.tick_rate_hz, rate_ppm};
}

/// The segments that may still be needed: the one in force (now or before the change), and the last
/// announced change.
struct WorldTime {
  TimeSegment base;                   ///< also covers all earlier time
  std::optional<TimeSegment> change;  ///< from its start on, which may be in the future or past
  friend bool operator==(const WorldTime&, const WorldTime&) = default;

  constexpr const TimeSegment& at(Micros directory_us) const {
    return change && directory_us >= change->wall_us ? *change : base;
  }
  constexpr const TimeSegment& of(Tick tick) const {
    return change && not_after(change->tick, tick) ? *change : base;
  }
};
constexpr Tick tick_at(const WorldTime& time, Micros directory_us) {
  return tick_at(time.at(directory_us), directory_us);
}
constexpr FineTick fine_tick_at(const WorldTime& time, Micros directory_us) {
  return fine_tick_at(time.at(directory_us), directory_us);
}
constexpr Micros tick_start_us(const WorldTime& time, Tick tick) {
  return tick_start_us(time.of(tick), tick);
}

/// A client's view of the world's rate at some tick. The directory uses whole percent only.
struct RateNotice {
  std::uint8_t percent = 100;        ///< of the nominal rate
  std::uint8_t change_in_ticks = 0;  ///< ticks until the rate changes; 0: not within 255
  std::uint8_t next_percent = 100;   ///< rate after the change; without one equal to `percent`
  friend bool operator==(const RateNotice&, const RateNotice&) = default;
};
constexpr RateNotice rate_notice(const WorldTime& time, Tick tick) {
  const auto percent = [](const TimeSegment& segment) {
    return static_cast<std::uint8_t>(segment.rate_ppm / ppm_per_percent);
  };
  RateNotice out{.percent = percent(time.of(tick)), .next_percent = percent(time.of(tick))};
  const std::int32_t ahead = time.change ? ticks_between(tick, time.change->tick) : 0;
  if (ahead > 0 && ahead <= 255) {
    out.change_in_ticks = static_cast<std::uint8_t>(ahead);
    out.next_percent = percent(*time.change);
  }
  return out;
}

}  // namespace perigee
