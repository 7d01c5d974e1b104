/// Messages from worker to client: blocks of entity records, the own section, reliable events.
/// Bytes: proto/WIRE.md, section "Block".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "perigee/base/bytes.hpp"
#include "perigee/base/game_bytes.hpp"
#include "perigee/base/own_section.hpp"
#include "perigee/base/player_account.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/sequence.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/base/wire_cues.hpp"
#include "perigee/base/wire_track.hpp"
#include "perigee/base/wire_voxels.hpp"

namespace perigee {

// --- reliable events -----------------------------------------------------------------------------

struct SpawnEvent {
  Handle handle = no_entity;
  std::uint64_t identity = 0;  ///< EntityId: phase class, order, hashing
  std::uint8_t type = 0;
  std::uint8_t respawns = 0;  ///< number of respawns
  std::uint16_t made = 0;     ///< low half of the sender's tick; repetitions keep it
  Handle parent = no_entity;
  std::uint8_t goal = 0;  ///< scheduled objects: the goal reached before the changes that follow
  Pose pose;              ///< in the parent's frame; rotation as float
};
struct DespawnEvent {
  Handle handle = no_entity;
  std::uint16_t made = 0;  ///< low half of the sender's tick; repetitions keep it
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
/// The public part of an entity's game state, sent whenever it has changed. Events of two workers
/// may arrive in any order: older versions are ignored.
struct GameStateEvent {
  Handle handle = no_entity;
  std::uint32_t version = 0;
  GameBytes game;
};
/// The public part of the world's state, for a player wherever it is: once it has joined, and after
/// each change. Of events of two workers, that of the avatar's owner counts.
struct WorldStateEvent {
  std::uint64_t identity = 0;  ///< of the entity that has the state
  std::uint32_t version = 0;
  GameBytes game;
};
/// The name of the player of an actor.
struct PlayerNameEvent {
  Handle actor = no_entity;
  PlayerName name;
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
using WorldEvent =
    std::variant<SpawnEvent, DespawnEvent, ParentSwitchEvent, TimelineEvent, EffectEvent,
                 GameStateEvent, OutcomeEvent, ProjectileEvent, VoxelEvent, ChunkEvent,
                 ProjectileHitEvent, LostEvent, PlayerNameEvent, WorldStateEvent>;

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
inline constexpr std::size_t group_header_bytes_max = 1 + 2 + 9 + 1;

/// Builds one block: header, then own section, events, groups, cues, in this order.
class BlockWriter {
 public:
  BlockWriter(std::span<std::byte> out, const BlockHeader& header);
  /// Returns false and writes nothing if it does not fit. At most once, first.
  /// `basis`: an earlier section that the receiver has; a block without it is longer.
  bool own(const OwnSection& own, const OwnBasis* basis = nullptr);
  /// Events are numbered; each carries its own sequence.
  bool event(Sequence sequence, const WorldEvent& event);
  /// Starts a group; records follow. False if not even the largest record would fit.
  bool begin_group(const GroupFrame& frame);
  /// Returns false if the group or the block is full. A track's tick is not after the block's, and
  /// at most track_ticks_max before it.
  bool record(std::span<const std::byte> bytes, Tick tick);
  /// Returns false and writes nothing if it does not fit. Its tick is not after the block's, and at
  /// most cue_age_ticks_max before it. No group follows.
  bool cue(const CueEvent& cue);
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
  std::size_t cue_count_at_ = 0;
  std::uint8_t cue_count_ = 0;
};

/// Receives the content of a block, in the order of the bytes. It is not called at all for a
/// malformed block: read_block first checks the whole of it.
class BlockVisitor {
 public:
  virtual ~BlockVisitor() = default;
  virtual void on_own(const OwnSection& own) = 0;
  virtual void on_event(Sequence sequence, const WorldEvent& event) = 0;
  /// A difference is passed on as it is: TrackBases completes it.
  virtual void on_record(const GroupFrame& frame, const TrackRecord& record) = 0;
  virtual void on_cue(const CueEvent&) {}
  /// An earlier own section of this stream; null if it is not known, which makes a block that
  /// builds on it unreadable.
  virtual const OwnBasis* own_basis(Tick) const { return nullptr; }
};
/// The header alone; none if malformed.
std::optional<BlockHeader> read_block_header(std::span<const std::byte> bytes);
/// None if any byte is malformed. Otherwise the header, after all calls of the visitor.
std::optional<BlockHeader> read_block(std::span<const std::byte> bytes, BlockVisitor& visitor);

}  // namespace perigee
