// Occasional shots at the nearest target.
#include "brain_units.hpp"
#include "perigee/bots/brain.hpp"

namespace perigee::bots {
namespace {

struct Marksman {
  double shots_per_s;
  double astray_m;  ///< maximal error in each direction
};
constexpr Marksman mild{1.0 / 30, 2.5};
constexpr Marksman fierce{1, 0.25};
constexpr double range_m = 60;
constexpr double eye_m = 0.6;

}  // namespace

// Aims at the rendered target, from a standing start, because the look also steers the walking.
void Brain::shoot_now_and_then(PlayerInput& input) {
  if (temper_ == Temper::Settled) return;
  const Marksman& marksman = temper_ == Temper::Fierce ? fierce : mild;
  if (shots_.unit() >= marksman.shots_per_s / default_tick_rate_hz) return;
  const client::EntityStore& entities = client_.entities();
  const client::ViewPoint& at = client_.seen();
  const auto frame = entities.drawn_world(parent_, at);
  if (!frame) return;
  const Vec3 eye = state_.position + Vec3{0, eye_m, 0};
  std::optional<Vec3> nearest;
  for (const auto& entity : entities.all()) {
    if (entities.type_of(*entity).kind != world::EntityKind::Actor) continue;
    if (entity->handle == client_.prediction().avatar()) continue;
    const auto pose = entities.drawn_world(entity->handle, at);
    if (!pose) continue;
    const Vec3 way = inverse_transform(*frame, pose->position) - eye;
    if (length(way) < (nearest ? length(*nearest) : range_m)) nearest = way;
  }
  if (!nearest || input.samples.full()) return;
  const Vec3 astray{shots_.between(-1, 1), shots_.between(-1, 1), shots_.between(-1, 1)};
  const Vec3 way = *nearest + astray * marksman.astray_m;
  input.right = input.up = input.forward = 0;
  input.yaw = yaw_of(arc_tangent(way.x, way.z));
  input.pitch = pitch_of(arc_tangent(way.y, length({way.x, 0, way.z})));
  press(input, button_fire);
  ++deeds_.shots;
}

}  // namespace perigee::bots
