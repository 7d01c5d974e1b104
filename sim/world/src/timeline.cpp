#include "perigee/world/timeline.hpp"

#include <algorithm>

#include "perigee/world/frame.hpp"

namespace perigee::world {
namespace {

/// Velocities alone.
Motion timeline_velocities(const Travel& travel, const Pose& rest, const TimelineLog& log,
                           Tick tick) {
  const Pose before = timeline_pose(travel, rest, log, tick - 1);
  Motion out;
  out.pose = timeline_pose(travel, rest, log, tick);
  out.velocity = (out.pose.position - before.position) / seconds_per_tick;
  const double share = travel.endless
                           ? 1.0 / travel.ticks
                           : travelled(travel, log, tick) - travelled(travel, log, tick - 1);
  const double rate = travel.turn_rad * share / seconds_per_tick;
  out.angular_velocity = rotate(rest.rotation, travel.axis * rate);
  return out;
}

}  // namespace

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

double travelled(const Travel& travel, const TimelineLog& log, Tick tick) {
  // In whole ticks of travel, so that any order of evaluation gives the same bits.
  const std::int32_t full = travel.ticks;
  if (travel.endless) {
    return static_cast<double>(tick.count % static_cast<std::uint32_t>(full)) / full;
  }
  std::int32_t done = log.base_goal() != 0 ? full : 0;
  for (std::size_t i = 0; i < log.size() && not_after(log[i].effect, tick); ++i) {
    const bool leaves = log[i].goal != 0;
    Tick until = tick;
    if (i + 1 < log.size() && before(log[i + 1].effect, tick)) until = log[i + 1].effect;
    const std::int32_t ticks = std::min(ticks_between(log[i].effect, until), full);
    done = std::clamp(done + (leaves ? ticks : -ticks), 0, full);
  }
  return static_cast<double>(done) / full;
}

bool settled(const Travel& travel, const TimelineLog& log, Tick tick) {
  if (travel.endless) return false;
  constexpr std::int32_t until_it_rests = 2;  // an acceleration is over three positions
  return log.size() == 0 ||
         ticks_between(log[log.size() - 1].effect, tick) >= travel.ticks + until_it_rests;
}

Pose timeline_pose(const Travel& travel, const Pose& rest, const TimelineLog& log, Tick tick) {
  const double share = travelled(travel, log, tick);
  if (travel.turn_rad == 0) return rest * Pose{travel.slide * share, {}};
  const SinCos half = sin_cos(travel.turn_rad * share / 2);
  const Vec3 axis = travel.axis * half.sin;
  const Quat turn{axis.x, axis.y, axis.z, half.cos};
  return rest * Pose{travel.slide * share + travel.hinge - rotate(turn, travel.hinge), turn};
}

Motion timeline_motion(const Travel& travel, const Pose& rest, const TimelineLog& log, Tick tick) {
  return with_accelerations(timeline_velocities(travel, rest, log, tick - 1),
                            timeline_velocities(travel, rest, log, tick));
}

}  // namespace perigee::world
