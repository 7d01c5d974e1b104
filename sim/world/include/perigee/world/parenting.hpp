/// Which large body an actor logically belongs to. Judged by the worker alone, told to everybody.
/// (mission K34, K36, K37, K38, K45)
#pragma once

#include <span>

#include "perigee/netcode/actor_state.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/world/actor_step.hpp"  // GravityBox
#include "perigee/world/shape.hpp"

namespace perigee::world {

struct ParentingParams {
  double inflate_m = 5;             ///< a body's box grows by this or by the next, the larger
  double inflate_of_longest = 0.1;  ///< share of the box's longest edge
  double enter_speed_m_s = 5;       ///< slower than this relative to the body at that point: in
  double leave_speed_m_s = 8;       ///< faster: out; less distance between the two makes flutter
  double mass_ratio_min = 20;       ///< parent over child: never something the child can push
  double longest_edge_min_m = 6;
  std::int32_t dwell_ticks = 30;        ///< a flyer's new parent has to last this long
  std::uint8_t grounded_ticks_min = 3;  ///< a walker's new ground, and a field, has to last so long
};

/// A large body near the actor, as World::parent_candidates lists them.
struct ParentCandidate {
  Handle handle = no_entity;
  Motion motion;       ///< now, world; a static station has zero velocity
  Bounds bounds;       ///< of its shape, own frame
  double mass_kg = 0;  ///< infinite for static things
  GravityBox gravity;  ///< own frame
};
inline constexpr std::size_t parent_candidates_max = 16;
using ParentCandidates = FixedVector<ParentCandidate, parent_candidates_max>;

bool eligible(const ParentingParams& params, const ParentCandidate& candidate,
              double child_mass_kg);
/// The candidate's inflated box, its own frame.
Bounds inflated_box(const ParentingParams& params, const Bounds& bounds);

/// What choose_parent remembers of one actor; travels with it at a handoff.
struct ParentTracker {
  Handle wanted = no_entity;  ///< the next parent of one in the air, if it lasts
  std::int32_t ticks = 0;     ///< how long it has been wanted
  friend bool operator==(const ParentTracker&, const ParentTracker&) = default;
};

/// The actor as the rules see it.
struct ParentedActor {
  Handle parent = no_entity;  ///< no_entity: the region's frame
  Motion world;               ///< world_motion_of
  ActorState state;           ///< relative to `parent`
  double mass_kg = 0;
};

/// The parent from the next tick on; called once per tick. `candidates` in any order.
///
/// A walker belongs to what it stands on. One that falls or jumps stays with its parent, unless it
/// has left that one's gravity and is in another candidate's: gravity comes from the parent alone,
/// so it would float. A flyer belongs to what is near and about as fast.
Handle choose_parent(const ParentingParams& params, const ParentedActor& actor,
                     std::span<const ParentCandidate> candidates, ParentTracker& tracker);

}  // namespace perigee::world
