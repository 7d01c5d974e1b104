/// The part of a scheduled object's timeline history that a new subscriber needs.
#pragma once

#include "perigee/world/timeline.hpp"

namespace perigee::worker {

/// The changes from index `first` on, after the object reached `goal`: for `tick` and later they
/// alone determine its position. If the log has changes, the last one is kept, because it carries
/// the version.
struct TimelineHistory {
  std::size_t first = 0;
  std::uint8_t goal = 0;
};
TimelineHistory timeline_history(const world::Travel& travel, const world::TimelineLog& log,
                                 Tick tick);

}  // namespace perigee::worker
