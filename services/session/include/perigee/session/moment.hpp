/// The machine's two clocks at one moment: durations are measured with the one that nobody can set.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/tick.hpp"

namespace perigee::session {

struct Moment {
  Micros monotonic_us = 0;
  Micros wall_us = 0;  ///< unix time: of tokens, and of dates for people

  Moment(Micros monotonic, Micros wall) : monotonic_us(monotonic), wall_us(wall) {}
  /// In virtual time both clocks are one.
  Moment(Micros both) : Moment(both, both) {}  // NOLINT(google-explicit-constructor)
  std::uint64_t unix_s() const { return static_cast<std::uint64_t>(wall_us / 1'000'000); }
};

/// Unix time as it was when this process began, and as time has passed since. It never steps, so
/// stamps of one process can be compared; those of earlier ones are as good as the clock was.
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
