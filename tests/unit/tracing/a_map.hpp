/// A cluster map with three workers; each but the last owns a region.
#pragma once

#include "perigee/base/cluster_map.hpp"

namespace perigee::tracing {

inline ClusterMap a_map() {
  ClusterMap map{.cluster_id = 77, .version = 1};
  for (std::uint16_t slot = 0; slot < 3; ++slot) {
    map.workers.push_back({.slot = WorkerSlot{slot},
                           .handle_base = HandleBase{1'000U * (slot + 1U)},
                           .handle_count = 1'000,
                           .alive = true,
                           .incarnation = Incarnation{1}});
  }
  for (std::uint32_t region = 0; region < 2; ++region) {
    map.regions.push_back(
        {.region = RegionId{region}, .epoch = Epoch{1}, .owner = WorkerSlot::at(region)});
  }
  return map;
}

inline void move_region(ClusterMap& map, std::size_t region, std::uint16_t to) {
  map.regions[region].owner = WorkerSlot{to};
  ++map.regions[region].epoch;
  ++map.version;
}

/// Worker `dead` ends, and `to` has its regions.
inline void fail_over(ClusterMap& map, std::uint16_t dead, std::uint16_t to) {
  for (std::size_t i = 0; i < map.regions.size(); ++i) {
    if (map.regions[i].owner == WorkerSlot{dead}) move_region(map, i, to);
  }
  map.workers[dead].alive = false;
  map.failover_records.push_back({.handle_base = map.workers[dead].handle_base,
                                  .successor = WorkerSlot{to},
                                  .successor_handle_base = map.workers[to].handle_base});
  ++map.version;
}

}  // namespace perigee::tracing
