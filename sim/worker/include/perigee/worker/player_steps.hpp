/// The step of each player in its tick.
#pragma once

#include "perigee/worker/checked_game.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/ground_edits.hpp"
#include "perigee/worker/outcomes.hpp"
#include "perigee/worker/use_actions.hpp"

namespace perigee::worker {

class PlayerSteps {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    CheckedGame& checked_game;
    GroundEdits& ground_edits;
    UseActions& use_actions;
    Outcomes& outcomes;
    Counts<Count>& counts;
  };
  explicit PlayerSteps(Needs needs) : needs_(needs) {}

  void step(Player& player, Tick tick);

 private:
  void apply_pending_switch(Player& player, world::StepRecord& record);
  void push_bodies(const Player& player, const world::StepRecord& record);

  Needs needs_;
};

}  // namespace perigee::worker
