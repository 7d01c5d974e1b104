/// A bot's intended heading, its next turn, and obstacles in its way. Its look follows the heading,
/// and on foot it walks where it looks.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

class Gait {
 public:
  struct Needs {
    const Senses& senses;
    Random& random;
    Look& look;
  };
  explicit Gait(const Needs& needs) : needs_(needs) {}

  Look& look() { return needs_.look; }
  double heading_rad() const { return heading_rad_; }
  /// Chooses a random heading, if it is time for another one. False: it is not.
  bool turn_if_due();
  /// The next turn happens at that tick.
  void turn_at(Tick tick) { turn_at_ = tick; }
  /// Turns a little if a player is in the way.
  void evade();
  /// Its look turns to its heading.
  void look_ahead() { needs_.look.face({heading_rad_, 0}); }
  /// Turns to a place in the parent's frame and, once it nearly faces that, walks there, past
  /// others.
  void walk_to(const Vec3& target, PlayerInput& input);
  /// Once per tick of an activity with a goal. True: an obstacle has been in the way for so long
  /// that the bot gives up.
  bool gives_up();

 private:
  const Needs needs_;
  double heading_rad_ = 0;
  std::optional<Tick> turn_at_;  ///< none: at once
  std::int32_t blocked_ticks_ = 0;
};

}  // namespace perigee::bots
