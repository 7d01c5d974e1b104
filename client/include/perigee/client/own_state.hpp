/// The own avatar's state as the workers send it: it moves the clocks, and corrects the prediction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "perigee/base/streams.hpp"
#include "perigee/client/correction_log.hpp"
#include "perigee/client/stream_receiver.hpp"
#include "perigee/client/tick_runner.hpp"

namespace perigee::client {

class OwnState {
 public:
  struct Needs {
    Clocks& clocks;
    EntityStore& entities;
    Prediction& prediction;
    Projectiles& projectiles;
    const Display& display;
    InputSender& inputs;
    const TickRunner& ticks;
    Recorder& recorder;
    CorrectionLog& corrections;
    /// The game's choice of techniques for the avatar's type.
    std::function<void(const Techniques&)> suggest_techniques;
    /// Searches all predicted ticks again for projectiles that hit the avatar.
    std::function<void()> search_hits_again;
  };
  explicit OwnState(Needs needs) : needs_(std::move(needs)) {}

  void forget_world();
  void forget_session() { chunks_due_.reset(); }
  void on_own(const BlockSource& from, const OwnSection& own);
  /// The only use of a section that is late: the worker sends an announced motion once, in the
  /// section of one tick.
  void store_announced_motions(const BlockSource& from, const OwnSection& own);
  /// A whole block was applied, with an own section, new obstacles, or another state of the ground.
  void on_surroundings(bool ground_changed);
  /// With the next packet, reports the local versions of the chunks that the newest own section
  /// lists, to the worker of that section. Lost reports are repeated, because the chunks are listed
  /// again.
  void request_chunks(StreamId stream);
  void write_chunk_report(FrameWriter& frames, const StreamReceiver& streams);

  /// Techniques that the worker uses for this client's inputs, as last received; none before the
  /// first own section.
  const std::optional<SharedTechniques>& worker_techniques() const { return worker_techniques_; }
  /// Tick of the newest received final state, as the client's inputs name ticks.
  const std::optional<Tick>& final_tick() const { return final_tick_; }
  /// Number of own sections received.
  std::uint64_t snapshots() const { return snapshots_; }

 private:
  void correct();
  void note_correction(const std::optional<Correction>& correction);

  Needs needs_;
  OwnSection newest_;  ///< with a final tick as the client's inputs name it
  std::optional<SharedTechniques> worker_techniques_;
  std::optional<Tick> final_tick_;
  std::uint64_t snapshots_ = 0;
  std::optional<StreamId> chunks_due_;  ///< stream to send a report on listed chunks to
};

}  // namespace perigee::client
