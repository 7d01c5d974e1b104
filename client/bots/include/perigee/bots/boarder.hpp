/// Boarding of passing ships: the decision, once per ship, and the flight onto its deck.
#pragma once

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/bots/activity.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

class Boarder {
 public:
  struct Needs {
    const Senses& senses;
    Random& random;
    Activity& activity;
    Look& look;
  };
  explicit Boarder(const Needs& needs) : needs_(needs) {}
  /// Once per tick: decides about a ship that has come into sight.
  void consider();
  /// There is a ship in sight that it wants to board.
  bool wants() const { return wants_ && needs_.senses.ship() != no_entity; }
  /// Only if it wants to.
  void begin();
  /// Mode::Board: hovers on the ship's course, then matches its speed and drops onto its deck.
  void board(PlayerInput& input);

 private:
  const Needs needs_;
  Handle ship_ = no_entity;  ///< the one that it boards
  Vec3 deck_spot_;           ///< intended landing place, in the ship's frame
  bool considered_ = false;
  bool wants_ = false;
};

}  // namespace perigee::bots
