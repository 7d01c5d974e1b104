#include "perigee/directory/uncopied_takeovers.hpp"

#include <utility>

namespace perigee::directory {

void UncopiedTakeovers::note(WorkerSlot successor, std::uint64_t since,
                             const std::vector<RegionId>& regions) {
  Takeover& takeover = takeovers_[successor];
  takeover.since = since;
  takeover.regions.insert(takeover.regions.end(), regions.begin(), regions.end());
}

void UncopiedTakeovers::note_restored(WorkerSlot successor, std::uint64_t since) {
  takeovers_[successor] = {.since = since, .regions = {}, .restored = true};
}

bool UncopiedTakeovers::note_in_sync(WorkerSlot successor, std::uint64_t map_version) {
  const auto found = takeovers_.find(successor);
  if (found == takeovers_.end() || map_version < found->second.since) return false;
  takeovers_.erase(found);
  return true;
}

bool UncopiedTakeovers::out_of_date(WorkerSlot successor, std::uint64_t map_version) const {
  const auto found = takeovers_.find(successor);
  return found != takeovers_.end() && found->second.restored && map_version < found->second.since;
}

std::vector<RegionId> UncopiedTakeovers::extract(WorkerSlot successor) {
  auto takeover = takeovers_.extract(successor);
  return takeover ? std::move(takeover.mapped().regions) : std::vector<RegionId>{};
}

}  // namespace perigee::directory
