#include "perigee/client/ground_patches.hpp"

namespace perigee::client {

void GroundPatches::set(Handle handle, const world::ShapePtr& shape) {
  patches_.erase(handle);
  if (shape == nullptr || shape->voxels() == nullptr) return;
  patches_.emplace(handle, world::VoxelPatch(shape->voxels()));
}

const world::VoxelPatch* GroundPatches::find(Handle patch) const {
  const auto found = patches_.find(patch);
  return found != patches_.end() ? &found->second : nullptr;
}

// Applied in the order of versions. An event that does not follow the local version waits for the
// whole chunk: the next own section that lists the chunk causes a request for it.
void GroundPatches::voxel(const VoxelEvent& event, std::int32_t delay_ticks) {
  const auto found = patches_.find(event.patch);
  if (found == patches_.end()) return;
  world::VoxelPatch& patch = found->second;
  if (event.cell >= patch.plan().cells()) return;
  const std::uint16_t chunk = patch.plan().chunk_of(patch.plan().cell_of(event.cell));
  if (world::VoxelPatch::next_version(patch.version(chunk)) != event.version) return;
  const world::VoxelEdit edit{event.tick - delay_ticks, event.actor, event.index, event.cell,
                              event.solid};
  if (event.withdrawn) {
    patch.remove(edit);
  } else {
    patch.add(edit);
  }
}

void GroundPatches::chunk(const ChunkEvent& event) {
  const auto found = patches_.find(event.what.patch);
  if (found == patches_.end() || event.what.chunk >= found->second.plan().chunks()) return;
  found->second.replace(event.what.chunk, event.what.version, event.bits);
}

void GroundPatches::settle(Tick before) {
  for (auto& [handle, patch] : patches_) patch.settle_before(before);
}

std::optional<ChunkReport> GroundPatches::report_on(const ChunkVersion& listed) const {
  const world::VoxelPatch* patch = find(listed.patch);
  if (patch == nullptr || listed.chunk >= patch->plan().chunks()) return std::nullopt;
  const std::uint16_t here = patch->version(listed.chunk);
  const auto ahead = static_cast<std::int16_t>(static_cast<std::uint16_t>(listed.version - here));
  return ChunkReport{{listed.patch, listed.chunk, here}, ahead > 0};
}

}  // namespace perigee::client
