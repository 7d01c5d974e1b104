/// Entities that recently left for other workers. Such a worker may die without a successor before
/// it has sent an entity to every client. Clients then still display the entity by our records, and
/// only this worker can remove it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/player_input.hpp"

namespace perigee::worker {

class DepartedEntities {
 public:
  /// After this time the new owner has sent records of the entities: even resting ones are
  /// refreshed every 8 s.
  static constexpr std::int32_t kept_ticks = 1800;

  /// Remembers the newest `entities_max`.
  explicit DepartedEntities(std::size_t entities_max) : entities_max_(entities_max) {}

  void add(std::span<const Handle> members, const WorkerEntry& receiver, Tick now);
  /// Entities whose owner has ended without a successor, according to this map. They are removed
  /// from this list.
  std::vector<Handle> take_lost(const ClusterMap& map);
  void forget_old(Tick now);

 private:
  struct Departed {
    Handle handle = no_entity;
    HandleBase incarnation;  ///< the incarnation that it was sent to, or its successor
    Tick at;
  };

  std::size_t entities_max_;
  std::deque<Departed> departed_;  ///< the oldest first
};

}  // namespace perigee::worker
