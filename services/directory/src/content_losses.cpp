#include "perigee/directory/content_losses.hpp"

#include <algorithm>

namespace perigee::directory {

/// An incarnation receives no entities before it has reported a standby state (the worker's
/// `Standbys::may_take`). So if a region was assigned to it and it has not created the region's
/// content, the former content is still at other workers. That content belongs to the region's next
/// owner.
bool ContentLosses::hand_over_elsewhere(const RegionEntry& region) {
  const WorkerEntry& worker = needs_.map.workers[region.owner->index()];
  const bool takes_nothing = worker.standby && empty_handed_.contains(worker.handle_base);
  if (!takes_nothing || region.created_epoch == region.epoch) return false;
  const auto has_some = [&](const WorkerEntry& other) {
    const WorkerReport* report = other.alive ? needs_.reports.of(other.slot) : nullptr;
    return report != nullptr && other.slot != worker.slot &&
           std::any_of(report->regions.begin(), report->regions.end(),
                       [&](const auto& things) { return things.region == region.region; });
  };
  if (std::none_of(needs_.map.workers.begin(), needs_.map.workers.end(), has_some)) return false;
  needs_.regions.hand_over(needs_.stalls.advanced_us(), region.region,
                           *needs_.regions.least_loaded_worker());
  return true;
}

void ContentLosses::lose(Micros since_us, RegionId region) {
  if (hand_over_elsewhere(*needs_.regions.find(region))) return;
  needs_.regions.take_away(region);
  lost_us_.emplace(region, since_us);
}

void ContentLosses::lose_all(Micros since_us, WorkerSlot worker) {
  for (const RegionId region : needs_.regions.owned_by(worker)) lose(since_us, region);
}

void ContentLosses::note_restored(Micros now_us) {
  for (const RegionEntry& region : needs_.map.regions) {
    if (!region.owner) lost_us_.emplace(region.region, now_us);
  }
}

void ContentLosses::judge() {
  std::erase_if(lost_us_, [&](const auto& loss) {
    const auto& [id, since_us] = loss;
    bool survived = false;
    bool unsure = false;
    for (const WorkerEntry& worker : needs_.map.workers) {
      if (!has_content(worker.slot)) continue;
      (needs_.members.worker(worker.slot).received_us > since_us ? survived : unsure) = true;
    }
    if (needs_.regions.find(id) == nullptr) return true;
    if (unsure && !survived) return false;
    needs_.regions.set_from_checkpoint(id, !survived);
    return true;
  });
}

void ContentLosses::forgive_stall(Micros now_us, Micros stalled_us) {
  for (auto& [region, since_us] : lost_us_) since_us = std::min(now_us, since_us + stalled_us);
}

bool ContentLosses::has_content(WorkerSlot worker) const {
  if (!needs_.map.workers[worker.index()].alive) return false;
  const WorkerReport* report = needs_.reports.of(worker);
  if (report != nullptr && report->entities > 0) return true;
  return std::any_of(needs_.map.regions.begin(), needs_.map.regions.end(),
                     [&](const RegionEntry& region) {
                       return region.owner == worker && !undecided(region.region);
                     });
}

void ContentLosses::begin_incarnation(std::optional<HandleBase> former, HandleBase handle_base) {
  if (former) empty_handed_.erase(*former);
  empty_handed_.insert(handle_base);
}

}  // namespace perigee::directory
