/// Server reconciliation: re-simulates recorded ticks that turned out wrong, tick by tick for all
/// players, as if all inputs had come in time. Errors spread: to the actor's next tick if its state
/// changed, to actors that it pushed or pushes now, and to actors that looked at changed places.
/// Parents, vehicle controls, impulses on bodies and verdicts on uses stay as first decided.
/// Motions of bodies stay as recorded. Inputs that fill a gap run older ticks again, of the late
/// player alone: all others are final there.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "perigee/worker/counters.hpp"
#include "perigee/worker/outcomes/ground_edits.hpp"
#include "perigee/worker/outcomes/outcomes.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/players/use_actions.hpp"
#include "perigee/worker/snapshots/cue_sender.hpp"

namespace perigee::worker {

class Rollback {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    CheckedGame& checked_game;
    GroundEdits& ground_edits;
    UseActions& use_actions;
    Outcomes& outcomes;
    CueSender& cues;
    PlayerTable& players;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit Rollback(Needs needs);

  /// Re-simulates all wrong ticks before the next one, up to `rewind_steps_max` steps. Ticks beyond
  /// that stay wrong, and are counted.
  void replay_wrong();

 private:
  struct Standing {
    Player* player = nullptr;
    const world::EntityType* type = nullptr;
    const world::World::ActorTraces* traces = nullptr;
    const world::ActorTrace* trace = nullptr;  ///< trace in the current tick
    Vec3 at;                                   ///< world position at the start of the current tick
    bool admitted = false;                     ///< the budget covers its remaining steps
    /// In an open gap: the first missing input. Later ticks run again only now and then, because
    /// they are guesses until that input comes.
    std::optional<Tick> deferred_from;

    bool owes(Tick tick) const {
      return player->wrong.has(tick) && (!deferred_from || before(tick, *deferred_from));
    }
  };
  struct Moved {
    const Player* player = nullptr;
    Vec3 was, is;  ///< world
  };

  std::optional<Tick> deferred_from(const Player& player) const;
  void fill_gaps();
  bool long_past(Tick tick) const;
  bool in_history(Tick tick) const;
  void find_places(Tick tick);
  template <class Visit>
  void for_each_within(const Vec3& at, double m, Visit visit);
  void mark_who_was_pushed(Tick tick);
  void replay_tick(Standing& who, Tick tick);
  bool admit(Standing& who, Tick tick);
  void gather_people(const Standing& who, world::StepRecord& record);

  Needs needs_;
  std::vector<Standing> standing_;
  std::vector<Moved> moved_;  ///< actors with a changed position at the tick's start
  std::vector<std::pair<double, Standing*>> along_x_;  ///< actors that exist at that tick
  std::vector<world::ActorBeside> nearby_;
  std::int32_t steps_left_ = 0;
};

}  // namespace perigee::worker
