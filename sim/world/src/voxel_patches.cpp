// Patches of cells in the world, and their bodies in physics.
#include <algorithm>

#include "cell_boxes.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

/// Limit of changed chunks per tick: the bodies of the others follow a few ticks after the cells
/// that actors walk on.
constexpr int chunks_per_tick_max = 8;
constexpr std::size_t woken_max = 64;
constexpr double chunk_touch_m = 0.1;

}  // namespace

void World::list_patch(const Record& patch) {
  const auto at = std::lower_bound(
      patches_.begin(), patches_.end(), patch.entity.id,
      [&](Handle other, EntityId id) { return entities_.find(other)->entity.id < id; });
  patches_.insert(at, patch.entity.handle);
}

VoxelPatch* World::voxels(Handle patch) {
  Record* found = entities_.find(patch);
  return found != nullptr ? found->voxels.get() : nullptr;
}
const VoxelPatch* World::voxels(Handle patch) const {
  return const_cast<World*>(this)->voxels(patch);
}

bool World::cut_cells(Handle patch, const Bounds& around, Tick tick, VoxelCutout& out) const {
  const VoxelPatch* cells = voxels(patch);
  if (cells == nullptr) return false;
  cells->cut(around, tick, {}, out);
  return true;
}

// A static body per chunk, created anew at each change. Bodies that slept on the old one wake up.
void World::enter_chunks(Record& patch) {
  const VoxelPlan& plan = patch.voxels->plan();
  int changed = 0;
  for (std::uint16_t chunk = 0; chunk < plan.chunks(); ++chunk) {
    Record::ChunkBody& held = patch.chunk_bodies[chunk];
    const std::uint16_t version = patch.voxels->version(chunk);
    if (held.version == version) continue;
    const bool first = !held.version;
    if (!first && ++changed > chunks_per_tick_max) return;
    held.version = version;
    if (held.body != no_body) physics_->remove_body(std::exchange(held.body, no_body));
    std::vector<Box> boxes;
    add_boxes(*patch.voxels, chunk, boxes);
    if (!boxes.empty()) {
      held.body = physics_->add_body({.owner = patch.entity.handle,
                                      .shape = make_shape(std::move(boxes)),
                                      .mode = BodyMode::Static,
                                      .friction = patch.type->friction,
                                      .pose = patch.start.pose});
    }
    if (first) continue;
    const Cell low = plan.chunk_corner(chunk);
    const Cell high{low.x + chunk_cells, low.y + chunk_cells, low.z + chunk_cells};
    const Bounds around =
        transformed(patch.start.pose, inflated(plan.bounds_of(low, high), chunk_touch_m));
    std::array<BodyId, woken_max> found;
    const std::size_t count = physics_->find_in_box(around, {}, found);
    for (std::size_t i = 0; i < count; ++i) {
      if (physics_->mode(found[i]) == BodyMode::Dynamic) physics_->wake(found[i]);
    }
  }
}

void World::leave_physics(const Record& gone) {
  if (gone.body != no_body) leaving_.emplace_back(gone.entity.id, gone.body);
  for (const Record::ChunkBody& chunk : gone.chunk_bodies) {
    if (chunk.body != no_body) leaving_.emplace_back(gone.entity.id, chunk.body);
  }
}

}  // namespace perigee::world
