#include "perigee/worker/cluster_view.hpp"

#include <algorithm>

#include "perigee/replication/published.hpp"

namespace perigee::worker {

bool ClusterView::is_peer(WorkerSlot from, std::uint32_t cluster_id) const {
  const WorkerEntry* peer = map_.worker(from);
  return peer != nullptr && peer->alive && from != self_ && cluster_id == map_.cluster_id;
}

bool ClusterView::is_peer(WorkerSlot from, Incarnation incarnation,
                          std::uint32_t cluster_id) const {
  return is_peer(from, cluster_id) && map_.worker(from)->incarnation == incarnation;
}

const RegionEntry* ClusterView::own_region() const {
  const auto found = std::find_if(map_.regions.begin(), map_.regions.end(),
                                  [&](const RegionEntry& region) { return owns(region); });
  return found == map_.regions.end() ? nullptr : &*found;
}

const RegionEntry* ClusterView::own_region_near(const Vec3& place) const {
  const RegionEntry* nearest = nullptr;
  double nearest_m = 0;
  for (const RegionEntry& region : map_.regions) {
    if (!owns(region)) continue;
    const double away_m = replication::distance_to({region.low, region.high}, place);
    if (nearest != nullptr && away_m >= nearest_m) continue;
    nearest = &region;
    nearest_m = away_m;
  }
  return nearest;
}

const FailoverRecord* ClusterView::failover_record_of(HandleBlock block) const {
  const WorkerEntry* self = own_entry();
  const auto found =
      std::find_if(map_.failover_records.begin(), map_.failover_records.end(), [&](const auto& b) {
        return self != nullptr && block_of(b.handle_base, self->handle_count) == block;
      });
  return found == map_.failover_records.end() ? nullptr : &*found;
}

}  // namespace perigee::worker
