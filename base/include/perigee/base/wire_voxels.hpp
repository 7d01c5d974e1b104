/// Messages between worker and client about editable voxel ground: versions of its chunks in the
/// own section, edits and contents as reliable events, and the client's report.
/// Bytes: proto/WIRE.md, sections "Block" and "Chunk frame".
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "perigee/base/player_input.hpp"  // Handle
#include "perigee/base/ring.hpp"

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

/// A cell changes from the start of `tick` + 1 on, or its change is withdrawn. The event turns its
/// chunk's previous version into version `version`.
struct VoxelEvent {
  Handle patch = no_entity;
  std::uint32_t cell = 0;
  std::uint16_t version = 0;
  Tick tick;
  Handle actor = no_entity;
  std::uint8_t index = 0;  ///< of the proposal: 8 to 15
  bool solid = false;
  bool withdrawn = false;
};
/// A chunk's content, for a client that lacks it.
struct ChunkEvent {
  ChunkVersion what;
  ChunkBits bits{};
};

/// The client's state of a chunk for which it received a version.
struct ChunkReport {
  ChunkVersion has;
  bool lacks = false;  ///< lacks the newer version that it was sent
};
/// Stream 1 + slot, to that worker, in answer to an own section that lists chunks.
struct ChunkFrame {
  static constexpr std::size_t reports_max = 8;

  std::uint16_t stream_epoch = 0;  ///< of the answered blocks; other frames are ignored
  FixedVector<ChunkReport, reports_max> reports;
};
/// A view into `out`; empty if it is too small.
std::span<const std::byte> write_chunks(const ChunkFrame& frame, std::span<std::byte> out);
/// Returns false on any malformed byte; `frame` is then partly written.
bool read_chunks(std::span<const std::byte> bytes, ChunkFrame& frame);

}  // namespace perigee
