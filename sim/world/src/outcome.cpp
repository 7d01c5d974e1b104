#include "perigee/world/outcome.hpp"

#include <algorithm>

namespace perigee::world {

DrawnScene::DrawnScene(const World& world, const Outcome& outcome)
    : world_(world), outcome_(outcome) {
  const Entity* actor = world.find(outcome.actor);
  const std::int32_t limit =
      16 * (actor != nullptr ? world.type_of(*actor).lag_limit_ticks : std::int32_t{0});
  clamped_ = outcome.view_age > limit;
  const std::int32_t age = clamped_ ? limit : outcome.view_age;
  const std::int32_t whole = (age + 15) / 16;
  DrawnAt at{outcome.tick - whole,
             (whole * 16 - age) / 16.0,
             outcome.tick,
             {},
             outcome.steers ? outcome.parent : no_entity};
  const auto frame = world.drawn_pose(outcome.parent, at);  // the own parent: at the own tick
  if (!frame) return;
  const Vec3 eye = transform(*frame, outcome.wish.from);
  at.eye = eye;
  raycast_ = {eye, rotate(frame->rotation, outcome.wish.direction), at};
}

std::optional<DrawnHit> DrawnScene::cast(double range_m) const {
  if (flies_) return met_;
  if (!raycast_ || !(range_m > 0)) return std::nullopt;
  range_m = std::min(range_m, place_max_m);
  const auto hit =
      world_.cast_drawn(raycast_->eye, raycast_->direction, range_m, outcome_.actor, raycast_->at);
  looked_m_ = std::max(looked_m_, hit ? hit->away_m : range_m);
  met_something_ = met_something_ || hit;
  return hit;
}

}  // namespace perigee::world
