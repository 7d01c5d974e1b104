/// Patches of cells, and the bodies of their chunks in physics.
#pragma once

#include <span>
#include <vector>

#include "perigee/world/entity_motions.hpp"

namespace perigee::world {

class VoxelPatches {
 public:
  struct Needs {
    EntityTable& entities;
    const EntityMotions& motions;
    PhysicsWorld& physics;
    const Tick& now;
  };
  explicit VoxelPatches(Needs needs) : needs_(needs) {}

  void add(const EntityRecord& patch);
  void remove(const EntityRecord& gone);
  /// By entity id.
  std::span<const Handle> all() const { return patches_; }

  /// A patch's cells; null for other entities.
  VoxelPatch* cells(Handle patch);
  const VoxelPatch* cells(Handle patch) const;
  /// For cut_out().
  bool cut(Handle patch, const Bounds& around, Tick tick, VoxelCutout& out) const;
  /// The first patch by id that is this near to one of the members.
  const Entity* near(std::span<const Handle> members, double within_m) const;

  /// Called before each step: renews the bodies of changed chunks.
  void enter_physics();

 private:
  void enter_chunks(EntityRecord& patch);
  void renew(EntityRecord& patch, std::uint16_t chunk, BodyId& body);
  void wake_around(const EntityRecord& patch, std::uint16_t chunk);

  Needs needs_;
  std::vector<Handle> patches_;  ///< by entity id
};

}  // namespace perigee::world
