/// Wall-clock and processor time of ticks and their phases, and of the interval between two
/// reports. Pure: the driver of the core passes the clocks in.
#pragma once

#include "perigee/base/tick.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/tick/tick_budget.hpp"
#include "perigee/worker/tick/tick_meter.hpp"

namespace perigee::worker {

/// Both clocks, read together.
struct TickClocks {
  Micros wall_us = 0;  ///< monotonic
  Micros cpu_us = 0;   ///< processor time of the thread that runs ticks
  friend TickClocks operator-(const TickClocks& a, const TickClocks& b) {
    return {a.wall_us - b.wall_us, a.cpu_us - b.cpu_us};
  }
};

class TickTimes {
 public:
  /// Per tick, over all ticks since the last report. 0: no tick ran.
  struct Pace {
    double load_ms = 0;  ///< processor time, of everything that the thread did
    double pace_ms = 0;  ///< wall time from the start of a tick to the start of the next
  };

  void begin_tick(const TickClocks& now);
  /// Returns the phase's time. The next phase begins.
  TickClocks end_phase(const TickClocks& now, TickPhase phase);
  /// Returns the tick's time. `late_us`: from its due time to its start.
  TickClocks end_tick(const TickClocks& now, Micros late_us, Micros period_us);
  /// A report: the next interval begins with the next tick.
  Pace end_interval(const TickClocks& now);

  const TickMeter& wall() const { return wall_; }
  const TickMeter& cpu() const { return cpu_; }
  /// Of the last tick, in processor time.
  const TickBudget::Spent& spent_us() const { return spent_us_; }

 private:
  TickMeter wall_, cpu_;
  TickBudget::Spent spent_us_{};
  TickClocks tick_began_, phase_began_, interval_began_;
  std::uint32_t interval_ticks_ = 0;
};

}  // namespace perigee::worker
