#include "perigee/bots/marksman.hpp"

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double range_m = 60;
constexpr double eye_m = 0.6;

}  // namespace

std::optional<Vec3> Marksman::way_to_nearest(const client::ViewPoint& seen) const {
  const client::EntityStore& entities = needs_.senses.entities();
  const auto frame = entities.drawn_world(needs_.senses.parent(), seen);
  if (!frame) return std::nullopt;
  const Vec3 eye = needs_.senses.state().position + Vec3{0, eye_m, 0};
  std::optional<Vec3> nearest;
  for (const auto& entity : entities.all()) {
    if (entities.type_of(*entity).kind != world::EntityKind::Actor) continue;
    if (entity->handle == needs_.senses.avatar()) continue;
    const auto pose = entities.drawn_world(entity->handle, seen);
    if (!pose) continue;
    const Vec3 way = inverse_transform(*frame, pose->position) - eye;
    if (length(way) < (nearest ? length(*nearest) : range_m)) nearest = way;
  }
  return nearest;
}

void Marksman::shoot_now_and_then(const client::ViewPoint& seen, PlayerInput& input) {
  if (random_.unit() >= skill_.shots_per_s / default_tick_rate_hz) return;
  const auto nearest = way_to_nearest(seen);
  if (!nearest || input.samples.full()) return;
  const Vec3 astray{random_.between(-1, 1), random_.between(-1, 1), random_.between(-1, 1)};
  const Vec3 way = *nearest + astray * skill_.astray_m;
  input.right = input.up = input.forward = 0;
  input.yaw = yaw_of(arc_tangent(way.x, way.z));
  input.pitch = pitch_of(arc_tangent(way.y, length({way.x, 0, way.z})));
  press(input, button_fire);
  ++needs_.deeds.shots;
}

}  // namespace perigee::bots
