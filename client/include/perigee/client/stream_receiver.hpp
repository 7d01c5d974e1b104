/// Receives the workers' blocks: one stream per worker, each with reliable events in order and the
/// newest states. Ignores late blocks of a former epoch, incarnation or session, and acknowledges
/// the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/frames.hpp"
#include "perigee/base/own_bases.hpp"
#include "perigee/base/reliable_stream.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/client/block_ticks.hpp"
#include "perigee/client/telemetry_log.hpp"

namespace perigee::client {

struct BlockSource {
  StreamId stream = 0;
  Tick tick;  ///< states are those at the start of this tick
};

/// Keeps the contents of blocks.
class BlockHandler {
 public:
  virtual ~BlockHandler() = default;
  /// Another incarnation of the cluster: its ticks, handles and sequences are unrelated to all
  /// known ones.
  virtual void on_new_cluster_id() = 0;
  /// The worker of this stream has no state of this client, so nothing removes the entities that
  /// the stream has replicated.
  virtual void on_stream_restart(StreamId stream) = 0;
  /// Each own section is newer than the one before.
  virtual void on_own(const BlockSource& from, const OwnSection& own) = 0;
  /// A section of a later tick, or of the same one, came before. The section may still announce
  /// motions that no other section announces: the worker does not repeat them once this block is
  /// acknowledged.
  virtual void on_late_own(const BlockSource& from, const OwnSection& own) = 0;
  /// In the order in which the worker sent them.
  virtual void on_event(const BlockSource& from, const WorldEvent& event) = 0;
  /// It may come twice, and from several streams.
  virtual void on_cue(const CueEvent& cue) = 0;
  /// False: the track is of no use (yet). The worker will send it again.
  virtual bool on_record(const BlockSource& from, const GroupFrame& frame,
                         const TrackRecord& record) = 0;
  /// The whole block was passed on.
  virtual void on_block_end(const BlockSource& from, bool with_own) = 0;
};

class StreamReceiver final : private BlockVisitor {
 public:
  struct Needs {
    BlockHandler& handler;
    TelemetryLog& telemetry;
  };
  explicit StreamReceiver(const Needs& needs);

  /// Starts with no known incarnation.
  void begin();
  /// `stream`: 1 to workers_max.
  void on_block(StreamId stream, std::span<const std::byte> bytes);
  /// In a new session the workers have no state of this client. Known entities stay on the screen
  /// until the workers send blocks, but not for ever.
  void on_new_session(Micros now_us);
  /// Once per frame.
  void advance(Micros now_us);
  /// Adds the acknowledgements that are due, as far as they fit.
  void write_acknowledgements(FrameWriter& frames);

  /// Of the newest block of that stream; 0 before the first one.
  std::uint16_t epoch_of(StreamId stream) const;

 private:
  struct Stream {
    StreamId number = 0;
    bool known = false;
    bool former = false;  ///< of the previous session: its next block restarts the stream
    std::uint16_t epoch = 0;
    EventReceiver<WorldEvent> events;
    Tick newest;
    std::optional<Tick> own;  ///< of the newest own section
    bool acknowledgement_due = false;
    BlockTicks ticks;
  };
  void on_own(const OwnSection& own) override;
  void on_event(Sequence sequence, const WorldEvent& event) override;
  void on_record(const GroupFrame& frame, const TrackRecord& record) override;
  void on_cue(const CueEvent& cue) override { needs_.handler.on_cue(cue); }
  const OwnBasis* own_basis(Tick tick) const override;
  Stream& stream_of(StreamId number);
  void restart(Stream& stream);

  Needs needs_;
  /// Incarnation of the cluster that the blocks come from, and the previous one: its late blocks
  /// are ignored.
  std::optional<std::uint16_t> cluster_id_, former_cluster_id_;
  /// By number; those of which a block has arrived. A cluster has few of the workers_max.
  std::vector<Stream> streams_;
  std::optional<Micros> former_since_us_;
  OwnBases bases_;
  Stream* reading_ = nullptr;  ///< of the block that is read
  // While a block is read:
  BlockSource block_;
  bool block_is_late_ = false;  ///< a block of a later tick came before it
  bool block_has_own_ = false;
  bool block_is_used_ = false;  ///< wholly
};

}  // namespace perigee::client
