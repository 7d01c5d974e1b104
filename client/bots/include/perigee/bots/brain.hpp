/// A simulated player: walks, turns, jumps, opens doors, uses lifts, rides rotors, flies, boards
/// passing ships, returns home, and shoots now and then. On request it flies across the middle of
/// the world and back, repeatedly. Without any ground, in open space, it flies among bodies. It
/// sees only what a person would see through the client; same seed and same scene, same play.
#pragma once

#include <cstdint>

#include "perigee/base/hash.hpp"
#include "perigee/bots/activity.hpp"
#include "perigee/bots/boarder.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/door_user.hpp"
#include "perigee/bots/flyer.hpp"
#include "perigee/bots/gait.hpp"
#include "perigee/bots/lift_rider.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/bots/marksman.hpp"
#include "perigee/bots/rover.hpp"
#include "perigee/bots/senses.hpp"
#include "perigee/bots/walker.hpp"
#include "perigee/client/client.hpp"

namespace perigee::bots {

/// A bot's behaviour.
enum class Temper : std::uint8_t {
  Mild,     ///< does everything; shoots seldom and badly, almost never deadly
  Settled,  ///< stays on its first ground or deck: walks and jumps there, and does not shoot
  Fierce    ///< shoots well, about once a second, at the nearest target
};

class Brain final : public client::InputSampler {
 public:
  /// `voyage_m`: distance beyond the middle of the world, where borders are; 0: no voyages.
  Brain(const client::Client& client, std::uint64_t seed, double voyage_m = 0,
        Temper temper = Temper::Mild);
  PlayerInput sample(Tick tick) override;
  const Deeds& deeds() const { return deeds_; }
  /// Its current activity, for progress lines.
  const char* mode_name() const { return activity_.name(); }

 private:
  void look_around(Tick tick);
  void choose();
  void act(PlayerInput& input);

  const client::Client& client_;
  const double voyage_m_;
  const Temper temper_;
  Random random_;
  Deeds deeds_;
  // In the order in which the components need each other.
  Senses senses_;
  Activity activity_;
  Look look_;
  Gait gait_;
  Walker walker_;
  DoorUser doors_;
  LiftRider lifts_;
  Flyer flyer_;
  Boarder boarder_;
  Rover rover_;
  Marksman marksman_;
};

}  // namespace perigee::bots
