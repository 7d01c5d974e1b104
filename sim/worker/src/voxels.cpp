// Voxel ground that players dig. An edit enters its patch with the tick that made it, and leaves it
// again if re-simulation changes that tick; players that looked at the cell in later ticks are
// rewound, too. Conflicts are settled with the pending outcomes. (V11, K42, S2, S11)
#include <algorithm>

#include "perigee/worker/core.hpp"

namespace perigee::worker {
namespace {

constexpr double versions_told_m = 30;   // versions of chunks this near
constexpr double forgotten_m = 60;       // beyond this, the client's versions are forgotten
constexpr double contents_per_own = 1;   // 30 a second and client ...
constexpr double contents_at_once = 16;  // ... after a while without any

world::VoxelEdit edit_of(const world::Outcome& outcome) {
  const world::CellEdit& wish = *outcome.wish.edit;
  return {outcome.tick, outcome.actor, outcome.wish.index, wish.cell, wish.solid};
}

bool wished(const world::StepRecord& record, Handle patch, const world::VoxelEdit& edit) {
  const auto& wishes = record.wishes.proposals;
  return std::any_of(wishes.begin(), wishes.end(), [&](const world::Proposal& wish) {
    return wish.index == edit.index && wish.edit == world::CellEdit{patch, edit.cell, edit.solid};
  });
}

}  // namespace

void Core::cut_out(const Player& player, const ActorState& at_start, world::StepRecord& record) {
  world::cut_out(*player.params, at_start, record,
                 [this](Handle patch, const world::Bounds& around, Tick tick, auto& out) {
                   return world_->cut_cells(patch, around, tick, out);
                 });
}

// Makes the patches match the record of this actor's tick.
void Core::apply_edits(const Player& player, const world::StepRecord& record) {
  for (const Handle handle : world_->patches()) {
    if (world_->find(handle)->remote) continue;  // only the owner's players may dig
    world::VoxelPatch& patch = *world_->voxels(handle);
    FixedVector<world::VoxelEdit, world::cues_max> gone;
    for (const world::VoxelEdit& edit : patch.edits()) {
      const bool own = edit.tick == record.tick && edit.actor == player.avatar;
      if (own && !wished(record, handle, edit)) gone.push_back(edit);
    }
    for (const world::VoxelEdit& edit : gone) {
      patch.remove(edit);
      counts_.add(Count::EditsWithdrawn);
      tell_edit(handle, edit, true);
    }
    for (const world::Proposal& wish : record.wishes.proposals) {
      if (!wish.edit || wish.edit->patch != handle) continue;
      const auto [cell, solid] = std::pair(wish.edit->cell, wish.edit->solid);
      const world::VoxelEdit edit{record.tick, player.avatar, wish.index, cell, solid};
      if (cell >= patch.plan().cells()) continue;
      if (patch.solid(patch.plan().cell_of(cell), record.tick) == solid) continue;
      if (patch.add(edit)) tell_edit(handle, edit, false);
    }
  }
}

void Core::tell_edit(Handle patch, const world::VoxelEdit& edit, bool withdrawn) {
  const world::VoxelPlan& plan = world_->voxels(patch)->plan();
  const world::Cell cell = plan.cell_of(edit.cell);
  const std::uint16_t version = world_->voxels(patch)->version(plan.chunk_of(cell));
  observers_.broadcast(patch,
                       VoxelEvent{patch, edit.cell, version, edit.tick, edit.actor, edit.index,
                                  edit.solid, withdrawn},
                       true);
  for (Player& player : players_) rewind_who_saw(player, patch, cell, edit.tick);
}

// Ticks that looked at the cell after the edit ran with its former content.
void Core::rewind_who_saw(Player& player, Handle patch, const world::Cell& cell, Tick edited) {
  for (Tick t = edited + 1; before(t, next_); ++t) {
    const world::StepRecord* record = player.records.find(t);
    if (record == nullptr) continue;
    for (const world::Neighbour& neighbour : record->neighbours) {
      if (neighbour.id != patch || neighbour.cutout == 0) continue;
      if (record->cutouts[neighbour.cutout - 1U].contains(cell)) player.mark_wrong(t, next_);
    }
  }
}

// For the player at once: another player may still turn out to have been first.
world::Judgement Core::judged_edit(const world::Outcome& outcome) const {
  const world::CellEdit& wish = *outcome.wish.edit;
  if (wish.patch == no_entity) return {.reason = CancelReason::TooFar};
  const world::VoxelPatch* patch = world_->voxels(wish.patch);
  const world::VoxelEdit edit = edit_of(outcome);
  const bool stands = patch != nullptr && patch->find(edit.tick, edit.actor, edit.index) != nullptr;
  if (!stands) return {.reason = CancelReason::NotAllowed};
  return {.target = wish.patch};
}

world::Judgement Core::settle_edit(const world::Outcome& outcome) {
  world::Judgement judgement = judged_edit(outcome);
  if (judgement.reason == CancelReason::TooFar) {
    counts_.add(Count::EditsOutOfReach);
  } else if (judgement.reason != CancelReason::None) {
    counts_.add(Count::EditsRefused);
  } else if (world_->voxels(judgement.target)->settle(edit_of(outcome))) {
    counts_.add(Count::EditsCommitted);
  } else {
    counts_.add(Count::EditsOverruled);
    judgement.reason = CancelReason::Overruled;
  }
  return judgement;
}

void Core::settle_ground(Tick tick) {
  for (const Handle patch : world_->patches()) world_->voxels(patch)->settle_before(tick + 1);
}

// The nearest first. A client has no chunks of patches that it does not know as entities.
void Core::list_chunks(ObserverState& state, const Player& player, OwnSection& own) {
  state.contents_left = std::min(state.contents_left + contents_per_own, contents_at_once);
  const auto parent = world_->pose(player.parent, next_);
  if (!parent) return;
  const Vec3 at = transform(*parent, player.state.position);
  FixedVector<double, OwnSection::chunks_max> distances_m;
  for (const Handle handle : world_->patches()) {
    // Its owner lists it when the player is migrated there.
    if (world_->find(handle)->remote) continue;
    const world::VoxelPatch& patch = *world_->voxels(handle);
    const world::VoxelPlan& plan = patch.plan();
    const Vec3 local = inverse_transform(*world_->pose(handle, next_), at);
    const double away_m = replication::distance_to(plan.bounds_of({}, plan.size), local);
    if (!publisher_.knows(state.observer, handle) || away_m > forgotten_m) {
      state.chunks.erase(handle);
      continue;
    }
    if (away_m > versions_told_m) continue;
    ObserverState::Chunks& chunks = state.chunks[handle];
    chunks.has.resize(plan.chunks());
    chunks.sent.resize(plan.chunks());
    for (std::uint16_t chunk = 0; chunk < plan.chunks(); ++chunk) {
      if (chunks.has[chunk] == patch.version(chunk)) continue;
      const world::Cell low = plan.chunk_corner(chunk);
      const world::Cell high{low.x + chunk_cells, low.y + chunk_cells, low.z + chunk_cells};
      const double chunk_m = replication::distance_to(plan.bounds_of(low, high), local);
      if (chunk_m > versions_told_m) continue;
      if (distances_m.full()) {
        if (distances_m.back() <= chunk_m) continue;
        distances_m.erase(distances_m.size() - 1);
        own.chunks.erase(own.chunks.size() - 1);
      }
      std::size_t place = distances_m.size();
      while (place > 0 && distances_m[place - 1] > chunk_m) --place;
      distances_m.insert(place, chunk_m);
      own.chunks.insert(place, {handle, chunk, patch.version(chunk)});
    }
  }
}

// The client's answer. It requests contents that its events cannot lead to; each is sent once.
void Core::on_chunks(ObserverState& state, const ChunkFrame& frame) {
  if (frame.stream_epoch != state.observer.stream_epoch) return;
  for (const ChunkReport& report : frame.reports) {
    const auto& [handle, chunk, version] = report.has;
    const world::VoxelPatch* patch = world_->voxels(handle);
    const auto known = state.chunks.find(handle);
    if (patch == nullptr || known == state.chunks.end() || chunk >= patch->plan().chunks()) {
      drop(Count::ChunkReportsRefused);
      continue;
    }
    const std::uint16_t newest = patch->version(chunk);
    if (!report.lacks) {
      if (version == newest) known->second.has[chunk] = newest;
      continue;
    }
    if (known->second.sent[chunk] == newest) continue;  // it is in flight
    if (state.contents_left < 1) {
      drop(Count::ChunksDeferred);
      continue;
    }
    if (!state.observer.events.push(ChunkEvent{{handle, chunk, newest}, patch->chunk(chunk)},
                                    false)) {
      drop(Count::EventsDeferred);
      continue;
    }
    known->second.sent[chunk] = newest;
    state.contents_left -= 1;
    counts_.add(Count::ChunksSent);
  }
}

}  // namespace perigee::worker
