// A directory's core on virtual time, with a world that is shared by many workers.
#include <algorithm>
#include <map>

#include "parts.hpp"
#include "perigee/directory/core.hpp"

namespace perigee::bench {
namespace {

using namespace directory;

constexpr Micros second_us = 1'000'000;
constexpr int advances_per_s = 4;    // as in its process
constexpr unsigned cells_each = 64;  // cells of a worker's share of the load
constexpr double load_ms = 8;        // of each worker, once the load is shared

class Fleet {
 public:
  explicit Fleet(unsigned workers)
      : workers_(workers), core_({.regions = std::min(16U, workers), .workers = workers}, 1, 0) {
    for (unsigned i = 0; i < workers; ++i) {
      const auto host = static_cast<std::uint8_t>(1 + i);
      core_.register_worker(now_us_,
                            {"sim-" + std::to_string(i), Address::v4(10, 1, 0, host, 40'040),
                             Address::v4(10, 1, 0, host, 40'020), 77, i + 1});
    }
  }
  /// One second of reports and decisions.
  void pass() {
    std::map<WorkerSlot, WorkerReport> reports = shares();
    for (auto& [slot, report] : reports) {
      const std::int64_t begin = thread_time_ns();
      const bool known = core_.heartbeat(now_us_, MemberKind::Worker, slot.number,
                                         "sim-" + std::to_string(slot.number), 1, slot.number + 1U);
      PERIGEE_ASSERT(known, "it was registered");
      core_.report(now_us_, slot.number, report);
      report_ns += thread_time_ns() - begin;
    }
    for (int i = 0; i < advances_per_s; ++i) {
      now_us_ += second_us / advances_per_s;
      const std::int64_t begin = thread_time_ns();
      core_.advance(now_us_);
      advance_ns += thread_time_ns() - begin;
    }
  }
  const Core& core() const { return core_; }

  std::int64_t report_ns = 0, advance_ns = 0;

 private:
  /// Players stand all over the ground; the load of each cell is its region owner's.
  std::map<WorkerSlot, WorkerReport> shares() const {
    std::map<WorkerSlot, WorkerReport> out;
    const ClusterMap& map = core_.map();
    for (const WorkerEntry& worker : map.workers) {
      WorkerReport& report = out[worker.slot];
      report.incarnation = worker.incarnation;
      report.map_version = map.version;
      report.entities = 2'000;
      report.handle_blocks = {worker.block()};
      if (worker.standby) report.in_sync_with = WorkerIncarnation{*worker.standby, Incarnation{1}};
      report.standby_word = 1;
    }
    const unsigned cells = workers_ * cells_each, edge = 64;
    for (unsigned i = 0; i < cells; ++i) {
      const unsigned at = static_cast<unsigned>(std::uint64_t{i} * edge * edge / cells);
      const CostCell cell{static_cast<int>(at % edge) - 32, static_cast<int>(i % 4),
                          static_cast<int>(at / edge) - 32};
      const RegionEntry* region = map.region_at(middle_of(cell));
      if (region == nullptr || !region->owner) continue;
      WorkerReport& report = out[*region->owner];
      if (report.cells.size() == WorkerReport::cells_max) continue;
      report.cells.push_back({cell, load_ms / cells_each});
      report.load_ms += load_ms / cells_each;
      const auto known = std::find_if(report.regions.begin(), report.regions.end(),
                                      [&](const auto& r) { return r.region == region->region; });
      if (known != report.regions.end()) {
        ++known->entities;
      } else {
        report.regions.push_back({region->region, 1});
      }
    }
    return out;
  }
  unsigned workers_;
  Core core_;
  Micros now_us_ = 0;
};

void measure(const Run& run, unsigned workers, Figures& figures) {
  print_progress("a directory's duty with " + std::to_string(workers) + " workers");
  Fleet fleet(workers);
  for (int s = 0; s < (run.quick ? 5 : 150); ++s) fleet.pass();
  fleet.report_ns = fleet.advance_ns = 0;
  const int seconds = run.quick ? 2 : 20;
  for (int s = 0; s < seconds; ++s) fleet.pass();
  const std::string n = "_" + std::to_string(workers);
  const auto per = [](std::int64_t ns, int calls) { return static_cast<double>(ns) / calls; };
  figures.add("directory_regions" + n, static_cast<double>(fleet.core().map().regions.size()), "");
  figures.add("directory_report_us" + n,
              per(fleet.report_ns, seconds * static_cast<int>(workers)) * 1e-3, "us");
  figures.add("directory_advance_ms" + n, per(fleet.advance_ns, seconds * advances_per_s) * 1e-6,
              "ms");
}

}  // namespace

Result<Ok> measure_deciding(const Run& run, Figures& figures) {
  for (const unsigned workers : {10U, 50U, 100U, 200U}) {
    if (run.quick && workers > 10) break;
    measure(run, workers, figures);
  }
  return Ok{};
}

}  // namespace perigee::bench
