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
#include "perigee/base/wire_voxels.hpp"
#include "perigee/base/world_time.hpp"

namespace perigee {

// --- entity records -----------------------------------------------------------------------------

/// Positions on the wire are cell + local offset of 18 bits per axis. The precision depends on the
/// distance of the entity from the receiver: the error stays below a pixel, and far records over
/// many kilometres share one group. Relative to a parent the offset is parent-local, in fine steps.
enum class Precision : std::uint8_t {
  Fine,    ///< steps of 1/512 m, cells of 512 m: in the two inner rings
  Middle,  ///< steps of 1/64 m, cells of 4096 m: in the third ring
  Coarse,  ///< steps of 1/8 m, cells of 32768 m
};
inline constexpr std::size_t precisions = 3;
constexpr double offset_step_m(Precision precision) {
  constexpr std::array<double, precisions> steps_m{1.0 / 512, 1.0 / 64, 1.0 / 8};
  return steps_m[static_cast<std::size_t>(precision)];
}
constexpr double cell_m(Precision precision) { return offset_step_m(precision) * (1 << 18); }
/// Largest offset that can be encoded, per axis.
constexpr double offset_limit_m(Precision precision) { return cell_m(precision) / 2; }

struct Cell {
  std::int16_t x = 0, y = 0, z = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};
/// The cell with the nearest centre.
Cell cell_of(const Vec3& world, Precision precision);
Vec3 cell_center(const Cell& cell, Precision precision);

/// A handle is a worker's block and an index in it; a group's records share the block.
inline constexpr int handle_index_bits = 20;
constexpr std::uint8_t handle_block(Handle handle) {
  return static_cast<std::uint8_t>(handle >> handle_index_bits);
}

/// The origin of a group of records: an entity, or a cell of the world.
struct GroupFrame {
  Handle parent = no_entity;
  Cell cell;                              ///< if parent == no_entity
  Precision precision = Precision::Fine;  ///< Fine if parent != no_entity
  std::uint8_t block = 0;                 ///< of the records' handles
  friend bool operator==(const GroupFrame&, const GroupFrame&) = default;
};
Vec3 origin_of(const GroupFrame& frame);  ///< 0 in a parent's frame

/// One entity's pose and velocity, 16 bytes. Absolute and self-contained.
struct EntityRecord {
  Handle handle = no_entity;  ///< in the group's block
  Vec3 offset;                ///< metres in the group's frame, |component| <= offset_limit_m
  Quat rotation;              ///< smallest three, 9 bits each
  Vec3 velocity;              ///< m/s in the group's frame; 1/126 of the largest component, at
                              ///< most 2016 m/s
};
inline constexpr std::size_t entity_record_bytes = 16;
using EncodedRecord = std::array<std::byte, entity_record_bytes>;

EncodedRecord encode_record(const EntityRecord& record, Precision precision);
/// None if the bytes are no record.
std::optional<EntityRecord> decode_record(const EncodedRecord& bytes, const GroupFrame& frame);

/// Tag, kind, block, parent or cell, count; the records follow.
inline constexpr std::size_t group_header_bytes_max = 1 + 1 + 1 + 6 + 1;

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
  GameBytes final_game;  ///< the game's part of the state
  /// Set if the state at the block's own tick may still change; telemetry only.
  bool speculative = false;
  Handle newest_parent = no_entity;
  ActorState newest_state;
  FixedVector<ParentMotion, parents_max> parents;
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

struct BlockHeader {
  std::uint16_t cluster_id = 0;    ///< low half of the map's
  std::uint16_t stream_epoch = 0;  ///< a new one restarts the event sequences from nothing known
  Tick tick;                       ///< states are those at the start of this tick
};

/// Builds one block: header, then own section, events, groups, in this order.
class BlockWriter {
 public:
  BlockWriter(std::span<std::byte> out, const BlockHeader& header);
  /// Returns false and writes nothing if it does not fit. At most once, first.
  bool own(const OwnSection& own);
  /// Events are numbered; each carries its own sequence.
  bool event(Sequence sequence, const WorldEvent& event);
  /// Starts a group; records follow. False if not even one record would fit.
  bool begin_group(const GroupFrame& frame);
  /// Returns false if the group or the block is full.
  bool record(const EntityRecord& record);
  /// The same for a record encoded once for all subscribers.
  bool encoded_record(const EncodedRecord& bytes);

  bool empty() const { return writer_.size() <= header_bytes_; }
  std::size_t space() const { return writer_.space(); }
  std::span<const std::byte> bytes() const { return writer_.written(); }

 private:
  ByteWriter writer_;
  std::size_t header_bytes_ = 0;
  GroupFrame group_;
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
  virtual void on_record(const GroupFrame& frame, const EntityRecord& record) = 0;
};
/// The header alone; none if malformed.
std::optional<BlockHeader> read_block_header(std::span<const std::byte> bytes);
/// None if any byte is malformed. Otherwise the header, after all calls of the visitor.
std::optional<BlockHeader> read_block(std::span<const std::byte> bytes, BlockVisitor& visitor);

}  // namespace perigee
