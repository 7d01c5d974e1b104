/// The machine's two clocks at one moment: durations are measured with the one that cannot be set.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/tick.hpp"

namespace perigee::session {

struct Moment {
  Micros monotonic_us = 0;
  Micros wall_us = 0;  ///< unix time: for tokens and for dates shown to operators

  Moment(Micros monotonic, Micros wall) : monotonic_us(monotonic), wall_us(wall) {}
  /// In virtual time both clocks are equal.
  Moment(Micros both) : Moment(both, both) {}  // NOLINT(google-explicit-constructor)
  std::uint64_t unix_s() const { return static_cast<std::uint64_t>(wall_us / 1'000'000); }
};

/// Unix time at the start of this process plus the monotonic time since. It never steps, so times
/// within one process are comparable; times of earlier processes are as accurate as the clock was.
class Calendar {
 public:
  std::uint64_t unix_s(const Moment& now) {
    if (!offset_us_) offset_us_ = now.wall_us - now.monotonic_us;
    return static_cast<std::uint64_t>((now.monotonic_us + *offset_us_) / 1'000'000);
  }

 private:
  std::optional<Micros> offset_us_;
};

}  // namespace perigee::session
