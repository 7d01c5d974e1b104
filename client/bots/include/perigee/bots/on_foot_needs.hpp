/// The parts of a bot that each activity on foot uses.
#pragma once

#include "perigee/bots/activity.hpp"
#include "perigee/bots/deeds.hpp"
#include "perigee/bots/gait.hpp"

namespace perigee::bots {

struct OnFootNeeds {
  const Senses& senses;
  Random& random;
  Activity& activity;
  Gait& gait;
  Deeds& deeds;
};

}  // namespace perigee::bots
