// Content that is lost with its worker: alone, or together with everybody else's. What all lost at
// once is in the world's last cut; what one lost is not put back beside what the others have, for
// some of it may be theirs by now.
#include <algorithm>

#include "perigee/directory/core.hpp"

namespace perigee::directory {

/// Whoever is heard after `since_us` has not died of the same.
void Core::lose(Micros since_us, RegionEntry& region) {
  region.owner.reset();
  ++region.epoch;
  note_change(region.region, std::nullopt);
  lost_us_.emplace(region.region, since_us);
}

/// Nobody goes on with it, and it is known to be alone in that.
void Core::lose_life(Micros now_us, WorkerSlot slot) {
  map_.workers[slot].alive = false;
  ++map_.version;
  for (RegionEntry& region : map_.regions) {
    if (region.owner == slot) lose(now_us - together_us, region);
  }
}

/// Else it may have been the directory that heard nobody.
bool Core::others_heard_after(WorkerSlot slot) const {
  return std::any_of(map_.workers.begin(), map_.workers.end(), [&](const WorkerEntry& other) {
    return other.alive && workers_[other.slot].heard_us > workers_[slot].heard_us + together_us;
  });
}

/// Of its regions, or what is on its way out of what were its regions.
bool Core::has_content(WorkerSlot slot) const {
  if (!map_.workers[slot].alive) return false;
  const WorkerReport* report = report_of(slot);
  if (report != nullptr && report->entities > 0) return true;
  return std::any_of(map_.regions.begin(), map_.regions.end(), [&](const RegionEntry& region) {
    return region.owner == slot && !lost_us_.contains(region.region);
  });
}

// Who has not been heard since the loss may have died of the same: that shows within a second, or
// by its silence.
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
