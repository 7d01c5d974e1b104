/// A look that turns as a hand turns it with a mouse: in turns of 0.2 to 0.5 s with a smooth speed,
/// and between them by small amounts.
#pragma once

#include <cstdint>

#include "perigee/base/hash.hpp"
#include "perigee/base/player_input.hpp"

namespace perigee::bots {

struct Direction {
  double yaw_rad = 0;
  double pitch_rad = 0;
};

/// From one yaw to another, the short way: -pi .. pi.
double turn_between(double from_rad, double to_rad);

class Look {
 public:
  static constexpr std::int32_t turn_ticks_min = 12, turn_ticks_max = 30;
  /// An ordinary turn ends, and begins, within this of the wanted direction.
  static constexpr double slack_rad = 0.2;

  explicit Look(std::uint64_t seed) : random_(seed) {}

  /// The wanted direction from now on, as nearly as people care.
  void face(const Direction& wanted) { wanted_ = wanted; }
  /// Once per tick and before advance(): the look ends its turn exactly there, also if the
  /// direction moves. An aim that is not repeated is given up.
  void aim(const Direction& at);
  /// One tick further.
  void advance();
  /// It arrived with the last advance() where it was aimed.
  bool aimed() const { return aimed_; }
  bool turning() const { return ticks_left_ > 0; }

  const Direction& now() const { return now_; }
  /// From the present yaw to the wanted one, without sign.
  double off_rad() const;
  void show(PlayerInput& input) const;

 private:
  void begin_turn(const Direction& to);
  void turn();
  void wander();

  Random random_;
  Direction now_, wanted_;
  Direction from_, to_;
  std::int32_t ticks_left_ = 0, turn_ticks_ = 0;
  bool aims_ = false;      ///< the turn is one of an aim
  bool repeated_ = false;  ///< in this tick
  bool aimed_ = false;
  double drift_rad_s_ = 0;
  std::int32_t drift_ticks_left_ = 0;
};

}  // namespace perigee::bots
