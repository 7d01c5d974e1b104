#include "perigee/world/timeline.hpp"

#include <algorithm>

#include "perigee/world/frame.hpp"

namespace perigee::world {
namespace {

bool newer(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(a - b)) > 0;
}

/// In whole ticks of travel, so that any order of evaluation gives the same bits.
std::int32_t travelled_ticks(const Travel& travel, const TimelineLog& log, Tick tick) {
  const std::int32_t full = travel.ticks;
  std::int32_t done = log.base_goal() != 0 ? full : 0;
  for (std::size_t i = 0; i < log.size() && not_after(log[i].effect, tick); ++i) {
    const bool leaves = log[i].goal != 0;
    Tick until = tick;
    if (i + 1 < log.size() && before(log[i + 1].effect, tick)) until = log[i + 1].effect;
    const std::int32_t ticks = std::min(ticks_between(log[i].effect, until), full);
    done = std::clamp(done + (leaves ? ticks : -ticks), 0, full);
  }
  return done;
}

/// Pose and velocities, without accelerations.
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

TimelineLog::Added TimelineLog::add(const TimelineChange& change, const Travel& travel) {
  for (const TimelineChange& known : changes_) {
    if (known.version == change.version) return Added::Duplicate;
  }
  if (forgot_any_ && !newer(change.version, forgotten_version_)) return Added::TooOld;
  std::size_t at = changes_.size();
  while (at > 0 && before(change.effect, changes_[at - 1].effect)) --at;
  while (at > 0 && changes_[at - 1].effect == change.effect &&
         newer(changes_[at - 1].version, change.version)) {
    --at;
  }
  if (changes_.full()) {
    if (at < 2) return Added::TooOld;
    join_oldest(travel);
    --at;
  }
  changes_.insert(at, change);
  if (newer(change.version, version_)) version_ = change.version;
  return Added::Stored;
}

bool TimelineLog::has_room(Tick now) const {
  return !changes_.full() || ticks_between(changes_[1].effect, now) >= timeline_look_back_ticks;
}

// The merged change starts from the end that the second change leaves. It starts so early that the
// object is at its actual place when the second change takes effect.
void TimelineLog::join_oldest(const Travel& travel) {
  TimelineChange& second = changes_[1];
  const std::int32_t done = travelled_ticks(travel, *this, second.effect);
  const bool leaves = second.goal != 0;
  base_goal_ = leaves ? 0 : 1;
  second.effect = second.effect - (leaves ? done : travel.ticks - done);
  forget(changes_[0].version);
  changes_.erase(0);
}

void TimelineLog::forget(std::uint16_t version) {
  if (!forgot_any_ || newer(version, forgotten_version_)) forgotten_version_ = version;
  forgot_any_ = true;
}

void TimelineLog::forget_finished(const Travel& travel, Tick tick) {
  if (changes_.empty()) return;
  if (ticks_between(changes_.back().effect, tick) < travel.ticks) return;
  base_goal_ = changes_.back().goal;
  for (const TimelineChange& change : changes_) forget(change.version);
  changes_.clear();
}

TimelineLog TimelineLog::later_by(std::int32_t ticks) const {
  TimelineLog out = *this;
  for (TimelineChange& change : out.changes_) change.effect = change.effect + ticks;
  return out;
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
  const std::int32_t full = travel.ticks;
  if (travel.endless) {
    return static_cast<double>(tick.count % static_cast<std::uint32_t>(full)) / full;
  }
  return static_cast<double>(travelled_ticks(travel, log, tick)) / full;
}

bool settled(const Travel& travel, const TimelineLog& log, Tick tick) {
  if (travel.endless) return false;
  constexpr std::int32_t until_it_rests = 2;  // an acceleration spans three positions
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
