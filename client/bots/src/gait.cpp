#include "perigee/bots/gait.hpp"

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double facing_rad = 1;

}  // namespace

bool Gait::turn_if_due() {
  const Tick now = needs_.senses.now();
  if (turn_at_ && !not_after(*turn_at_, now)) return false;
  heading_rad_ = needs_.random.between(-pi, pi);
  turn_at_ = now + ticks(needs_.random.between(0.5, 2));
  return true;
}

void Gait::evade() {
  if (needs_.senses.somebody_ahead(heading_rad_)) heading_rad_ += needs_.random.between(0.5, 1);
}

void Gait::walk_to(const Vec3& target, PlayerInput& input) {
  const Vec3 way = target - needs_.senses.state().position;
  heading_rad_ = arc_tangent(way.x, way.z);
  if (length(way) > elbow_room_m && needs_.senses.somebody_ahead(heading_rad_)) heading_rad_ += 0.9;
  look_ahead();
  if (needs_.look.off_rad() < facing_rad) input.forward = full_axis;
}

bool Gait::gives_up() {
  const bool blocked = (needs_.senses.state().flags & actor_blocked) != 0;
  blocked_ticks_ = blocked ? blocked_ticks_ + 1 : 0;
  if (blocked_ticks_ <= ticks(1)) return false;
  blocked_ticks_ = 0;
  return true;
}

}  // namespace perigee::bots
