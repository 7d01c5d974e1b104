/// What worker and client tell each other of ground that is dug: versions of its chunks in the own
/// section, edits and contents as reliable events, and the client's answer. (mission V11, K42)
/// Bytes: proto/WIRE.md, sections "Block" and "Chunk frame".
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "perigee/netcode/player_input.hpp"  // Handle
#include "perigee/netcode/ring.hpp"

namespace perigee {

inline constexpr std::int32_t chunk_cells = 8;  ///< along each axis
inline constexpr std::uint32_t chunk_volume = chunk_cells * chunk_cells * chunk_cells;
/// A byte per row of eight cells along x: [y][z].
using ChunkBits = std::array<std::uint8_t, chunk_volume / 8>;

struct ChunkVersion {
  Handle patch = no_entity;
  std::uint16_t chunk = 0;
  std::uint16_t version = 0;
  friend constexpr bool operator==(const ChunkVersion&, const ChunkVersion&) = default;
};

/// A cell is something else from the start of `tick` + 1 on, or is not after all. It makes version
/// `version` of its chunk out of the one before.
struct VoxelEvent {
  Handle patch = no_entity;
  std::uint32_t cell = 0;
  std::uint16_t version = 0;
  Tick tick;
  Handle actor = no_entity;
  std::uint8_t index = 0;  ///< of its proposal: 8 to 15
  bool solid = false;
  bool withdrawn = false;
};
/// A chunk as it is, for who lacks it.
struct ChunkEvent {
  ChunkVersion what;
  ChunkBits bits{};
};

/// What the client has of chunks whose versions it was told.
struct ChunkReport {
  ChunkVersion has;
  bool lacks = false;  ///< the newer version that it was told of
};
/// Stream 1 + slot, to that worker, in answer to an own section that lists chunks.
struct ChunkFrame {
  static constexpr std::size_t reports_max = 8;

  std::uint16_t stream_epoch = 0;  ///< of the blocks that it answers; others are ignored
  FixedVector<ChunkReport, reports_max> reports;
};
/// Empty if `out` is too small, else a view into it.
std::span<const std::byte> write_chunks(const ChunkFrame& frame, std::span<std::byte> out);
/// False, and `frame` partly written, on any malformed byte.
bool read_chunks(std::span<const std::byte> bytes, ChunkFrame& frame);

}  // namespace perigee
