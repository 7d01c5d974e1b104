/// Projectiles. They are simulated one window behind the present, where nothing can change any
/// more: a hit at tick t is decided once, with projectile and target as they were at t. (B8)
#pragma once

#include <vector>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::Flights {
 public:
  explicit Flights(Core& core) : core_(core) { flying_.reserve(core.settings_.flights_max); }

  /// Sends the projectile to all other clients that know the shooter: they render it.
  void tell(const world::Outcome& loosed);
  /// Adds a projectile; beyond `flights_max` it is refused and counted.
  void loose(const world::Outcome& loosed);
  /// Moves all projectiles through `tick`, for which all states are final.
  void fly(Tick tick, world::Journal& journal);

 private:
  std::optional<world::DrawnHit> meets(const world::Outcome& loosed, Tick tick) const;
  void tell_player_of(Handle avatar, const WorldEvent& event, bool urgent);

  Core& core_;
  std::vector<world::Outcome> flying_;  ///< by the tick of the shot
};

}  // namespace perigee::worker
