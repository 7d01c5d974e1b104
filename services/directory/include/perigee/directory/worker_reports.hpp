/// The last reports of living workers.
#pragma once

#include <cstdint>
#include <map>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/worker_report.hpp"

namespace perigee::directory {

class WorkerReports {
 public:
  explicit WorkerReports(const ClusterMap& map) : map_(map) {}

  /// Keeps a report of the worker's present incarnation. False: the report is of a former
  /// incarnation, or it is implausible and was counted as such.
  bool accept(std::uint32_t slot, const WorkerReport& report);
  /// The last report of the worker's present incarnation; null: none yet.
  const WorkerReport* of(WorkerSlot slot) const;
  const std::map<WorkerSlot, WorkerReport>& all() const { return reports_; }
  void forget(WorkerSlot slot) { reports_.erase(slot); }
  void forget_dead();
  std::uint64_t refused() const { return refused_; }

 private:
  const ClusterMap& map_;
  std::map<WorkerSlot, WorkerReport> reports_;
  std::uint64_t refused_ = 0;
};

}  // namespace perigee::directory
