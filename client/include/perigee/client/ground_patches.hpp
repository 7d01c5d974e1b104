/// Patches of editable ground, as workers replicate them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "perigee/base/wire_world.hpp"
#include "perigee/world/entity_type.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::client {

class GroundPatches {
 public:
  /// A new entity: replaces the patch of that handle, or removes it if the shape has no cells.
  void set(Handle handle, const world::ShapePtr& shape);
  /// Removes the patches for which `known(Handle)` is false.
  template <class Known>
  void keep(Known known) {
    std::erase_if(patches_, [&](const auto& patch) { return !known(patch.first); });
  }
  void clear() { patches_.clear(); }

  /// Edits are named in ticks of the client's inputs, `delay_ticks` before the worker's.
  void voxel(const VoxelEvent& event, std::int32_t delay_ticks);
  void chunk(const ChunkEvent& event);
  /// No caller reads older ticks from now on.
  void settle(Tick before);

  /// The local version of a chunk that the worker lists. None: its patch is not known.
  std::optional<ChunkReport> report_on(const ChunkVersion& listed) const;
  /// Null: not known, or not a patch.
  const world::VoxelPatch* find(Handle patch) const;

 private:
  std::map<Handle, world::VoxelPatch> patches_;
};

}  // namespace perigee::client
