/// Entities that recently left for other workers. If such a worker dies without a successor, and
/// before it has sent an entity to every client, clients still display the entity by our records,
/// and only this worker can remove it.
#pragma once

#include <deque>
#include <span>

#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Core::GivenAway {
 public:
  /// By then the new owner has sent records of it: resting entities are refreshed every 8 s.
  static constexpr std::int32_t kept_ticks = 1800;

  explicit GivenAway(Core& core) : core_(core) {}

  void note(std::span<const Handle> members, WorkerSlot to);
  /// Removes entities at clients that were lost with ended incarnations.
  void on_map();
  void after_tick();

 private:
  struct Given {
    Handle handle = no_entity;
    /// Handle block of the incarnation that it was sent to, or of its successor.
    std::uint32_t block = 0;
    Tick at;
  };
  bool over(std::uint32_t block) const;
  void follow_heirs();

  Core& core_;
  std::deque<Given> given_;  ///< the oldest first, at most entities_max
};

}  // namespace perigee::worker
