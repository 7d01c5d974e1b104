/// A group: what has to be simulated in one place. A root with what stands on it, is part of it,
/// hangs on joints with it or touches it; or a piece of furniture (what no force moves: statics,
/// ground of cells, timeline objects that nothing moving carries) with the timeline objects on it.
/// World::group_of finds it, extract() copies all that the world knows of it, insert() makes
/// another world go on with that from the same tick on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "perigee/world/voxels.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

struct Group {
  Handle root = no_entity;      ///< the heaviest body, of equal ones the one with the larger id
  std::vector<Handle> members;  ///< by entity id, the root among them
  /// What of another worker's it touches or stands on: whoever has the heavier root takes all.
  std::vector<Handle> foreign;
};

/// One entity with its past, as far as anybody may look back.
struct EntityPast {
  Entity entity;
  std::vector<std::pair<Tick, Motion>> motions;     ///< bodies, oldest first
  std::vector<std::pair<Tick, ActorTrace>> traces;  ///< actors, oldest first
  std::vector<std::pair<Tick, ActorTrace>> drawn;   ///< actors: where shots meet it elsewhere
  TimelineLog log;                                  ///< timeline objects
  std::optional<VoxelPatch> cells;                  ///< ground of cells
  /// Bodies that do not move: nothing has moved them for a while. Of a cut; else the motions tell.
  bool rests = false;
};

struct GroupPast {
  Tick now;                          ///< of the world that it was taken from: the next tick to step
  std::vector<EntityPast> entities;  ///< by entity id
  std::vector<HingeDrive> hinges;
};

/// Of one group as bytes.
inline constexpr std::size_t group_things_max = 4096;
inline constexpr std::size_t group_hinges_max = 4096;

/// As bytes, for another worker of the same game and build. Equal groups give equal bytes.
std::vector<std::byte> to_bytes(const GroupPast& group);
/// None: not such bytes, or of types that are not in the table.
std::optional<GroupPast> group_from_bytes(std::span<const std::byte> bytes,
                                          std::span<const EntityType> types);

}  // namespace perigee::world
