/// All SQL, in the words that both engines understand; a Dialect has the others.
///
/// Ticks are stored unwrapped, in 64 bits, so that their order is that of numbers.
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
  SetIncarnation,
  SetAnchor,
  ForgetEpochs,
  ForgetOpenCuts,
  Claim,
  RegionEpoch,
  AddRow,
  RowPayload,
  Journal,
  JournalOfGroup,
  LastCut,
  CutOf,
  AddCut,
  AddPart,
  LockCut,
  Parts,
  Part,
  Finish,
  AddPiece,
  Piece,
  CompleteCuts,
  ForgetCuts,
  ForgetParts,
  ForgetPieces,
  ForgetRows,
  last = ForgetRows
};

struct Dialect {
  const char* number;       ///< the type of 64 bits
  const char* bytes;        ///< the type of bytes
  const char* options;      ///< of a table that is read by its key
  const char* lock_shared;  ///< a row that was read stays as it is until the commit
  const char* lock;         ///< the same, and nobody else may lock it
};

std::string text_of(Sql sql, const Dialect& dialect);
/// Makes the tables and their first row.
std::string schema(const Dialect& dialect);

}  // namespace perigee::world_store
