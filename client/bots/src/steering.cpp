#include "perigee/bots/steering.hpp"

#include "brain_units.hpp"

namespace perigee::bots {

namespace {

constexpr double faced_m = 10;  // horizontally: a nearer target is flown to without a turn

/// The axes that thrust in this direction, for the look of the input.
void thrust_along(const Vec3& thrust, const Direction& look, PlayerInput& input) {
  const SinCos yaw = sin_cos(look.yaw_rad), pitch = sin_cos(look.pitch_rad);
  const Vec3 level{yaw.sin, 0, yaw.cos};
  input.right = axis(dot(thrust, {-yaw.cos, 0, yaw.sin}));
  input.up = axis(dot(thrust, Vec3{0, pitch.cos, 0} - level * pitch.sin));
  input.forward = axis(dot(thrust, level * pitch.cos + Vec3{0, pitch.sin, 0}));
}

}  // namespace

void steer(const Senses& senses, Look& look, const Vec3& target, const Vec3& target_velocity,
           double speed_max, PlayerInput& input) {
  const ActorState& state = senses.state();
  const Vec3 way = target - state.position;
  const double away = length(way);
  // The highest speed from which the brakes (half of the thrust) can still stop it there.
  const double speed = std::min(speed_max, std::sqrt(2 * 6.0 * away));
  const Vec3 wanted = target_velocity + normalized(way) * speed;
  Vec3 thrust = (wanted - to_double(state.velocity)) * (2.5 / 15);
  const client::ClientEntity* parent = senses.entities().find(senses.parent());
  if (parent != nullptr) {
    const world::GravityBox& gravity = senses.entities().type_of(*parent).gravity;
    if (gravity.inside.contains(state.position)) thrust -= gravity.acceleration * (1 / 15.0);
  }
  const double size = length(thrust);
  if (size > 1) thrust = thrust / size;
  if (length({way.x, 0, way.z}) > faced_m) look.face({arc_tangent(way.x, way.z), 0});
  thrust_along(thrust, look.now(), input);
}

}  // namespace perigee::bots
