/// Wandering: near the bot's home, or on the deck of a ship.
#pragma once

#include "perigee/bots/activity.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/gait.hpp"

namespace perigee::bots {

class Walker {
 public:
  struct Needs {
    const Senses& senses;
    Random& random;
    Activity& activity;
    Gait& gait;
    Deeds& deeds;
  };
  explicit Walker(const Needs& needs) : needs_(needs) {}
  /// Mode::Walk and Mode::Aboard.
  void walk(PlayerInput& input);

 private:
  void land_on_deck(PlayerInput& input) const;

  const Needs needs_;
  bool run_ = false;
};

}  // namespace perigee::bots
