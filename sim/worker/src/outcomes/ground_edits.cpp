#include "perigee/worker/outcomes/ground_edits.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {
namespace {

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

void GroundEdits::cut_out(const Player& player, const ActorState& at_start,
                          world::StepRecord& record) const {
  world::cut_out(*player.params, at_start, record,
                 [this](Handle patch, const world::Bounds& around, Tick tick, auto& out) {
                   return needs_.world.cut_cells(patch, around, tick, out);
                 });
}

void GroundEdits::apply(const Player& player, const world::StepRecord& record) {
  for (const Handle handle : needs_.world.patches()) {
    if (needs_.world.find(handle)->remote) continue;  // only the owner's players may dig
    world::VoxelPatch& patch = *needs_.world.voxels(handle);
    FixedVector<world::VoxelEdit, world::cues_max> gone;
    for (const world::VoxelEdit& edit : patch.edits()) {
      const bool own = edit.tick == record.tick && edit.actor == player.avatar;
      if (own && !wished(record, handle, edit)) gone.push_back(edit);
    }
    for (const world::VoxelEdit& edit : gone) {
      patch.remove(edit);
      needs_.counts.add(metric.edits_withdrawn);
      announce(handle, edit, true);
    }
    for (const world::Proposal& wish : record.wishes.proposals) {
      if (!wish.edit || wish.edit->patch != handle) continue;
      const auto [cell, solid] = std::pair(wish.edit->cell, wish.edit->solid);
      const world::VoxelEdit edit{record.tick, player.avatar, wish.index, cell, solid};
      if (cell >= patch.plan().cells()) continue;
      if (patch.solid(patch.plan().cell_of(cell), record.tick) == solid) continue;
      if (patch.add(edit)) announce(handle, edit, false);
    }
  }
}

void GroundEdits::announce(Handle patch, const world::VoxelEdit& edit, bool withdrawn) {
  const world::VoxelPlan& plan = needs_.world.voxels(patch)->plan();
  const world::Cell cell = plan.cell_of(edit.cell);
  const std::uint16_t version = needs_.world.voxels(patch)->version(plan.chunk_of(cell));
  needs_.observers.broadcast(patch,
                             VoxelEvent{patch, edit.cell, version, edit.tick, edit.actor,
                                        edit.index, edit.solid, withdrawn},
                             true);
  for (Player& player : needs_.players) mark_wrong_where_seen(player, patch, cell, edit.tick);
}

// Ticks that looked at the cell after the edit ran with its former content.
void GroundEdits::mark_wrong_where_seen(Player& player, Handle patch, const world::Cell& cell,
                                        Tick edited) {
  for (Tick t = edited + 1; before(t, needs_.next); ++t) {
    const world::StepRecord* record = player.records.find(t);
    if (record == nullptr) continue;
    for (const world::Neighbour& neighbour : record->neighbours) {
      if (neighbour.id != patch || neighbour.cutout == 0) continue;
      if (record->cutouts[neighbour.cutout - 1U].contains(cell)) player.mark_wrong(t, needs_.next);
    }
  }
}

world::Judgement GroundEdits::judged(const world::Outcome& outcome) const {
  const world::CellEdit& wish = *outcome.wish.edit;
  if (wish.patch == no_entity) return {.reason = CancelReason::TooFar};
  const world::VoxelPatch* patch = needs_.world.voxels(wish.patch);
  const world::VoxelEdit edit = edit_of(outcome);
  const bool stands = patch != nullptr && patch->find(edit.tick, edit.actor, edit.index) != nullptr;
  if (!stands) return {.reason = CancelReason::NotAllowed};
  return {.target = wish.patch};
}

world::Judgement GroundEdits::settle(const world::Outcome& outcome) {
  world::Judgement judgement = judged(outcome);
  if (judgement.reason == CancelReason::TooFar) {
    needs_.counts.add(metric.edits_out_of_reach);
  } else if (judgement.reason != CancelReason::None) {
    needs_.counts.add(metric.edits_refused);
  } else if (needs_.world.voxels(judgement.target)->settle(edit_of(outcome))) {
    needs_.counts.add(metric.edits_committed);
  } else {
    needs_.counts.add(metric.edits_overruled);
    judgement.reason = CancelReason::Overruled;
  }
  return judgement;
}

void GroundEdits::end_tick(Tick tick) {
  for (const Handle patch : needs_.world.patches())
    needs_.world.voxels(patch)->settle_before(tick + 1);
}

}  // namespace perigee::worker
