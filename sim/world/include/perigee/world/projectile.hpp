/// Things in flight: where one is follows from how it left, so nobody has to be told twice.
/// (mission B6-B8)
#pragma once

#include <cstdint>

#include "perigee/netcode/player_input.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// In the frame of what its actor belonged to, for as long as it flies.
struct Projectile {
  Handle actor = no_entity;  ///< with tick and index, its name
  Tick tick;                 ///< it leaves at the start of
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the proposal's
  Handle parent = no_entity;
  Vec3 from;
  Vec3 velocity;  ///< m/s
};
/// Then it is gone, whatever it has not met: 5 s.
inline constexpr std::int32_t flight_ticks_max = 300;

/// Where it is after so many ticks: straight on, falling where there is gravity. Before it left: at
/// the bow.
Vec3 flight_position(const Projectile& projectile, const GravityBox& gravity, double ticks);

}  // namespace perigee::world
