#include "perigee/replication/track_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perigee::replication {
namespace {

constexpr std::int32_t fit_ticks = 4;
/// People turn all the time, and their heading shows less than their place.
constexpr double yaw_bound_near_rad = 6 * pi / 180, yaw_bound_rad = 12 * pi / 180;

/// A body's acceleration takes bytes, and in a heap it is the noise of contacts. It has to explain
/// the last ticks so many times better.
constexpr double bend_gain_min = 4, spin_gain_min = 8;

/// A curve that misses a place of the last ticks by more than this does not explain them: something
/// has changed the velocity at once. A jump right after landing would become an acceleration of
/// 140 m/s^2, and a client that lost the next track would draw the person 17 m high.
constexpr double bend_off_m_max = 0.03;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// In the frame of its records; the position without the origin of a cell.
Pose pose_in(const GroupFrame& frame, const Published& entity) {
  return frame.parent != no_entity ? entity.local : Pose{entity.position, entity.world_rotation};
}

double yaw_bound(Precision precision) {
  return precision <= Precision::Fine ? yaw_bound_near_rad : yaw_bound_rad;
}

double off_by(const Track& track, std::int32_t ticks_ago, const std::optional<PastMotion>& past) {
  return past ? distance(point_at(track, -ticks_ago).pose.position, past->position) : 0;
}

/// Rate of turn that leads from one velocity to the other, rad/s.
Vec3 turn_between(const Vec3& from, const Vec3& to, double s) {
  const Vec3 axis = cross(from, to);
  return normalized(axis) * (arc_tangent(length(axis), dot(from, to)) / s);
}

/// By how long the track before it lasted, as the next one probably will.
int brevity_after(std::int32_t lasted_ticks) {
  int brevity = (1 << brevity_bits) - 1;
  while (brevity > 0 && lasted_ticks > (default_tick_rate_hz >> brevity)) --brevity;
  return brevity;
}

SharedTrack encode(const Published& entity, const GroupFrame& frame, Track track, int brevity) {
  SharedTrack out;
  out.frame = frame;
  track.position = track.position - origin_of(frame);
  out.steps = steps_of(track, frame.precision, entity.radius_m, brevity);
  PERIGEE_ASSERT(is_possible(out.steps, frame.precision), "receivers refuse an impossible track");
  out.bytes = encode_track(entity.handle, out.steps);
  out.track = track_of(out.steps, frame.precision);
  out.track.tick = track.tick;
  out.track.spin_damping_per_s = track.spin_damping_per_s;
  return out;
}

}  // namespace

bool tells_heading(const SharedTrack& shared, const Published& entity) {
  if (entity.turn != TrackTurn::Yaw) return true;
  const Quat rotation = pose_in(shared.frame, entity).rotation;
  return small_angle_between(shared.track.rotation, rotation) <= yaw_bound(shared.frame.precision);
}

double error_of(const SharedTrack& shared, const Published& entity, Tick now) {
  const GroupFrame& frame = shared.frame;
  if (frame.parent != frame_parent_of(entity, frame.precision)) return infinite;
  const Pose told = point_at(shared.track, ticks_between(shared.track.tick, now)).pose;
  const Pose is = pose_in(frame, entity);
  const double away_m = distance(origin_of(frame) + told.position, is.position);
  if (shared.track.turn != entity.turn) return infinite;
  switch (entity.turn) {
    case TrackTurn::None:
    case TrackTurn::Yaw:
      return away_m;
    case TrackTurn::Full:
      break;
  }
  return away_m + small_angle_between(told.rotation, is.rotation) * entity.radius_m;
}

Track fitted(const Track& motion, const std::optional<PastMotion>& two_ticks_ago,
             const std::optional<PastMotion>& four_ticks_ago) {
  if (!four_ticks_ago) return motion;
  // Both integrators move a place by the new velocity, so a velocity is that of the middle of the
  // tick before.
  constexpr double s = fit_ticks * seconds_per_tick;
  constexpr double half_s = seconds_per_tick / 2;
  Track parabola = motion;
  parabola.curve = TrackCurve::Parabola;
  parabola.acceleration = (motion.velocity - four_ticks_ago->velocity) / s;
  parabola.velocity += parabola.acceleration * half_s;
  const Vec3 turn = turn_between(four_ticks_ago->velocity, motion.velocity, s);
  const bool turns = length(turn) < circle_turn_max_rad_s / 2;
  Track circle = motion;
  circle.curve = TrackCurve::Circle;
  circle.velocity = rotate(rotation_by(turn * half_s), motion.velocity);
  circle.acceleration = cross(turn, circle.velocity);
  const auto off_m = [&](const Track& track) {
    return std::max(off_by(track, fit_ticks / 2, two_ticks_ago),
                    off_by(track, fit_ticks, four_ticks_ago));
  };
  const Track* bent = &parabola;
  double least_m = off_m(parabola);
  if (turns) {
    const double off_circle_m = off_m(circle);
    if (off_circle_m < least_m) {
      bent = &circle;
      least_m = off_circle_m;
    }
  }
  const double gain_min = motion.turn == TrackTurn::Full ? bend_gain_min : 1;
  const bool explains = least_m <= bend_off_m_max && least_m * gain_min < off_m(motion);
  return explains ? *bent : motion;
}

void fit_spin(Track& track, const std::optional<PastMotion>& two_ticks_ago,
              const std::optional<PastMotion>& four_ticks_ago) {
  if (track.turn != TrackTurn::Full || !two_ticks_ago || !four_ticks_ago) return;
  const auto off_rad = [&](const Track& of) {
    const Quat two = point_at(of, -fit_ticks / 2).pose.rotation;
    const Quat four = point_at(of, -fit_ticks).pose.rotation;
    return std::max(small_angle_between(two, two_ticks_ago->rotation),
                    small_angle_between(four, four_ticks_ago->rotation));
  };
  Track faster = track;
  faster.angular_acceleration =
      (track.angular_velocity - four_ticks_ago->angular_velocity) / (fit_ticks * seconds_per_tick);
  faster.angular_velocity += faster.angular_acceleration * (seconds_per_tick / 2);
  if (off_rad(faster) * spin_gain_min < off_rad(track)) track = faster;
}

TrackTable::TrackTable(std::size_t slots_max)
    : of_slots_(slots_max), histories_(slots_max / 3 + 1), holders_(slots_max) {
  checked_slots_.reserve(slots_max);
  lines_.reserve(1 + slots_max * precisions);
  lines_.emplace_back();
  free_lines_.reserve(slots_max * precisions);
}

TrackTable::Line& TrackTable::line(std::uint32_t slot, Precision precision) {
  LineIndex& at = of_slots_[slot].lines[index(precision)];
  if (at == no_line && !free_lines_.empty()) {
    at = free_lines_.back();
    free_lines_.pop_back();
  } else if (at == no_line) {
    at = static_cast<LineIndex>(lines_.size());
    lines_.emplace_back();
  }
  return lines_[at];
}

void TrackTable::begin(Tick now) {
  now_ = now;
  for (const std::uint32_t slot : checked_slots_) {
    of_slots_[slot].checked = {};
    holders_.forget_checked(slot);
  }
  checked_slots_.clear();
  histories_.begin();
}

void TrackTable::check(std::uint32_t slot, Precision precision, const Published& entity,
                       const PastOf& past) {
  Line& held = line(slot, precision);
  const SharedTrack& shared = held.shared;
  const bool young = ticks_between(shared.track.tick, now_) < track_ticks_max / 2;
  if (shared.version == 0 || !young || error_of(shared, entity, now_) > bound_m(precision)) {
    renew(slot, held, precision, entity, past);
  } else if (!tells_heading(shared, entity)) {
    turn(slot, held, entity);
  }
  note_checked(slot, shared, entity);
}

void TrackTable::note_checked(std::uint32_t slot, const SharedTrack& shared,
                              const Published& entity) {
  PackedVersions& of_slot = of_slots_[slot].checked;
  if (of_slot == PackedVersions{}) checked_slots_.push_back(slot);
  of_slot[index(shared.frame.precision)] = packed(version_of(shared));
  holders_.note_checked(slot, shared.frame.precision, entity.jointed);
}

void TrackTable::renew(std::uint32_t slot, Line& line, Precision precision, const Published& entity,
                       const PastOf& past) {
  SharedTrack& shared = line.shared;
  ++encoded_;
  holders_.outdate(slot, precision);
  int brevity = 0;
  if (shared.version != 0) {
    brevity = brevity_after(ticks_between(shared.track.tick, now_));
    histories_.note(owner(slot, precision), line.history, shared);
  }
  const GroupFrame frame = frame_of(entity, precision);
  const std::uint16_t version = next_version(shared.version);
  shared = encode(entity, frame, new_track(entity, frame, past), brevity);
  shared.version = version;
}

Track TrackTable::new_track(const Published& entity, const GroupFrame& frame,
                            const PastOf& past) const {
  const Track motion = straight_track(entity, frame, now_);
  const bool still = length(motion.velocity) < offset_step_m(frame.precision) / 2;
  std::optional<PastMotion> two, four;
  if (past && (!still || entity.turn == TrackTurn::Full)) {
    two = past(entity.handle, now_ - fit_ticks / 2, frame.parent);
    four = past(entity.handle, now_ - fit_ticks, frame.parent);
  }
  Track out = still ? motion : fitted(motion, two, four);
  fit_spin(out, two, four);
  if (still && out.angular_acceleration == Vec3{}) out.curve = TrackCurve::Still;
  return out;
}

const EncodedDifference* TrackTable::difference(std::uint32_t slot, Precision precision,
                                                Handle handle, const HeldBasis& basis) {
  const Line& held = lines_[of_slots_[slot].lines[index(precision)]];
  return histories_.difference(owner(slot, precision), held.history, handle, held.shared, basis);
}

void TrackTable::turn(std::uint32_t slot, Line& line, const Published& entity) {
  SharedTrack& shared = line.shared;
  holders_.outdate(slot, shared.frame.precision);
  shared.steps.yaw = yaw_steps(pose_in(shared.frame, entity).rotation);
  shared.track.rotation = yaw_of(shared.steps.yaw);
  encoded_ += 2;
  shared.bytes = encode_track(entity.handle, shared.steps);
  shared.heading_bytes = encode_heading(entity.handle, shared.track.rotation);
  shared.heading = heading_after(shared.heading);
  shared.turned = now_;
  histories_.forget_differences(owner(slot, shared.frame.precision), line.history);
}

bool TrackTable::tells(std::uint32_t slot, Precision of, Precision within,
                       const Published& entity) const {
  const SharedTrack& shared = this->shared(slot, of);
  return shared.version != 0 && error_of(shared, entity, now_) <= bound_m(within) &&
         tells_heading(shared, entity);
}

void TrackTable::clear(std::uint32_t slot) {
  of_slots_[slot].checked = {};
  holders_.clear(slot);
  for (LineIndex& at : of_slots_[slot].lines) {
    if (at == no_line) continue;
    lines_[at] = {};
    free_lines_.push_back(std::exchange(at, no_line));
  }
}

void TrackTable::adopt(std::uint32_t slot, const SharedTrack& track, const Published& entity) {
  of_slots_[slot].checked = {};
  holders_.forget_checked(slot);
  holders_.outdate(slot, track.frame.precision);
  Line& held = line(slot, track.frame.precision);
  held = {.shared = track};
  held.shared.track.spin_damping_per_s = entity.spin_damping_per_s;
}

}  // namespace perigee::replication
