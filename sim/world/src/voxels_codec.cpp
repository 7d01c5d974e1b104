// Encoding of a patch for another worker: the differences from its initial state.
#include <tuple>

#include "perigee/base/bytes.hpp"
#include "perigee/base/walk.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::world {
namespace {

bool in_order(const VoxelEdit& a, const VoxelEdit& b) {
  if (a.tick != b.tick) return before(a.tick, b.tick);
  return std::tuple(a.actor, a.index) < std::tuple(b.actor, b.index);
}

}  // namespace

template <class Cursor, class Patch>
bool VoxelPatch::walk(Cursor& cursor, Patch& patch) {
  const VoxelPlan& plan = *patch.plan_;
  std::vector<std::uint16_t> changed;
  for (std::uint16_t chunk = 0; chunk < plan.chunks(); ++chunk) {
    if (patch.versions_[chunk] != 0) changed.push_back(chunk);
  }
  const auto walk_chunk = [&](auto& chunk) {
    if (!cursor.number(chunk) || chunk >= plan.chunks()) return false;
    if (!cursor.number(patch.versions_[chunk])) return false;
    const Cell low = plan.chunk_corner(chunk);
    for (std::int32_t row = 0; row < chunk_cells * chunk_cells; ++row) {
      const Cell at{low.x, low.y + row / chunk_cells, low.z + row % chunk_cells};
      if (!cursor.number(patch.settled_[plan.index_of(at) / 8])) return false;
    }
    return true;
  };
  const auto walk_edit = [&](auto& edit) {
    return cursor.tick(edit.tick) && cursor.number(edit.actor) && cursor.number(edit.index) &&
           cursor.number(edit.cell) && cursor.flag(edit.solid) && edit.cell < plan.cells();
  };
  if (!walk_counted<std::uint16_t>(cursor, changed, plan.chunks(), walk_chunk) ||
      !walk_counted<std::uint16_t>(cursor, patch.edits_, edits_max, walk_edit)) {
    return false;
  }
  for (std::size_t i = 1; i < patch.edits_.size(); ++i) {
    if (!in_order(patch.edits_[i - 1], patch.edits_[i])) return false;
  }
  return true;
}

template bool VoxelPatch::walk(ByteReader&, VoxelPatch&);
template bool VoxelPatch::walk(ByteWriter&, const VoxelPatch&);

}  // namespace perigee::world
