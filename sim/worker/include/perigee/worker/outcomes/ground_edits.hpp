/// Voxel ground that players dig. An edit enters its patch with the tick that made it. It is
/// removed again if the re-simulated tick no longer makes it. Players that looked at the cell in
/// later ticks are then re-simulated, too. Conflicts are settled when the tick has left the window.
#pragma once

#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class GroundEdits {
 public:
  struct Needs {
    world::World& world;
    PlayerTable& players;
    ObserverTable& observers;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit GroundEdits(Needs needs) : needs_(needs) {}

  /// The ground around the player at the start of a tick, for its step.
  void cut_out(const Player& player, const ActorState& at_start, world::StepRecord& record) const;
  /// Makes the patches match the record of this actor's tick.
  void apply(const Player& player, const world::StepRecord& record);
  /// A first judgement, sent to the player at once: another player may still turn out to have been
  /// first.
  world::Judgement judged(const world::Outcome& outcome) const;
  /// The final judgement.
  world::Judgement settle(const world::Outcome& outcome);
  /// All outcomes of the tick are settled: edits up to it are permanent.
  void end_tick(Tick tick);

 private:
  void announce(Handle patch, const world::VoxelEdit& edit, bool withdrawn);
  void mark_wrong_where_seen(Player& player, Handle patch, const world::Cell& cell, Tick edited);

  Needs needs_;
};

}  // namespace perigee::worker
