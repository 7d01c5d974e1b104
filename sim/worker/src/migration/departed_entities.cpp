#include "perigee/worker/migration/departed_entities.hpp"

#include <algorithm>

namespace perigee::worker {
namespace {

/// Whether an incarnation ended permanently. A worker that is wrongly taken for dead and keeps its
/// regions may come back.
bool has_ended(const ClusterMap& map, HandleBase incarnation) {
  const auto of = std::find_if(map.workers.begin(), map.workers.end(), [&](const auto& worker) {
    return worker.handle_base == incarnation;
  });
  if (of == map.workers.end()) return true;
  return !of->alive && std::none_of(map.regions.begin(), map.regions.end(),
                                    [&](const auto& region) { return region.owner == of->slot; });
}

}  // namespace

void DepartedEntities::add(std::span<const Handle> members, const WorkerEntry& receiver, Tick now) {
  for (const Handle handle : members) {
    if (departed_.size() >= entities_max_) departed_.pop_front();
    departed_.push_back({handle, receiver.handle_base, now});
  }
}

std::vector<Handle> DepartedEntities::take_lost(const ClusterMap& map) {
  std::vector<Handle> lost;
  std::erase_if(departed_, [&](Departed& departed) {
    if (const FailoverRecord* failover_record = map.failover_record(departed.incarnation)) {
      departed.incarnation = failover_record->successor_handle_base;
    }
    if (!has_ended(map, departed.incarnation)) return false;
    lost.push_back(departed.handle);
    return true;
  });
  return lost;
}

void DepartedEntities::forget_old(Tick now) {
  while (!departed_.empty() && ticks_between(departed_.front().at, now) > kept_ticks) {
    departed_.pop_front();
  }
}

}  // namespace perigee::worker
