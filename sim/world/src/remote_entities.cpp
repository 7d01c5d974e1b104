#include "perigee/world/remote_entities.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::world {

void RemoteEntities::set_owner(EntityRecord& record, bool remote) {
  needs_.entities.set_remote(record, remote);
  needs_.news.note_touched(record.entity.handle);
}

void RemoteEntities::set_motion(Handle body, Tick tick, const Motion& motion) {
  EntityRecord* r = needs_.entities.find(body);
  PERIGEE_ASSERT(r != nullptr && r->is(EntityKind::Body) && r->entity.remote,
                 "remote motions only for remote bodies");
  const bool long_still = r->still && !r->still->since;  // any update is newer
  if (r->received_any && !long_still && before(tick, r->received_at)) return;
  if (r->still && (!motion.rests() || motion.pose != r->still->at.pose)) needs_.lively.rouse(*r);
  r->received_any = true;
  r->received.start(motion, r->type->thrust_limit_m_s2);
  r->received_at = tick;
  if (r->still) return;
  if (ticks_between(tick, needs_.now) >= static_cast<std::int32_t>(history_ticks)) return;
  for (Tick t = tick; not_after(t, needs_.now); ++t) r->motions->claim(t) = r->remote_motion(t);
}

void RemoteEntities::set_log(Handle object, const TimelineLog& log) {
  EntityRecord* r = needs_.entities.find(object);
  PERIGEE_ASSERT(r != nullptr && r->is(EntityKind::Timeline) && r->entity.remote,
                 "remote logs only for remote scheduled objects");
  needs_.lively.rouse(*r);
  r->log = log;
}

void RemoteEntities::set_remote(Handle body, bool remote) {
  EntityRecord* r = needs_.entities.find(body);
  PERIGEE_ASSERT(r != nullptr && r->is(EntityKind::Body), "set_remote() needs a body");
  if (r->entity.remote == remote) return;
  needs_.forces.drop_drive(*r);
  const Motion* now = r->still ? &r->still->at : r->motions->find(needs_.now);
  PERIGEE_ASSERT(now != nullptr, "the body must have a motion at the current tick");
  set_owner(*r, remote);
  r->received_any = remote;
  r->received.start(*now, r->type->thrust_limit_m_s2);
  r->received_at = needs_.now;
  if (r->body == no_body) return;
  const BodyMode mode = remote ? BodyMode::Animated : BodyMode::Dynamic;
  if (r->still) {  // its rest continues under the other owner
    return needs_.physics.set_mode_asleep(r->body, mode);
  }
  needs_.physics.set_mode(r->body, mode);
  needs_.physics.set_state(r->body, {now->pose, now->velocity, now->angular_velocity});
}

void RemoteEntities::make_remote(std::span<const Handle> members) {
  for (const Handle handle : members) {
    EntityRecord* r = needs_.entities.find(handle);
    PERIGEE_ASSERT(r != nullptr, "the members must exist");
    if (r->is(EntityKind::Body)) {
      set_remote(handle, true);
    } else {
      set_owner(*r, true);
    }
  }
  needs_.joints.drop_loose();
}

void RemoteEntities::make_own(std::span<const Handle> members) {
  for (const Handle handle : members) {
    EntityRecord* r = needs_.entities.find(handle);
    PERIGEE_ASSERT(r != nullptr && r->entity.remote, "the member must be another worker's so far");
    if (!r->is(EntityKind::Body)) {
      set_owner(*r, false);
      continue;
    }
    if (r->still) {
      set_remote(handle, false);
      continue;
    }
    const bool left =
        !r->received.origin().rests() && ticks_between(r->received_at, needs_.now) > catch_up_ticks;
    if (Motion* now = r->motions->find(needs_.now); left && now != nullptr) {
      now->velocity = r->received.origin().velocity;
      now->angular_velocity = r->received.origin().angular_velocity;
    }
    set_remote(handle, false);
  }
}

}  // namespace perigee::world
