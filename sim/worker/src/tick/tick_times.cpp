#include "perigee/worker/tick/tick_times.hpp"

#include <utility>

namespace perigee::worker {

void TickTimes::begin_tick(const TickClocks& now) {
  tick_began_ = phase_began_ = now;
  if (interval_ticks_++ == 0) interval_began_ = now;
}

TickClocks TickTimes::end_phase(const TickClocks& now, TickPhase phase) {
  const TickClocks spent = now - std::exchange(phase_began_, now);
  spent_us_[static_cast<std::size_t>(phase)] = spent.cpu_us;
  return spent;
}

TickClocks TickTimes::end_tick(const TickClocks& now, Micros late_us, Micros period_us) {
  const TickClocks spent = now - tick_began_;
  wall_.on_tick(spent.wall_us, late_us, period_us);
  cpu_.on_tick(spent.cpu_us, 0, period_us);
  return spent;
}

auto TickTimes::end_interval(const TickClocks& now) -> Pace {
  const std::uint32_t ticks = std::exchange(interval_ticks_, 0);
  if (ticks == 0) return {};
  const TickClocks passed = now - interval_began_;
  return {static_cast<double>(passed.cpu_us) * 1e-3 / ticks,
          static_cast<double>(passed.wall_us) * 1e-3 / ticks};
}

}  // namespace perigee::worker
