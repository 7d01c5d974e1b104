/// Messages from worker to client: blocks of entity records, the own section, reliable events.
/// Bytes: proto/WIRE.md, section "Block".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/bytes.hpp"
#include "perigee/base/game_bytes.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/sequence.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/wire_track.hpp"
#include "perigee/base/wire_voxels.hpp"
#include "perigee/base/world_time.hpp"

namespace perigee {

// --- own section ---------------------------------------------------------------------------------

/// A rigid body's motion with full precision, for parents: prediction depends on it.
struct ParentMotion {
  Handle handle = no_entity;
  Motion motion;  ///< at the block's tick; rotation and derivatives as float
};

struct ObjectVersion {
  Handle object = no_entity;
  std::uint16_t version = 0;
};

enum class VehiclePrediction : std::uint8_t {
  None,
  Free,     ///< the driver's client predicts the body
  Chained,  ///< it hangs on joints: rendered at the server's state
  last = Chained
};

struct OwnSection {
  static constexpr std::size_t parents_max = 4;
  static constexpr std::size_t versions_max = 16;
  static constexpr std::size_t chunks_max = ChunkFrame::reports_max;

  Handle avatar = no_entity;
  std::uint8_t reset_epoch = 0;  ///< a new one is a hard reset: older inputs are void
  SharedTechniques techniques;   ///< that the worker uses for this player
  std::int8_t delay_ticks = 0;   ///< delay of inputs behind the tick that they name
  /// The newest input tick that was really applied, and the ticks since then.
  bool has_echo = false;
  Tick echo;
  std::uint8_t echo_age_ticks = 0;
  /// The smallest margin of the inputs that the worker judged since the last block, applied or
  /// refused. A margin is the start of the tick that the input names minus the input's arrival, in
  /// even time (a tick is 1/60 s at any rate). Feedback for the client's lead control.
  bool has_margin = false;  ///< an input was judged since the last block
  Tick margin_input;        ///< the tick that it names
  std::int32_t margin_us = 0;
  std::uint8_t late = 0;     ///< inputs that arrived after their tick, saturating
  std::uint8_t guessed = 0;  ///< ticks that ran with a guess, saturating
  RateNotice rate;           ///< of world time, at the block's tick
  /// The newest final state, at the start of `final_tick`: the client compares its prediction with
  /// it. The parent is that of the step that led to it.
  Tick final_tick;
  Handle final_parent = no_entity;
  ActorState final_state;
  GameBytes final_game;      ///< the game's part of the state
  bool speculative = false;  ///< the state at the block's own tick may still change
  FixedVector<ParentMotion, parents_max> parents;
  /// Scheduled objects nearby that were changed a short time ago: the others are as the client
  /// received them.
  FixedVector<ObjectVersion, versions_max> versions;
  /// Chunks of ground nearby, nearest first, until the client reports that it has them. If the list
  /// is not full, all other chunks are as the client reported.
  FixedVector<ChunkVersion, chunks_max> chunks;
  /// Whether the avatar is at its parent's vehicle controls at the block's tick. The parent's
  /// motion is then the first of `parents`, and final: bodies are never rewound.
  VehiclePrediction vehicle = VehiclePrediction::None;
  Vec3f vehicle_thrust;  ///< m/s^2 in the body's axes; memory of its drive
};

// --- reliable events -----------------------------------------------------------------------------

struct SpawnEvent {
  Handle handle = no_entity;
  std::uint64_t identity = 0;  ///< EntityId: phase class, order, hashing
  std::uint8_t type = 0;
  std::uint8_t respawns = 0;  ///< number of respawns
  std::uint16_t version = 0;
  Handle parent = no_entity;
  std::uint8_t goal = 0;  ///< scheduled objects: the goal reached before the changes that follow
  Pose pose;              ///< in the parent's frame; rotation as float
};
struct DespawnEvent {
  Handle handle = no_entity;
  std::uint16_t version = 0;
};
/// The worker that the entity had migrated to died without a successor, possibly before it
/// replicated the entity: the client removes the entity, unless another worker replicates it.
struct LostEvent {
  Handle handle = no_entity;
};
/// At the start of `effect`, both sides re-express the actor in the new parent's frame, and the
/// actor takes or leaves the parent's vehicle controls.
struct ParentSwitchEvent {
  Handle handle = no_entity;
  Handle parent = no_entity;
  Tick effect;
  std::uint16_t version = 0;
  VehicleChange vehicle = VehicleChange::None;
};
/// An announced change of a scheduled object; an announcement is never withdrawn.
struct TimelineEvent {
  Handle object = no_entity;
  Tick effect;
  std::uint8_t goal = 0;
  std::uint16_t version = 0;
};
enum class Verdict : std::uint8_t { Confirmed, Cancelled, last = Cancelled };
enum class CancelReason : std::uint8_t {
  None,
  TooFar,
  NotThere,
  NotAllowed,
  TooLate,
  Overruled,  ///< counted at first, but an earlier event arrived later
  last = Overruled
};
/// The verdict on an effect that the client displayed at once. Its id is (player, target tick,
/// index in the tick); the player is the receiver.
struct EffectEvent {
  Tick target;
  std::uint8_t index = 0;
  Verdict verdict = Verdict::Confirmed;
  CancelReason reason = CancelReason::None;
  std::uint8_t detail = 0;  ///< the game's result, e.g. a hit
};
/// A final outcome that cannot be undone, sent to the players concerned.
struct OutcomeEvent {
  Tick tick;               ///< in which it happened
  std::uint8_t index = 0;  ///< of the proposal that caused it
  std::uint8_t kind = 0;   ///< the game's
  Handle actor = no_entity;
  Handle target = no_entity;
  std::int32_t amount = 0;
};
/// The public part of an actor's game state, sent whenever it has changed.
struct GameStateEvent {
  Handle handle = no_entity;
  GameBytes game;
};
/// Another actor's projectile was launched; its path follows from the launch.
struct ProjectileEvent {
  Handle actor = no_entity;
  Tick tick;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;
  Handle parent = no_entity;  ///< frame of `from` and `velocity`
  Vec3f from;
  Vec3f velocity;
};
/// A projectile has hit the receiver's avatar: decided once, and final.
struct ProjectileHitEvent {
  Handle actor = no_entity;  ///< with left (the launch tick) and index: identifies the projectile
  Tick left;
  std::uint8_t index = 0;
  std::uint8_t kind = 0;  ///< the game's
  Tick at;                ///< the tick in which both were at that place
};
using WorldEvent = std::variant<SpawnEvent, DespawnEvent, ParentSwitchEvent, TimelineEvent,
                                EffectEvent, GameStateEvent, OutcomeEvent, ProjectileEvent,
                                VoxelEvent, ChunkEvent, ProjectileHitEvent, LostEvent>;

// --- blocks --------------------------------------------------------------------------------------

/// A worker sends an observer at most this many blocks in a tick.
inline constexpr std::uint8_t block_parts_max = 8;

struct BlockHeader {
  std::uint16_t cluster_id = 0;    ///< low half of the map's
  std::uint16_t stream_epoch = 0;  ///< a new one restarts the event sequences from nothing known
  Tick tick;                       ///< states are those at the start of this tick
  std::uint8_t part = 0;           ///< number of the block among those of its tick
  bool last_part = true;
};

/// Tag, block, parent or cell, count; the records follow.
inline constexpr std::size_t group_header_bytes_max = 1 + 1 + 9 + 1;

/// Builds one block: header, then own section, events, groups, in this order.
class BlockWriter {
 public:
  BlockWriter(std::span<std::byte> out, const BlockHeader& header);
  /// Returns false and writes nothing if it does not fit. At most once, first.
  bool own(const OwnSection& own);
  /// Events are numbered; each carries its own sequence.
  bool event(Sequence sequence, const WorldEvent& event);
  /// Starts a group; records follow. False if not even the largest record would fit.
  bool begin_group(const GroupFrame& frame);
  /// Returns false if the group or the block is full. A track's tick is not after the block's, and
  /// at most track_ticks_max before it.
  bool record(const EncodedTrack& bytes, Tick tick);
  /// More blocks of this tick follow. Without this call, the block is the tick's last one.
  void more_follow();

  bool empty() const { return writer_.size() <= header_bytes_; }
  std::size_t space() const { return writer_.space(); }
  std::span<const std::byte> bytes() const { return writer_.written(); }

 private:
  ByteWriter writer_;
  Tick tick_;
  std::size_t header_bytes_ = 0;
  std::size_t group_count_at_ = 0;
  std::uint8_t group_count_ = 0;
};

/// Receives the content of a block, in the order of the bytes. It is not called at all for a
/// malformed block: read_block first checks the whole of it.
class BlockVisitor {
 public:
  virtual ~BlockVisitor() = default;
  virtual void on_own(const OwnSection& own) = 0;
  virtual void on_event(Sequence sequence, const WorldEvent& event) = 0;
  virtual void on_record(const GroupFrame& frame, const TrackRecord& record) = 0;
};
/// The header alone; none if malformed.
std::optional<BlockHeader> read_block_header(std::span<const std::byte> bytes);
/// None if any byte is malformed. Otherwise the header, after all calls of the visitor.
std::optional<BlockHeader> read_block(std::span<const std::byte> bytes, BlockVisitor& visitor);

}  // namespace perigee
