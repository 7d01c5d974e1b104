#include "perigee/world/drawn_world.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/world/ray.hpp"

namespace perigee::world {
namespace {

/// A longer move in one tick is a teleport. The entity is rendered at its old place until the next
/// tick.
constexpr double leap_m = 8;
/// Slack of the index, which holds present places: limit of an entity's distance from its place at
/// any view tick.
constexpr double moved_m_max = 150;

bool near_ray(const Bounds& bounds, const Vec3& from, const Vec3& direction, double range_m,
              double slack_m) {
  const Vec3 center = bounds.center();
  const double along = std::clamp(dot(center - from, direction), 0.0, range_m);
  const double reach_m = length(bounds.size()) * 0.5 + slack_m;
  return length_squared(center - (from + direction * along)) <= reach_m * reach_m;
}

/// Cells at the view tick, but not before the settled state.
std::optional<double> cast_patch(const VoxelPatch& patch, const Vec3& from, const Vec3& direction,
                                 double range_m, Tick tick) {
  const VoxelPlan& plan = patch.plan();
  const auto hit = cast_cells([&](const Cell& cell) { return patch.solid(cell, tick); },
                              plan.bounds_of({}, plan.size), plan.cell_m, from, direction, range_m);
  return hit ? std::optional(hit->away_m) : std::nullopt;
}

}  // namespace

std::optional<Pose> DrawnWorld::pose(const EntityRecord& r, const DrawnAt& at) const {
  switch (r.type->kind) {
    case EntityKind::Static:
      return r.start.pose;
    case EntityKind::Body: {
      if (r.entity.handle == at.steered) {
        const Motion* own = needs_.motions.body_motion(r, at.own);
        return own != nullptr ? std::optional(own->pose) : std::nullopt;
      }
      const Motion* before = needs_.motions.body_motion(r, at.view);
      const Motion* after = needs_.motions.body_motion(r, at.view + 1);
      if (before == nullptr) return std::nullopt;
      if (after == nullptr || at.part == 0) return before->pose;
      return Pose{lerp(before->pose.position, after->pose.position, at.part),
                  slerp(before->pose.rotation, after->pose.rotation, at.part)};
    }
    case EntityKind::Actor: {
      const ActorTrace* before = r.drawn_trace(at.view);
      if (before == nullptr) return std::nullopt;
      const auto frame = pose(before->parent, at);
      if (!frame) return std::nullopt;
      Vec3 local = before->position;
      const ActorTrace* after = r.drawn_trace(at.view + 1);
      if (after == nullptr || after->parent != before->parent) {
        local += before->velocity * (at.part * seconds_per_tick);
      } else if (distance(local, after->position) < leap_m) {
        local = lerp(local, after->position, at.part);
      }
      return Pose{transform(*frame, local), frame->rotation};
    }
    case EntityKind::Timeline:
      break;
  }
  const auto frame = pose(r.entity.parent, at);
  if (!frame) return std::nullopt;
  const Travel& travel = r.type->travel;
  double before_own = 0;
  if (at.eye) {
    const double away_m = distance(transform(*frame, r.entity.local.position), *at.eye);
    before_own = (ticks_between(at.view, at.own) - at.part) * (1 - present_share(*r.type, away_m));
  }
  const auto whole = static_cast<std::int32_t>(std::ceil(before_own));
  const Pose a = timeline_pose(travel, r.entity.local, r.log, at.own - whole);
  const Pose b = timeline_pose(travel, r.entity.local, r.log, at.own - whole + 1);
  const double part = whole - before_own;
  return *frame * Pose{lerp(a.position, b.position, part), slerp(a.rotation, b.rotation, part)};
}

std::optional<Pose> DrawnWorld::pose(Handle handle, const DrawnAt& at) const {
  if (handle == no_entity) return Pose{};
  const EntityRecord* r = needs_.entities.find(handle);
  return r == nullptr ? std::nullopt : pose(*r, at);
}

std::optional<DrawnHit> DrawnWorld::cast(const Vec3& from, const Vec3& direction, double range_m,
                                         Handle except, const DrawnAt& at) const {
  std::optional<DrawnHit> nearest;
  const auto try_on = [&](const EntityRecord& r) {
    if (r.entity.handle == except || r.type->trigger) return;
    const auto drawn = pose(r, at);
    if (!drawn) return;
    const Vec3 start = inverse_transform(*drawn, from);
    const Vec3 way = rotate_back(drawn->rotation, direction);
    const double reach_m = nearest ? nearest->away_m : range_m;
    const auto away_m = r.voxels ? cast_patch(*r.voxels, start, way, reach_m, at.view)
                                 : cast_ray(*r.type->shape, start, way, reach_m);
    if (away_m) nearest = DrawnHit{r.entity.handle, r.is(EntityKind::Actor), *away_m};
  };
  if (!needs_.grid.valid()) {  // an entity was removed since the last step
    for (const EntityOrder::Place& each : needs_.entities.places()) try_on(*each.record);
    return nearest;
  }
  needs_.grid.for_each([&](const EntityRecord& r, const Bounds& bounds) {
    const double slack_m = r.is(EntityKind::Static) ? 0 : moved_m_max;
    if (near_ray(bounds, from, direction, range_m, slack_m)) try_on(r);
  });
  return nearest;
}

}  // namespace perigee::world
