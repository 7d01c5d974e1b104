/// Flight with the jetpack.
#pragma once

#include "perigee/base/player_input.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

/// Flies towards a moving target, all in the parent's frame.
void steer(const Senses& senses, const Vec3& target, const Vec3& target_velocity, double speed_max,
           PlayerInput& input);

}  // namespace perigee::bots
