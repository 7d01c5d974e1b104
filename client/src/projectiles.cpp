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
  tracked_.reserve(projectiles_max);
  drawn_.reserve(projectiles_max);
}

const Projectiles::Tracked* Projectiles::find(Handle actor, Tick tick, std::uint8_t index) const {
  const auto found = std::find_if(tracked_.begin(), tracked_.end(), [&](const Tracked& tracked) {
    return tracked.what.actor == actor && tracked.name == tick && tracked.what.index == index;
  });
  return found == tracked_.end() ? nullptr : &*found;
}

void Projectiles::add(const Tracked& tracked) {
  if (find(tracked.what.actor, tracked.name, tracked.what.index) != nullptr) return;
  if (tracked_.size() < projectiles_max) tracked_.push_back(tracked);
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
  std::erase_if(tracked_, [&](const Tracked& tracked) {
    return tracked.own && tracked.name == event.target && tracked.what.index == event.index;
  });
}

// A projectile that is too close is not moved ahead: it would pass the nearest player before it is
// rendered at its own tick.
void Projectiles::on_event(const ProjectileEvent& event, const ProjectileViewer& viewer) {
  if (event.actor == viewer.avatar) return;
  Tracked tracked{.what = {.actor = event.actor,
                           .tick = event.tick,
                           .index = event.index,
                           .kind = event.kind,
                           .parent = event.parent,
                           .from = to_double(event.from),
                           .velocity = to_double(event.velocity)},
                  .name = event.tick};
  tracked.known_at_ticks = viewer.at.ticks + viewer.at.ahead_ticks;
  const auto frame = entities_.drawn_world(event.parent, viewer.at);
  const double speed_m_s = length(tracked.what.velocity);
  if (!frame || speed_m_s <= 0) return;
  const Vec3 from = transform(*frame, tracked.what.from);
  double nearest_m = distance(from, viewer.at.eye);
  for (const auto& entity : entities_.all()) {
    if (entities_.type_of(*entity).kind != world::EntityKind::Actor) continue;
    if (entity->handle == event.actor || entity->handle == viewer.avatar) continue;
    const auto pose = entities_.drawn_world(entity->handle, viewer.at);
    if (pose) nearest_m = std::min(nearest_m, distance(from, pose->position));
  }
  tracked.as_it_is = nearest_m / speed_m_s < viewer.at.ahead_ticks * seconds_per_tick;
  add(tracked);
}

/// In ticks since the view's origin.
double Projectiles::drawn_tick(const Tracked& tracked, const ProjectileViewer& viewer) const {
  const ViewPoint& at = viewer.at;
  if (tracked.own) return at.ticks + at.ahead_ticks;
  if (tracked.as_it_is) return at.ticks;
  const double known = at.ticks + at.ahead_ticks - tracked.known_at_ticks;
  return at.ticks + at.ahead_ticks * std::clamp(known / blend_ticks, 0.0, 1.0);
}

// The projectile's place relative to the viewer's parent at that tick, on that parent as rendered.
std::optional<Vec3> Projectiles::place(const Tracked& tracked, double ticks, const Pose& frame,
                                       const ProjectileViewer& viewer) const {
  const Tick origin = viewer.at.origin;
  const Vec3 local =
      world::projectile_position(tracked.what, entities_.gravity_in(tracked.what.parent),
                                 ticks - ticks_between(origin, tracked.what.tick));
  if (tracked.what.parent == viewer.parent) return transform(frame, local);
  const auto its_frame = pose_at(entities_, tracked.what.parent, origin, ticks);
  const auto own_frame = pose_at(entities_, viewer.parent, origin, ticks);
  if (its_frame && own_frame) {
    return transform(frame, inverse_transform(*own_frame, transform(*its_frame, local)));
  }
  const auto its_drawn_frame = entities_.drawn_world(tracked.what.parent, viewer.at);
  if (!its_drawn_frame) return std::nullopt;
  return transform(*its_drawn_frame, local);
}

// For display only; the worker decides.
bool Projectiles::stopped(const Tracked& tracked, const Pose& frame, const Vec3& now,
                          const ProjectileViewer& viewer) const {
  if (!tracked.drawn || tracked.drawn_in != viewer.parent) return false;
  const Vec3 before = transform(frame, *tracked.drawn);
  const double way_m = distance(before, now);
  if (way_m < 1e-6) return false;
  const Vec3 direction = (now - before) / way_m;
  const EntityStore::Viewer here{viewer.parent, *tracked.drawn, before};
  for (const auto& entity : entities_.all()) {
    if (entities_.surely_beyond(*entity, here, way_m)) continue;
    const world::EntityType& type = entities_.type_of(*entity);
    if (type.kind == world::EntityKind::Actor || type.trigger) continue;
    const auto pose = entities_.drawn_world(entity->handle, viewer.at);
    if (pose && world::cast_ray(*type.shape, inverse_transform(*pose, before),
                                rotate_back(pose->rotation, direction), way_m)) {
      return true;
    }
  }
  return false;
}

std::span<const DrawnProjectile> Projectiles::draw(const ProjectileViewer& viewer) {
  drawn_.clear();
  const auto frame = entities_.drawn_world(viewer.parent, viewer.at);
  if (!frame) return drawn_;
  std::erase_if(tracked_, [&](Tracked& tracked) {
    if (tracked.hit && !tracked.hit->settled) return false;  // it sticks in the viewer
    const double ticks = drawn_tick(tracked, viewer);
    const double flown = ticks - ticks_between(viewer.at.origin, tracked.what.tick);
    if (flown > world::projectile_ticks_max || flown < -world::projectile_ticks_max) return true;
    const auto at = place(tracked, ticks, *frame, viewer);
    if (!at || stopped(tracked, *frame, *at, viewer)) return true;
    tracked.drawn = inverse_transform(*frame, *at);
    tracked.drawn_in = viewer.parent;
    drawn_.push_back({tracked.own ? viewer.avatar : tracked.what.actor, tracked.name,
                      tracked.what.index, tracked.what.kind, tracked.own, *at});
    return false;
  });
  return drawn_;
}

}  // namespace perigee::client
