// Things in flight. They fly where nothing can change any more, a window behind the present: whom
// an arrow meets at tick t is decided once, both where they were at t. (B8)
#include <algorithm>

#include "observer_state.hpp"
#include "perigee/worker/core.hpp"
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

// At once, to everybody else who knows its actor: they draw it. One that a late input withdraws
// flies on as a picture.
void Core::tell_of_flight(const world::Outcome& loosed) {
  const world::Projectile p = projectile_of(loosed);
  broadcast(p.actor,
            ProjectileEvent{p.actor, p.tick, p.index, p.kind, p.parent, to_float(p.from),
                            to_float(p.velocity)},
            true);
}

// Whose client may have shown it already.
void Core::tell_who_was_met(const world::Outcome& loosed, Tick at, Handle avatar) {
  const Player* player = find_avatar(avatar);
  if (player == nullptr || player->lost) return;
  const FlightMetEvent event{loosed.actor, loosed.tick, loosed.wish.index, loosed.wish.kind, at};
  if (!observer(player->session).observer.events.push(event, true)) {
    counts_.add(Count::EventsDeferred);
  }
}

void Core::let_fly(const world::Outcome& loosed) {
  if (flying_.size() == settings_.flights_max) return drop(Count::FlightsRefused);
  flying_.push_back(loosed);
}

// Through `tick`, in its parent's frame: at 50 m/s aboard it is the deck that counts.
void Core::fly(Tick tick, world::Journal& journal) {
  const auto meets = [&](const world::Outcome& loosed) -> std::optional<world::DrawnHit> {
    const world::DrawnAt at{tick + 1, 0, tick + 1, {}};
    const auto frame = world_->drawn_pose(loosed.parent, at);
    if (!frame) return std::nullopt;
    const world::Entity* parent = world_->find(loosed.parent);
    const world::GravityBox gravity =
        parent != nullptr ? world_->type_of(*parent).gravity : world::GravityBox{};
    const world::Projectile p = projectile_of(loosed);
    const double flown = ticks_between(loosed.tick, tick);
    const Vec3 from = transform(*frame, world::flight_position(p, gravity, flown));
    const Vec3 way = transform(*frame, world::flight_position(p, gravity, flown + 1)) - from;
    return world_->cast_drawn(from, normalized(way), length(way), loosed.actor, at);
  };
  std::erase_if(flying_, [&](const world::Outcome& loosed) {
    const auto hit = meets(loosed);
    if (!hit) return ticks_between(loosed.tick, tick) >= world::flight_ticks_max;
    world::Outcome met = loosed;
    met.tick = tick;
    met.flew = true;
    const world::Judgement judged = game_.judge(world::DrawnScene(*world_, met, hit), met);
    const world::Judgement became = game_.commit(journal, met, judged);
    if (hit->actor && became.reason == CancelReason::None)
      tell_who_was_met(loosed, tick, hit->entity);
    const Player* archer = find_avatar(loosed.actor);
    if (archer != nullptr && !archer->lost) {
      const EffectEvent event{loosed.tick, loosed.wish.index, Verdict::Confirmed, became.reason,
                              became.detail};
      if (!observer(archer->session).observer.events.push(event, false)) {
        counts_.add(Count::EventsDeferred);
      }
    }
    return true;
  });
}

}  // namespace perigee::worker
