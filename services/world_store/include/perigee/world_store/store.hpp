/// What a world must not forget: a journal of outcomes that cannot be undone, and consistent cuts
/// to begin again from. One contract, kept by SQLite in a file and by PostgreSQL.
///
/// Every change is durable when it returns, and may be repeated after an error: the error may have
/// eaten the answer of a change that was made. An Error names its remedy; the next call tries anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/handoff/ledger.hpp"
#include "perigee/netcode/counts.hpp"
#include "perigee/netcode/result.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::world_store {

using handoff::Epoch;
using handoff::GroupId;
using handoff::RegionId;
/// Of the cluster map: another one is another life of the world, neither older nor newer.
using Incarnation = std::uint32_t;

/// Who writes.
struct Owner {
  Incarnation incarnation = 0;
  RegionId region = 0;
  Epoch epoch = 0;
};

/// What became of one thing that was to be written.
enum class Write : std::uint8_t {
  Written,        ///< durable
  AlreadyThere,   ///< the same was written before: a repeat
  Contradiction,  ///< something else was written before; nothing has changed
  Fenced,         ///< a newer owner, or another incarnation, has taken over; nothing has changed
  NotAsked,       ///< of a part: there is no such cut (any more), or it does not list this region
  last = NotAsked
};

struct OutcomeId {
  std::uint32_t target = 0;
  Tick tick;
  std::uint8_t kind = 0;
  std::uint8_t ordinal = 0;
  friend bool operator==(const OutcomeId&, const OutcomeId&) = default;
};

/// An outcome, as the journal has it.
struct JournalRow {
  OutcomeId id;  ///< unique in the store; of what is appended: with the first ordinal to try
  RegionId region = 0;
  Epoch epoch = 0;
  GroupId group = 0;               ///< that `target` belongs to
  std::vector<std::byte> payload;  ///< at most payload_bytes_max
  friend bool operator==(const JournalRow&, const JournalRow&) = default;
};

struct JournalQuery {
  Tick after;  ///< rows of later ticks only
  std::optional<GroupId> group = {};
  std::optional<OutcomeId> beyond = {};  ///< the last row of the page before
  std::uint32_t rows_max = 1'000;
};

/// A state of the whole world at one tick, with a part from each region.
struct Cut {
  Tick tick;
  Incarnation incarnation = 0;
  std::vector<RegionId> regions;  ///< ascending
  friend bool operator==(const Cut&, const Cut&) = default;
};

enum class StoreFault : std::uint8_t { DiskFull, Locked, Unreachable, Other, last = Other };

/// One thread at a time; calls may block for seconds when disk or server do.
class Store {
 public:
  static constexpr std::size_t payload_bytes_max = 512;
  static constexpr std::size_t batch_rows_max = 10'000;
  static constexpr std::size_t part_bytes_max = 256U << 20U;
  static constexpr std::size_t cut_regions_max = 4'096;

  virtual ~Store() = default;

  /// 0: none yet.
  virtual Result<Incarnation> incarnation() = 0;
  /// From then on others are fenced, and epochs begin anew. Journal and complete cuts stay, so the
  /// new incarnation's ticks must go on after theirs.
  virtual Result<Ok> adopt(Incarnation incarnation) = 0;
  /// From then on older epochs of the region are fenced. Fenced: this one is older; else Written.
  virtual Result<Write> raise_epoch(const Owner& owner) = 0;

  /// All rows in one transaction, with the look at their regions' epochs; what became of each. A
  /// newer epoch than the stored one raises it. The payload says which outcome it is: where another
  /// one has the id, the row has the next ordinal that is free, and a repeat finds it there.
  /// Contradiction: up to 255 none is.
  virtual Result<std::vector<Write>> append(Incarnation incarnation,
                                            std::span<const JournalRow> rows) = 0;
  /// In order of (tick, target, kind, ordinal). Fewer than rows_max: that was all.
  virtual Result<std::vector<JournalRow>> read_journal(const JournalQuery& query) = 0;

  /// Each of `regions` is to write its part of `tick`. Contradiction: other regions were to, or the
  /// tick is not after that of each other cut.
  virtual Result<Write> begin_cut(Incarnation incarnation, Tick tick,
                                  std::span<const RegionId> regions) = 0;
  /// A region's part. An owner's first word stands; until the cut is complete, a newer owner's
  /// replaces it. Written in steps of a few megabytes: other connections get their turn in between.
  virtual Result<Write> write_part(Tick tick, const Owner& owner,
                                   std::span<const std::byte> bytes) = 0;
  /// At most two, newest first: all regions have written their part.
  virtual Result<std::vector<Cut>> complete_cuts() = 0;
  /// None: it is not there, or not written yet.
  virtual Result<std::optional<std::vector<std::byte>>> read_part(Tick tick, RegionId region) = 0;

  /// Removes some of what nobody needs any more: cuts but the two newest complete ones and the two
  /// begun last, and outcomes up to the older complete one. Of those at most `rows_max`, and a few
  /// megabytes. 0: that was all.
  virtual Result<std::uint64_t> forget(std::uint32_t rows_max) = 0;

  virtual const Counts<StoreFault>& faults() const = 0;
};

/// One file (mode 0600) with `-wal` and `-shm` beside it, made when missing.
Result<std::unique_ptr<Store>> open_sqlite(const std::filesystem::path& path);
/// `connection`: a libpq connection string, of a database whose owner this is. The tables are made
/// when missing. A lost connection is made anew by the next call.
Result<std::unique_ptr<Store>> open_postgres(const std::string& connection);

}  // namespace perigee::world_store
