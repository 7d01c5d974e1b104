#include "perigee/client/block_applier.hpp"

#include <utility>

namespace perigee::client {

BlockApplier::BlockApplier(Needs needs) : needs_(std::move(needs)) {
  verdicts_.reserve(verdicts_max);
  outcomes_.reserve(outcomes_max);
}

void BlockApplier::forget_world() {
  verdicts_.clear();
  outcomes_.clear();
  outcomes_shown_ = 0;
}

void BlockApplier::begin_frame() {
  verdicts_.clear();
  outcomes_.erase(outcomes_.begin(),
                  outcomes_.begin() + static_cast<std::ptrdiff_t>(outcomes_shown_));
}

bool BlockApplier::on_record(const BlockSource& from, const GroupFrame& frame,
                             const TrackRecord& record) {
  if (record.handle == needs_.prediction.avatar()) return true;  // its own section is more precise
  if (needs_.entities.record(frame, record, from.stream, needs_.display.seen())) return true;
  needs_.telemetry.count_unknown_record();
  return false;
}

void BlockApplier::on_event(const BlockSource& from, const WorldEvent& event) {
  std::visit([&](const auto& one) { apply(one, from); }, event);
}

void BlockApplier::on_cue(const CueEvent& cue) { needs_.heard_cues.on_cue(cue); }

void BlockApplier::on_block_end(const BlockSource& from, bool with_own) {
  needs_.entities.heard(from.stream, from.tick);
  const bool ground_changed = std::exchange(ground_changed_, false);
  if (!with_own && !ground_changed && !needs_.prediction.owes_replay()) return;
  needs_.own_state.on_surroundings(ground_changed);
  constexpr auto oldest_ticks = static_cast<std::int32_t>(Prediction::history_ticks);
  needs_.entities.settle(from.tick - needs_.clocks.delay_ticks() - oldest_ticks);
  if (with_own) needs_.own_state.request_chunks(from.stream);
}

// An event that was lost may arrive after those of a new owner.
void BlockApplier::apply(const SpawnEvent& event, const BlockSource& from) {
  const Tick made = tick_with(event.made, from.tick);
  if (needs_.entities.is_superseded(event.handle, from.stream, made)) return;
  if (!needs_.entities.spawn(event, from.stream)) return;
  needs_.entities.note_owner(event.handle, from.stream, made);
  needs_.prediction.receive_fixture(event.handle);
}

void BlockApplier::apply(const DespawnEvent& event, const BlockSource& from) {
  const Tick made = tick_with(event.made, from.tick);
  if (needs_.entities.is_superseded(event.handle, from.stream, made)) return;
  needs_.entities.despawn(event.handle);
}

void BlockApplier::apply(const LostEvent& event, const BlockSource& from) {
  needs_.entities.doubt(event.handle, from.stream);
}

// The worker names its own tick; the client's inputs name earlier ticks if the worker delays the
// inputs.
void BlockApplier::apply(const ParentSwitchEvent& event, const BlockSource&) {
  ParentSwitchEvent named = event;
  named.effect = event.effect - needs_.clocks.delay_ticks();
  needs_.prediction.on_parent_switch(named);
}

void BlockApplier::apply(const TimelineEvent& event, const BlockSource&) {
  needs_.entities.timeline(event);
  needs_.prediction.receive_fixture(event.object);
  needs_.recorder.note_change(event);
}

void BlockApplier::apply(const GameStateEvent& event, const BlockSource&) {
  needs_.entities.game_state(event);
}

void BlockApplier::apply(const WorldStateEvent& event, const BlockSource& from) {
  needs_.entities.world_state(event, own_stream_ == from.stream);
}

void BlockApplier::apply(const PlayerNameEvent& event, const BlockSource&) {
  needs_.entities.player_name(event);
}

void BlockApplier::apply(const ProjectileEvent& event, const BlockSource&) {
  needs_.projectiles.on_event(event, needs_.display.projectile_viewer(needs_.clocks.now_us()));
  needs_.search_hits();
}

void BlockApplier::apply(const ProjectileHitEvent& event, const BlockSource&) {
  needs_.projectiles.on_hit(event, needs_.clocks.delay_ticks(), needs_.prediction.cues());
}

void BlockApplier::apply(const OutcomeEvent& event, const BlockSource&) {
  if (outcomes_.size() < outcomes_max) outcomes_.push_back(event);
}

void BlockApplier::apply(const VoxelEvent& event, const BlockSource&) {
  needs_.entities.voxel(event, needs_.clocks.delay_ticks());
  ground_changed_ = true;
}

void BlockApplier::apply(const ChunkEvent& event, const BlockSource&) {
  needs_.entities.chunk(event);
  ground_changed_ = true;
}

void BlockApplier::apply(const EffectEvent& event, const BlockSource&) {
  needs_.prediction.cues().on_verdict(event);
  needs_.projectiles.on_verdict(event);
  if (event.index < world::first_cue_index && verdicts_.size() < verdicts_max) {
    verdicts_.push_back({event.target, event.index, event.verdict, event.reason});
  }
}

}  // namespace perigee::client
