/// Recent takeovers: until a successor's own standby has a replica of what the successor took over,
/// that content has only one copy.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/directory/space.hpp"

namespace perigee::directory {

class UncopiedTakeovers {
 public:
  /// The successor has taken over these regions by the map of version `since`.
  void note(WorkerSlot successor, std::uint64_t since, const std::vector<RegionId>& regions);
  /// The successor had taken over something when this directory was restored from the map of
  /// version `since`. Which regions is unknown.
  void note_restored(WorkerSlot successor, std::uint64_t since);
  /// The successor is in sync with its standby and has adopted the map of this version. True: its
  /// takeovers are copied now, and were not before.
  bool note_in_sync(WorkerSlot successor, std::uint64_t map_version);
  bool contains(WorkerSlot successor) const { return takeovers_.contains(successor); }
  /// A directory that was restored does not know which regions a takeover brought: until the
  /// successor has adopted the present map, the successor's replica does not count as in sync.
  bool out_of_date(WorkerSlot successor, std::uint64_t map_version) const;
  /// Removes the successor and returns the regions that it took over.
  std::vector<RegionId> extract(WorkerSlot successor);
  void forget(WorkerSlot successor) { takeovers_.erase(successor); }

 private:
  struct Takeover {
    std::uint64_t since = 0;
    std::vector<RegionId> regions;
    bool restored = false;
  };
  std::map<WorkerSlot, Takeover> takeovers_;
};

}  // namespace perigee::directory
