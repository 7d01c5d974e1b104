#include "perigee/client/own_state.hpp"

#include <array>

#include "perigee/base/wire_voxels.hpp"

namespace perigee::client {

void OwnState::forget_world() {
  newest_ = {};
  worker_techniques_.reset();
  final_tick_.reset();
  chunks_due_.reset();
}

void OwnState::on_own(const BlockSource& from, const OwnSection& own) {
  ++snapshots_;
  needs_.clocks.on_own(from.tick, own);
  needs_.projectiles.settle(from.tick, needs_.prediction.cues());
  store_announced_motions(from, own);
  needs_.entities.parent_motions().heard({own.near.begin(), own.near.size()}, from.tick);
  needs_.entities.own_state(own, from.stream, from.tick, needs_.display.seen());
  worker_techniques_ = own.techniques;
  if (const ClientEntity* avatar = needs_.entities.find(own.avatar)) {
    needs_.suggest_techniques(needs_.entities.type_of(*avatar).techniques);
  }
  needs_.inputs.heard(own, needs_.clocks.now_us());
  needs_.clocks.on_margin(own, needs_.ticks.settled());
  newest_ = own;
  newest_.final_tick = own.final_tick - needs_.clocks.delay_ticks();
  newest_.final_state = needs_.prediction.unrounded(newest_);
  final_tick_ = newest_.final_tick;
  needs_.recorder.note_final(newest_);
  correct();
}

void OwnState::store_announced_motions(const BlockSource& from, const OwnSection& own) {
  for (const ParentMotion& parent : own.parents) {
    needs_.entities.parent_motions().store(parent, from.tick);
  }
}

void OwnState::correct() {
  Prediction& prediction = needs_.prediction;
  const bool was_running = prediction.running();
  const std::uint64_t resets = prediction.hard_resets();
  const auto correction = prediction.on_own(newest_, needs_.display.view(needs_.clocks.now_us()));
  if (prediction.running() && (!was_running || prediction.hard_resets() != resets)) {
    needs_.inputs.restart(prediction.next(), newest_);
  }
  note_correction(correction);
}

void OwnState::on_surroundings(bool ground_changed) {
  note_correction(needs_.prediction.receive_surroundings(
      newest_, ground_changed, needs_.display.view(needs_.clocks.now_us())));
}

void OwnState::note_correction(const std::optional<Correction>& correction) {
  if (!correction) return;
  needs_.search_hits_again();
  needs_.recorder.note_correction(*correction);
  needs_.corrections.on_correction(*correction);
}

void OwnState::request_chunks(StreamId stream) {
  if (!newest_.chunks.empty()) chunks_due_ = stream;
}

void OwnState::write_chunk_report(FrameWriter& frames, const StreamReceiver& streams) {
  if (!chunks_due_) return;
  const StreamId stream = *chunks_due_;
  chunks_due_.reset();
  ChunkFrame frame{streams.epoch_of(stream), {}};
  for (const ChunkVersion& listed : newest_.chunks) {
    if (const auto report = needs_.entities.report_on(listed)) frame.reports.push_back(*report);
  }
  if (frame.reports.empty()) return;
  std::array<std::byte, 128> bytes;
  frames.add(stream, write_chunks(frame, bytes));
}

}  // namespace perigee::client
