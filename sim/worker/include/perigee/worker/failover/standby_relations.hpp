/// Which worker is whose standby, as far as this worker is concerned.
#pragma once

#include <optional>

#include "perigee/base/cluster_map.hpp"

namespace perigee::worker {

class StandbyRelations {
 public:
  virtual ~StandbyRelations() = default;

  /// The standby of this worker, which receives everything. None: not yet.
  virtual std::optional<WorkerSlot> standby() const = 0;
  /// This worker has a replica of that worker.
  virtual bool replicates(WorkerSlot worker) const = 0;
  /// Whether the map promotes this worker if that one's incarnation ends.
  virtual bool succeeds(WorkerSlot worker) const = 0;
};

}  // namespace perigee::worker
