/// Entities that the game adds, removes and changes by its journal: in a commit, in its server
/// logic, and when a message or a player arrives. The standby receives the entity, its state or its
/// removal together with all other effects of the call.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/worker/tick/checked_game.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class GameSpawns {
 public:
  struct Needs {
    world::World& world;
    const CheckedGame& checked_game;
    const PlayerTable& players;
    Counts<Count>& counts;
    const Settings& settings;
    std::uint32_t spawner = 0;  ///< of entity ids; no others are made with it
    const Tick& next;           ///< the tick that is simulated next
    /// An actor has it: it is about to be removed.
    std::function<bool(Handle)> taken;
    /// See PlayerSessions.
    std::function<world::Spawned(const world::NpcSpawn&, world::EntityId)> enter_npc;
    std::function<void(Handle)> remove_npc;
    /// Own entity, removed just now: other workers are told with this tick.
    std::function<void(Handle)> on_gone;
  };
  explicit GameSpawns(Needs needs) : needs_(std::move(needs)) {}

  /// See world::Journal.
  world::Spawned spawn(const world::ThingSpawn& thing);
  world::Spawned spawn_npc(const world::NpcSpawn& npc);
  world::SpawnRefusal despawn(Handle entity);
  world::SpawnRefusal set_state(Handle thing, const world::GameState& state);
  /// Removes the NPCs that were despawned in this tick: until its end they may be in use.
  void remove_npcs();
  /// The NPC was despawned, and remove_npcs() has not been called since.
  bool leaves(Handle npc) const;

 private:
  world::SpawnRefusal refusal_of(const world::ThingSpawn& thing) const;
  world::SpawnRefusal refusal_of(const world::NpcSpawn& npc) const;
  world::SpawnRefusal refusal_to_remove(Handle entity) const;
  world::SpawnRefusal refusal_to_change(Handle thing) const;
  world::SpawnRefusal refusal_to_remove_actor(Handle actor) const;
  /// Counts the refusal, notes it if it is a fault, and returns it.
  world::SpawnRefusal refuse(world::SpawnRefusal refusal, world::TypeId type, Handle entity,
                             std::string_view field = {});
  bool admit();
  world::SpawnRefusal scarcity() const;
  world::EntityId next_id() const;

  Needs needs_;
  Tick changed_at_;
  std::uint32_t changes_ = 0;  ///< in the tick `changed_at_`
  std::vector<Handle> leaving_npcs_;
};

}  // namespace perigee::worker
