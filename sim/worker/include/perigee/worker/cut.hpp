/// A worker's part of a cut of the whole world, as bytes; the parts put together; what the journal
/// has of an outcome. What the world store keeps, and a world begins again from.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/netcode/actor_state.hpp"
#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/netcode/wire_voxels.hpp"
#include "perigee/world/game.hpp"

namespace perigee::worker {

/// Everybody cuts at the ticks that this divides: every 15 s.
inline constexpr std::uint32_t cut_every_ticks = 900;

/// Of a letter, for good.
struct LetterName {
  std::uint32_t life = 0;    ///< of the worker that sent it first
  std::uint64_t number = 0;  ///< 1, 2, 3 .. in that life
  friend auto operator<=>(const LetterName&, const LetterName&) = default;
};

/// An outcome on its way into the journal. Its name there is (target or actor, tick, kind,
/// ordinal), with the first ordinal from its own on that no other outcome has.
struct OutcomeRow {
  std::uint64_t number = 0;  ///< 1, 2, 3 .. in a worker's life
  std::uint8_t ordinal = 0;  ///< among those of one target, tick and kind that were decided with it
  LetterName letter;         ///< whose reading decided it; none: a commit did
  world::JournalEntry entry;
  Handle about() const { return entry.target != no_entity ? entry.target : entry.actor; }
};
/// Of two outcomes never the same, and of one always.
std::vector<std::byte> payload_of(const OutcomeRow& row);
/// None: not such bytes.
std::optional<world::JournalEntry> entry_of(std::span<const std::byte> payload);

/// What the journal has done with an outcome.
enum class Journalled : std::uint8_t {
  Stands,  ///< it is there for good
  Fenced,  ///< another life goes on in the place of the one that says it
  Unnamed  ///< others have all names that it could have
};

/// What one worker has at a tick.
struct CutPart {
  Tick tick;
  std::vector<WorkerSlot> slots;  ///< who else makes a part of it, itself among them; ascending
  std::vector<std::byte> bytes;
};

struct CutEntity {
  world::Entity entity;
  Motion motion;           ///< bodies
  world::TimelineLog log;  ///< timeline objects
};
struct CutGround {
  struct Chunk {
    std::uint16_t chunk = 0;
    std::uint16_t version = 0;
    ChunkBits bits{};
  };
  Handle patch = no_entity;
  std::vector<Chunk> chunks;  ///< all that are not as they were born
};
/// A player without a session: what a client that comes back finds again.
struct CutPlayer {
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;
  std::uint64_t identity = 0;
  Handle avatar = no_entity;
  Handle parent = no_entity;
  std::uint32_t ordinal = 0;
  bool respawns = false;
  Vec3 place;  ///< world, if its parent is lost
  ActorState state;
  world::GameState game;
  Vec3f thrust;
  std::uint16_t switch_version = 0;
  Tick settled;  ///< the newest whose outcomes are in `game`
};
struct CutContent {
  std::vector<CutEntity> entities;
  std::vector<world::HingeDrive> hinges;
  std::vector<CutGround> grounds;
  std::vector<CutPlayer> players;
};

/// What an outcome does to somebody who has not heard of it yet.
struct CutLetter {
  LetterName name;
  world::Letter letter;
  bool returned = false;  ///< it is for who sent it
};

/// All parts of a cut, each thing once.
struct WholeCut {
  Tick tick;
  Tick settled;        ///< the journal's entries of later ticks may not be in it
  CutContent content;  ///< entities by id
  std::vector<CutLetter> letters;
  std::uint32_t twice = 0;                   ///< dropped: another part had it, too
  std::vector<world::JournalEntry> journal;  ///< since `settled`, in order
};

/// The part of a worker without a world.
std::vector<std::byte> empty_part(Tick tick, const world::GameModule& game);
/// An Error is a sentence for the operator: damaged, or of a version of the program or game that
/// this one cannot read.
Result<WholeCut> join_parts(Tick tick, std::span<const std::vector<std::byte>> parts,
                            const world::GameModule& game);

}  // namespace perigee::worker
