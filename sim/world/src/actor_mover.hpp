/// From intent to place: slide along walls, climb steps, settle on the ground.
#pragma once

#include "actor_controller.hpp"
#include "surroundings.hpp"

namespace perigee::world {

/// Moves state.position along motive.way as far as things let it; what they take away is taken
/// from motive.velocity as well.
void move(const ActorParams& params, Surroundings& around, Motive& motive, ActorState& state);

/// Finds the ground under the actor and puts it down there, or lets it go.
void settle(const ActorParams& params, Surroundings& around, Motive& motive, ActorState& state);

}  // namespace perigee::world
