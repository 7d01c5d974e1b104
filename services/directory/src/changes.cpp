// How a change affects the map.
#include "perigee/directory/balance.hpp"

namespace perigee::directory {

std::optional<RegionId> apply(const Change& change, Space& space,
                              std::map<RegionId, WorkerSlot>& owners) {
  switch (change.kind) {
    case ChangeKind::Split: {
      const auto part = space.split(change.region, change.axis, change.at);
      PERIGEE_ASSERT(part.ok(), "a planned split must leave two regions of the minimum size");
      owners[*part] = owners.at(change.region);
      return *part;
    }
    case ChangeKind::Merge: {
      const auto gone = space.sibling(change.region);
      PERIGEE_ASSERT(gone && space.merge(change.region).ok(),
                     "a planned merge must be of siblings");
      owners.erase(*gone);
      return std::nullopt;
    }
    case ChangeKind::Slide:
      PERIGEE_ASSERT(space.slide(change.region, change.at).ok(),
                     "a planned slide must leave two regions of the minimum size");
      return std::nullopt;
    case ChangeKind::Move:
      owners[change.region] = change.to;
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace perigee::directory
