/// A group: the entities that must be simulated in one place. It is either a root with everything
/// that stands on it, is part of it, is jointed to it or touches it, or a fixture with the
/// scheduled objects on it. A fixture is a static, a ground of cells, or a scheduled object that no
/// moving body carries; no force moves a fixture. World::group_of finds a group, extract() copies
/// all state of it, and insert() lets another world continue with it from the same tick on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perigee/world/voxels.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

struct Group {
  Handle root = no_entity;  ///< the heaviest body; of equally heavy ones the one with the larger id
  std::vector<Handle> members;  ///< by entity id, the root among them
  /// Other workers' entities that the group touches or stands on. The worker with the heavier root
  /// receives the whole group.
  std::vector<Handle> foreign;
};

/// One entity with its history, as far back as any lookup reaches.
struct EntityPast {
  Entity entity;
  std::vector<std::pair<Tick, Motion>> motions;     ///< bodies, oldest first
  std::vector<std::pair<Tick, ActorTrace>> traces;  ///< actors, oldest first
  std::vector<std::pair<Tick, ActorTrace>> drawn;   ///< actors: where shots of other players hit it
  TimelineLog log;                                  ///< scheduled objects
  std::optional<VoxelPatch> cells;                  ///< ground of cells
  std::optional<ThingState> state;                  ///< of a type that has one
  /// Bodies at rest: nothing has moved them for a while. Set in checkpoints only; elsewhere the
  /// motions show it.
  bool rests = false;
};

struct GroupPast {
  Tick now;                          ///< of the source world: the next tick to step
  std::vector<EntityPast> entities;  ///< by entity id
  std::vector<HingeDrive> hinges;
};

/// Limits of one encoded group.
inline constexpr std::size_t group_things_max = 4096;
inline constexpr std::size_t group_hinges_max = 4096;

/// Encoded for another worker of the same game and build. Equal groups give equal bytes.
std::vector<std::byte> to_bytes(const GroupPast& group);
/// None: malformed bytes, or types that are not in the table.
std::optional<GroupPast> group_from_bytes(std::span<const std::byte> bytes,
                                          std::span<const EntityType> types);

}  // namespace perigee::world
