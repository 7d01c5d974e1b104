/// The state from which a game decides the input of an NPC.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/hash.hpp"
#include "perigee/world/game_state.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

/// An NPC is an actor of a game. GameModule::drive_npc computes its input on its worker. Everything
/// else is as for a player: the step, contacts, proposals, events, parents and rewinds.
struct NpcView {
  const World& world;  ///< with other entities at `tick`; their motions may be guesses
  Tick tick;           ///< of the input
  Handle actor = no_entity;
  std::uint64_t identity = 0;
  Handle parent = no_entity;  ///< frame of `state`
  const ActorState& state;    ///< at the start of the tick
  const GameState& game;      ///< before the events of the tick

  /// In world axes. None: the parent is gone.
  std::optional<Vec3> place() const {
    const auto frame = world.pose(parent, tick);
    return frame ? std::optional(transform(*frame, state.position)) : std::nullopt;
  }
  /// Seeded by actor and tick alone, and different from ActorContext::random.
  Random random() const { return Random(mix64(identity, (std::uint64_t{1} << 32) | tick.count)); }
};

}  // namespace perigee::world
