/// A worker's report to the directory, once a second: the map version that it has adopted, the
/// regions that it owns, and their cost by cells of space. The directory balances load by it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

inline constexpr double cost_cell_m = 250;
/// A cell's coordinates, in whole cells from the origin.
using CostCell = std::array<std::int32_t, 3>;

/// For a point within a million kilometres of the origin.
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
  double ms = 0;  ///< per tick
  friend bool operator==(const CellCost&, const CellCost&) = default;
};
struct RegionThings {
  RegionId region;
  std::uint32_t entities = 0;  ///< the worker's own, even in another worker's region
  friend bool operator==(const RegionThings&, const RegionThings&) = default;
};

struct WorkerIncarnation {
  WorkerSlot slot;
  Incarnation incarnation;  ///< of the process in that slot, as in the map
  friend bool operator==(const WorkerIncarnation&, const WorkerIncarnation&) = default;
};
/// Overload level: a worker's reaction to ticks that cost too much.
enum class OverloadLevel : std::uint8_t {
  None,
  Stretched,  ///< far entities are replicated much less often
  Relief,     ///< that is not enough: other workers must take load, or time must slow down
  last = Relief
};

struct WorkerReport {
  /// The costliest cells; they also carry the cost of the omitted ones.
  static constexpr std::size_t cells_max = 512;
  static constexpr std::size_t regions_max = 1024;
  static constexpr std::size_t handle_blocks_max = 4096;
  static constexpr std::size_t suspects_max = 200;
  static constexpr std::int32_t cell_max = 1 << 20;
  static constexpr double ms_max = 1e4;       ///< above ten seconds a tick time is not plausible
  static constexpr double wait_ms_max = 1e9;  ///< a process may have been stopped for days

  Incarnation incarnation;        ///< of the reporting worker, as in the map: not its successor's
  std::uint64_t map_version = 0;  ///< adopted, with the content of the worker's regions created
  std::uint32_t entities = 0;     ///< owned by the worker
  std::uint32_t players = 0;      ///< with an avatar among the entities
  double load_ms = 0;             ///< processor time per tick
  /// Per tick: replication to players of other workers, and work on other workers' entities. This
  /// load does not move with migrated entities; the rest of the load is in the cells.
  double overhead_ms = 0;
  double copies_ms = 0;  ///< part of overhead_ms: standby replicas of other workers
  std::vector<HandleBlock> handle_blocks;  ///< of all entities known here, also other workers'
  std::vector<CellCost> cells;             ///< each once
  std::vector<RegionThings> regions;       ///< each once, those with entities of the worker
  bool leaving = false;                    ///< the worker wants to own nothing, for good
  std::optional<WorkerIncarnation> in_sync_with;  ///< the standby, if it has all durable state
  std::uint32_t standby_word = 0;  ///< +1 per change of in_sync_with; not 0 once the worker may
                                   ///< receive from other workers
  std::vector<WorkerIncarnation>
      suspects;  ///< workers that it is the standby of and that seem dead
  OverloadLevel level = OverloadLevel::None;
  double tick_p99_ms = 0;  ///< processor time, over the last ticks
  double late_ms = 0;      ///< behind world time
  /// Wall time from the start of a tick to the start of the next, mean since the previous report. A
  /// late worker does not wait between ticks: the excess over its `load_ms` is then the time that
  /// it waited for the processor.
  double pace_ms = 0;
  double largest_island_ms = 0;  ///< per tick: work that no split of space can divide
  friend bool operator==(const WorkerReport&, const WorkerReport&) = default;
};

inline constexpr Micros reports_apart_us = 1'000'000;
/// All workers report within this time, at the beginning of a second of the directory's clock. Load
/// that moves from one worker to another between their reports is counted twice, or not at all.
inline constexpr Micros reported_within_us = 150'000;
/// Delay to the next report, after one was sent at `directory_us`. Workers are staggered, since the
/// directory processes reports one after the other. Under clock adjustments each second still gets
/// exactly one report.
Micros until_report_us(Micros directory_us, WorkerSlot slot);

/// Keeps the costliest cells, up to the limit of a report; the cost of the others is spread over
/// them.
void keep_dearest(std::vector<CellCost>& cells);

/// Whether all numbers are in range and all lists within their limits.
bool plausible(const WorkerReport& report);

}  // namespace perigee
