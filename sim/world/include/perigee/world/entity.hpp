/// The public part of an entity, the order that spawns it, and an actor's past places.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/world/entity_type.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {

/// Ticks for which motions and places are kept.
inline constexpr std::uint32_t history_ticks = 64;
/// Without further updates another worker's body moves on for so long, and then stands still.
inline constexpr std::int32_t catch_up_ticks = 15;

struct Entity {
  EntityId id;
  Handle handle = no_entity;
  TypeId type = 0;
  std::uint8_t respawns = 0;
  bool remote = false;
  Handle parent = no_entity;
  Pose local;  ///< statics and scheduled objects: permanent; bodies and actors: at their spawn
};

struct SpawnOrder {
  EntityId id;  ///< determines every processing order
  TypeId type = 0;
  Handle handle = no_entity;  ///< none: one from the world's own block
  std::uint8_t respawns = 0;
  Handle parent = no_entity;  ///< scheduled objects and actors only; others have world poses
  Pose local;                 ///< in the parent's frame
  Vec3 velocity;              ///< world axes, bodies only
  Vec3 angular_velocity;
  bool remote = false;  ///< another worker's: rendered and collided with, not simulated
  /// Bodies: at rest, without cost, until something affects it.
  bool rests = false;
  std::optional<Pose> at;          ///< bodies: present pose, world axes; none: at `local`
  std::optional<GameState> state;  ///< of a type that has one; none: initial
};

/// Numbers of entities.
struct Present {
  std::uint32_t own = 0, remote = 0;
};

/// An actor's place at a tick, relative to its parent.
struct ActorTrace {
  Handle parent = no_entity;
  Vec3 position;
  Vec3 velocity;
  friend bool operator==(const ActorTrace&, const ActorTrace&) = default;
};
using ActorTraces = TickRing<ActorTrace, history_ticks>;

}  // namespace perigee::world
