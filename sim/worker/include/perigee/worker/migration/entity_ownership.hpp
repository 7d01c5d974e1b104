/// Which worker owns an entity, and which worker answers for an incarnation, as far as this worker
/// knows.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/player_input.hpp"

namespace perigee::worker {

class EntityOwnership {
 public:
  virtual ~EntityOwnership() = default;

  /// The owner of a ghost. None: not known here.
  virtual std::optional<WorkerSlot> owner_of(Handle entity) const = 0;
  /// The handle block that names the incarnation of a living worker.
  virtual std::optional<HandleBlock> block_of(WorkerSlot worker) const = 0;
  /// The worker that answers for an incarnation: itself, or its successor.
  virtual std::optional<WorkerSlot> worker_of(HandleBlock incarnation) const = 0;
  /// The entity is the root of a group that leaves at a coming tick.
  virtual bool leaves(Handle root) const = 0;
};

}  // namespace perigee::worker
