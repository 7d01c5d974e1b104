/// Wandering: near the bot's home, or on the deck of a ship.
#pragma once

#include "perigee/bots/on_foot_needs.hpp"

namespace perigee::bots {

class Walker {
 public:
  explicit Walker(const OnFootNeeds& needs) : needs_(needs) {}
  /// Mode::Walk and Mode::Aboard.
  void walk(PlayerInput& input);

 private:
  void land_on_deck(PlayerInput& input) const;

  const OnFootNeeds needs_;
  bool run_ = false;
};

}  // namespace perigee::bots
