/// What a worker tells the directory once a second: what it has adopted, what it owns, and what
/// that costs, by cells of space. The directory balances by it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/vec.hpp"

namespace perigee {

inline constexpr double cost_cell_m = 250;
/// A cell's corner in whole cells from the origin.
using CostCell = std::array<std::int32_t, 3>;

/// Of a point within a million kilometres.
inline CostCell cost_cell_at(const Vec3& point_m) {
  const auto whole = [](double m) {
    return static_cast<std::int32_t>(std::floor(m / cost_cell_m));
  };
  return {whole(point_m.x), whole(point_m.y), whole(point_m.z)};
}
inline Vec3 middle_of(const CostCell& cell) {
  return Vec3{cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5} * cost_cell_m;
}

struct CellCost {
  CostCell cell{};
  double ms = 0;  ///< of a tick
  friend bool operator==(const CellCost&, const CellCost&) = default;
};
struct RegionThings {
  std::uint32_t region = 0;
  std::uint32_t entities = 0;  ///< of the worker's own, whoever owns the region
  friend bool operator==(const RegionThings&, const RegionThings&) = default;
};

struct WorkerLife {
  std::uint8_t slot = 0;
  std::uint32_t life = 0;  ///< of the process there, as the map has it
  friend bool operator==(const WorkerLife&, const WorkerLife&) = default;
};
/// What a worker does about ticks that cost too much.
enum class OverloadRung : std::uint8_t {
  None,
  Stretched,  ///< clients hear of what is far more seldom
  Relief,     ///< that is not enough: others must take something, or time must slow down
  last = Relief
};

struct WorkerReport {
  static constexpr std::size_t cells_max = 512;  ///< the dearest ones, which bear the others' part
  static constexpr std::size_t regions_max = 256;
  static constexpr std::size_t handle_blocks_max = 4096;
  static constexpr std::size_t suspects_max = 200;
  static constexpr std::int32_t cell_max = 1 << 20;
  static constexpr double ms_max = 1e4;       ///< a tick of ten seconds is no tick
  static constexpr double wait_ms_max = 1e9;  ///< but a process may have stood still for days

  std::uint32_t life = 0;         ///< whose report it is, as the map has it: not its successor's
  std::uint64_t map_version = 0;  ///< adopted, and the content of its own regions made
  std::uint32_t entities = 0;     ///< its own
  std::uint32_t players = 0;      ///< whose avatars are among them
  double load_ms = 0;             ///< of a processor, per tick
  /// Of a tick: others' players who are told of what is here, and others' things. What is given
  /// away does not take it along; the rest of the load is the cells'.
  double overhead_ms = 0;
  double copies_ms = 0;                      ///< of overhead_ms: what those have whose buddy it is
  std::vector<std::uint32_t> handle_blocks;  ///< of all that it knows of, also other workers'
  std::vector<CellCost> cells;               ///< each once
  std::vector<RegionThings> regions;         ///< each once, those with things of its own
  bool leaving = false;                      ///< wants to own nothing, for good
  std::optional<WorkerLife> in_sync_with;    ///< its buddy, which has all that it calls durable
  std::uint32_t buddy_word = 0;              ///< grows with each change of that, and before
                                             ///< anything is taken from others
  std::vector<WorkerLife> suspects;          ///< whose buddy it is, and who seem to be dead
  OverloadRung rung = OverloadRung::None;
  double tick_p99_ms = 0;  ///< of a processor, over the last ticks
  double late_ms = 0;      ///< behind world time
  /// By the clock, from the begin of a tick to that of the next, mean since the report before.
  /// While it is late no tick waits for its time: more than its `load_ms` is what it was kept
  /// waiting for the processor.
  double pace_ms = 0;
  double largest_island_ms = 0;  ///< of a tick: what no cut of space can divide
  friend bool operator==(const WorkerReport&, const WorkerReport&) = default;
};

inline constexpr Micros reports_apart_us = 1'000'000;
/// All workers report at the beginning of a second of the directory's clock, within this: what goes
/// from one to another between two reports is counted twice, or not at all.
inline constexpr Micros reported_within_us = 150'000;
/// How long until the next report, once one has gone at `directory_us`. Workers take turns, since
/// the directory hears them one after the other; a clock that is being set right makes neither two
/// reports of a second nor one of two.
Micros until_report_us(Micros directory_us, std::uint8_t slot);

/// Leaves the dearest cells, as many as a report may have; what the others cost is shared out among
/// them.
void keep_dearest(std::vector<CellCost>& cells);

/// Numbers that can be, and not too many.
bool plausible(const WorkerReport& report);

}  // namespace perigee
