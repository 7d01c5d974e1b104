/// Turns a process's monotonic clock into the directory's clock, from samples of its answers.
/// Plain data: time comes in as arguments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "perigee/netcode/tick.hpp"

namespace perigee {

/// One question to the directory: asked and answered on the local monotonic clock.
struct ClockSample {
  Micros asked_us = 0;
  Micros directory_us = 0;
  Micros answered_us = 0;  ///< not before asked_us; samples arrive in this order
};

/// The offset is taken from the sample with the smallest round trip of the last few: that one is
/// wrong by at most half its round trip. Once locked, the offset slews, so time runs smoothly.
class ClockSync {
 public:
  static constexpr std::size_t samples_kept = 8;
  static constexpr Micros error_us_max = 2'000;  ///< of a usable clock: an eighth of a tick
  static constexpr Micros jump_us = 1'000'000;   ///< further off than this is not slewed
  static constexpr std::int64_t slew_ppm_max = 500;

  /// False, and nothing changed, if the sample's times contradict each other.
  bool add(const ClockSample& sample);
  /// Locked: the error bound has been good enough once, and stays what it is between samples.
  bool ready() const { return locked_; }
  /// Half the round trip of the sample in use. Only once a sample was added.
  Micros error_us() const { return error_us_; }
  /// Times that the offset jumped after the lock.
  std::uint32_t jumps() const { return jumps_; }
  /// Grows with `local_us`, at a rate within slew_ppm_max of it, for every time since the last
  /// sample's answer; before that, the offset of that moment holds.
  Micros directory_us(Micros local_us) const { return local_us + offset_us(local_us); }
  /// The inverse, to within a microsecond: for timers.
  Micros local_us(Micros directory_us) const;

 private:
  Micros offset_us(Micros local_us) const;

  struct Kept {
    Micros round_trip_us = 0;
    Micros offset_us = 0;
  };
  std::array<Kept, samples_kept> kept_{};
  std::size_t count_ = 0;       ///< samples ever added
  Micros anchor_local_us_ = 0;  ///< slewing began here ...
  Micros anchor_offset_us_ = 0;
  Micros target_offset_us_ = 0;  ///< ... and ends at this offset
  Micros error_us_ = 0;
  std::uint32_t jumps_ = 0;
  bool locked_ = false;
};

}  // namespace perigee
