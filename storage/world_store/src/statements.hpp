/// All SQL, in the subset that both engines understand; a Dialect has the differences.
///
/// Ticks are stored unwrapped, in 64 bits, so that they sort numerically. A worker's slot is in the
/// columns `region`, its incarnation in the columns `epoch`; a cluster id is in `incarnation`, and
/// a checkpoint in `cuts`.
#pragma once

#include <cstdint>
#include <string>

namespace perigee::world_store {

inline constexpr std::int64_t schema_version = 1;

enum class Intent : std::uint8_t { Read, Write };

enum class Sql : std::uint8_t {
  World,
  WorldShared,
  WorldAlone,
  SetClusterId,
  SetAnchor,
  ForgetIncarnations,
  ForgetOpenCheckpoints,
  Claim,
  NewestIncarnation,
  AddRow,
  RowPayload,
  Journal,
  JournalOfGroup,
  AddResult,
  ResultPayload,
  Results,
  ResultsOfMatch,
  SaveProfile,
  TakeProfile,
  Profile,
  LastCheckpoint,
  CheckpointOf,
  AddCheckpoint,
  AddPart,
  LockCheckpoint,
  Parts,
  Part,
  Finish,
  AddPiece,
  Piece,
  CompleteCheckpoints,
  ForgetCheckpoints,
  ForgetParts,
  ForgetPieces,
  ForgetRows,
  last = ForgetRows
};

struct Dialect {
  const char* number;       ///< type of 64-bit integers
  const char* bytes;        ///< type of bytes
  const char* options;      ///< options of a table that is read by its key
  const char* lock_shared;  ///< locks a row against changes until the commit
  const char* lock;         ///< the same, and against other locks
};

std::string text_of(Sql sql, const Dialect& dialect);
/// Makes the tables of the first programs, and their first row.
std::string schema(const Dialect& dialect);
/// Makes tables that were added later, unless they are there. Former programs do not use them, so
/// the format keeps its version, and workers of both may run.
std::string later_tables(const Dialect& dialect);

}  // namespace perigee::world_store
