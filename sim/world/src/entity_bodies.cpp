// One tick of bodies: spawns, impulses, drives and fields, one step, motions.
#include <algorithm>

#include "perigee/base/assert.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

/// Limit of plausible results: a body beyond it was given too much force for the engine.
constexpr double physics_speed_max_m_s = 1e7;

bool plausible(const BodyState& state) {
  return is_pose(state.pose) && within(state.velocity, physics_speed_max_m_s) &&
         within(state.angular_velocity, physics_speed_max_m_s);
}

}  // namespace

void World::step_bodies(Tick tick) {
  PERIGEE_ASSERT(tick == now_, "ticks must be stepped in order");
  const Tick after = tick + 1;
  enter_physics();
  joints_.enter_physics();
  apply_impulses();
  apply_drives_and_fields();
  physics_->gather(seconds_per_tick);
  place_animated(after);
  physics_->step(seconds_per_tick);
  record_motions(after);
  now_ = after;
  lively_.index(tick);
}

void World::enter_physics() {
  // By entity id, independent of the order of the calls: the engine's results depend on the order.
  std::sort(leaving_.begin(), leaving_.end());
  for (const auto& [id, body] : leaving_) physics_->remove_body(body);
  leaving_.clear();
  patches_.enter_physics();
  if (entering_.empty()) return;
  std::sort(entering_.begin(), entering_.end(),
            [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; });
  std::erase_if(entering_, [&](Record* r) {
    // Doors on moving carriers would drag touching bodies along: only actors collide with them.
    if (r->is(EntityKind::Timeline) && !motions_.parent_rests(*r)) {
      return entities_.find(r->entity.parent) != nullptr;
    }
    BodyDesc desc{.owner = r->entity.handle,
                  .shape = r->type->shape,
                  .mass_kg = r->type->mass_kg,
                  .friction = r->type->friction};
    desc.mode = r->is(EntityKind::Static) ? BodyMode::Static
                : r->moves_by_physics()   ? BodyMode::Dynamic
                                          : BodyMode::Animated;
    const auto at = motions_.motion(*r, now_);
    if (!at) return false;
    desc.pose = at->pose;
    desc.velocity = at->velocity;
    desc.angular_velocity = at->angular_velocity;
    desc.asleep = r->still.has_value();
    if (motions_.goes_rounds(*r)) desc.rounds = motions_.path_bounds(*r);
    r->body = physics_->add_body(desc);
    if (by_body_.size() <= r->body) by_body_.resize(r->body + 1);
    by_body_[r->body] = r;
    return true;
  });
}

void World::apply_impulses() {
  std::stable_sort(impulses_.begin(), impulses_.end(),
                   [](const Impulse& a, const Impulse& b) { return a.id < b.id; });
  for (const Impulse& impulse : impulses_) {
    const Record* r = entities_.find(impulse.body);
    if (r == nullptr || r->body == no_body) continue;
    physics_->apply_impulse(r->body, impulse.impulse, impulse.point);
  }
  impulses_.clear();
}

void World::apply_drives_and_fields() {
  for (const Record* r : lively_.list()) {
    if (r->body == no_body || !r->moves_by_physics() || r->driven) continue;
    if (!physics_->awake(r->body)) continue;
    const Vec3 pull = fields_.pull_at(physics_->state(r->body).pose.position);
    if (pull != Vec3{}) physics_->accelerate(r->body, pull);
  }
  std::sort(driven_.begin(), driven_.end(),
            [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; });
  for (Record* r : std::exchange(driven_, {})) {
    r->driven = false;
    if (r->body == no_body || !r->moves_by_physics()) continue;
    physics_->set_velocity(r->body, r->drive_velocity, r->drive_angular);
  }
}

void World::place_animated(Tick after) {
  const auto place = [&](Record* r) {
    BodyState state;
    if (r->is(EntityKind::Timeline)) {
      const auto at = motions_.motion(*r, after);
      if (!at) return;
      state.pose = at->pose;
    } else {
      state.pose = r->remote_motion(after).pose;
    }
    if (physics_->state(r->body).pose != state.pose) physics_->set_state(r->body, state);
  };
  for (Record* r : lively_.list()) {
    if (r->body != no_body && !r->moves_by_physics() && !r->is(EntityKind::Static)) place(r);
  }
  physics_->near_rounds(bodies_found_);
  for (const BodyId body : bodies_found_) place(by_body_[body]);
}

void World::record_motions(Tick after) {
  physics_->list_awake(bodies_found_);
  for (const BodyId body : bodies_found_) {
    if (by_body_[body]->still) lively_.rouse(*by_body_[body]);
  }
  for (Record* r : lively_.list()) {
    if (!r->is(EntityKind::Body)) continue;
    if (r->entity.remote) {
      r->motions->claim(after) = r->remote_motion(after);
      continue;
    }
    const Motion* before = r->motions->find(after - 1);
    const BodyState state = physics_->state(r->body);
    if (!plausible(state)) {
      contain(*r, before);
      continue;
    }
    Motion now{.pose = state.pose, .velocity = state.velocity};
    now.angular_velocity = state.angular_velocity;
    r->motions->claim(after) = before == nullptr ? now : with_accelerations(*before, now);
  }
}

/// Moves the body back to its place before the tick, at rest.
void World::contain(Record& r, const Motion* before) {
  const bool known = before != nullptr && is_pose(before->pose);
  const Motion rest{.pose = known ? before->pose : r.start.pose};
  calls_.refuse(GameValue::BodyMotion, r);
  physics_->set_state(r.body, {.pose = rest.pose});
  r.motions->claim(now_ + 1) = rest;
}

bool World::set_drive(Handle body, const Vec3& velocity, const Vec3& angular_velocity) {
  Record* r = entities_.find(body);
  if (r == nullptr || !r->is(EntityKind::Body)) return calls_.refuse(GameValue::BodyName, body);
  if (!within(velocity, speed_max_m_s) || !within(angular_velocity, spin_max_rad_s)) {
    return calls_.refuse(GameValue::DriveVelocity, *r);
  }
  if (r->entity.remote) return false;
  if (!std::exchange(r->driven, true)) driven_.push_back(r);
  r->drive_velocity = velocity;
  r->drive_angular = angular_velocity;
  return true;
}

bool World::set_body(Handle body, const Motion& motion) {
  Record* r = entities_.find(body);
  if (r == nullptr || !r->is(EntityKind::Body)) return calls_.refuse(GameValue::BodyName, body);
  const bool fits = is_pose(motion.pose) && within(motion.velocity, speed_max_m_s) &&
                    within(motion.angular_velocity, spin_max_rad_s) &&
                    is_place(motion.acceleration) && is_place(motion.angular_acceleration);
  if (!fits) return calls_.refuse(GameValue::BodyMotion, *r);
  if (calls_.running() && r->entity.remote) return false;
  lively_.rouse(*r);
  r->motions->claim(now_) = motion;
  r->received.start(motion, r->type->thrust_limit_m_s2);
  r->received_at = now_;
  if (r->body != no_body) {
    physics_->set_state(r->body, {motion.pose, motion.velocity, motion.angular_velocity});
  }
  return true;
}

void World::set_remote_motion(Handle body, Tick tick, const Motion& motion) {
  Record* r = entities_.find(body);
  PERIGEE_ASSERT(r != nullptr && r->is(EntityKind::Body) && r->entity.remote,
                 "remote motions only for remote bodies");
  const bool long_still = r->still && !r->still->since;  // any update is newer
  if (r->received_any && !long_still && before(tick, r->received_at)) return;
  if (r->still && (!motion.rests() || motion.pose != r->still->at.pose)) lively_.rouse(*r);
  r->received_any = true;
  r->received.start(motion, r->type->thrust_limit_m_s2);
  r->received_at = tick;
  if (r->still) return;
  if (ticks_between(tick, now_) >= static_cast<std::int32_t>(history_ticks)) return;
  for (Tick t = tick; not_after(t, now_); ++t) r->motions->claim(t) = r->remote_motion(t);
}

void World::set_remote_log(Handle object, const TimelineLog& log) {
  Record* r = entities_.find(object);
  PERIGEE_ASSERT(r != nullptr && r->is(EntityKind::Timeline) && r->entity.remote,
                 "remote logs only for remote scheduled objects");
  lively_.rouse(*r);
  r->log = log;
}

void World::set_remote(Handle body, bool remote) {
  Record* r = entities_.find(body);
  PERIGEE_ASSERT(r != nullptr && r->is(EntityKind::Body), "set_remote() needs a body");
  if (r->entity.remote == remote) return;
  if (std::exchange(r->driven, false)) std::erase(driven_, r);
  const Motion* now = r->still ? &r->still->at : r->motions->find(now_);
  PERIGEE_ASSERT(now != nullptr, "the body must have a motion at the current tick");
  set_whose(*r, remote);
  r->received_any = remote;
  r->received.start(*now, r->type->thrust_limit_m_s2);
  r->received_at = now_;
  if (r->still) {  // its rest continues under the other owner
    if (r->body == no_body) return;
    return physics_->set_mode_asleep(r->body, remote ? BodyMode::Animated : BodyMode::Dynamic);
  }
  if (r->body == no_body) return;
  physics_->set_mode(r->body, remote ? BodyMode::Animated : BodyMode::Dynamic);
  physics_->set_state(r->body, {now->pose, now->velocity, now->angular_velocity});
}

void World::leave_physics(const Record& gone) {
  if (gone.body != no_body) leaving_.emplace_back(gone.entity.id, gone.body);
  for (const Record::ChunkBody& chunk : gone.chunk_bodies) {
    if (chunk.body != no_body) leaving_.emplace_back(gone.entity.id, chunk.body);
  }
}

bool World::apply_impulse_next_tick(Handle body, const Vec3& impulse, const Vec3& world_point) {
  const Record* r = entities_.find(body);
  if (r == nullptr || !r->moves_by_physics()) return false;
  if (!within(impulse, impulse_max_n_s) || !is_place(world_point)) {
    return calls_.refuse(GameValue::Impulse, *r);
  }
  impulses_.push_back({r->entity.id, body, impulse, world_point});
  return true;
}

}  // namespace perigee::world
