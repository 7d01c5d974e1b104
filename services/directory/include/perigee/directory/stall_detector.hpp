/// Stalls of the directory itself. While the directory stands still it hears no member; that time
/// does not count as the members' silence.
#pragma once

#include <algorithm>

#include "perigee/base/tick.hpp"

namespace perigee::directory {

class StallDetector {
 public:
  /// For this long after its start or a stall, this process declares no suspected worker dead.
  static constexpr Micros unsure_us = 5'000'000;
  /// A longer pause between two calls of advance() is a stall.
  static constexpr Micros advance_us_max = 1'000'000;

  explicit StallDetector(Micros now_us) : advanced_us_(now_us) {}

  /// Returns how long this process stood still since the last call.
  Micros advance(Micros now_us) {
    const Micros stalled_us = std::max(Micros{0}, now_us - advanced_us_ - advance_us_max);
    advanced_us_ = now_us;
    if (stalled_us > 0) doubt(now_us);
    return stalled_us;
  }
  /// The next `unsure_us` are like the time after a stall.
  void doubt(Micros now_us) { unsure_until_us_ = now_us + unsure_us; }
  bool unsure() const { return advanced_us_ < unsure_until_us_; }
  /// Time of the last advance().
  Micros advanced_us() const { return advanced_us_; }

 private:
  Micros advanced_us_;
  Micros unsure_until_us_ = 0;
};

}  // namespace perigee::directory
