#include "perigee/tracing/map_events.hpp"

#include <algorithm>

namespace perigee::tracing {
namespace {

bool lives_on(const WorkerEntry& worker, const ClusterMap& after) {
  const WorkerEntry* now = after.worker(worker.slot);
  return now != nullptr && now->alive && now->handle_base == worker.handle_base;
}

bool owns_regions(const WorkerEntry& worker, const ClusterMap& map) {
  return std::any_of(map.regions.begin(), map.regions.end(),
                     [&](const RegionEntry& region) { return region.owner == worker.slot; });
}

/// None: nothing of the worker's incarnation has ended.
std::optional<MapEvent> end_of(const WorkerEntry& worker, const ClusterMap& before,
                               const ClusterMap& after) {
  if (!worker.alive || lives_on(worker, after)) return std::nullopt;
  MapEvent event{.kind = MapEventKind::Failover,
                 .trace = trace_of_failover(after.cluster_id, worker.handle_base),
                 .worker = worker.slot,
                 .incarnation = worker.incarnation};
  if (const FailoverRecord* record = after.failover_record(worker.handle_base)) {
    event.to = record->successor;
    return event;
  }
  if (!owns_regions(worker, before)) return std::nullopt;
  event.kind = MapEventKind::Loss;
  return event;
}

std::optional<MapEvent> move_of(const RegionEntry& region, const ClusterMap& before,
                                const ClusterMap& after) {
  const RegionEntry* was = before.region(region.region);
  if (was == nullptr || !was->owner || !region.owner || was->owner == region.owner) {
    return std::nullopt;
  }
  const WorkerEntry* from = before.worker(*was->owner);
  if (from == nullptr || !lives_on(*from, after)) return std::nullopt;
  return MapEvent{.kind = MapEventKind::RegionMove,
                  .trace = trace_of_region(after.cluster_id, region.region, region.epoch),
                  .worker = from->slot,
                  .incarnation = from->incarnation,
                  .to = region.owner,
                  .region = region.region,
                  .epoch = region.epoch};
}

}  // namespace

std::vector<MapEvent> events_between(const ClusterMap& before, const ClusterMap& after) {
  std::vector<MapEvent> out;
  for (const WorkerEntry& worker : before.workers) {
    if (const auto event = end_of(worker, before, after)) out.push_back(*event);
    const WorkerEntry* now = after.worker(worker.slot);
    if (worker.draining || !lives_on(worker, after) || !now->draining) continue;
    out.push_back({.kind = MapEventKind::Drain,
                   .trace = trace_of_drain(after.cluster_id, worker.handle_base),
                   .worker = worker.slot,
                   .incarnation = worker.incarnation});
  }
  for (const RegionEntry& region : after.regions) {
    if (const auto event = move_of(region, before, after)) out.push_back(*event);
  }
  return out;
}

}  // namespace perigee::tracing
