/// Which triggers an actor was in, entered or left in a step.
#pragma once

#include <span>

#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// `start` and `end`: the actor's centre before and after its motion, in the parent's frame.
void note_triggers(const ActorParams& params, std::span<const Neighbour> neighbours,
                   const Vec3& start, const Vec3& end, StepReport& report);

}  // namespace perigee::world
