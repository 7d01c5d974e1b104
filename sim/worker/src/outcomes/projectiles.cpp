#include "perigee/worker/outcomes/projectiles.hpp"

#include "perigee/world/projectile.hpp"

namespace perigee::worker {
namespace {

world::Projectile projectile_of(const world::Outcome& shot) {
  const world::Proposal& wish = shot.wish;
  return {.actor = shot.actor,
          .tick = shot.tick,
          .index = wish.index,
          .kind = wish.kind,
          .parent = shot.parent,
          .from = wish.from,
          .velocity = wish.direction * wish.speed_m_s};
}

// The path is computed in the parent's frame: at 50 m/s, a projectile aboard is relative to the
// deck.
std::optional<world::DrawnHit> hit_of(const world::World& world, const world::Outcome& shot,
                                      Tick tick) {
  const world::DrawnAt at{tick + 1, 0, tick + 1, {}};
  const auto frame = world.drawn_pose(shot.parent, at);
  if (!frame) return std::nullopt;
  const world::Entity* parent = world.find(shot.parent);
  const world::GravityBox gravity =
      parent != nullptr ? world.type_of(*parent).gravity : world::GravityBox{};
  const world::Projectile p = projectile_of(shot);
  const double flown = ticks_between(shot.tick, tick);
  const Vec3 from = transform(*frame, world::projectile_position(p, gravity, flown));
  const Vec3 way = transform(*frame, world::projectile_position(p, gravity, flown + 1)) - from;
  return world.cast_drawn(from, normalized(way), length(way), shot.actor, at);
}

}  // namespace

ProjectileEvent launch_event(const world::Outcome& shot) {
  const world::Projectile p = projectile_of(shot);
  return {p.actor, p.tick, p.index, p.kind, p.parent, to_float(p.from), to_float(p.velocity)};
}

bool Projectiles::add(const world::Outcome& shot) {
  if (flying_.size() == projectiles_max_) return false;
  flying_.push_back(shot);
  return true;
}

void Projectiles::fly(const world::World& world, Tick tick, const OnHit& on_hit) {
  std::erase_if(flying_, [&](const world::Outcome& shot) {
    const auto hit = hit_of(world, shot, tick);
    if (!hit) return ticks_between(shot.tick, tick) >= world::projectile_ticks_max;
    on_hit(shot, *hit);
    return true;
  });
}

}  // namespace perigee::worker
