#include "perigee/world/timeline.hpp"

#include <algorithm>

namespace perigee::world {

TimelineLog::Added TimelineLog::add(const TimelineChange& change) {
  const auto version_newer = [](std::uint16_t a, std::uint16_t b) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(a - b)) > 0;
  };
  std::size_t at = changes_.size();
  while (at > 0 && before(change.effect, changes_[at - 1].effect)) --at;
  for (std::size_t i = at; i > 0 && changes_[i - 1].effect == change.effect; --i) {
    if (changes_[i - 1].version == change.version) return Added::Duplicate;
    if (version_newer(changes_[i - 1].version, change.version)) at = i - 1;
  }
  if (changes_.full()) {
    if (at == 0) return Added::TooOld;
    base_goal_ = changes_[0].goal;
    changes_.erase(0);
    --at;
  }
  changes_.insert(at, change);
  if (version_newer(change.version, version_)) version_ = change.version;
  return Added::Stored;
}

std::uint8_t TimelineLog::goal_at(Tick tick) const {
  std::uint8_t goal = base_goal_;
  for (const TimelineChange& change : changes_) {
    if (not_after(change.effect, tick)) goal = change.goal;
  }
  return goal;
}

std::uint8_t TimelineLog::last_goal() const {
  return changes_.empty() ? base_goal_ : changes_.back().goal;
}

double door_opening(const SlidingDoor& door, const TimelineLog& log, Tick tick) {
  // In whole ticks of travel, so that any order of evaluation gives the same bits.
  const std::int32_t full = door.ticks_to_open;
  std::int32_t travelled = log.base_goal() != 0 ? full : 0;
  for (std::size_t i = 0; i < log.size() && not_after(log[i].effect, tick); ++i) {
    const bool opens = log[i].goal != 0;
    Tick until = tick;
    if (i + 1 < log.size() && before(log[i + 1].effect, tick)) until = log[i + 1].effect;
    const std::int32_t ticks = std::min(ticks_between(log[i].effect, until), full);
    travelled = std::clamp(travelled + (opens ? ticks : -ticks), 0, full);
  }
  return static_cast<double>(travelled) / full;
}

Pose door_pose(const SlidingDoor& door, const TimelineLog& log, Tick tick) {
  return door.closed * Pose{door.slide * door_opening(door, log, tick), {}};
}

}  // namespace perigee::world
