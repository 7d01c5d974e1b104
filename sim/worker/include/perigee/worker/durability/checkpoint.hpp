/// Checkpoints: consistent snapshots of the whole world at one tick. Defines a worker's part as
/// bytes, all parts joined, and the journal's record of an outcome. The world store keeps the parts
/// and the journal. A world is restored from them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/cluster_map.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/wire_voxels.hpp"
#include "perigee/world/game.hpp"

namespace perigee::worker {

/// All workers take a checkpoint at each tick that this divides: every 15 s.
inline constexpr std::uint32_t checkpoint_every_ticks = 900;

/// The permanent name of a mailbox message.
struct MessageId {
  HandleBlock incarnation;   ///< the worker incarnation that sent it first
  std::uint64_t number = 0;  ///< 1, 2, 3 .. within that incarnation
  friend auto operator<=>(const MessageId&, const MessageId&) = default;
};

/// An outcome on its way into the journal. Its key there is (target or actor, tick, kind, ordinal).
/// The ordinal in the key is the first free one that is not below `ordinal`.
struct OutcomeRow {
  std::uint64_t number = 0;  ///< 1, 2, 3 .. within a worker incarnation
  /// Index among the outcomes of one target, tick and kind that were decided together.
  std::uint8_t ordinal = 0;
  /// The message that caused the outcome when that message was read. None: a commit caused it.
  MessageId message;
  world::JournalEntry entry;
  Handle about() const { return entry.target != no_entity ? entry.target : entry.actor; }
};
/// Differs between any two outcomes, and is always the same for one outcome.
std::vector<std::byte> payload_of(const OutcomeRow& row);
/// None: the bytes are no entry.
std::optional<world::JournalEntry> entry_of(std::span<const std::byte> payload);

/// The journal's answer to an outcome.
enum class Journalled : std::uint8_t {
  Stands,  ///< written permanently
  Fenced,  ///< another incarnation has taken over from the one that sent it
  Unnamed  ///< all keys that it could have are taken by other outcomes
};

/// One worker's part of a checkpoint.
struct CheckpointPart {
  Tick tick;
  /// All workers that contribute a part, this one included; ascending.
  std::vector<WorkerSlot> slots;
  std::vector<std::byte> bytes;
};

struct CheckpointEntity {
  world::Entity entity;
  Motion motion;           ///< bodies
  world::TimelineLog log;  ///< scheduled objects
  /// Of a type that has one; none: initial.
  std::optional<world::ThingState> state;
  Tick settled;  ///< the newest tick with outcomes that are in `state`
};
struct CheckpointGround {
  struct Chunk {
    std::uint16_t chunk = 0;
    std::uint16_t version = 0;
    ChunkBits bits{};
  };
  Handle patch = no_entity;
  std::vector<Chunk> chunks;  ///< all chunks that differ from their initial content
};
/// A player without a session: restored for the client that comes back.
struct CheckpointPlayer {
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;
  std::uint64_t identity = 0;
  Handle avatar = no_entity;
  Handle parent = no_entity;
  std::uint32_t ordinal = 0;
  bool respawns = false;
  Vec3 place;  ///< world position, used if its parent is lost
  ActorState state;
  world::GameState game;
  Vec3f thrust;
  std::uint16_t switch_version = 0;
  Tick settled;  ///< the newest tick with outcomes that are in `game`
  PlayerAccount account;
};
struct CheckpointContent {
  std::vector<CheckpointEntity> entities;
  std::vector<world::HingeDrive> hinges;
  std::vector<CheckpointGround> grounds;
  std::vector<CheckpointPlayer> players;
};

/// A mailbox message that its receiver has not read yet.
struct CheckpointMessage {
  MessageId name;
  world::Message message;
  bool returned = false;  ///< the message goes back to its sender
};

/// All parts of a checkpoint, with each entity once.
struct WholeCheckpoint {
  Tick tick;
  /// Outcomes of later ticks may be missing from the content: the journal has them.
  Tick settled;
  CheckpointContent content;  ///< entities by id
  std::vector<CheckpointMessage> messages;
  /// Entities dropped because another part had them, too.
  std::uint32_t twice = 0;
  std::vector<world::JournalEntry> journal;  ///< entries since `settled`, in order
};

/// The part of a worker without a world.
std::vector<std::byte> empty_part(Tick tick, const world::GameModule& game);
/// The error is a sentence for the operator: damaged bytes, or a version of the program or game
/// that this one cannot read.
Result<WholeCheckpoint> join_parts(Tick tick, std::span<const std::vector<std::byte>> parts,
                                   const world::GameModule& game);

}  // namespace perigee::worker
