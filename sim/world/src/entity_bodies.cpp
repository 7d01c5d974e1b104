#include "perigee/world/entity_bodies.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

/// Limit of plausible results: a body beyond it was given too much force for the engine.
constexpr double physics_speed_max_m_s = 1e7;

/// Of a motion that physics or the game has made; empty: it can be used.
std::string_view unusable_field(const BodyState& state) {
  return first_of({unusable(state.pose),
                   beyond(state.velocity, physics_speed_max_m_s, field::velocity),
                   beyond(state.angular_velocity, physics_speed_max_m_s, field::angular_velocity)});
}
std::string_view unusable_field(const Motion& motion) {
  return first_of({unusable(motion.pose), beyond(motion.velocity, speed_max_m_s, field::velocity),
                   beyond(motion.angular_velocity, spin_max_rad_s, field::angular_velocity),
                   beyond(motion.acceleration, place_max_m, field::acceleration),
                   beyond(motion.angular_acceleration, place_max_m, field::angular_acceleration)});
}

}  // namespace

void EntityBodies::leave(const EntityRecord& gone) {
  if (gone.body != no_body) {
    leaving_.emplace_back(gone.entity.id, gone.body);
    by_body_[gone.body] = nullptr;
  }
  for (const EntityRecord::ChunkBody& chunk : gone.chunk_bodies) {
    if (chunk.body != no_body) leaving_.emplace_back(gone.entity.id, chunk.body);
  }
  if (!entering_.empty()) std::erase(entering_, &gone);
}

// By entity id, independent of the order of the calls: the engine's results depend on the order.
void EntityBodies::remove_left() {
  std::sort(leaving_.begin(), leaving_.end());
  for (const auto& [id, body] : leaving_) needs_.physics.remove_body(body);
  leaving_.clear();
}

void EntityBodies::enter() {
  if (entering_.empty()) return;
  std::sort(entering_.begin(), entering_.end(), by_entity_id);
  std::erase_if(entering_, [&](EntityRecord* r) {
    // Doors on moving carriers would drag touching bodies along: only actors collide with them.
    if (r->is(EntityKind::Timeline) && !needs_.motions.parent_rests(*r)) {
      return needs_.entities.find(r->entity.parent) != nullptr;
    }
    const auto at = needs_.motions.motion(*r, needs_.now);
    if (!at) return false;
    r->body = needs_.physics.add_body(desc_of(*r, *at));
    if (by_body_.size() <= r->body) by_body_.resize(r->body + 1);
    by_body_[r->body] = r;
    return true;
  });
}

BodyDesc EntityBodies::desc_of(const EntityRecord& r, const Motion& at) const {
  BodyDesc desc{.owner = r.entity.handle,
                .shape = r.type->shape,
                .mass_kg = r.type->mass_kg,
                .friction = r.type->friction};
  desc.mode = r.is(EntityKind::Static) ? BodyMode::Static
              : r.moves_by_physics()   ? BodyMode::Dynamic
                                       : BodyMode::Animated;
  desc.pose = at.pose;
  desc.velocity = at.velocity;
  desc.angular_velocity = at.angular_velocity;
  desc.asleep = r.still.has_value();
  if (needs_.motions.goes_rounds(r)) desc.rounds = needs_.motions.path_bounds(r);
  return desc;
}

void EntityBodies::place(EntityRecord& r, Tick after) {
  BodyState state;
  if (r.is(EntityKind::Timeline)) {
    const auto at = needs_.motions.motion(r, after);
    if (!at) return;
    state.pose = at->pose;
  } else {
    state.pose = r.remote_motion(after).pose;
  }
  if (needs_.physics.state(r.body).pose != state.pose) needs_.physics.set_state(r.body, state);
}

void EntityBodies::place_animated(Tick after) {
  for (EntityRecord* r : needs_.lively.list()) {
    if (r->body != no_body && !r->moves_by_physics() && !r->is(EntityKind::Static)) {
      place(*r, after);
    }
  }
  needs_.physics.near_rounds(found_);
  for (const BodyId body : found_) place(*by_body_[body], after);
}

void EntityBodies::record_motions(Tick after) {
  needs_.physics.list_awake(found_);
  for (const BodyId body : found_) {
    if (by_body_[body]->still) needs_.lively.rouse(*by_body_[body]);
  }
  for (EntityRecord* r : needs_.lively.list()) {
    if (!r->is(EntityKind::Body)) continue;
    if (r->entity.remote) {
      r->motions->claim(after) = r->remote_motion(after);
      continue;
    }
    const Motion* before = r->motions->find(after - 1);
    const BodyState state = needs_.physics.state(r->body);
    if (const std::string_view field = unusable_field(state); !field.empty()) {
      contain(*r, before, after, field);
      continue;
    }
    Motion now{.pose = state.pose, .velocity = state.velocity};
    now.angular_velocity = state.angular_velocity;
    r->motions->claim(after) = before == nullptr ? now : with_accelerations(*before, now);
  }
}

/// Moves the body back to its place before the tick, at rest.
void EntityBodies::contain(EntityRecord& r, const Motion* before, Tick after,
                           std::string_view field) {
  const bool known = before != nullptr && is_pose(before->pose);
  const Motion rest{.pose = known ? before->pose : r.start.pose};
  needs_.calls.refuse(GameValue::BodyMotion, r, field);
  needs_.physics.set_state(r.body, {.pose = rest.pose});
  r.motions->claim(after) = rest;
}

bool EntityBodies::set(Handle body, const Motion& motion) {
  EntityRecord* r = needs_.entities.find(body);
  if (r == nullptr || !r->is(EntityKind::Body)) {
    return needs_.calls.refuse(GameValue::BodyName, body);
  }
  if (const std::string_view field = unusable_field(motion); !field.empty()) {
    return needs_.calls.refuse(GameValue::BodyMotion, *r, field);
  }
  if (needs_.calls.running() && r->entity.remote) return false;
  needs_.lively.rouse(*r);
  r->motions->claim(needs_.now) = motion;
  r->received.start(motion, r->type->thrust_limit_m_s2);
  r->received_at = needs_.now;
  if (r->body != no_body) {
    needs_.physics.set_state(r->body, {motion.pose, motion.velocity, motion.angular_velocity});
  }
  return true;
}

}  // namespace perigee::world
