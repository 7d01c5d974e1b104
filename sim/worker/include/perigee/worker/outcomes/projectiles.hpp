/// Projectiles. They are simulated one window behind the present, where nothing can change any
/// more: a hit at tick t is decided once, with projectile and target as they were at t.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "perigee/base/wire_world.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

/// The launch, for all other clients that know the shooter: they render the projectile.
ProjectileEvent launch_event(const world::Outcome& shot);

class Projectiles {
 public:
  explicit Projectiles(std::size_t projectiles_max) : projectiles_max_(projectiles_max) {
    flying_.reserve(projectiles_max);
  }

  /// False: too many are in flight.
  bool add(const world::Outcome& shot);
  /// Moves all projectiles through `tick`, for which all states are final. A projectile that hits
  /// something ends, and is passed to the callback with its hit.
  using OnHit = std::function<void(const world::Outcome& shot, const world::DrawnHit& hit)>;
  void fly(const world::World& world, Tick tick, const OnHit& on_hit);

 private:
  std::size_t projectiles_max_;
  std::vector<world::Outcome> flying_;  ///< by the tick of the shot
};

}  // namespace perigee::worker
