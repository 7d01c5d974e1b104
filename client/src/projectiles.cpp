#include "perigee/client/projectiles.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/world/ray.hpp"

namespace perigee::client {
namespace {

/// Interpolates between two ticks.
std::optional<Pose> pose_at(const EntityStore& entities, Handle handle, Tick origin, double ticks) {
  const double whole = std::floor(ticks);
  const Tick tick = origin + static_cast<std::int32_t>(whole);
  const auto a = entities.motion_at(handle, tick);
  const auto b = entities.motion_at(handle, tick + 1);
  if (!a || !b) return std::nullopt;
  return Pose{lerp(a->pose.position, b->pose.position, ticks - whole),
              slerp(a->pose.rotation, b->pose.rotation, ticks - whole)};
}

}  // namespace

Projectiles::Projectiles(const EntityStore& entities, const world::GameModule& game)
    : entities_(entities), game_(game) {
  flights_.reserve(flights_max);
  drawn_.reserve(flights_max);
}

const Projectiles::Flight* Projectiles::find(Handle actor, Tick tick, std::uint8_t index) const {
  const auto found = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return flight.what.actor == actor && flight.name == tick && flight.what.index == index;
  });
  return found == flights_.end() ? nullptr : &*found;
}

void Projectiles::add(const Flight& flight) {
  if (find(flight.what.actor, flight.name, flight.what.index) != nullptr) return;
  if (flights_.size() < flights_max) flights_.push_back(flight);
}

void Projectiles::on_step(const world::StepRecord& record, std::int32_t delay_ticks) {
  for (const world::Proposal& wish : record.wishes.proposals) {
    if (wish.speed_m_s <= 0) continue;
    add({.what = {.tick = record.tick + delay_ticks,
                  .index = wish.index,
                  .kind = wish.kind,
                  .parent = record.parent,
                  .from = wish.from,
                  .velocity = wish.direction * wish.speed_m_s},
         .name = record.tick,
         .own = true});
  }
}

void Projectiles::on_verdict(const EffectEvent& event) {
  if (event.verdict == Verdict::Confirmed && event.detail == 0) return;
  std::erase_if(flights_, [&](const Flight& flight) {
    return flight.own && flight.name == event.target && flight.what.index == event.index;
  });
}

// A projectile that is too close is not moved ahead: it would pass the nearest player before it is
// rendered at its own tick.
void Projectiles::on_event(const ProjectileEvent& event, const FlightViewer& viewer) {
  if (event.actor == viewer.avatar) return;
  Flight flight{.what = {.actor = event.actor,
                         .tick = event.tick,
                         .index = event.index,
                         .kind = event.kind,
                         .parent = event.parent,
                         .from = to_double(event.from),
                         .velocity = to_double(event.velocity)},
                .name = event.tick};
  flight.known_at_ticks = viewer.at.ticks + viewer.at.ahead_ticks;
  const auto frame = entities_.drawn_world(event.parent, viewer.at);
  const double speed_m_s = length(flight.what.velocity);
  if (!frame || speed_m_s <= 0) return;
  const Vec3 from = transform(*frame, flight.what.from);
  double nearest_m = distance(from, viewer.at.eye);
  for (const auto& entity : entities_.all()) {
    if (entities_.type_of(*entity).kind != world::EntityKind::Actor) continue;
    if (entity->handle == event.actor || entity->handle == viewer.avatar) continue;
    const auto pose = entities_.drawn_world(entity->handle, viewer.at);
    if (pose) nearest_m = std::min(nearest_m, distance(from, pose->position));
  }
  flight.as_it_is = nearest_m / speed_m_s < viewer.at.ahead_ticks * seconds_per_tick;
  add(flight);
}

/// In ticks since the view's origin.
double Projectiles::drawn_tick(const Flight& flight, const FlightViewer& viewer) const {
  const ViewPoint& at = viewer.at;
  if (flight.own) return at.ticks + at.ahead_ticks;
  if (flight.as_it_is) return at.ticks;
  const double known = at.ticks + at.ahead_ticks - flight.known_at_ticks;
  return at.ticks + at.ahead_ticks * std::clamp(known / blend_ticks, 0.0, 1.0);
}

// The projectile's place relative to the viewer's parent at that tick, on that parent as rendered.
std::optional<Vec3> Projectiles::place(const Flight& flight, double ticks, const Pose& frame,
                                       const FlightViewer& viewer) const {
  const Tick origin = viewer.at.origin;
  const Vec3 local = world::flight_position(flight.what, entities_.gravity_in(flight.what.parent),
                                            ticks - ticks_between(origin, flight.what.tick));
  if (flight.what.parent == viewer.parent) return transform(frame, local);
  const auto its_frame = pose_at(entities_, flight.what.parent, origin, ticks);
  const auto own_frame = pose_at(entities_, viewer.parent, origin, ticks);
  if (its_frame && own_frame) {
    return transform(frame, inverse_transform(*own_frame, transform(*its_frame, local)));
  }
  const auto its_drawn_frame = entities_.drawn_world(flight.what.parent, viewer.at);
  if (!its_drawn_frame) return std::nullopt;
  return transform(*its_drawn_frame, local);
}

// For display only; the worker decides.
bool Projectiles::stopped(const Flight& flight, const Pose& frame, const Vec3& now,
                          const FlightViewer& viewer) const {
  if (!flight.drawn || flight.drawn_in != viewer.parent) return false;
  const Vec3 before = transform(frame, *flight.drawn);
  const double way_m = distance(before, now);
  if (way_m < 1e-6) return false;
  const Vec3 direction = (now - before) / way_m;
  const EntityStore::Viewer here{viewer.parent, *flight.drawn, before};
  for (const auto& entity : entities_.all()) {
    if (entities_.surely_beyond(*entity, here, way_m)) continue;
    const world::EntityType& type = entities_.type_of(*entity);
    if (type.kind == world::EntityKind::Actor) continue;
    const auto pose = entities_.drawn_world(entity->handle, viewer.at);
    if (pose && world::cast_ray(*type.shape, inverse_transform(*pose, before),
                                rotate_back(pose->rotation, direction), way_m)) {
      return true;
    }
  }
  return false;
}

std::span<const DrawnFlight> Projectiles::draw(const FlightViewer& viewer) {
  drawn_.clear();
  const auto frame = entities_.drawn_world(viewer.parent, viewer.at);
  if (!frame) return drawn_;
  std::erase_if(flights_, [&](Flight& flight) {
    if (flight.hit && !flight.hit->settled) return false;  // it sticks in the viewer
    const double ticks = drawn_tick(flight, viewer);
    const double flown = ticks - ticks_between(viewer.at.origin, flight.what.tick);
    if (flown > world::flight_ticks_max || flown < -world::flight_ticks_max) return true;
    const auto at = place(flight, ticks, *frame, viewer);
    if (!at || stopped(flight, *frame, *at, viewer)) return true;
    flight.drawn = inverse_transform(*frame, *at);
    flight.drawn_in = viewer.parent;
    drawn_.push_back({flight.own ? viewer.avatar : flight.what.actor, flight.name,
                      flight.what.index, flight.what.kind, flight.own, *at});
    return false;
  });
  return drawn_;
}

}  // namespace perigee::client
