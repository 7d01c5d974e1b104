// Worker reports, and their consequences for handle blocks.
#include <algorithm>

#include "perigee/directory/core.hpp"

namespace perigee::directory {

void Core::report(Micros now_us, std::uint32_t slot, const WorkerReport& report) {
  const bool known = slot < workers_.size() && map_.workers[slot].alive;
  if (!known || !plausible(report) || report.map_version > map_.version) {
    ++reports_refused_;
    return;
  }
  // A report of a former incarnation does not apply to the present one.
  if (report.life != map_.workers[slot].life) return;
  for (const std::uint32_t block : report.handle_blocks) blocks_.name(block, now_us);
  const auto worker = static_cast<WorkerSlot>(slot);
  reports_[worker] = report;
  note_in_sync(worker, report);
  if (!report.leaving || map_.workers[slot].draining || !others_stay(worker)) return;
  map_.workers[slot].draining = true;
  ++map_.version;
  look(now_us);
  drain_now(now_us);
}

const WorkerReport* Core::report_of(WorkerSlot slot) const {
  const auto found = reports_.find(slot);
  return found == reports_.end() ? nullptr : &found->second;
}

void Core::forget_reports_of_the_dead() {
  std::erase_if(reports_, [&](const auto& entry) { return !map_.workers[entry.first].alive; });
}

/// There are no unreported entities while every worker reports, every region's content was created,
/// and no silent worker can come back.
void Core::watch_handles(Micros now_us) {
  bool all = std::all_of(map_.regions.begin(), map_.regions.end(),
                         [&](const RegionEntry& region) { return told(region); });
  for (const WorkerEntry& worker : map_.workers) {
    if (given_up(now_us, worker.alive, workers_[worker.slot])) continue;
    blocks_.name(worker.handle_base / handles_per_worker, now_us);
    all = all && worker.alive && reports_.contains(worker.slot);
  }
  blocks_.all_told(all, now_us);
}

}  // namespace perigee::directory
