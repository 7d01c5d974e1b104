/// Uses of things by players. Every action is judged once, when its input is first processed. The
/// verdict names the action by target tick and index. Re-simulation neither repeats nor withdraws
/// it.
#pragma once

#include "perigee/worker/players/vehicle_control.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/worker/tick/checked_game.hpp"

namespace perigee::worker {

class UseActions {
 public:
  struct Needs {
    world::World& world;
    CheckedGame& game;
    VehicleControl& vehicles;
    ObserverTable& observers;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit UseActions(Needs needs) : needs_(needs) {}

  void judge(Player& player, const world::StepRecord& record, const InputTimeline::Use& use);
  /// Sends the changes that the game and the players' actions announced in this tick to all clients
  /// that know the object.
  void send_announced();

 private:
  Needs needs_;
  std::vector<world::TimelineChange> announced_;
};

}  // namespace perigee::worker
