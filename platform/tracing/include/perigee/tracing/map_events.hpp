/// Events between two versions of the cluster map that get a trace. The directory and the workers
/// find the same events, and so the same trace ids.
#pragma once

#include <optional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/tracing/span.hpp"

namespace perigee::tracing {

enum class MapEventKind : std::uint8_t {
  Failover,    ///< an incarnation has ended, and `to` takes over
  Loss,        ///< an incarnation has ended with regions, without a successor
  RegionMove,  ///< a region has another owner, and the former one lives on
  Drain        ///< a worker has to move everything to others
};

struct MapEvent {
  MapEventKind kind{};
  TraceId trace;
  WorkerSlot worker;        ///< of the incarnation that ended, the former owner, the drained one
  Incarnation incarnation;  ///< of that worker
  std::optional<WorkerSlot> to;  ///< the successor, the new owner
  RegionId region;               ///< RegionMove
  Epoch epoch;                   ///< RegionMove
};

/// Both maps are of the same cluster, and `after` is the newer one.
std::vector<MapEvent> events_between(const ClusterMap& before, const ClusterMap& after);

}  // namespace perigee::tracing
