/// Whether the ticks of all rooms begin late: most of those of the last whole period.
#pragma once

#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::rooms {

class OverloadWatch {
 public:
  static constexpr Micros late_us_max = 8'000;  ///< half of a tick
  /// Shorter: a machine that stalls for a moment, or many rooms that begin at once, refuse rooms.
  static constexpr Micros period_us = 5'000'000;

  /// Returns true if a period has ended: this tick is the first one of the next period.
  bool on_tick(Micros now_us, Micros late_us) {
    const bool ended = now_us >= period_end_us_;
    if (ended) {
      overloaded_ = !expired(now_us) && 2 * late_ > ticks_;
      ticks_ = late_ = 0;
      period_end_us_ = now_us + period_us;
    }
    ++ticks_;
    if (late_us > late_us_max) ++late_;
    return ended;
  }
  /// Expires a period later: without rooms there are no ticks that could disprove it.
  bool overloaded(Micros now_us) const { return overloaded_ && !expired(now_us); }

 private:
  bool expired(Micros now_us) const { return now_us >= period_end_us_ + period_us; }

  Micros period_end_us_ = 0;
  std::uint64_t ticks_ = 0, late_ = 0;  ///< of this period
  bool overloaded_ = false;             ///< in the last one
};

}  // namespace perigee::rooms
