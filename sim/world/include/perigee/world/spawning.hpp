/// Orders of a game that add entities to the world while it runs, and the reasons for refusals.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "perigee/base/vec.hpp"
#include "perigee/world/game_fault.hpp"
#include "perigee/world/game_state.hpp"
#include "perigee/world/ids.hpp"

namespace perigee::world {

/// Limit of entities that a game adds, removes and changes by its journal in a tick on one worker.
inline constexpr std::uint32_t journal_changes_per_tick_max = 256;

enum class SpawnRefusal : std::uint8_t {
  None,
  UnknownType,
  WrongKind,
  BadParent,
  BadPose,
  BadVelocity,
  BadId,
  TableFull,
  NoHandle,
  OutsideOfWorld,
  LimitOfTick,
  NpcLimit,
  Rehearsal,
  NoSuchEntity,
  NotOwned,
  Taken,
  OfPlayer,
  NoState,
  OfActor,
  last = OfActor
};
/// The reason and the remedy.
std::string_view to_sentence(SpawnRefusal refusal);
/// The row under which the refusal is counted and logged. Not for refusals that are part of play:
/// None, Rehearsal, NoSuchEntity, NotOwned, Taken.
GameValue fault_of(SpawnRefusal refusal);
/// The number of an order that it is refused for: "velocity.y". Empty: there is another reason.
std::string_view field_of(SpawnRefusal refusal, const Pose& at, const Vec3& velocity,
                          const Vec3& angular_velocity = {});
/// The order is wrong, or there is no room. Other refusals are part of play.
constexpr bool is_fault(SpawnRefusal refusal) {
  switch (refusal) {
    case SpawnRefusal::None:
    case SpawnRefusal::Rehearsal:
    case SpawnRefusal::NoSuchEntity:
    case SpawnRefusal::NotOwned:
    case SpawnRefusal::Taken:
      return false;
    default:
      return true;
  }
}

/// The new entity, or why there is none.
struct Spawned {
  Handle entity = no_entity;
  SpawnRefusal refusal = SpawnRefusal::None;
  explicit operator bool() const { return refusal == SpawnRefusal::None; }
  friend bool operator==(const Spawned&, const Spawned&) = default;
};

/// A static, a body or a scheduled object. It begins at the start of the coming tick.
struct ThingSpawn {
  TypeId type = 0;
  Handle parent = no_entity;  ///< scheduled objects only
  Pose at;                    ///< in the parent's frame
  Vec3 velocity;              ///< world axes, bodies only
  Vec3 angular_velocity;
  bool rests = false;              ///< bodies: at rest, without cost, until something affects it
  std::optional<GameState> state;  ///< of a type that has one; none: initial
};

}  // namespace perigee::world
