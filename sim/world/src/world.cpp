#include "perigee/world/world.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
World::World(const WorldSetup& setup)
    : setup_(setup),
      now_(setup.start),
      physics_(make_bullet_world(std::min(setup.limits.entities_max, 4096U))),
      entities_(setup),
      grid_(setup.limits) {
  impulses_.reserve(1024);
}

World::~World() = default;

void World::set_whose(Record& record, bool remote) {
  entities_.set_remote(record, remote);
  news_.note_touched(record.entity.handle);
}

std::optional<GameValue> World::fault_in(const SpawnOrder& order) const {
  if (order.type >= entities_.types().size()) return GameValue::SpawnType;
  const EntityKind kind = entities_.types()[order.type].kind;
  if (calls_.running() && (kind == EntityKind::Actor || order.remote)) return GameValue::SpawnKind;
  const bool may_have_parent = kind == EntityKind::Timeline || kind == EntityKind::Actor;
  if (order.parent != no_entity && (!may_have_parent || order.parent == order.handle)) {
    return GameValue::SpawnParent;
  }
  const bool of_a_peer = order.remote;  // its codec has checked the numbers
  if (!of_a_peer && (!is_pose(order.local) || (order.at && !is_pose(*order.at))))
    return GameValue::SpawnPose;
  if (!of_a_peer &&
      (!within(order.velocity, speed_max_m_s) || !within(order.angular_velocity, spin_max_rad_s))) {
    return GameValue::SpawnVelocity;
  }
  if (order.id == no_entity_id || entities_.find(order.id) != nullptr) return GameValue::SpawnId;
  const bool handle_free =
      order.handle == no_entity ? entities_.has_handles() : entities_.find(order.handle) == nullptr;
  if (!handle_free || entities_.full()) return GameValue::SpawnRoom;
  return std::nullopt;
}

Handle World::spawn(const SpawnOrder& order) {
  const auto fault = fault_in(order);
  if (!fault) return enter(order);
  if (calls_.running()) {
    const TypeId type = order.type < entities_.types().size() ? order.type : GameFault::no_type;
    calls_.refuse(*fault, type, order.handle);
  }
  return no_entity;
}

Handle World::enter(const SpawnOrder& order) {
  if (entities_.full()) return no_entity;
  const Handle handle = order.handle != no_entity ? order.handle : grant_handle();
  if (handle == no_entity || handle == order.parent || entities_.find(handle) != nullptr) {
    return no_entity;
  }
  if (entities_.find(order.id) != nullptr) return no_entity;

  auto made = std::make_unique<Record>();
  made->type = &entities_.types()[order.type];
  made->entity = {.id = order.id,
                  .handle = handle,
                  .type = order.type,
                  .respawns = order.respawns,
                  .remote = order.remote,
                  .parent = order.parent,
                  .local = order.local};
  made->start.pose = order.at.value_or(order.local);
  if (made->is(EntityKind::Body)) {
    made->start.velocity = order.velocity;
    made->start.angular_velocity = order.angular_velocity;
    made->received.start(made->start, made->type->thrust_limit_m_s2);
    made->received_at = now_;
    if (!order.rests) {
      made->motions = lively_.fresh_motions();
      made->motions->claim(now_) = made->start;
    }
  }
  if (made->is(EntityKind::Actor)) {
    made->traces = std::make_unique<ActorTraces>();
    made->traces->claim(now_) = {order.parent, order.local.position, {}};
    made->drawn = std::make_unique<ActorTraces>(*made->traces);
    made->traced_at = now_;
  }

  if (const auto& plan = made->type->shape->voxels()) {
    PERIGEE_ASSERT(made->is(EntityKind::Static), "voxel ground must be static");
    made->voxels = std::make_unique<VoxelPatch>(plan);
    made->chunk_bodies.resize(plan->chunks());
  }

  Record* kept = &entities_.add(std::move(made));
  if (!order.remote) news_.note_born(handle);
  if (kept->voxels) patches_.add(*kept);
  if (!kept->is(EntityKind::Actor) && !kept->voxels) entering_.push_back(kept);
  if (kept->is(EntityKind::Body) && !kept->motions) {
    lively_.settle(*kept, now_);
  } else {
    lively_.enliven(*kept);
  }
  return handle;
}

bool World::despawn(Handle handle) {
  Record* gone = entities_.find(handle);
  if (gone == nullptr) return false;
  if (calls_.running() && gone->is(EntityKind::Actor))
    return calls_.refuse(GameValue::DespawnActor, *gone);
  despawn_children(handle);
  leave_physics(*gone);
  grid_.invalidate();  // it points at records
  unlink(handle);
  return true;
}

void World::despawn_children(Handle parent) {
  std::vector<Handle> doors;
  for (const Record* part : entities_.attached()) {
    if (part->entity.parent == parent) doors.push_back(part->entity.handle);
  }
  for (Record* r : entities_.actors()) {
    ActorTrace* trace = r->traces->find(now_);
    if (trace == nullptr || trace->parent != parent) continue;
    if (const auto motion = motions_.actor_motion(*r, now_)) {
      *trace = {no_entity, motion->pose.position, motion->velocity};
      r->drawn->claim(now_) = *trace;
    }
  }
  for (const Handle door : doors) despawn(door);
}

void World::unlink(Handle handle) {
  Record* gone = entities_.find(handle);
  if (gone == nullptr) return;
  lively_.remove(*gone);
  news_.note_gone(handle);
  const auto forget = [&](std::vector<Record*>& list) { std::erase(list, gone); };
  if (gone->driven) forget(driven_);
  if (gone->body != no_body) by_body_[gone->body] = nullptr;
  if (!entering_.empty()) forget(entering_);
  patches_.remove(*gone);
  entities_.remove(*gone);
}

void World::set_actor(Handle actor, Handle parent, const ActorState& state, Tick tick) {
  correct_actor(actor, parent, state, tick, true);
}

void World::correct_actor(Handle actor, Handle parent, const ActorState& state, Tick tick,
                          bool drawn) {
  Record* set = entities_.find(actor);
  PERIGEE_ASSERT(set != nullptr && set->is(EntityKind::Actor), "correct_actor() needs an actor");
  const ActorTrace trace{parent, state.position, to_double(state.velocity)};
  set->traces->claim(tick) = trace;
  if (drawn) set->drawn->claim(tick) = trace;
  if (before(tick, set->traced_at)) return;  // a past tick, re-simulated
  set->traced_at = tick;
  set->entity.parent = parent;
}

const World::ActorTraces* World::traces(Handle actor) const {
  const Record* found = entities_.find(actor);
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
