/// Rides on lifts and rotors.
#pragma once

#include "perigee/bots/on_foot_needs.hpp"

namespace perigee::bots {

class LiftRider {
 public:
  explicit LiftRider(const OnFootNeeds& needs) : needs_(needs) {}
  /// Chooses one of the lifts in sight, of which there is at least one.
  void begin();
  /// Mode::Ride: onto the lift, up or round with it for a while, and off.
  void ride(PlayerInput& input);

 private:
  const OnFootNeeds needs_;
  Handle lift_ = no_entity;
  bool riding_ = false;
};

}  // namespace perigee::bots
