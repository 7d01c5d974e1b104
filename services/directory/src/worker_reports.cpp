#include "perigee/directory/worker_reports.hpp"

namespace perigee::directory {

bool WorkerReports::accept(std::uint32_t slot, const WorkerReport& report) {
  const bool known = slot < map_.workers.size() && map_.workers[slot].alive;
  if (!known || !plausible(report) || report.map_version > map_.version) {
    ++refused_;
    return false;
  }
  if (report.incarnation != map_.workers[slot].incarnation) return false;
  reports_[WorkerSlot::at(slot)] = report;
  return true;
}

const WorkerReport* WorkerReports::of(WorkerSlot slot) const {
  const auto found = reports_.find(slot);
  return found == reports_.end() ? nullptr : &found->second;
}

void WorkerReports::forget_dead() {
  std::erase_if(reports_,
                [&](const auto& entry) { return !map_.workers[entry.first.index()].alive; });
}

}  // namespace perigee::directory
