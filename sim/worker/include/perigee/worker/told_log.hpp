/// What of a timeline object's log there is to tell somebody who knows nothing of it.
#pragma once

#include "perigee/world/timeline.hpp"

namespace perigee::worker {

/// The changes from the `first` on, after `goal` was reached: at `tick` and later they alone say
/// where the object is. Never none of a log that has any, for the last one tells its version.
struct ToldLog {
  std::size_t first = 0;
  std::uint8_t goal = 0;
};
ToldLog told_log(const world::Travel& travel, const world::TimelineLog& log, Tick tick);

}  // namespace perigee::worker
