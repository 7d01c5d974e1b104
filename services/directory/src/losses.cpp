// Content lost with its worker: with one worker alone, or with all workers at once. The content
// that all workers lost at once is restored from the world's last checkpoint. The content that one
// worker lost is not restored, since other workers may have some of it by now.
#include <algorithm>

#include "perigee/directory/core.hpp"

namespace perigee::directory {

/// An incarnation receives no entities before it has reported a standby state (the worker's
/// `Buddies::may_take`). So the former content of a region that was assigned to it, and that it did
/// not create, is still at other workers, and belongs to the region's next owner.
bool Core::pass_on_what_has_not_come(RegionEntry& region) {
  const WorkerEntry& worker = map_.workers[*region.owner];
  const bool takes_nothing = worker.buddy && empty_handed_.contains(worker.handle_base);
  if (!takes_nothing || region.born == region.epoch) return false;
  const auto has_some = [&](const WorkerEntry& other) {
    const WorkerReport* report = other.alive ? report_of(other.slot) : nullptr;
    return report != nullptr && other.slot != worker.slot &&
           std::any_of(report->regions.begin(), report->regions.end(),
                       [&](const auto& things) { return things.region == region.region; });
  };
  if (std::none_of(map_.workers.begin(), map_.workers.end(), has_some)) return false;
  region.owner = least_loaded_worker();
  ++region.epoch;
  note_change(region.region, advanced_us_);
  return true;
}

/// Workers heard after `since_us` have not died of the same cause.
void Core::lose(Micros since_us, RegionEntry& region) {
  if (pass_on_what_has_not_come(region)) return;
  region.owner.reset();
  ++region.epoch;
  note_change(region.region, std::nullopt);
  lost_us_.emplace(region.region, since_us);
}

/// Ends an incarnation without a successor; the other workers are known to live.
void Core::lose_life(Micros now_us, WorkerSlot slot) {
  map_.workers[slot].alive = false;
  ++map_.version;
  for (RegionEntry& region : map_.regions) {
    if (region.owner == slot) lose(now_us - together_us, region);
  }
}

/// Whether another worker was heard after this one. If none was, the directory itself may have been
/// cut off.
bool Core::others_heard_after(WorkerSlot slot) const {
  return std::any_of(map_.workers.begin(), map_.workers.end(), [&](const WorkerEntry& other) {
    return other.alive && workers_[other.slot].heard_us > workers_[slot].heard_us + together_us;
  });
}

/// It has entities, or owns a region that is not lost.
bool Core::has_content(WorkerSlot slot) const {
  if (!map_.workers[slot].alive) return false;
  const WorkerReport* report = report_of(slot);
  if (report != nullptr && report->entities > 0) return true;
  return std::any_of(map_.regions.begin(), map_.regions.end(), [&](const RegionEntry& region) {
    return region.owner == slot && !lost_us_.contains(region.region);
  });
}

bool Core::owns_region(WorkerSlot slot) const {
  return std::any_of(map_.regions.begin(), map_.regions.end(),
                     [&](const RegionEntry& region) { return region.owner == slot; });
}

// A worker not heard since the loss may have died of the same cause: a heartbeat within a second,
// or its silence, will tell.
void Core::judge_losses() {
  std::erase_if(lost_us_, [&](const auto& loss) {
    const auto& [id, since_us] = loss;
    bool lives = false;
    bool unsure = false;
    for (const WorkerEntry& worker : map_.workers) {
      if (!has_content(worker.slot)) continue;
      (workers_[worker.slot].heard_us > since_us ? lives : unsure) = true;
    }
    RegionEntry* region = entry_of(id);
    if (region == nullptr) return true;
    if (unsure && !lives) return false;
    region->from_cut = !lives;
    return true;
  });
}

}  // namespace perigee::directory
