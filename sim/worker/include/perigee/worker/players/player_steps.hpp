/// The step of each player in its tick.
#pragma once

#include "perigee/worker/counters.hpp"
#include "perigee/worker/outcomes/ground_edits.hpp"
#include "perigee/worker/outcomes/outcomes.hpp"
#include "perigee/worker/players/use_actions.hpp"
#include "perigee/worker/snapshots/cue_sender.hpp"
#include "perigee/worker/tick/checked_game.hpp"

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
    CueSender& cues;
    Counts<Count>& counts;
  };
  explicit PlayerSteps(Needs needs) : needs_(needs) {}

  void step(Player& player, Tick tick);
  /// Asks the game for the input of an NPC, once a tick.
  void decide_input(Player& npc, Tick tick);

 private:
  void apply_pending_switch(Player& player, world::StepRecord& record);
  void push_bodies(const Player& player, const world::StepRecord& record);

  Needs needs_;
};

}  // namespace perigee::worker
