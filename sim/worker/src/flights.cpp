#include "flights.hpp"

#include <algorithm>

#include "perigee/world/projectile.hpp"

namespace perigee::worker {
namespace {

world::Projectile projectile_of(const world::Outcome& loosed) {
  const world::Proposal& wish = loosed.wish;
  return {.actor = loosed.actor,
          .tick = loosed.tick,
          .index = wish.index,
          .kind = wish.kind,
          .parent = loosed.parent,
          .from = wish.from,
          .velocity = wish.direction * wish.speed_m_s};
}

}  // namespace

// Sent at once. If a late input withdraws the shot, clients still render the projectile.
void Core::Flights::tell(const world::Outcome& loosed) {
  const world::Projectile p = projectile_of(loosed);
  core_.broadcast(p.actor,
                  ProjectileEvent{p.actor, p.tick, p.index, p.kind, p.parent, to_float(p.from),
                                  to_float(p.velocity)},
                  true);
}

void Core::Flights::loose(const world::Outcome& loosed) {
  if (flying_.size() == core_.settings_.flights_max) return core_.drop(Count::FlightsRefused);
  flying_.push_back(loosed);
}

// The path is computed in the parent's frame: at 50 m/s, a projectile aboard is relative to the
// deck.
std::optional<world::DrawnHit> Core::Flights::meets(const world::Outcome& loosed, Tick tick) const {
  const world::World& world = *core_.world_;
  const world::DrawnAt at{tick + 1, 0, tick + 1, {}};
  const auto frame = world.drawn_pose(loosed.parent, at);
  if (!frame) return std::nullopt;
  const world::Entity* parent = world.find(loosed.parent);
  const world::GravityBox gravity =
      parent != nullptr ? world.type_of(*parent).gravity : world::GravityBox{};
  const world::Projectile p = projectile_of(loosed);
  const double flown = ticks_between(loosed.tick, tick);
  const Vec3 from = transform(*frame, world::flight_position(p, gravity, flown));
  const Vec3 way = transform(*frame, world::flight_position(p, gravity, flown + 1)) - from;
  return world.cast_drawn(from, normalized(way), length(way), loosed.actor, at);
}

void Core::Flights::fly(Tick tick, world::Journal& journal) {
  std::erase_if(flying_, [&](const world::Outcome& loosed) {
    const auto hit = meets(loosed, tick);
    if (!hit) return ticks_between(loosed.tick, tick) >= world::flight_ticks_max;
    world::Outcome met = loosed;
    met.tick = tick;
    met.flew = true;
    const world::Judgement judged = core_.judge(world::DrawnScene(*core_.world_, met, hit), met);
    const world::Judgement became = core_.commit(journal, met, judged);
    const std::uint8_t index = loosed.wish.index;
    const bool counts = became.reason == CancelReason::None;
    // The actor that was hit: its client may have rendered the hit already.
    if (hit->actor && counts) {
      const FlightMetEvent event{loosed.actor, loosed.tick, index, loosed.wish.kind, tick};
      tell_player_of(hit->entity, event, true);
    }
    const EffectEvent event{loosed.tick, index, Verdict::Confirmed, became.reason, became.detail};
    tell_player_of(loosed.actor, event, false);
    return true;
  });
}

void Core::Flights::tell_player_of(Handle avatar, const WorldEvent& event, bool urgent) {
  const Player* player = core_.players_.find_avatar(avatar);
  if (player != nullptr && !player->lost) core_.tell_player(*player, event, urgent);
}

}  // namespace perigee::worker
