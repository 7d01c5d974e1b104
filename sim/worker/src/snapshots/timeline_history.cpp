#include "perigee/worker/snapshots/timeline_history.hpp"

#include <algorithm>

namespace perigee::worker {

// Follows world::travelled(); changes before the object last reached an end are irrelevant.
TimelineHistory timeline_history(const world::Travel& travel, const world::TimelineLog& log,
                                 Tick tick) {
  TimelineHistory out{.goal = log.base_goal()};
  std::int32_t done = log.base_goal() != 0 ? travel.ticks : 0;
  for (std::size_t i = 0; i < log.size() && before(log[i].effect, tick); ++i) {
    const bool leaves = log[i].goal != 0;
    Tick until = tick;
    if (i + 1 < log.size() && before(log[i + 1].effect, tick)) until = log[i + 1].effect;
    const std::int32_t ticks = std::min(ticks_between(log[i].effect, until), travel.ticks);
    done = std::clamp(done + (leaves ? ticks : -ticks), 0, travel.ticks);
    const bool last = i + 1 == log.size();
    if (done == (leaves ? travel.ticks : 0)) out = {last ? i : i + 1, log[i].goal};
  }
  return out;
}

}  // namespace perigee::worker
