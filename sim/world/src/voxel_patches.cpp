#include "perigee/world/voxel_patches.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cell_boxes.hpp"

namespace perigee::world {
namespace {

/// Limit of changed chunks per tick: the bodies of the others follow a few ticks after the cells
/// that actors walk on.
constexpr int chunks_per_tick_max = 8;
constexpr std::size_t woken_max = 64;
constexpr double chunk_touch_m = 0.1;

}  // namespace

void VoxelPatches::add(const EntityRecord& patch) {
  const auto at = std::lower_bound(
      patches_.begin(), patches_.end(), patch.entity.id,
      [&](Handle other, EntityId id) { return needs_.entities.find(other)->entity.id < id; });
  patches_.insert(at, patch.entity.handle);
}

void VoxelPatches::remove(const EntityRecord& gone) {
  if (gone.voxels) std::erase(patches_, gone.entity.handle);
}

VoxelPatch* VoxelPatches::cells(Handle patch) {
  EntityRecord* found = needs_.entities.find(patch);
  return found != nullptr ? found->voxels.get() : nullptr;
}
const VoxelPatch* VoxelPatches::cells(Handle patch) const {
  return const_cast<VoxelPatches*>(this)->cells(patch);
}

bool VoxelPatches::cut(Handle patch, const Bounds& around, Tick tick, VoxelCutout& out) const {
  const VoxelPatch* found = cells(patch);
  if (found == nullptr) return false;
  found->cut(around, tick, {}, out);
  return true;
}

const Entity* VoxelPatches::near(std::span<const Handle> members, double within_m) const {
  if (patches_.empty()) return nullptr;
  std::vector<Bounds> reaches;
  for (const Handle handle : members) {
    const Bounds& bounds = needs_.entities.find(handle)->type->shape->bounds();
    if (const auto at = needs_.motions.pose(handle, needs_.now)) {
      reaches.push_back(inflated(transformed(*at, bounds), within_m));
    }
  }
  for (const Handle patch : patches_) {
    const EntityRecord& ground = *needs_.entities.find(patch);
    const Bounds bounds = transformed(ground.start.pose, ground.type->shape->bounds());
    const bool near = std::any_of(reaches.begin(), reaches.end(),
                                  [&](const Bounds& reach) { return overlap(reach, bounds); });
    if (near) return &ground.entity;
  }
  return nullptr;
}

void VoxelPatches::enter_physics() {
  for (const Handle patch : patches_) enter_chunks(*needs_.entities.find(patch));
}

// A static body per chunk, created anew at each change. Bodies that slept on the old body wake up.
void VoxelPatches::enter_chunks(EntityRecord& patch) {
  const VoxelPlan& plan = patch.voxels->plan();
  int changed = 0;
  for (std::uint16_t chunk = 0; chunk < plan.chunks(); ++chunk) {
    EntityRecord::ChunkBody& held = patch.chunk_bodies[chunk];
    const std::uint16_t version = patch.voxels->version(chunk);
    if (held.version == version) continue;
    const bool first = !held.version;
    if (!first && ++changed > chunks_per_tick_max) return;
    held.version = version;
    renew(patch, chunk, held.body);
    if (!first) wake_around(patch, chunk);
  }
}

void VoxelPatches::renew(EntityRecord& patch, std::uint16_t chunk, BodyId& body) {
  if (body != no_body) needs_.physics.remove_body(std::exchange(body, no_body));
  std::vector<Box> boxes;
  add_boxes(*patch.voxels, chunk, boxes);
  if (boxes.empty()) return;
  body = needs_.physics.add_body({.owner = patch.entity.handle,
                                  .shape = make_shape(std::move(boxes)),
                                  .mode = BodyMode::Static,
                                  .friction = patch.type->friction,
                                  .pose = patch.start.pose});
}

void VoxelPatches::wake_around(const EntityRecord& patch, std::uint16_t chunk) {
  const VoxelPlan& plan = patch.voxels->plan();
  const Cell low = plan.chunk_corner(chunk);
  const Cell high{low.x + chunk_cells, low.y + chunk_cells, low.z + chunk_cells};
  const Bounds around =
      transformed(patch.start.pose, inflated(plan.bounds_of(low, high), chunk_touch_m));
  std::array<BodyId, woken_max> found;
  const std::size_t count = needs_.physics.find_in_box(around, {}, found);
  for (std::size_t i = 0; i < count; ++i) {
    if (needs_.physics.mode(found[i]) == BodyMode::Dynamic) needs_.physics.wake(found[i]);
  }
}

}  // namespace perigee::world
