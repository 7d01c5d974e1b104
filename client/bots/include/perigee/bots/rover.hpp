/// Flight among the bodies of open space, for bots without ground: beside one, then to another.
#pragma once

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/bots/activity.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

class Rover {
 public:
  struct Needs {
    const Senses& senses;
    Random& random;
    Activity& activity;
    Look& look;
    Deeds& deeds;
  };
  explicit Rover(const Needs& needs) : needs_(needs) {}
  /// Chooses one of the bodies in sight.
  void begin();
  /// Mode::Rove: flies to it, and beside it.
  void rove(PlayerInput& input);

 private:
  const Needs needs_;
  Handle body_ = no_entity;
  Vec3 beside_m_;  ///< its place relative to the body, world axes
};

}  // namespace perigee::bots
