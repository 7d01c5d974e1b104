/// From intent to position: slide along walls, climb steps, settle on the ground.
#pragma once

#include "actor_controller.hpp"
#include "surroundings.hpp"

namespace perigee::world {

/// Moves state.position along motive.way as far as obstacles allow. The blocked velocity is removed
/// from motive.velocity.
void move(const ActorParams& params, Surroundings& around, Motive& motive, ActorState& state);

/// Finds the ground under the actor and places the actor on it, or clears its ground.
void settle(const ActorParams& params, Surroundings& around, Motive& motive, ActorState& state);

}  // namespace perigee::world
