/// Changes of scheduled objects: proposed, announced, and listed for replication.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/world/game_calls.hpp"
#include "perigee/world/lively_entities.hpp"

namespace perigee::world {

class ScheduledChanges {
 public:
  struct Needs {
    EntityTable& entities;
    LivelyEntities& lively;
    GameCalls& calls;
    const Tick& now;
  };
  explicit ScheduledChanges(Needs needs) : needs_(needs) {}

  /// See World::announce.
  TimelineLog::Added announce(const TimelineChange& change);
  /// The changes announced since the last call, in order.
  void take_announced(std::vector<TimelineChange>& out);
  /// Null for entities that are not scheduled objects.
  const TimelineLog* log(Handle object) const;
  /// See World::propose_change.
  TimelineChange propose(Handle object, Tick target, std::uint8_t goal,
                         std::int32_t announce_ticks) const;

 private:
  Needs needs_;
  std::vector<TimelineChange> announced_;
};

}  // namespace perigee::world
