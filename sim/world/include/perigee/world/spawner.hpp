/// Entities come and go: spawned and removed in all components that know them.
#pragma once

#include <span>

#include "perigee/world/body_forces.hpp"
#include "perigee/world/entity_bodies.hpp"
#include "perigee/world/spawning.hpp"
#include "perigee/world/voxel_patches.hpp"

namespace perigee::world {

class Spawner {
 public:
  struct Needs {
    EntityTable& entities;
    const EntityMotions& motions;
    NeighbourGrid& grid;
    EntityNews& news;
    GameCalls& calls;
    LivelyEntities& lively;
    VoxelPatches& patches;
    EntityBodies& bodies;
    BodyForces& forces;
    const Tick& now;
  };
  explicit Spawner(const Needs& needs) : needs_(needs) {}

  /// See World::spawn and World::despawn.
  Spawned spawn(const SpawnOrder& order);
  bool despawn(Handle handle);
  /// Spawns without a check of the order's numbers. Null: no room, or the id or handle is taken.
  EntityRecord* enter(const SpawnOrder& order);
  /// Removes entities without those that they carry.
  void release(std::span<const Handle> members);

 private:
  SpawnRefusal refusal_of(const SpawnOrder& order) const;
  std::unique_ptr<EntityRecord> make(const SpawnOrder& order, Handle handle);
  void despawn_children(Handle parent);
  void remove(EntityRecord& gone);

  Needs needs_;
};

}  // namespace perigee::world
