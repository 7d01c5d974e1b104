/// Maps a process's monotonic clock to the directory's clock, from samples of the directory's
/// answers. Plain data: time comes in as arguments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee {

/// One round trip to the directory; request and answer are stamped by the local monotonic clock.
struct ClockSample {
  Micros asked_us = 0;
  Micros directory_us = 0;
  Micros answered_us = 0;  ///< not before asked_us; samples arrive in this order
};

/// The offset comes from the sample with the smallest round trip among the last few: its error is
/// at most half its round trip. Once locked, the offset slews, so time runs smoothly.
class ClockSync {
 public:
  static constexpr std::size_t samples_kept = 8;
  static constexpr Micros error_us_max = 2'000;  ///< error of a usable clock: an eighth of a tick
  static constexpr Micros jump_us = 1'000'000;   ///< a larger error is not slewed but jumped
  static constexpr std::int64_t slew_ppm_max = 500;

  /// Returns false and changes nothing if the sample's times contradict each other.
  bool add(const ClockSample& sample);
  /// Locked: the error bound has been good enough once. The lock is kept between samples.
  bool ready() const { return locked_; }
  /// Half the round trip of the sample in use. Valid only once a sample was added.
  Micros error_us() const { return error_us_; }
  /// Number of times that the offset jumped after the lock.
  std::uint32_t jumps() const { return jumps_; }
  /// For times since the last sample's answer, the result grows with `local_us`, at a rate within
  /// slew_ppm_max of it. For earlier times the offset at that answer applies.
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
