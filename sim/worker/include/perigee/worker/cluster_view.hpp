/// The cluster map as one worker sees it: its own regions, its peers, and its gateways.
#pragma once

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric.hpp"

namespace perigee::worker {

class ClusterView {
 public:
  /// The map may change, and must outlive the view.
  ClusterView(const ClusterMap& map, WorkerSlot self) : map_(map), self_(self) {}

  const ClusterMap& map() const { return map_; }
  WorkerSlot self() const { return self_; }
  /// Null: this worker is not in the map.
  const WorkerEntry* own_entry() const { return map_.worker(self_); }

  /// Whether a message comes from another worker that is alive in this cluster's map.
  bool is_peer(WorkerSlot from, std::uint32_t cluster_id) const;
  bool is_peer(WorkerSlot from, Incarnation incarnation, std::uint32_t cluster_id) const;
  /// The gateway of a session; null: not in the map.
  const GatewayEntry* gateway_of(SessionId session) const {
    return map_.gateway(session_gateway(session));
  }

  bool owns(const RegionEntry& region) const { return region.owner == self_; }
  /// The first of our own regions; null: none.
  const RegionEntry* own_region() const;
  /// The nearest of our own regions; null: none.
  const RegionEntry* own_region_near(const Vec3& place) const;
  /// The failover record of the incarnation with this handle block.
  const FailoverRecord* failover_record_of(HandleBlock block) const;

 private:
  const ClusterMap& map_;
  WorkerSlot self_;
};

}  // namespace perigee::worker
