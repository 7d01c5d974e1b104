/// The choice of the large body that an actor logically belongs to. The worker alone decides;
/// clients are informed.
#pragma once

#include <span>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/world/actor_step.hpp"  // GravityBox
#include "perigee/world/shape.hpp"

namespace perigee::world {

struct ParentingParams {
  double inflate_m = 5;  ///< a body's box is inflated by this or the next, whichever is larger
  double inflate_of_longest = 0.1;  ///< share of the box's longest edge
  double enter_speed_m_s = 5;       ///< enter below this speed relative to the body at that point
  double leave_speed_m_s = 8;  ///< leave above it; a smaller gap between the two causes flutter
  double mass_ratio_min = 20;  ///< parent over child: the child can never push its parent
  double longest_edge_min_m = 6;
  std::int32_t dwell_ticks = 30;        ///< a flyer's new parent must last this long
  std::uint8_t grounded_ticks_min = 3;  ///< the same for a walker's new ground, or a field
};

/// A large body near the actor, as World::parent_candidates lists them.
struct ParentCandidate {
  Handle handle = no_entity;
  Motion motion;       ///< now, world; a static station has zero velocity
  Bounds bounds;       ///< of its shape, own frame
  double mass_kg = 0;  ///< infinite for statics
  GravityBox gravity;  ///< own frame
};
inline constexpr std::size_t parent_candidates_max = 16;
using ParentCandidates = FixedVector<ParentCandidate, parent_candidates_max>;

bool eligible(const ParentingParams& params, const ParentCandidate& candidate,
              double child_mass_kg);
/// The candidate's inflated box, its own frame.
Bounds inflated_box(const ParentingParams& params, const Bounds& bounds);

/// State of choose_parent for one actor; migrates with the actor.
struct ParentTracker {
  Handle wanted = no_entity;  ///< candidate for the next parent of an actor in the air
  std::int32_t ticks = 0;     ///< how long it has been the choice
  friend bool operator==(const ParentTracker&, const ParentTracker&) = default;
};

/// The actor's state as input to the rules.
struct ParentedActor {
  Handle parent = no_entity;  ///< no_entity: the region's frame
  Motion world;               ///< world_motion_of
  ActorState state;           ///< relative to `parent`
  double mass_kg = 0;
};

/// The parent from the next tick on; called once per tick. `candidates` in any order.
///
/// A walker belongs to the entity that it stands on. An actor that falls or jumps keeps its parent,
/// unless it has left the parent's gravity and is in another candidate's: otherwise it would float,
/// because gravity comes from the parent alone. A flyer belongs to a body that is near and has
/// about its speed.
Handle choose_parent(const ParentingParams& params, const ParentedActor& actor,
                     std::span<const ParentCandidate> candidates, ParentTracker& tracker);

}  // namespace perigee::world
