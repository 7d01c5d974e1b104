#include "perigee/client/display.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::client {

void Display::forget_world() {
  animating_ = false;
  seen_ = {};
}

void Display::advance(Micros now_us, double world_s, bool animate) {
  advance_vehicle(now_us, world_s);
  choose(now_us, animate);
  seen_ = view(now_us);
  needs_.prediction.advance_display(world_s, shown_position(now_us, seen_));
  note_shown(now_us);
}

void Display::advance_vehicle(Micros now_us, double world_s) {
  VehiclePredictor& vehicle = needs_.prediction.vehicle();
  if (!vehicle.running() && vehicle.shown_body() == no_entity) return;
  if (!vehicle.predicted() && vehicle.running()) needs_.telemetry.on_animated();
  vehicle.advance_display(world_s, shown_part(now_us), view(now_us));
}

// The predicted and the server's position are some metres apart: the switch is blended.
void Display::choose(Micros now_us, bool animate) {
  if (animate == animating_ || !needs_.clocks.time().ready()) return;
  const Vec3 before = shown_position(now_us, view(now_us));
  animating_ = animate;
  needs_.prediction.set_shadow(animate);
  needs_.prediction.hide_jump(before - shown_position(now_us, view(now_us)));
}

void Display::note_shown(Micros now_us) {
  const TimeMap& time = needs_.clocks.time();
  if (!needs_.prediction.running() || !time.ready()) return;
  needs_.latency.on_view_delay(time.view_delay_ticks() / time.rate());
  Tick shown = needs_.prediction.next() - 1;
  if (animating_) {
    shown = seen_.origin + static_cast<std::int32_t>(std::floor(seen_.ticks)) -
            needs_.clocks.delay_ticks();
  } else if (shown_part(now_us) >= 1) {
    ++shown;
  }
  needs_.latency.on_shown(shown, now_us);
}

void Display::count_extrapolated() {
  const ViewPoint at = view(needs_.clocks.now_us());
  for (const auto& entity : needs_.entities.all()) {
    const auto drawn = needs_.entities.drawn(*entity, at);
    if (drawn && drawn->extrapolated) needs_.telemetry.on_extrapolated();
  }
}

ViewPoint Display::view(Micros now_us) const {
  const Prediction& prediction = needs_.prediction;
  const TimeMap& time = needs_.clocks.time();
  ViewPoint at{time.origin(), time.view_ticks(), 0, {}};
  if (!prediction.running() || animating_ || !needs_.clocks.lead().seeded()) return at;
  const double part = shown_part(now_us);
  const VehiclePredictor& vehicle = prediction.vehicle();
  if (vehicle.shown_body() != no_entity) {
    if (const auto shown = vehicle.shown(part, at)) {
      at.steered = shown->body;
      at.steered_pose = shown->pose;
    }
  }
  const auto frame = needs_.entities.drawn_world(prediction.parent(), at);
  if (!frame) return at;
  const Tick shown = prediction.next() - 1 + needs_.clocks.delay_ticks();
  at.ahead_ticks = ticks_between(at.origin, shown) + part - at.ticks;
  at.eye = transform(*frame, prediction.true_position(part));
  return at;
}

std::uint16_t Display::view_age(Tick tick) const {
  const double ticks = ticks_between(seen_.origin, tick) - seen_.ticks;
  return static_cast<std::uint16_t>(std::clamp(ticks * 16 + 0.5, 0.0, 65535.0));
}

double Display::shown_part(Micros now_us) const {
  const double predicted = needs_.clocks.predicted_ticks(now_us);
  const Tick origin = needs_.clocks.time().origin();
  return std::clamp(predicted - ticks_between(origin, needs_.prediction.next()), 0.0, 1.0);
}

Vec3 Display::shown_position(Micros now_us, const ViewPoint& at) const {
  const Prediction& prediction = needs_.prediction;
  const EntityStore& entities = needs_.entities;
  const ClientEntity* avatar = animating_ ? entities.find(prediction.avatar()) : nullptr;
  if (avatar != nullptr) {
    const auto seen = entities.drawn_world(avatar->handle, at);
    const auto frame = entities.drawn_world(prediction.parent(), at);
    if (seen && frame) return inverse_transform(*frame, seen->position);
  }
  return prediction.true_position(shown_part(now_us));
}

ProjectileViewer Display::projectile_viewer(Micros now_us) const {
  return {needs_.prediction.avatar(), needs_.prediction.parent(), view(now_us)};
}

}  // namespace perigee::client
