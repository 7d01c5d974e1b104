#include "perigee/world/parenting.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

double longest_edge(const Bounds& bounds) {
  const Vec3 size = bounds.size();
  return std::max({size.x, size.y, size.z});
}

double volume(const Bounds& bounds) {
  const Vec3 size = bounds.size();
  return size.x * size.y * size.z;
}

/// The larger box wins. Of equal boxes the lower handle wins, so that the order of the list does
/// not matter.
bool preferred(const ParentCandidate& a, const ParentCandidate* b) {
  if (b == nullptr) return true;
  const double va = volume(a.bounds);
  const double vb = volume(b->bounds);
  return va != vb ? va > vb : a.handle < b->handle;
}

struct Nearness {
  bool inside = false;
  double speed_m_s = 0;
};
Nearness nearness(const ParentingParams& params, const ParentedActor& actor,
                  const ParentCandidate& candidate) {
  const Vec3& point = actor.world.pose.position;
  const Vec3 local = inverse_transform(candidate.motion.pose, point);
  return {.inside = inflated_box(params, candidate.bounds).contains(local),
          .speed_m_s = length(actor.world.velocity - velocity_at(candidate.motion, point))};
}

const ParentCandidate* find(std::span<const ParentCandidate> candidates, Handle handle) {
  for (const ParentCandidate& candidate : candidates) {
    if (candidate.handle == handle) return &candidate;
  }
  return nullptr;
}

bool pulls(const ParentCandidate& candidate, const ParentedActor& actor) {
  const Vec3 local = inverse_transform(candidate.motion.pose, actor.world.pose.position);
  return candidate.gravity.acceleration != Vec3{} && candidate.gravity.inside.contains(local);
}

/// As with bodies, the smallest field applies. Of equal fields, that of the lower handle applies.
const ParentCandidate* strongest_pull(const ParentingParams& params, const ParentedActor& actor,
                                      std::span<const ParentCandidate> candidates) {
  const ParentCandidate* best = nullptr;
  for (const ParentCandidate& candidate : candidates) {
    if (!eligible(params, candidate, actor.mass_kg) || !pulls(candidate, actor)) continue;
    const double size = volume(candidate.gravity.inside);
    const double least = best == nullptr ? 0 : volume(best->gravity.inside);
    const bool smaller =
        best == nullptr || size < least || (size == least && candidate.handle < best->handle);
    if (smaller) best = &candidate;
  }
  return best;
}

/// Returns `wanted` once it has been the choice for that many consecutive ticks, else `parent`.
Handle after_dwelling(ParentTracker& tracker, Handle parent, Handle wanted, std::int32_t ticks) {
  if (wanted == parent) {
    tracker = {};
    return parent;
  }
  if (tracker.ticks == 0 || tracker.wanted != wanted) tracker = {.wanted = wanted, .ticks = 0};
  if (++tracker.ticks < ticks) return parent;
  tracker = {};
  return wanted;
}

/// The parent of a flyer without dwell time.
Handle flyers_choice(const ParentingParams& params, const ParentedActor& actor,
                     std::span<const ParentCandidate> candidates) {
  const ParentCandidate* best = nullptr;
  for (const ParentCandidate& candidate : candidates) {
    if (!eligible(params, candidate, actor.mass_kg)) continue;
    const Nearness near = nearness(params, actor, candidate);
    const bool current = candidate.handle == actor.parent;
    const double limit = current ? params.leave_speed_m_s : params.enter_speed_m_s;
    const bool fits = current ? near.speed_m_s <= limit : near.speed_m_s < limit;
    if (near.inside && fits && preferred(candidate, best)) best = &candidate;
  }
  return best == nullptr ? no_entity : best->handle;
}

}  // namespace

bool eligible(const ParentingParams& params, const ParentCandidate& candidate,
              double child_mass_kg) {
  return candidate.mass_kg >= params.mass_ratio_min * child_mass_kg &&
         longest_edge(candidate.bounds) >= params.longest_edge_min_m;
}

Bounds inflated_box(const ParentingParams& params, const Bounds& bounds) {
  return inflated(bounds,
                  std::max(params.inflate_m, params.inflate_of_longest * longest_edge(bounds)));
}

Handle choose_parent(const ParentingParams& params, const ParentedActor& actor,
                     std::span<const ParentCandidate> candidates, ParentTracker& tracker) {
  const ParentCandidate* current = find(candidates, actor.parent);
  if (actor.parent != no_entity && current == nullptr) {
    tracker = {};
    return no_entity;  // the parent no longer exists
  }
  const ActorState& state = actor.state;
  if ((state.flags & actor_grounded) != 0) {
    tracker = {};
    const ParentCandidate* ground = find(candidates, state.ground);
    const bool stands = state.grounded_ticks >= params.grounded_ticks_min;
    if (ground == nullptr || !stands || !eligible(params, *ground, actor.mass_kg)) {
      return actor.parent;  // a crate underfoot never becomes a parent
    }
    return ground->handle;
  }
  const bool jumping = (state.flags & actor_jetpack) == 0;
  if (jumping && (current == nullptr || !pulls(*current, actor))) {
    const ParentCandidate* pulling = strongest_pull(params, actor, candidates);
    if (pulling != nullptr) {
      return after_dwelling(tracker, actor.parent, pulling->handle, params.grounded_ticks_min);
    }
  }
  if (jumping && current != nullptr && nearness(params, actor, *current).inside) {
    tracker = {};
    return actor.parent;
  }
  return after_dwelling(tracker, actor.parent, flyers_choice(params, actor, candidates),
                        params.dwell_ticks);
}

}  // namespace perigee::world
