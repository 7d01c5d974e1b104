#include "perigee/worker/tick/tick_meter.hpp"

#include <algorithm>

namespace perigee::worker {

void TickMeter::on_tick(Micros duration_us, Micros late_us, Micros period_us) {
  durations_us_[ticks_++ % kept_ticks] = duration_us;
  if (duration_us > period_us) ++overruns_;
  if (late_us > period_us) ++late_starts_;
}

Micros TickMeter::quantile_us(double share) const {
  const std::size_t known = std::min(ticks_, kept_ticks);
  if (known == 0) return 0;
  auto sorted = durations_us_;
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(known - 1));
  std::nth_element(sorted.begin(), sorted.begin() + rank,
                   sorted.begin() + static_cast<std::ptrdiff_t>(known));
  return sorted[static_cast<std::size_t>(rank)];
}

}  // namespace perigee::worker
