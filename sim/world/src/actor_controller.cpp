#include "actor_controller.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

constexpr double dt = seconds_per_tick;

Vec3 at_most(const Vec3& v, double limit) {
  const double l = length(v);
  return l > limit ? v * (limit / l) : v;
}

Vec3 gravity_at(const GravityBox& gravity, const Vec3& position) {
  return gravity.inside.contains(position) ? gravity.acceleration : Vec3{};
}

/// Acceleration of a body at rest on the deck, in the deck's frame.
Vec3 apparent_gravity(const FrameMotion& frame, const Vec3& position, const Vec3& velocity) {
  Vec3 a = gravity_at(frame.gravity, position);
  if (frame.inertia == Inertia::None) return a;
  const Vec3& w = frame.angular_velocity;
  a -= frame.acceleration + cross(frame.angular_acceleration, position) +
       cross(w, cross(w, position)) + 2.0 * cross(w, velocity);
  return a;
}

void consume_edges(const ActorParams& params, const Steering& steering, ActorState& state,
                   bool& jumps) {
  for (const std::uint16_t pressed : steering.edges) {
    if ((pressed & button_jetpack) != 0 && params.jetpack_m_s2 > 0) {
      state.flags = static_cast<std::uint8_t>(state.flags ^ actor_jetpack);
    }
    const bool flying = (state.flags & actor_jetpack) != 0;
    if ((pressed & button_jump) == 0 || flying || state.jump_ticks > 0) continue;
    if ((state.flags & actor_grounded) == 0 && state.coyote_ticks == 0) continue;
    jumps = true;
    state.jump_ticks = params.jump_ticks;
    state.coyote_ticks = 0;
  }
}

void leave_ground(ActorState& state) {
  state.flags = static_cast<std::uint8_t>(state.flags & ~actor_grounded);
  state.ground = no_entity;
}

/// Walking velocity relative to the deck, without forces: moves towards the desired one, limited by
/// the ground acceleration.
Vec3 walked(const ActorParams& params, const Steering& steering, const Vec3& velocity) {
  const Vec3 wish = steering.level * (steering.run ? params.run_m_s : params.walk_m_s);
  const Vec3 level{velocity.x, 0, velocity.z};
  return level + at_most(wish - level, params.ground_acceleration_m_s2 * dt);
}

/// Change of the relative velocity by steering, in free fall or with the jetpack.
Vec3 steered(const ActorParams& params, const Steering& steering, bool jetpack, bool has_weight,
             const Vec3& velocity) {
  if (jetpack) {
    Vec3 change = steering.free * (params.jetpack_m_s2 * dt);
    if (steering.dampers) {
      const Vec3 wish = normalized(steering.free);
      const Vec3 stray = velocity - wish * dot(velocity, wish);
      change -= at_most(stray, params.damper_m_s2 * dt);
    }
    return change;
  }
  if (!has_weight || steering.level == Vec3{}) return {};
  const Vec3 wish = steering.level * (steering.run ? params.run_m_s : params.walk_m_s);
  const Vec3 level{velocity.x, 0, velocity.z};
  // Accelerates only along the desired direction: a jump's momentum is never braked sideways.
  const Vec3 ahead = normalized(wish);
  const double lacking = dot(wish - level, ahead);
  return ahead * std::clamp(lacking, 0.0, params.air_acceleration_m_s2 * dt);
}

/// Limits the speed to the maximum, or to the former speed if that is higher: a parent switch must
/// not brake.
Vec3 limited(const ActorParams& params, bool jetpack, const Vec3& before, const Vec3& after) {
  if (jetpack) {
    return at_most(after, std::max(params.jetpack_speed_max_m_s, length(before)));
  }
  const double fall = std::min(-params.fall_speed_max_m_s, before.y);
  return {after.x, std::max(after.y, fall), after.z};
}

/// Free motion, integrated in an inertial frame: u = v + w x p, accelerate, move, turn back with
/// the frame. Euler with Coriolis terms drifts by 6.5 m in 10 s at 25 deg/s and 90 m, this by 0.1
/// mm.
void fly(const ActorParams& params, const FrameMotion& frame, const Steering& steering,
         const Vec3& relative, const ActorState& state, Motive& motive) {
  const Vec3& p = state.position;
  const bool full = frame.inertia == Inertia::Full;
  const bool jetpack = (state.flags & actor_jetpack) != 0;
  const Vec3 gravity = gravity_at(frame.gravity, p);
  const Vec3 spin = full ? frame.angular_velocity : Vec3{};
  Vec3 forced = relative + gravity * dt;
  if (full) forced -= frame.acceleration * dt;
  forced += steered(params, steering, jetpack, gravity != Vec3{}, forced);
  forced = limited(params, jetpack, relative, forced);
  if (!full) {
    motive.velocity = forced;
    motive.way = forced * dt;
    return;
  }
  const Vec3 u = forced + cross(spin, p);
  const Vec3 spin_after = spin + frame.angular_acceleration * dt;
  const Quat turn = small_rotation(spin_after * dt);
  const Vec3 p_after = rotate_back(turn, p + u * dt);
  motive.way = p_after - p;
  motive.velocity = rotate_back(turn, u) - cross(spin_after, p_after);
}

}  // namespace

Steering read_input(const PlayerInput& input) {
  constexpr double turn = 2 * pi / 65536;
  const SinCos yaw = sin_cos(input.yaw * turn);
  const SinCos pitch = sin_cos(input.pitch * turn);
  const Vec3 ahead{yaw.sin, 0, yaw.cos};
  const Vec3 right{-yaw.cos, 0, yaw.sin};
  const Vec3 look = ahead * pitch.cos + Vec3{0, pitch.sin, 0};
  const Vec3 above = Vec3{0, pitch.cos, 0} - ahead * pitch.sin;
  const double r = std::max<int>(input.right, -127) / 127.0;
  const double u = std::max<int>(input.up, -127) / 127.0;
  const double f = std::max<int>(input.forward, -127) / 127.0;
  Steering out;
  out.level = at_most(right * r + ahead * f, 1);
  out.free = at_most(right * r + above * u + look * f, 1);
  out.run = (input.held & button_run) != 0;
  out.dampers = (input.held & button_dampers) != 0;
  for (const SubSample& sample : input.samples) {
    if (sample.pressed != 0) out.edges.push_back(sample.pressed);
  }
  return out;
}

Motive control(const ActorParams& params, const FrameMotion& frame, const Steering& steering,
               const Neighbour* ground, ActorState& state) {
  Motive motive;
  const bool was_grounded = (state.flags & actor_grounded) != 0;
  if (ground != nullptr && ground->previous != ground->pose) {
    const Vec3 foothold = inverse_transform(ground->previous, state.position);
    motive.carried = transform(ground->pose, foothold) - state.position;
    motive.ground_velocity = motive.carried / dt;
  }
  bool jumps = false;
  consume_edges(params, steering, state, jumps);
  Vec3 velocity = to_double(state.velocity);
  const Vec3 weight = apparent_gravity(frame, state.position, velocity);
  const bool jetpack = (state.flags & actor_jetpack) != 0;
  if (jumps) velocity.y = std::max(velocity.y, motive.ground_velocity.y) + params.jump_m_s;
  motive.has_weight = weight.y < 0;
  motive.walks = was_grounded && !jumps && !jetpack && motive.has_weight;
  if (motive.walks) {
    const Vec3 walk = walked(params, steering, velocity - motive.ground_velocity);
    motive.velocity = walk + motive.ground_velocity;
    motive.way = walk * dt;
    return motive;
  }
  leave_ground(state);
  motive.carried = {};
  motive.ground_velocity = {};
  fly(params, frame, steering, velocity, state, motive);
  return motive;
}

}  // namespace perigee::world
