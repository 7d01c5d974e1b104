#include "perigee/world/projectile.hpp"

#include <algorithm>

namespace perigee::world {

Vec3 projectile_position(const Projectile& projectile, const GravityBox& gravity, double ticks) {
  ticks = std::clamp(ticks, 0.0, static_cast<double>(projectile_ticks_max));
  Vec3 position = projectile.from;
  Vec3 velocity = projectile.velocity;
  for (double left = ticks; left > 0; left -= 1) {
    const double dt = std::min(left, 1.0) * seconds_per_tick;
    if (gravity.inside.contains(position)) velocity += gravity.acceleration * dt;
    position += velocity * dt;
  }
  return position;
}

}  // namespace perigee::world
