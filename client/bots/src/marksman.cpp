#include "perigee/bots/marksman.hpp"

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double range_m = 60;
constexpr double eye_m = 0.6;
constexpr double aiming_s = 0.25;  // about the mean of a turn

}  // namespace

std::optional<Vec3> Marksman::way_to(Handle target, const client::ViewPoint& seen) const {
  const client::EntityStore& entities = needs_.senses.entities();
  const auto frame = entities.drawn_world(needs_.senses.parent(), seen);
  const auto pose = entities.drawn_world(target, seen);
  if (!frame || !pose) return std::nullopt;
  const Vec3 eye = needs_.senses.state().position + Vec3{0, eye_m, 0};
  return inverse_transform(*frame, pose->position) - eye;
}

Handle Marksman::nearest(const client::ViewPoint& seen) const {
  const client::EntityStore& entities = needs_.senses.entities();
  Handle found = no_entity;
  double found_m = range_m;
  for (const auto& entity : entities.all()) {
    if (entities.type_of(*entity).kind != world::EntityKind::Actor) continue;
    if (entity->handle == needs_.senses.avatar()) continue;
    const auto way = way_to(entity->handle, seen);
    if (!way || length(*way) >= found_m) continue;
    found = entity->handle;
    found_m = length(*way);
  }
  return found;
}

bool Marksman::decides() {
  if (skill_.shots_per_s <= 0) return false;
  const double idle_s = 1 / skill_.shots_per_s - aiming_s;
  return random_.unit() * idle_s * default_tick_rate_hz < 1;
}

void Marksman::aim_now_and_then(const client::ViewPoint& seen) {
  if (target_ == no_entity) {
    if (!decides()) return;
    target_ = nearest(seen);
    if (target_ == no_entity) return;
    const auto part = [&] { return random_.between(-1, 1) * skill_.astray_m; };
    astray_m_ = {part(), part(), part()};
  }
  const auto middle = way_to(target_, seen);
  if (!middle) {
    target_ = no_entity;
    return;
  }
  const Vec3 way = *middle + astray_m_;
  needs_.look.aim({arc_tangent(way.x, way.z), arc_tangent(way.y, length({way.x, 0, way.z}))});
}

void Marksman::shoot_if_aimed(PlayerInput& input) {
  if (target_ == no_entity) return;
  if (!needs_.senses.flying()) input.right = input.up = input.forward = 0;
  if (!needs_.look.aimed() || input.samples.full()) return;
  target_ = no_entity;
  press(input, button_fire);
  ++needs_.deeds.shots;
}

}  // namespace perigee::bots
