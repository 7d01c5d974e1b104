#include "perigee/world/frame.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

constexpr double dt = seconds_per_tick;

/// One semi-implicit step of the body, as in the physics: velocities first, then the pose.
Motion stepped(Motion at, double share, bool turn_faster) {
  const double h = dt * share;
  const Vec3 body_acceleration = rotate_back(at.pose.rotation, at.acceleration);
  const Vec3 body_angular = rotate_back(at.pose.rotation, at.angular_acceleration);
  at.velocity += at.acceleration * h;
  if (turn_faster) at.angular_velocity += at.angular_acceleration * h;
  at.pose.position += at.velocity * h;
  at.pose.rotation = normalized(small_rotation(at.angular_velocity * h) * at.pose.rotation);
  at.acceleration = rotate(at.pose.rotation, body_acceleration);
  at.angular_acceleration = rotate(at.pose.rotation, body_angular);
  return at;
}

/// The inverse step: pose first, then velocities.
Motion stepped_back(Motion at, double share) {
  const double h = dt * share;
  const Vec3 body_acceleration = rotate_back(at.pose.rotation, at.acceleration);
  const Vec3 body_angular = rotate_back(at.pose.rotation, at.angular_acceleration);
  at.pose.position -= at.velocity * h;
  at.pose.rotation = normalized(small_rotation(at.angular_velocity * -h) * at.pose.rotation);
  at.acceleration = rotate(at.pose.rotation, body_acceleration);
  at.angular_acceleration = rotate(at.pose.rotation, body_angular);
  at.velocity -= at.acceleration * h;
  at.angular_velocity -= at.angular_acceleration * h;
  return at;
}

/// A larger acceleration than the thrusters give was a collision, which is over.
Motion believed(Motion at, double thrust_limit_m_s2) {
  if (length_squared(at.acceleration) > thrust_limit_m_s2 * thrust_limit_m_s2) at.acceleration = {};
  return at;
}

}  // namespace

Motion world_motion_of(const ActorState& state, const Motion& parent) {
  const Vec3 arm = rotate(parent.pose.rotation, state.position);
  Motion out;
  out.pose = {parent.pose.position + arm, parent.pose.rotation};
  out.velocity = parent.velocity + cross(parent.angular_velocity, arm) +
                 rotate(parent.pose.rotation, to_double(state.velocity));
  out.angular_velocity = parent.angular_velocity;
  return out;
}

ActorState re_express(const ActorState& state, const Motion& from, const Motion& to) {
  const Motion world = world_motion_of(state, from);
  ActorState out = state;
  out.position = inverse_transform(to.pose, world.pose.position);
  out.velocity = to_float(
      rotate_back(to.pose.rotation, world.velocity - velocity_at(to, world.pose.position)));
  return out;
}

std::uint16_t re_express_yaw(std::uint16_t yaw, const Pose& from, const Pose& to) {
  constexpr double turn = 2 * pi;
  const SinCos look = sin_cos(yaw * (turn / 65536));
  const Vec3 ahead = rotate_back(to.rotation, rotate(from.rotation, Vec3{look.sin, 0, look.cos}));
  const double angle = arc_tangent(ahead.x, ahead.z);
  const double units = (angle < 0 ? angle + turn : angle) * (65536 / turn);
  return static_cast<std::uint16_t>(static_cast<std::uint32_t>(units + 0.5) & 0xffffU);
}

Motion moved_with(const Motion& parent, const Motion& local) {
  const Quat& axes = parent.pose.rotation;
  const Vec3& w = parent.angular_velocity;
  Motion out;
  out.pose = parent.pose * local.pose;
  const Vec3 arm = out.pose.position - parent.pose.position;
  const Vec3 velocity = rotate(axes, local.velocity);
  const Vec3 spin = rotate(axes, local.angular_velocity);
  out.velocity = parent.velocity + cross(w, arm) + velocity;
  out.angular_velocity = w + spin;
  out.acceleration = parent.acceleration + cross(parent.angular_acceleration, arm) +
                     cross(w, cross(w, arm)) + 2.0 * cross(w, velocity) +
                     rotate(axes, local.acceleration);
  out.angular_acceleration =
      parent.angular_acceleration + cross(w, spin) + rotate(axes, local.angular_acceleration);
  return out;
}

Motion extrapolate(const Motion& at, double ticks, double thrust_limit_m_s2) {
  Motion now = believed(at, thrust_limit_m_s2);
  // Beyond the limit the body moves straight on: an untrusted tick must not cause minutes of steps.
  const double far = ticks - std::clamp(ticks, -extrapolate_ticks_max, extrapolate_ticks_max);
  ticks -= far;
  const auto whole = static_cast<std::int32_t>(ticks);
  for (std::int32_t i = 0; i < whole; ++i) now = stepped(now, 1, i < angular_hold_ticks_max);
  for (std::int32_t i = 0; i > whole; --i) now = stepped_back(now, 1);
  const double rest = ticks - whole;
  if (rest > 0) now = stepped(now, rest, whole < angular_hold_ticks_max);
  if (rest < 0) now = stepped_back(now, -rest);
  now.pose.position += now.velocity * (far * dt);
  return now;
}

Motion seen_from(const Motion& parent, const Motion& world) {
  const Vec3 drift = world.velocity - velocity_at(parent, world.pose.position);
  const Vec3 spin = world.angular_velocity - parent.angular_velocity;
  Motion out;
  out.pose = relative(parent.pose, world.pose);
  out.velocity = rotate_back(parent.pose.rotation, drift);
  out.angular_velocity = rotate_back(parent.pose.rotation, spin);
  return out;
}

void MotionAhead::start(const Motion& at, double thrust_limit_m_s2) {
  at_ = at;
  thrust_limit_m_s2_ = thrust_limit_m_s2;
  ahead_.reserve(whole_ticks_max + 1);
  ahead_.assign(1, believed(at, thrust_limit_m_s2));
}

Motion MotionAhead::after(std::int32_t ticks) const {
  if (ticks < 0) return extrapolate(at_, ticks, thrust_limit_m_s2_);
  const std::int32_t whole = std::min(ticks, whole_ticks_max);
  for (auto i = static_cast<std::int32_t>(ahead_.size()); i <= whole; ++i) {
    ahead_.push_back(stepped(ahead_.back(), 1, i <= angular_hold_ticks_max));
  }
  Motion now = ahead_[static_cast<std::size_t>(whole)];
  now.pose.position += now.velocity * (static_cast<double>(ticks - whole) * dt);
  return now;
}

void MotionOnward::start(const Motion& at, double thrust_limit_m_s2) {
  at_ = at;
  thrust_limit_m_s2_ = thrust_limit_m_s2;
  newest_ = believed(at, thrust_limit_m_s2);
  newest_ticks_ = 0;
  back_.clear();
}

const Motion& MotionOnward::after(std::int32_t ticks) {
  if (ticks < 0 && ticks >= -back_ticks_max) {
    const auto steps = static_cast<std::size_t>(-ticks);
    if (back_.empty()) back_.push_back(stepped_back(believed(at_, thrust_limit_m_s2_), 1));
    while (back_.size() < steps) back_.push_back(stepped_back(back_.back(), 1));
    return back_[steps - 1];
  }
  const bool onward =
      ticks >= newest_ticks_ && newest_ticks_ >= 0 && ticks <= extrapolate_ticks_max;
  if (!onward) {
    newest_ = extrapolate(at_, ticks, thrust_limit_m_s2_);
    newest_ticks_ = ticks;
  }
  for (; newest_ticks_ < ticks; ++newest_ticks_) {
    newest_ = stepped(newest_, 1, newest_ticks_ < angular_hold_ticks_max);
  }
  return newest_;
}

FrameMotion frame_motion(const Motion& start, const Motion& end, Inertia inertia,
                         const GravityBox& gravity) {
  const Quat& axes = start.pose.rotation;
  FrameMotion frame{.inertia = inertia, .gravity = gravity};
  frame.acceleration = rotate_back(axes, (end.velocity - start.velocity) / dt);
  frame.angular_velocity = rotate_back(axes, start.angular_velocity);
  frame.angular_acceleration =
      rotate_back(axes, (end.angular_velocity - start.angular_velocity) / dt);
  return frame;
}

Motion with_accelerations(const Motion& before, Motion now) {
  const auto turned = [&](const Vec3& mean) {
    return rotate(now.pose.rotation, rotate_back(before.pose.rotation, mean));
  };
  now.acceleration = turned((now.velocity - before.velocity) / dt);
  now.angular_acceleration = turned((now.angular_velocity - before.angular_velocity) / dt);
  return now;
}

}  // namespace perigee::world
