#include "perigee/client/own_edits.hpp"

namespace perigee::client {

bool OwnEdits::sent(const Edit& edit) const {
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
    if (sent(edit) || cell >= entities_.voxels(patch)->plan().cells()) continue;
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
    const bool known = sent(edit);
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

}  // namespace perigee::client
