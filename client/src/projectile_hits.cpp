// Others' projectiles against the own avatar at its prediction. A hit is displayed at once, as a
// cue; the server decides with both places in that tick, and confirms the hit or sends nothing.
#include <algorithm>

#include "perigee/client/prediction.hpp"
#include "perigee/client/projectiles.hpp"
#include "perigee/world/ray.hpp"

namespace perigee::client {
namespace {

/// Length of the straight segments of a path: a falling arrow deviates from one by 2 cm.
constexpr std::int32_t chord_ticks = 8;
/// The server decides a tick once it has left its window of 15 ticks; the message may be repeated.
constexpr std::int32_t verdict_ticks_max = 45;
/// Cues of hits on the avatar are numbered from here; cues of its own steps have lower numbers.
constexpr unsigned first_index = 128;

}  // namespace

// Both at the end of the tick, in the avatar's frame, as in the worker's Core::fly.
bool Projectiles::meets(const world::Projectile& what, const world::StepRecord& record,
                        const world::Shape& body, std::int32_t delay_ticks) const {
  const double flown = ticks_between(what.tick, record.tick + delay_ticks);
  if (flown < 0 || flown >= world::projectile_ticks_max) return false;
  const world::GravityBox gravity = entities_.gravity_in(what.parent);
  Vec3 from = world::projectile_position(what, gravity, flown);
  Vec3 to = world::projectile_position(what, gravity, flown + 1);
  if (what.parent != record.parent) {
    const auto its = entities_.motion_at(what.parent, record.tick + delay_ticks + 1);
    const auto own = entities_.motion_at(record.parent, record.tick + delay_ticks + 1);
    if (!its || !own) return false;
    from = inverse_transform(own->pose, transform(its->pose, from));
    to = inverse_transform(own->pose, transform(its->pose, to));
  }
  const Vec3 start = from - record.after.position;
  const double way_m = distance(from, to);
  return way_m > 0 && world::cast_ray(body, start, (to - from) / way_m, way_m).has_value();
}

// Whether an obstacle on its path would have stopped it. Only the server knows about hits of other
// actors.
bool Projectiles::stopped_before(const world::Projectile& what, std::int32_t flown_ticks) const {
  const world::GravityBox gravity = entities_.gravity_in(what.parent);
  for (std::int32_t flown = 0; flown < flown_ticks; flown += chord_ticks) {
    const Tick at = what.tick + flown;
    const auto frame = entities_.motion_at(what.parent, at);
    if (!frame) continue;
    const Vec3 local = world::projectile_position(what, gravity, flown);
    const Vec3 from = transform(frame->pose, local);
    const double later = std::min(flown + chord_ticks, flown_ticks);
    const Vec3 to = transform(frame->pose, world::projectile_position(what, gravity, later));
    const double way_m = distance(from, to);
    if (way_m < 1e-6) continue;
    const EntityStore::Viewer here{what.parent, local, from};
    for (const auto& entity : entities_.all()) {
      const world::EntityType& type = entities_.type_of(*entity);
      if (type.kind == world::EntityKind::Actor || type.trigger) continue;
      if (entities_.surely_beyond(*entity, here, way_m)) continue;
      const auto motion = entities_.motion_at(entity->handle, at);
      if (motion &&
          world::cast_ray(*type.shape, inverse_transform(motion->pose, from),
                          rotate_back(motion->pose.rotation, (to - from) / way_m), way_m)) {
        return true;
      }
    }
  }
  return false;
}

// Examines the ticks that are new; all non-final ones if they were predicted again.
void Projectiles::search_hits(Tracked& tracked, const Prediction& prediction, bool again,
                              std::int32_t delay_ticks, CueLog& cues) {
  const std::uint8_t effect = game_.hit_effect(tracked.what.kind);
  const ClientEntity* avatar = entities_.find(prediction.avatar());
  if (tracked.own || effect == 0 || avatar == nullptr) return;
  const Tick leaves = tracked.what.tick - delay_ticks;
  Tick from = tracked.searched && !again ? *tracked.searched : prediction.base_tick();
  tracked.searched = prediction.next();
  const bool stands = tracked.hit && (!again || before(tracked.hit->cue.tick, from));
  if (stands || (tracked.hit && tracked.hit->settled)) return;
  if (before(from, leaves)) from = leaves;
  const world::Shape& body = *entities_.type_of(*avatar).shape;
  std::optional<Tick> met;
  for (Tick t = from; before(t, prediction.next()) && !met; ++t) {
    const world::StepRecord* record = prediction.record(t);
    if (record != nullptr && meets(tracked.what, *record, body, delay_ticks)) met = t;
  }
  if (!met && tracked.hit) {
    cues.add(tracked.hit->cue, CueState::Cancelled);
    tracked.hit.reset();
  }
  if (!met || tracked.hit) return;
  if (stopped_before(tracked.what, ticks_between(leaves, *met))) return;
  tracked.hit = Hit{{*met, next_index(), effect, tracked.what.actor}, *met + delay_ticks};
  cues.add(tracked.hit->cue, CueState::Played);
}

void Projectiles::search_hits(const Prediction& prediction, bool again, std::int32_t delay_ticks,
                              CueLog& cues) {
  for (Tracked& tracked : tracked_) search_hits(tracked, prediction, again, delay_ticks, cues);
}

std::uint8_t Projectiles::next_index() {
  return static_cast<std::uint8_t>(first_index + (hits_++ % first_index));
}

void Projectiles::on_hit(const ProjectileHitEvent& event, std::int32_t delay_ticks, CueLog& cues) {
  const auto found = std::find_if(tracked_.begin(), tracked_.end(), [&](const Tracked& tracked) {
    return tracked.what.actor == event.actor && tracked.what.tick == event.left &&
           tracked.what.index == event.index;
  });
  const std::uint8_t effect = game_.hit_effect(event.kind);
  const bool shown = found != tracked_.end() && found->hit;
  const CueNews cue =
      shown ? found->hit->cue : CueNews{event.at - delay_ticks, next_index(), effect, event.actor};
  if (effect != 0) cues.add(cue, CueState::Confirmed);
  if (found != tracked_.end()) tracked_.erase(found);
}

// A hit that the server has not confirmed by then did not happen: the projectile flies on.
void Projectiles::settle(Tick newest, CueLog& cues) {
  std::erase_if(tracked_, [&](Tracked& tracked) {
    if (tracked.hit && !tracked.hit->settled &&
        ticks_between(tracked.hit->at, newest) > verdict_ticks_max) {
      cues.add(tracked.hit->cue, CueState::Cancelled);
      tracked.hit->settled = true;
    }
    const std::int32_t old = ticks_between(tracked.what.tick, newest);
    return old > world::projectile_ticks_max + verdict_ticks_max;
  });
}

}  // namespace perigee::client
