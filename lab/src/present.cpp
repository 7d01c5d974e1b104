#include "perigee/lab/present.hpp"

namespace perigee::lab {

Present present_of(const client::Prediction& prediction) {
  const client::VehiclePredictor& vehicle = prediction.vehicle();
  return {.running = prediction.running(),
          .parent = prediction.parent(),
          .state = prediction.state(),
          .next = prediction.next(),
          .steered = vehicle.predicted() ? vehicle.body() : no_entity,
          .steered_frame = vehicle.frame(),
          .steered_at = vehicle.local().pose.position,
          .steered_next = vehicle.next()};
}

Displacement displacement(const Present& before, const Present& after,
                          const client::EntityStore& entities) {
  ActorState state = before.state;
  if (after.parent != before.parent) {
    const auto from = entities.motion_at(before.parent, before.next);
    const auto to = entities.motion_at(after.parent, before.next);
    if (!from || !to) return {};
    state = world::re_express(state, *from, *to);
  }
  Displacement out{.avatar_m = distance(after.state.position, state.position)};
  if (before.steered == no_entity || after.steered != before.steered) return out;
  Vec3 at = before.steered_at;
  if (after.steered_frame != before.steered_frame) {
    const auto from = entities.motion_at(before.steered_frame, after.steered_next);
    const auto to = entities.motion_at(after.steered_frame, after.steered_next);
    if (!from || !to) return out;
    at = inverse_transform(to->pose, transform(from->pose, at));
  }
  out.steered_m = distance(after.steered_at, at);
  return out;
}

}  // namespace perigee::lab
