/// From controls to intent: the actor's velocity and displacement in this tick without obstacles.
#pragma once

#include "perigee/base/actor_state.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// One tick's controls as vectors of the parent's frame.
struct Steering {
  Vec3 level;  ///< desired direction on the horizontal plane, length <= 1
  Vec3 free;   ///< desired direction in the look's own frame, length <= 1
  bool run = false;
  bool dampers = false;
  FixedVector<std::uint16_t, PlayerInput::sub_samples_max> edges;  ///< in order of arrival
};
Steering read_input(const PlayerInput& input);

struct Motive {
  Vec3 velocity;            ///< relative to the parent at the tick's end, without obstacles
  Vec3 way;                 ///< displacement in the parent's frame
  Vec3 carried;             ///< by a moving ground, before anything else
  Vec3 ground_velocity;     ///< of that ground
  bool walks = false;       ///< grounded during this tick
  bool has_weight = false;  ///< it is under gravity: only then can it stand
};
/// Consumes the edges (jump, jetpack), and applies the forces of frame, gravity and controls. Sets
/// the state's flags and counters, but not its position and velocity.
Motive control(const ActorParams& params, const FrameMotion& frame, const Steering& steering,
               const Neighbour* ground, ActorState& state);

}  // namespace perigee::world
