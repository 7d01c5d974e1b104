#include "perigee/worker/own_regions.hpp"

#include "perigee/base/kept_tick.hpp"
#include "perigee/worker/entity_spawners.hpp"

namespace perigee::worker {

void OwnRegions::note_restored() {
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    if (needs_.cluster.owns(region) && region.from_checkpoint)
      populated_[region.region] = region.created_epoch;
  }
}

void OwnRegions::on_map() {
  note_owned();
  populate();
}

void OwnRegions::keep_ticks() {
  for (auto& [region, since] : owned_since_) move_along(since, needs_.next);
}

void OwnRegions::note_owned() {
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    if (needs_.cluster.owns(region)) owned_since_.try_emplace(region.region, needs_.next);
  }
  std::erase_if(owned_since_, [&](const auto& owned) {
    const RegionEntry* region = needs_.cluster.map().region(owned.first);
    return region == nullptr || !needs_.cluster.owns(*region);
  });
}

bool OwnRegions::complete(const RegionEntry& region, bool knows_ghosts) const {
  constexpr std::int32_t patience_ticks = 180;
  const auto since = owned_since_.find(region.region);
  if (since == owned_since_.end()) return false;
  return region.created_epoch == region.epoch || knows_ghosts ||
         ticks_between(since->second, needs_.next) > patience_ticks;
}

// Entities of an earlier creation may still exist elsewhere, so each map that creates regions uses
// a spawner of its own.
void OwnRegions::populate() {
  const std::uint32_t spawner = creating_spawner(needs_.spawner, creating_maps_);
  bool populated_any = false;
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    if (!needs_.cluster.owns(region) || region.created_epoch != region.epoch) continue;
    Epoch& created = populated_[region.region];
    if (created == region.epoch) continue;
    created = region.epoch;
    populated_any = true;
    const world::World::GameCall call(needs_.world);
    needs_.game.populate(needs_.world, {region.low, region.high}, spawner);
  }
  if (populated_any) ++creating_maps_;
  std::erase_if(populated_, [&](const auto& each) {
    return needs_.cluster.map().region(each.first) == nullptr;
  });
}

}  // namespace perigee::worker
