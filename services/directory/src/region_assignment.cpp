#include "perigee/directory/region_assignment.hpp"

namespace perigee::directory {

void RegionAssignment::assign(Micros now_us) {
  for (const RegionEntry& region : needs_.map.regions) {
    const bool dead = region.owner && !needs_.map.workers[region.owner->index()].alive;
    if (dead && needs_.members.others_received_after(*region.owner)) {
      needs_.losses.lose(needs_.members.worker(*region.owner).received_us + together_us,
                         region.region);
    }
  }
  needs_.losses.judge();
  if (!enough_workers(now_us)) return;
  for (const RegionEntry& region : needs_.map.regions) {
    if (region.owner || needs_.losses.undecided(region.region)) continue;
    needs_.regions.assign(region.region, *needs_.regions.least_loaded_worker());
  }
}

bool RegionAssignment::enough_workers(Micros now_us) const {
  const std::uint32_t living = needs_.members.living_workers();
  const auto& first_us = needs_.members.first_worker_us();
  const bool settled = first_us && now_us - *first_us >= needs_.settle_us;
  return living > 0 && (living >= needs_.workers || settled);
}

}  // namespace perigee::directory
