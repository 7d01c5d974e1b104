// What a change makes of the map, and who copies what.
#include "perigee/directory/balance.hpp"

namespace perigee::directory {

std::optional<Region> apply(const Change& change, Space& space,
                            std::map<Region, WorkerSlot>& owners) {
  switch (change.kind) {
    case ChangeKind::Split: {
      const auto part = space.split(change.region, change.axis, change.at);
      PERIGEE_ASSERT(part.ok(), "a planned split leaves two whole regions");
      owners[*part] = owners.at(change.region);
      return *part;
    }
    case ChangeKind::Merge: {
      const auto gone = space.sibling(change.region);
      PERIGEE_ASSERT(gone && space.merge(change.region).ok(), "a planned merge is of siblings");
      owners.erase(*gone);
      return std::nullopt;
    }
    case ChangeKind::Slide:
      PERIGEE_ASSERT(space.slide(change.region, change.at).ok(), "a planned slide has room");
      return std::nullopt;
    case ChangeKind::Move:
      owners[change.region] = change.to;
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<WorkerSlot> choose_buddy(Region region, const std::map<Region, WorkerSlot>& owners,
                                       const std::map<Region, WorkerSlot>& buddies,
                                       const std::vector<WorkerShare>& workers,
                                       const std::map<WorkerSlot, double>& load_ms) {
  const auto owner = owners.find(region);
  std::optional<WorkerSlot> best;
  std::pair<int, double> best_cost;
  for (const WorkerShare& worker : workers) {
    if (worker.draining || (owner != owners.end() && owner->second == worker.slot)) continue;
    int shared = 0;  // copies of the same owner: that worker's death would fall on one alone
    for (const auto& [other, buddy] : buddies) {
      const auto others_owner = owners.find(other);
      shared += other != region && buddy == worker.slot && owner != owners.end() &&
                others_owner != owners.end() && others_owner->second == owner->second;
    }
    const auto load = load_ms.find(worker.slot);
    const std::pair cost{shared, load == load_ms.end() ? 0.0 : load->second};
    if (!best || cost < best_cost) best = worker.slot, best_cost = cost;
  }
  return best;
}

}  // namespace perigee::directory
