/// Durable data of a world: a journal of outcomes that cannot be undone, checkpoints to restart
/// from, and records that are kept for good: results of matches, and profiles of players. One
/// contract, implemented with SQLite in a file and with PostgreSQL.
///
/// Every change is durable when it returns, and may be repeated after an error: the reply of a
/// successful change may have been lost. An Error names its remedy; the next call tries again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/counts.hpp"
#include "perigee/base/ids.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/migration/ledger.hpp"

namespace perigee::world_store {

using migration::GroupId;
/// Of the cluster map: another one is an unrelated world, neither older nor newer.
using ClusterId = std::uint32_t;

/// Identity of the writer: an incarnation of a worker. The columns of the tables are called
/// `region` and `epoch`.
struct Owner {
  ClusterId cluster_id = 0;
  WorkerSlot slot;
  Incarnation incarnation;
};

/// Result of writing one item.
enum class Write : std::uint8_t {
  Written,        ///< durable
  AlreadyThere,   ///< the same was written before: a repeat
  Contradiction,  ///< something else was written before; nothing has changed
  Fenced,         ///< a newer incarnation or another cluster writes now; nothing has changed
  NotAsked,       ///< for a part: no such checkpoint (any more), or it does not list this slot
  last = NotAsked
};

struct OutcomeId {
  std::uint32_t target = 0;
  Tick tick;
  std::uint8_t kind = 0;
  std::uint8_t ordinal = 0;
  friend bool operator==(const OutcomeId&, const OutcomeId&) = default;
};

/// An outcome as stored in the journal.
struct JournalRow {
  OutcomeId id;  ///< unique in the store; when appending: with the first ordinal to try
  WorkerSlot slot;
  Incarnation incarnation;
  GroupId group = 0;               ///< the group of `target`
  std::vector<std::byte> payload;  ///< at most payload_bytes_max
  friend bool operator==(const JournalRow&, const JournalRow&) = default;
};

struct JournalQuery {
  Tick after;  ///< only rows of later ticks
  std::optional<GroupId> group = {};
  std::optional<OutcomeId> beyond = {};  ///< the last row of the previous page
  std::uint32_t rows_max = 1'000;
};

/// A checkpoint: the state of the whole world at one tick, with a part of each worker.
struct Checkpoint {
  Tick tick;
  ClusterId cluster_id = 0;
  std::vector<WorkerSlot> slots;  ///< ascending
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// A result of a match. The first write of a key stands.
struct ResultRow {
  ClusterId cluster_id = 0;  ///< of the world in which the match was played
  std::uint64_t origin = 0;  ///< chosen by the game, for example a room
  std::uint32_t match = 0;
  std::uint16_t place = 0;         ///< of the row within its match
  std::int64_t unix_s = 0;         ///< when it was written; a repeat may have another time
  std::vector<std::byte> payload;  ///< at most result_bytes_max
  friend bool operator==(const ResultRow&, const ResultRow&) = default;
};

struct ResultQuery {
  std::optional<std::uint32_t> match = {};
  std::optional<ResultRow> beyond = {};  ///< the last row of the previous page
  std::uint32_t rows_max = 1'000;
};

/// What a game keeps of a player. The session that has taken the profile last writes it, and of its
/// writes that of the latest tick stands.
struct ProfileRow {
  std::uint64_t player_id = 0;
  std::uint64_t lease = 0;         ///< of the session that writes
  Tick tick;                       ///< in which the game saved it
  std::uint32_t version = 0;       ///< of the game's format
  std::vector<std::byte> payload;  ///< at most profile_bytes_max
  friend bool operator==(const ProfileRow&, const ProfileRow&) = default;
};

/// A session's right to write a profile, and what it finds there.
struct TakenProfile {
  std::uint64_t lease = 0;  ///< larger than those of all sessions before. 0: the owner is fenced
  std::optional<ProfileRow> row;  ///< none: nothing was saved yet
};

enum class StoreFault : std::uint8_t { DiskFull, Locked, Unreachable, Other, last = Other };

/// One thread at a time; calls may block for seconds when the disk or the server does.
class Store {
 public:
  static constexpr std::size_t payload_bytes_max = 512;
  static constexpr std::size_t result_bytes_max = 256;
  static constexpr std::size_t profile_bytes_max = 65'536;
  static constexpr std::size_t batch_rows_max = 10'000;
  static constexpr std::size_t part_bytes_max = 256U << 20U;
  static constexpr std::size_t checkpoint_parts_max = 4'096;

  virtual ~Store() = default;

  /// 0: none yet.
  virtual Result<ClusterId> cluster_id() = 0;
  /// From then on other clusters are fenced, and incarnations count anew. Journal and complete
  /// checkpoints stay, so the new cluster's ticks must continue after theirs.
  virtual Result<Ok> adopt(ClusterId cluster_id) = 0;
  /// From then on older incarnations of the slot are fenced. Fenced: this one is older; otherwise
  /// Written.
  virtual Result<Write> fence_older(const Owner& owner) = 0;

  /// Writes all rows in one transaction that also checks their incarnations; returns the result of
  /// each. A row's incarnation fences the stored one if it is newer. Outcomes are told apart by
  /// their payload: if another outcome has the row's id, the row gets the next free ordinal. A
  /// repeat finds it there. Contradiction: no ordinal up to 255 is free.
  virtual Result<std::vector<Write>> append(ClusterId cluster_id,
                                            std::span<const JournalRow> rows) = 0;
  /// In order of (tick, target, kind, ordinal). Fewer than rows_max: there are no more.
  virtual Result<std::vector<JournalRow>> read_journal(const JournalQuery& query) = 0;

  /// Writes all rows in one transaction that also checks the owner. AlreadyThere: the key has this
  /// payload; Contradiction: it has another one.
  virtual Result<std::vector<Write>> add_results(const Owner& owner,
                                                 std::span<const ResultRow> rows) = 0;
  /// In order of (match, place, cluster id, origin). Fewer than rows_max: there are no more.
  virtual Result<std::vector<ResultRow>> read_results(const ResultQuery& query) = 0;
  /// Writes all rows in one transaction that also checks the owner. AlreadyThere: a later tick's
  /// profile of this session is there, which stays. Contradiction: a newer session has taken it.
  virtual Result<std::vector<Write>> save_profiles(const Owner& owner,
                                                   std::span<const ProfileRow> rows) = 0;
  /// Takes the profiles of these players for new sessions, in one transaction that also checks the
  /// owner. From then on older sessions cannot write them: they do not know what the newer ones do.
  virtual Result<std::vector<TakenProfile>> take_profiles(
      const Owner& owner, std::span<const std::uint64_t> player_ids) = 0;
  /// For a person who looks. None: nothing was saved for this player.
  virtual Result<std::optional<ProfileRow>> read_profile(std::uint64_t player_id) = 0;

  /// Starts a checkpoint: each of `slots` must write its part of `tick`. Contradiction: it was
  /// started with other slots, or the tick is not after that of every other checkpoint.
  virtual Result<Write> begin_checkpoint(ClusterId cluster_id, Tick tick,
                                         std::span<const WorkerSlot> slots) = 0;
  /// Writes a worker's part. The first part of an owner is final; until the checkpoint is complete,
  /// a newer owner's part replaces it. Written in steps of a few megabytes, so that other
  /// connections get their turn.
  virtual Result<Write> write_part(Tick tick, const Owner& owner,
                                   std::span<const std::byte> bytes) = 0;
  /// At most two, newest first. Complete: all slots have written their part.
  virtual Result<std::vector<Checkpoint>> complete_checkpoints() = 0;
  /// None: it does not exist, or is not written yet.
  virtual Result<std::optional<std::vector<std::byte>>> read_part(Tick tick, WorkerSlot slot) = 0;

  /// Deletes some obsolete data, never results and profiles: all checkpoints but the two newest
  /// complete ones and the two started last, and outcomes up to the older complete one. At most
  /// `rows_max` outcomes and a few megabytes per call. 0: there is no more.
  virtual Result<std::uint64_t> forget(std::uint32_t rows_max) = 0;

  virtual const Counts<StoreFault>& faults() const = 0;
};

/// `where`: sqlite:PATH or postgres:CONNECTION.
Result<std::unique_ptr<Store>> open(const std::string& where);

/// One file (mode 0600) with `-wal` and `-shm` beside it, created when missing.
Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& path);

/// How long a call waits for a PostgreSQL server before it fails.
struct PostgresTimeouts {
  int connect_ms = 3'000;
  int lock_ms = 2'000;
  int statement_ms = 3'000;
  int idle_transaction_ms = 3'000;  ///< then the server drops a stalled worker's transaction
  int silence_ms = 4'000;           ///< of the server; longer than a statement may take
};
/// `connection`: a libpq connection string of a database that belongs to this world. Creates the
/// tables when missing. A lost connection is re-established by the next call.
Result<std::unique_ptr<Store>> open_postgres(const std::string& connection,
                                             const PostgresTimeouts& timeouts = {});

}  // namespace perigee::world_store
