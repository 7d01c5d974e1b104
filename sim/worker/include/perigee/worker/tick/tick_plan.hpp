/// How many ticks a fixed-tick loop on world time has to run now. Pure.
#pragma once

#include <algorithm>
#include <cstdint>

#include "perigee/base/cluster_map.hpp"

namespace perigee::worker {

struct TickPlan {
  std::uint32_t run = 0;     ///< ticks to run now
  std::uint32_t behind = 0;  ///< further due ticks, left for the next turn; none is skipped
  friend bool operator==(const TickPlan&, const TickPlan&) = default;
};

/// Tick `next` is due from its start on. Returns at most `run_max` at once, so that sockets get
/// their turn while a worker catches up.
constexpr TickPlan plan_ticks(const WorldTime& time, Micros directory_us, Tick next,
                              std::uint32_t run_max) {
  std::int32_t owed = ticks_between(next, tick_at(time, directory_us)) + 1;
  // Both conversions round; a timer set to a tick's start must find that tick due.
  if (owed >= 0 && tick_start_us(time, next + owed) <= directory_us) ++owed;
  const auto due = static_cast<std::uint32_t>(std::max(owed, 0));
  const std::uint32_t run = std::min(due, run_max);
  return {.run = run, .behind = due - run};
}

}  // namespace perigee::worker
