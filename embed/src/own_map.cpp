#include "perigee/embed/own_map.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"
#include "perigee/directory/handle_blocks.hpp"

namespace perigee::embed {

OwnMap::OwnMap(Micros now, Tick first, const GatewayEntry& gateway, std::uint64_t schema_hash)
    : map_{.cluster_id = 1,
           .version = 1,
           .time = {.base = {.wall_us = now, .tick = first}, .change = {}},
           .workers = {},
           .gateways = {gateway},
           .regions = {},
           .failover_records = {},
           .schema_hash = schema_hash},
      time_({.time = map_.time,
             .cluster_id = map_.cluster_id,
             .version = map_.version,
             .strains = [] { return std::vector<directory::Strain>(); }},
            {}, std::nullopt),
      incarnations_(workers_max) {}

void OwnMap::add(WorkerSlot slot, const Address& fabric, RegionId region, const Vec3& low,
                 const Vec3& high) {
  PERIGEE_ASSERT(map_.worker(slot) == nullptr && map_.region(region) == nullptr,
                 "a new worker needs a slot and a region of its own");
  Incarnation& incarnation = incarnations_.at(slot.index());
  incarnation = incarnation.next();
  const WorkerEntry worker{
      .slot = slot,
      .fabric = fabric,
      .handle_base = base_of(HandleBlock{slot.number + 1U}, directory::handles_per_worker),
      .handle_count = directory::handles_per_worker,
      .alive = true,
      .incarnation = incarnation};
  const auto after = [](const auto& entries, auto key, auto of) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const auto& each) { return of(each) > key; });
  };
  map_.workers.insert(after(map_.workers, slot, [](const WorkerEntry& each) { return each.slot; }),
                      worker);
  map_.regions.insert(
      after(map_.regions, region, [](const RegionEntry& each) { return each.region; }),
      {.region = region,
       .epoch = Epoch{1},
       .low = low,
       .high = high,
       .owner = slot,
       .created_epoch = Epoch{1}});
  ++map_.version;
}

void OwnMap::remove(WorkerSlot slot) {
  std::erase_if(map_.workers, [&](const WorkerEntry& worker) { return worker.slot == slot; });
  std::erase_if(map_.regions, [&](const RegionEntry& region) { return region.owner == slot; });
  ++map_.version;
}

std::uint64_t OwnMap::skip_stall(Micros now_us, Tick next) {
  TimeSegment since = map_.time.of(next);
  since.wall_us = tick_start_us(map_.time, next);
  const double owed = ticks_since_start(since, now_us);
  if (owed <= ticks_owed_max) return 0;
  time_.resume(now_us, next);
  return static_cast<std::uint64_t>(owed);
}

ClusterMap OwnMap::map_of(WorkerSlot slot) const {
  ClusterMap own = map_;
  std::erase_if(own.workers, [&](const WorkerEntry& worker) { return worker.slot != slot; });
  std::erase_if(own.regions, [&](const RegionEntry& region) { return region.owner != slot; });
  return own;
}

}  // namespace perigee::embed
