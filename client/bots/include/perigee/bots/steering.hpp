/// Flight with the jetpack.
#pragma once

#include "perigee/base/player_input.hpp"
#include "perigee/bots/look.hpp"
#include "perigee/bots/senses.hpp"

namespace perigee::bots {

/// Flies towards a moving target, all in the parent's frame. The look turns to a target that is
/// far; the thrust does not depend on the look.
void steer(const Senses& senses, Look& look, const Vec3& target, const Vec3& target_velocity,
           double speed_max, PlayerInput& input);

}  // namespace perigee::bots
