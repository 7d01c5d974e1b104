// Editable ground: state replicated by workers, and predicted edits of the own avatar.
#include <algorithm>
#include <utility>

#include "perigee/client/client.hpp"

namespace perigee::client {

void EntityStore::add_patch(const ClientEntity& entity) {
  patches_.erase(entity.handle);
  const world::ShapePtr& shape = type_of(entity).shape;
  if (shape == nullptr || shape->voxels() == nullptr) return;
  patches_.emplace(entity.handle, world::VoxelPatch(shape->voxels()));
}

void EntityStore::forget_patches() {
  std::erase_if(patches_, [&](const auto& patch) { return find(patch.first) == nullptr; });
}

const world::VoxelPatch* EntityStore::voxels(Handle patch) const {
  const auto found = patches_.find(patch);
  return found != patches_.end() ? &found->second : nullptr;
}

// Applied in the order of versions. An event that does not follow the local version waits for the
// whole chunk: the next own section that lists the chunk causes a request for it.
void EntityStore::voxel(const VoxelEvent& event, std::int32_t delay_ticks) {
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

void EntityStore::chunk(const ChunkEvent& event) {
  const auto found = patches_.find(event.what.patch);
  if (found == patches_.end() || event.what.chunk >= found->second.plan().chunks()) return;
  found->second.replace(event.what.chunk, event.what.version, event.bits);
}

std::optional<ChunkReport> EntityStore::report_on(const ChunkVersion& told) const {
  const world::VoxelPatch* patch = voxels(told.patch);
  if (patch == nullptr || told.chunk >= patch->plan().chunks()) return std::nullopt;
  const std::uint16_t here = patch->version(told.chunk);
  const bool lacks = static_cast<std::int16_t>(static_cast<std::uint16_t>(told.version - here)) > 0;
  return ChunkReport{{told.patch, told.chunk, here}, lacks};
}

void EntityStore::settle(Tick before) {
  for (const auto& entity : entities_) {
    if (entity->log.size() == 0) continue;
    const Tick finished = before - world::timeline_look_back_ticks;
    entity->log.forget_finished(type_of(*entity).travel, finished);
  }
  for (auto& [handle, patch] : patches_) patch.settle_before(before);
}

bool OwnEdits::told(const Edit& edit) const {
  const world::VoxelPatch* patch = entities_.voxels(edit.patch);
  return patch == nullptr ||
         patch->find(edit.what.tick, edit.what.actor, edit.what.index) != nullptr;
}

void OwnEdits::on_step(const world::StepRecord& record, Handle avatar) {
  for (std::size_t i = edits_.size(); i-- > 0;) {
    if (edits_[i].what.tick == record.tick) edits_.erase(i);
  }
  for (const world::Proposal& wish : record.wishes.proposals) {
    if (!wish.edit) continue;
    const auto& [patch, cell, solid] = *wish.edit;
    const Edit edit{patch, {record.tick, avatar, wish.index, cell, solid}};
    if (told(edit) || cell >= entities_.voxels(patch)->plan().cells()) continue;
    if (edits_.full()) edits_.erase(0);
    std::size_t place = edits_.size();
    while (place > 0 && before(record.tick, edits_[place - 1].what.tick)) --place;
    edits_.insert(place, edit);
  }
}

// The worker lists the chunks that the client lacks. A chunk that is not listed, or is listed in
// the local version, therefore contains all edits that the worker had at those ticks.
bool OwnEdits::chunk_is_here(const Edit& edit, const OwnSection& own) const {
  const world::VoxelPatch& patch = *entities_.voxels(edit.patch);
  const std::uint16_t chunk = patch.plan().chunk_of(patch.plan().cell_of(edit.what.cell));
  for (const ChunkVersion& listed : own.chunks) {
    if (listed.patch != edit.patch || listed.chunk != chunk) continue;
    return patch.version(chunk) == listed.version;
  }
  return !own.chunks.full();
}

bool OwnEdits::on_final(const OwnSection& own) {
  bool refused = false;
  for (std::size_t i = edits_.size(); i-- > 0;) {
    const Edit& edit = edits_[i];
    const bool known = told(edit);
    const bool final = before(edit.what.tick, own.final_tick);
    if (!known && !(final && chunk_is_here(edit, own))) continue;
    refused |= !known;
    edits_.erase(i);
  }
  return refused;
}

OwnEdits::OfPatch OwnEdits::of(Handle patch) const {
  OfPatch out;
  for (const Edit& edit : edits_) {
    if (edit.patch == patch) out.push_back(edit.what);
  }
  return out;
}

void Client::hear_of_surroundings() {
  const bool changed = std::exchange(ground_changed_, false);
  note_correction(prediction_.hear_of_surroundings(told_, changed, view(now_us_)));
  constexpr auto oldest_ticks = static_cast<std::int32_t>(Prediction::history_ticks);
  entities_.settle(block_tick_ - delay_ticks_ - oldest_ticks);
  if (block_has_own_ && !told_.chunks.empty()) chunks_owed_ = block_stream_;
}

// The answer to the newest own section; lost reports are repeated, because the chunks are listed
// again.
void Client::report_chunks(FrameWriter& frames) {
  if (!chunks_owed_) return;
  const std::uint8_t stream = *chunks_owed_;
  chunks_owed_.reset();
  ChunkFrame frame{streams_[stream - 1U].epoch, {}};
  for (const ChunkVersion& listed : told_.chunks) {
    if (const auto report = entities_.report_on(listed)) frame.reports.push_back(*report);
  }
  if (frame.reports.empty()) return;
  std::array<std::byte, 128> bytes;
  frames.add(stream, write_chunks(frame, bytes));
}

bool Client::solid(Handle patch, const world::Cell& cell) const {
  const world::VoxelPatch* voxels = entities_.voxels(patch);
  if (voxels == nullptr || !voxels->plan().contains(cell)) return false;
  const OwnEdits::OfPatch own = prediction_.own_edits().of(patch);
  const std::uint32_t index = voxels->plan().index_of(cell);
  for (std::size_t i = own.size(); i-- > 0;) {
    if (own[i].cell == index) return own[i].solid;
  }
  return voxels->solid(cell, voxels->newest());
}

std::uint64_t Client::ground_version(Handle patch) const {
  const world::VoxelPatch* voxels = entities_.voxels(patch);
  if (voxels == nullptr) return 0;
  StateHash hash;
  for (std::uint16_t chunk = 0; chunk < voxels->plan().chunks(); ++chunk) {
    hash.add(voxels->version(chunk));
  }
  for (const world::VoxelEdit& edit : prediction_.own_edits().of(patch)) {
    hash.add(edit.tick.count).add(edit.cell).add(edit.solid);
  }
  return hash.value();
}

}  // namespace perigee::client
