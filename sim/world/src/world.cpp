#include "perigee/world/world.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/world/group.hpp"

namespace perigee::world {

World::World(const WorldSetup& setup)
    : setup_(setup),
      now_(setup.start),
      physics_(make_bullet_world(std::min(setup.limits.entities_max, 4096U))),
      entities_(setup),
      grid_(setup.limits) {}

World::~World() = default;

void World::step_bodies(Tick tick) {
  PERIGEE_ASSERT(tick == now_, "ticks must be stepped in order");
  const Tick after = tick + 1;
  bodies_.remove_left();
  patches_.enter_physics();
  bodies_.enter();
  joints_.enter_physics();
  forces_.apply();
  physics_->gather(seconds_per_tick);
  bodies_.place_animated(after);
  physics_->step(seconds_per_tick);
  bodies_.record_motions(after);
  now_ = after;
  lively_.index(tick);
}

void World::look_through(std::size_t first, std::size_t step,
                         const std::function<void(const Entity&, bool rests)>& visit) const {
  const auto places = entities_.places();
  for (std::size_t i = first; i < places.size(); i += step) {
    const EntityRecord& r = *places[i].record;
    visit(r.entity, !r.lively);
  }
}

void World::for_each_lively(const std::function<void(const Entity&)>& visit) const {
  for (const EntityRecord* r : lively_.list()) visit(r->entity);
}

void World::for_each_own(
    const std::function<void(const Entity&, const Motion&, const TimelineLog&)>& visit) const {
  for (const EntityOrder::Place& each : entities_.places()) {
    const EntityRecord* r = each.record;
    if (r->entity.remote) continue;
    Entity entity = r->entity;
    Motion at;
    if (const Motion* moving = r->is(EntityKind::Body) ? motions_.body_motion(*r, now_) : nullptr)
      at = *moving;
    if (const ActorTrace* trace = r->traces ? r->trace(now_) : nullptr) {
      entity.parent = trace->parent;
      entity.local = {trace->position, {}};
    }
    visit(entity, at, r->log);
  }
}

Group World::group_of(Handle handle) const { return groups_.group_of(handle); }

GroupPast World::extract(std::span<const Handle> members) const { return states_.extract(members); }

void World::set_actor(Handle actor, Handle parent, const ActorState& state, Tick tick) {
  correct_actor(actor, parent, state, tick, true);
}

void World::correct_actor(Handle actor, Handle parent, const ActorState& state, Tick tick,
                          bool drawn) {
  EntityRecord* set = entities_.find(actor);
  PERIGEE_ASSERT(set != nullptr && set->is(EntityKind::Actor), "correct_actor() needs an actor");
  const ActorTrace trace{parent, state.position, to_double(state.velocity)};
  set->traces->claim(tick) = trace;
  if (drawn) set->drawn->claim(tick) = trace;
  if (before(tick, set->traced_at)) return;  // a past tick, re-simulated
  set->traced_at = tick;
  set->entity.parent = parent;
}

const World::ActorTraces* World::traces(Handle actor) const {
  const EntityRecord* found = entities_.find(actor);
  return found != nullptr ? found->traces.get() : nullptr;
}

std::uint64_t World::hash() const {
  StateHash hash;
  hash.add(now_.count);
  const auto add = [&](const Vec3& v) { hash.add(v.x).add(v.y).add(v.z); };
  for (const auto& [id, handle, r] : entities_.places()) {
    hash.add(r->entity.id.bits).add(r->entity.handle).add(r->entity.type);
    hash.add(r->log.last_version());
    if (r->voxels) hash.add(r->voxels->hash());
    if (r->state) {
      hash.add(r->state->version);
      for (const std::byte byte : r->state->value.bytes) hash.add(byte);
    }
    const auto at = motion(handle, now_);
    if (!at) continue;
    add(at->pose.position);
    const Quat& q = at->pose.rotation;
    hash.add(q.x).add(q.y).add(q.z).add(q.w);
    add(at->velocity);
    add(at->angular_velocity);
  }
  return hash.value();
}

}  // namespace perigee::world
