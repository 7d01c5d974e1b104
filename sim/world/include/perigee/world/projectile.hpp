/// Projectiles: the position is a function of the launch, so only the launch is replicated.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// All in the frame of the parent that the actor had at the launch, for the whole flight.
struct Projectile {
  Handle actor = no_entity;  ///< with tick and index, identifies it
  Tick tick;                 ///< launched at the start of it
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the proposal's
  Handle parent = no_entity;
  Vec3 from;
  Vec3 velocity;  ///< m/s
};
/// Maximal duration of a flight: 5 s.
inline constexpr std::int32_t projectile_ticks_max = 300;

/// The position after that many ticks: straight on, falling where there is gravity. Before the
/// launch: at the launch point.
Vec3 projectile_position(const Projectile& projectile, const GravityBox& gravity, double ticks);

}  // namespace perigee::world
