/// Entities that the game adds and removes by its journal: in a commit, in its server logic, and
/// when a message or a player arrives. All of these calls are made between two ticks, so the
/// standby receives the entity together with all other effects of the call.
#pragma once

#include <cstdint>
#include <functional>

#include "perigee/worker/counters.hpp"
#include "perigee/worker/tick/checked_game.hpp"
#include "perigee/world/spawning.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class GameSpawns {
 public:
  struct Needs {
    world::World& world;
    const CheckedGame& checked_game;
    Counts<Count>& counts;
    std::uint32_t spawner = 0;  ///< of entity ids; no others are made with it
    const Tick& next;           ///< the tick that is simulated next
    /// An actor has it: it is about to be removed.
    std::function<bool(Handle)> taken;
  };
  explicit GameSpawns(Needs needs) : needs_(std::move(needs)) {}

  /// See world::Journal.
  world::Spawned spawn(const world::ThingSpawn& thing);
  world::SpawnRefusal despawn(Handle entity);

 private:
  world::SpawnRefusal refusal_of(const world::ThingSpawn& thing) const;
  world::SpawnRefusal refusal_to_remove(Handle entity) const;
  /// Counts the refusal, notes it if it is a fault, and returns it.
  world::SpawnRefusal refuse(world::SpawnRefusal refusal, world::TypeId type, Handle entity);
  bool admit();

  Needs needs_;
  Tick changed_at_;
  std::uint32_t changes_ = 0;  ///< in the tick `changed_at_`
};

}  // namespace perigee::worker
