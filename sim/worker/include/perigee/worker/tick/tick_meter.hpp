/// Duration and lateness of ticks: quantiles over the last ten seconds, and totals for metrics.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::worker {

class TickMeter {
 public:
  static constexpr std::size_t kept_ticks = 600;  ///< 10 s at 60 Hz

  /// One finished tick that began `late_us` after its due time.
  void on_tick(Micros duration_us, Micros late_us, Micros period_us);

  std::uint64_t overruns() const { return overruns_; }  ///< ticks longer than the period
  /// Ticks that began more than one period late.
  std::uint64_t late_starts() const { return late_starts_; }
  /// Quantile of the kept durations; 0 before the first tick. `share` is 0..1.
  Micros quantile_us(double share) const;

 private:
  std::array<Micros, kept_ticks> durations_us_{};
  std::size_t ticks_ = 0;
  std::uint64_t overruns_ = 0;
  std::uint64_t late_starts_ = 0;
};

}  // namespace perigee::worker
