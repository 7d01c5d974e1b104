/// Rides on lifts and rotors.
#pragma once

#include "perigee/bots/activity.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/gait.hpp"

namespace perigee::bots {

class LiftRider {
 public:
  struct Needs {
    const Senses& senses;
    Random& random;
    Activity& activity;
    Gait& gait;
    Deeds& deeds;
  };
  explicit LiftRider(const Needs& needs) : needs_(needs) {}
  /// Chooses one of the lifts in sight, of which there is at least one.
  void begin();
  /// Mode::Ride: onto the lift, up or round with it for a while, and off.
  void ride(PlayerInput& input);

 private:
  const Needs needs_;
  Handle lift_ = no_entity;
  bool riding_ = false;
};

}  // namespace perigee::bots
