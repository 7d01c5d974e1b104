/// Flights with the jetpack: around, home, and far across the world.
#pragma once

#include "perigee/bots/activity.hpp"
#include "perigee/bots/gait.hpp"

namespace perigee::bots {

class Flyer {
 public:
  struct Needs {
    const Senses& senses;
    Activity& activity;
    Gait& gait;
  };
  /// `voyage_m`: distance of a voyage beyond the middle of the world.
  Flyer(const Needs& needs, double voyage_m) : needs_(needs), voyage_m_(voyage_m) {}
  /// Mode::Fly.
  void fly(PlayerInput& input);
  /// Mode::Home.
  void go_home(PlayerInput& input);
  /// Mode::Voyage: as far beyond the middle of the world as configured, and home.
  void voyage(PlayerInput& input);

 private:
  const Needs needs_;
  const double voyage_m_;
};

}  // namespace perigee::bots
