#include "perigee/base/worker_report.hpp"

#include <algorithm>
#include <numeric>

namespace perigee {
namespace {

// NaN is refused by both.
bool plausible_ms(double ms) { return ms >= 0 && ms <= WorkerReport::ms_max; }
bool plausible_wait_ms(double ms) { return ms >= 0 && ms <= WorkerReport::wait_ms_max; }

/// Sorts a copy: the list may be in any order.
template <class Range, class Key>
bool each_once(const Range& range, Key key) {
  std::vector<decltype(key(*range.begin()))> keys;
  keys.reserve(range.size());
  for (const auto& one : range) keys.push_back(key(one));
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

}  // namespace

Micros until_report_us(Micros directory_us, WorkerSlot slot) {
  constexpr Micros turns = 16;
  const Micros turn_us = slot.number % turns * (reported_within_us / turns);
  const Micros passed_us = (directory_us - turn_us) % reports_apart_us;
  return reports_apart_us - passed_us + (2 * passed_us > reports_apart_us ? reports_apart_us : 0);
}

void keep_dearest(std::vector<CellCost>& cells) {
  std::sort(cells.begin(), cells.end(), [](const CellCost& a, const CellCost& b) {
    return a.ms != b.ms ? a.ms > b.ms : a.cell < b.cell;
  });
  if (cells.size() <= WorkerReport::cells_max) return;
  const auto ms_of = [](double sum, const CellCost& cost) { return sum + cost.ms; };
  const double all_ms = std::accumulate(cells.begin(), cells.end(), 0.0, ms_of);
  cells.resize(WorkerReport::cells_max);
  const double kept_ms = std::accumulate(cells.begin(), cells.end(), 0.0, ms_of);
  if (kept_ms <= 0) return;
  for (CellCost& cost : cells) cost.ms *= all_ms / kept_ms;
}

bool plausible(const WorkerReport& report) {
  if (report.cells.size() > WorkerReport::cells_max ||
      report.regions.size() > WorkerReport::regions_max ||
      report.handle_blocks.size() > WorkerReport::handle_blocks_max ||
      report.suspects.size() > WorkerReport::suspects_max || report.players > report.entities ||
      report.level > OverloadLevel::last || !plausible_ms(report.load_ms) ||
      !plausible_ms(report.overhead_ms) || !plausible_ms(report.copies_ms) ||
      report.copies_ms > report.overhead_ms || !plausible_ms(report.tick_p99_ms) ||
      !plausible_ms(report.largest_island_ms) || !plausible_wait_ms(report.late_ms) ||
      !plausible_wait_ms(report.pace_ms)) {
    return false;
  }
  double sum_ms = 0;
  for (const CellCost& cost : report.cells) {
    if (!plausible_ms(cost.ms)) return false;
    sum_ms += cost.ms;
    for (const std::int32_t at : cost.cell) {
      if (at < -WorkerReport::cell_max || at > WorkerReport::cell_max) return false;
    }
  }
  return plausible_ms(sum_ms) &&
         std::all_of(
             report.handle_blocks.begin(), report.handle_blocks.end(),
             [](HandleBlock block) { return block.number < WorkerReport::handle_blocks_max; }) &&
         each_once(report.cells, [](const CellCost& cost) { return cost.cell; }) &&
         each_once(report.regions, [](const RegionThings& things) { return things.region; });
}

}  // namespace perigee
