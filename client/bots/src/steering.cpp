#include "perigee/bots/steering.hpp"

#include "brain_units.hpp"

namespace perigee::bots {

void steer(const Senses& senses, const Vec3& target, const Vec3& target_velocity, double speed_max,
           PlayerInput& input) {
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
  input.yaw = 0;  // looks along +z: right is -x
  input.right = axis(-thrust.x);
  input.up = axis(thrust.y);
  input.forward = axis(thrust.z);
}

}  // namespace perigee::bots
