#include "perigee/base/track_player.hpp"

#include <algorithm>

namespace perigee {
namespace {

/// A longer way than the velocities allow, plus this, is a teleport: it is not blended.
constexpr double leap_m = 10;
/// A deviation that the change of velocity does not explain, plus this, is a past that the server
/// has rewritten: it is blended over its own duration.
constexpr double rewritten_m = 0.1;
/// A track runs backwards this far at most: before, the entity is at its first known place.
constexpr double back_ticks_max = 15;

TrackPoint hermite(const TrackPoint& a, const TrackPoint& b, double u, double s) {
  const double u2 = u * u;
  const double u3 = u2 * u;
  return {{(2 * u3 - 3 * u2 + 1) * a.pose.position + (u3 - 2 * u2 + u) * s * a.velocity +
               (-2 * u3 + 3 * u2) * b.pose.position + (u3 - u2) * s * b.velocity,
           slerp(a.pose.rotation, b.pose.rotation, u)},
          lerp(a.velocity, b.velocity, u)};
}

/// Duration of a blend that adds at most 12 m/s to the motion. Of the cubic's speed, 3/2 comes from
/// the distance, and a third from the velocity that it keeps.
double rewrite_seconds(double off_m) {
  constexpr double added_m_s = 12;
  return std::clamp((1.5 + 1.0 / 3) * off_m / added_m_s, 0.3, 2.0);
}

/// Where such a blend begins. The drawn velocity was wrong: kept whole, it would lead an entity
/// that has turned back meanwhile metres farther. The blend keeps as much of it as leads once the
/// way back in that time, so the entity is drawn at most 15 % farther off before it returns.
TrackPoint rewritten_start(TrackPoint drawn, const TrackPoint& after, double off_m,
                           double takes_s) {
  const Vec3 wrong = drawn.velocity - after.velocity;
  drawn.velocity = after.velocity + normalized(wrong) * std::min(length(wrong), off_m / takes_s);
  return drawn;
}

}  // namespace

TrackPoint TrackPlayer::point_of(const Part& part, double ticks) {
  if (ticks >= part.to) return point_at(part.track, ticks);
  if (ticks <= part.from) return part.start;
  const double span = part.to - part.from;
  return hermite(part.start, point_at(part.track, part.to), (ticks - part.from) / span,
                 span * seconds_per_tick);
}

/// As rendered without the newest track; `ticks` after `tick`.
TrackPoint TrackPlayer::point_before(Tick tick, double ticks) const {
  const Part& last = parts_.back();
  return point_of(last, ticks + ticks_between(last.track.tick, tick));
}

void TrackPlayer::blend(Part& part, const NewTrack& added, double seen) const {
  const Part& last = parts_.back();
  part.from = part.to = 0;
  if (last.frame != part.frame) return;
  const double since = ticks_between(last.track.tick, part.track.tick);
  const double begin = std::max({-added.blend_ticks, -since, seen});
  const TrackPoint before = point_before(part.track.tick, begin);
  const double passed_s = std::clamp(since, 0.0, back_ticks_max) * seconds_per_tick;
  double takes = added.blend_ticks;
  const TrackPoint after = point_at(part.track, begin + takes);
  const double way_m = distance(before.pose.position, after.pose.position);
  const double fastest_m_s = length(before.velocity) + length(after.velocity);
  if (way_m > leap_m + fastest_m_s * (2 * passed_s + takes * seconds_per_tick)) return;
  TrackPoint start = before;
  const double half_s = takes * seconds_per_tick / 2;
  const double off_m = distance(before.pose.position + (before.velocity + after.velocity) * half_s,
                                after.pose.position);
  const double faster_m_s = distance(before.velocity, after.velocity);
  if (off_m > faster_m_s * half_s + added.bound_m + rewritten_m) {
    const double takes_s = rewrite_seconds(off_m);
    takes = takes_s / seconds_per_tick;
    start = rewritten_start(before, after, off_m, takes_s);
  }
  part.from = begin;
  part.to = std::max(0.0, begin + takes);
  part.start = start;
}

TrackOffer TrackPlayer::insert(const NewTrack& added, double seen) {
  Part part{added.track, added.frame, added.bound_m, 0, 0, {}};
  if (parts_.empty()) {
    part.from = part.to = -back_ticks_max;
  } else {
    if (before(added.sent, sent_)) return TrackOffer::TooOld;
    const Part& last = parts_.back();
    if (last.track.tick == added.track.tick && last.frame == added.frame &&
        last.bound_m == added.bound_m) {
      return TrackOffer::Duplicate;
    }
    blend(part, added, seen);
  }
  parts_.push_back(part);
  sent_ = added.sent;
  return TrackOffer::Stored;
}

// The same track once more, with the new rotation after the blend.
void TrackPlayer::turn(Tick tick, Tick sent, const Quat& rotation, double seen) {
  if (parts_.empty() || before(sent, sent_)) return;
  sent_ = sent;
  if (parts_.back().track.rotation == rotation) return;
  constexpr double blend_ticks = 4;
  Part part = parts_.back();
  const double at = ticks_between(part.track.tick, tick);
  part.from = std::max(at - blend_ticks, at + seen);
  part.to = std::max(part.to, part.from + blend_ticks);
  part.start = point_of(parts_.back(), part.from);
  part.track.rotation = rotation;
  parts_.push_back(part);
}

TrackPlayer::Sample TrackPlayer::drawn(Tick origin, double ticks, double heard) const {
  PERIGEE_ASSERT(!empty(), "drawn() needs a track");
  const double limit = heard + ahead_ticks_max;
  const double at = std::min(ticks, limit);
  const auto after = [&](const Part& part) { return at - ticks_between(origin, part.track.tick); };
  std::size_t index = parts_.size() - 1;
  while (index > 0 && after(parts_[index]) < parts_[index].from) --index;
  const Part& part = parts_[index];
  const TrackPoint point =
      point_of(part, std::max(after(part), index == 0 ? -back_ticks_max : part.from));
  const bool held = ticks > limit;
  return {part.frame, point.pose, held ? Vec3{} : point.velocity, ticks > heard, held};
}

TrackPlayer::NewTrack TrackPlayer::last() const {
  const Part& last = parts_.back();
  return {last.track, last.frame, sent_, last.bound_m};
}

FramedMotion TrackPlayer::newest(Tick at) const {
  const Part& last = parts_.back();
  const TrackPoint point = point_at(last.track, ticks_between(last.track.tick, at));
  return {at, last.frame, point.pose, point.velocity};
}

TrackPlace TrackPlayer::newest_place(Tick at) const {
  const Part& last = parts_.back();
  return place_at(last.track, ticks_between(last.track.tick, at));
}

}  // namespace perigee
