#include "perigee/world/outcome.hpp"

namespace perigee::world {

DrawnScene::DrawnScene(const World& world, const Outcome& outcome)
    : world_(world), outcome_(outcome) {
  const Entity* actor = world.find(outcome.actor);
  const std::int32_t limit =
      16 * (actor != nullptr ? world.type_of(*actor).lag_limit_ticks : std::int32_t{0});
  clamped_ = outcome.view_age > limit;
  const std::int32_t age = clamped_ ? limit : outcome.view_age;
  const std::int32_t whole = (age + 15) / 16;
  at_ = {outcome.tick - whole,
         (whole * 16 - age) / 16.0,
         outcome.tick,
         {},
         outcome.steers ? outcome.parent : no_entity};
  frame_ = world.drawn_pose(outcome.parent, at_);  // under one's feet: at one's own tick
  if (frame_) at_.eye = transform(*frame_, outcome.wish.from);
}

std::optional<DrawnHit> DrawnScene::cast(double range_m) const {
  if (flies_) return met_;
  if (!frame_) return std::nullopt;
  return world_.cast_drawn(*at_.eye, rotate(frame_->rotation, outcome_.wish.direction), range_m,
                           outcome_.actor, at_);
}

}  // namespace perigee::world
