/// Applies the contents of blocks: entities, announced changes, verdicts and outcomes. Own sections
/// are passed on.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "perigee/base/streams.hpp"
#include "perigee/client/heard_cues.hpp"
#include "perigee/client/own_state.hpp"
#include "perigee/client/stream_receiver.hpp"

namespace perigee::client {

/// Verdict on an effect that the client displayed at once.
struct EffectVerdict {
  Tick target;
  std::uint8_t index = 0;
  Verdict verdict = Verdict::Confirmed;
  CancelReason reason = CancelReason::None;
};

class BlockApplier final : public BlockHandler {
 public:
  static constexpr std::size_t verdicts_max = 64;  ///< in a frame; the rest is dropped
  static constexpr std::size_t outcomes_max = 64;

  struct Needs {
    const Clocks& clocks;
    EntityStore& entities;
    Prediction& prediction;
    Projectiles& projectiles;
    HeardCues& heard_cues;
    const Display& display;
    Recorder& recorder;
    OwnState& own_state;
    TelemetryLog& telemetry;
    /// Discards all that is known about the world.
    std::function<void()> forget_world;
    /// Searches new predicted ticks for projectiles that hit the avatar.
    std::function<void()> search_hits;
  };
  explicit BlockApplier(Needs needs);

  void forget_world();
  void begin_frame();
  void end_frame() { outcomes_shown_ = outcomes_.size(); }
  std::span<const EffectVerdict> verdicts() const { return verdicts_; }
  std::span<const OutcomeEvent> outcomes() const { return outcomes_; }

  void on_new_cluster_id() override { needs_.forget_world(); }
  void on_stream_restart(StreamId stream) override { needs_.entities.forget_stream(stream); }
  void on_own(const BlockSource& from, const OwnSection& own) override {
    own_stream_ = from.stream;
    needs_.own_state.on_own(from, own);
  }
  void on_late_own(const BlockSource& from, const OwnSection& own) override {
    needs_.own_state.store_announced_motions(from, own);
  }
  void on_event(const BlockSource& from, const WorldEvent& event) override;
  void on_cue(const CueEvent& cue) override;
  bool on_record(const BlockSource& from, const GroupFrame& frame,
                 const TrackRecord& record) override;
  void on_block_end(const BlockSource& from, bool with_own) override;

 private:
  void apply(const SpawnEvent& event, const BlockSource& from);
  void apply(const DespawnEvent& event, const BlockSource& from);
  void apply(const LostEvent& event, const BlockSource& from);
  void apply(const ParentSwitchEvent& event, const BlockSource& from);
  void apply(const TimelineEvent& event, const BlockSource& from);
  void apply(const GameStateEvent& event, const BlockSource& from);
  void apply(const PlayerNameEvent& event, const BlockSource& from);
  void apply(const WorldStateEvent& event, const BlockSource& from);
  void apply(const ProjectileEvent& event, const BlockSource& from);
  void apply(const ProjectileHitEvent& event, const BlockSource& from);
  void apply(const OutcomeEvent& event, const BlockSource& from);
  void apply(const VoxelEvent& event, const BlockSource& from);
  void apply(const ChunkEvent& event, const BlockSource& from);
  void apply(const EffectEvent& event, const BlockSource& from);

  Needs needs_;
  std::vector<EffectVerdict> verdicts_;
  std::vector<OutcomeEvent> outcomes_;
  std::optional<StreamId> own_stream_;  ///< of the newest own section
  std::size_t outcomes_shown_ = 0;      ///< of these, in the previous frame
  bool ground_changed_ = false;         ///< by the block that is being read
};

}  // namespace perigee::client
