/// A level's meshes, hulls and heightfields as static entities of a game.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/level/level.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/world.hpp"

namespace perigee::level {

/// A row of a game's table of types for each mesh, then for each hull, then for each heightfield,
/// with ids from `first` on.
/// The game may change them, e.g. give them gravity. They keep views of the level's names, so the
/// level has to stay where it is. An error: a table has no room for so many rows from `first` on.
Result<std::vector<world::EntityType>> static_types(const Level& level, world::TypeId first);

/// For GameModule::populate: spawns the level's instances in `region` as entities of those types.
/// `ordinal` and the numbers behind it, one for each instance of the level, are for their ids.
void spawn_instances(world::World& world, const Level& level, world::TypeId first,
                     const world::Bounds& region, std::uint32_t spawner, std::uint32_t ordinal = 0);

}  // namespace perigee::level
