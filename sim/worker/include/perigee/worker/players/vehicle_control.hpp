/// Vehicle control: which player sits at which vehicle's controls, and how the controls drive the
/// body. Bodies are never re-simulated, so a late input has no effect on them: the worker has
/// continued with the held controls.
#pragma once

#include "perigee/worker/players/parent_switches.hpp"
#include "perigee/worker/players/player_table.hpp"

namespace perigee::worker {

class VehicleControl {
 public:
  struct Needs {
    world::World& world;
    PlayerTable& players;
    ParentSwitches& switches;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit VehicleControl(Needs needs) : needs_(needs) {}

  /// Whether a player sits at the body's controls, or is about to.
  bool steered(Handle body) const;
  /// Announces that the player takes or leaves the controls of a body, which exists. False: not
  /// now.
  bool announce(Player& player, Handle body, VehicleChange change, Tick target);
  /// Drives bodies with the players' controls of this tick. Called after the game's own drives and
  /// before the bodies' step.
  void drive(Tick tick);
  void fill_own(const Player& player, OwnSection& own) const;

 private:
  Needs needs_;
};

}  // namespace perigee::worker
