#include "perigee/world/spawner.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::world {

SpawnRefusal Spawner::refusal_of(const SpawnOrder& order) const {
  const EntityTable& entities = needs_.entities;
  if (order.type >= entities.types().size()) return SpawnRefusal::UnknownType;
  const EntityKind kind = entities.types()[order.type].kind;
  if (needs_.calls.running() && (kind == EntityKind::Actor || order.remote)) {
    return SpawnRefusal::WrongKind;
  }
  const bool may_have_parent = kind == EntityKind::Timeline || kind == EntityKind::Actor;
  if (order.parent != no_entity && (!may_have_parent || order.parent == order.handle)) {
    return SpawnRefusal::BadParent;
  }
  const bool of_a_peer = order.remote;  // its codec has checked the numbers
  if (!of_a_peer && (!is_pose(order.local) || (order.at && !is_pose(*order.at))))
    return SpawnRefusal::BadPose;
  if (!of_a_peer &&
      (!within(order.velocity, speed_max_m_s) || !within(order.angular_velocity, spin_max_rad_s))) {
    return SpawnRefusal::BadVelocity;
  }
  if (order.state && entities.types()[order.type].state == nullptr) return SpawnRefusal::NoState;
  if (order.id == no_entity_id || entities.find(order.id) != nullptr) return SpawnRefusal::BadId;
  if (entities.full()) return SpawnRefusal::TableFull;
  const bool handle_free =
      order.handle == no_entity ? entities.has_handles() : entities.find(order.handle) == nullptr;
  return handle_free ? SpawnRefusal::None : SpawnRefusal::NoHandle;
}

Spawned Spawner::spawn(const SpawnOrder& order) {
  if (const SpawnRefusal refusal = refusal_of(order); refusal != SpawnRefusal::None) {
    if (!needs_.calls.running()) return {no_entity, refusal};
    const bool known = order.type < needs_.entities.types().size();
    const Pose& wrong = order.at && is_pose(order.local) ? *order.at : order.local;
    needs_.calls.refuse(fault_of(refusal), known ? order.type : GameFault::no_type, order.handle,
                        field_of(refusal, wrong, order.velocity, order.angular_velocity));
    return {no_entity, refusal};
  }
  const EntityRecord* entered = enter(order);
  if (entered == nullptr) return {no_entity, SpawnRefusal::NoHandle};
  return {entered->entity.handle};
}

EntityRecord* Spawner::enter(const SpawnOrder& order) {
  EntityTable& entities = needs_.entities;
  if (entities.full()) return nullptr;
  const Handle handle = order.handle != no_entity ? order.handle : entities.grant_handle();
  if (handle == no_entity || handle == order.parent || entities.find(handle) != nullptr) {
    return nullptr;
  }
  if (entities.find(order.id) != nullptr) return nullptr;

  EntityRecord& kept = entities.add(make(order, handle));
  if (!order.remote) needs_.news.note_created(handle);
  if (kept.voxels) needs_.patches.add(kept);
  if (!kept.is(EntityKind::Actor) && !kept.voxels) needs_.bodies.add(kept);
  if (kept.is(EntityKind::Body) && !kept.motions) {
    needs_.lively.settle(kept, needs_.now);
  } else {
    needs_.lively.enliven(kept);
  }
  return &kept;
}

std::unique_ptr<EntityRecord> Spawner::make(const SpawnOrder& order, Handle handle) {
  auto made = std::make_unique<EntityRecord>();
  made->type = &needs_.entities.types()[order.type];
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
    made->received_at = needs_.now;
    if (!order.rests) {
      made->motions = needs_.lively.fresh_motions();
      made->motions->claim(needs_.now) = made->start;
    }
  }
  if (made->is(EntityKind::Actor)) {
    made->traces = std::make_unique<ActorTraces>();
    made->traces->claim(needs_.now) = {order.parent, order.local.position, {}};
    made->drawn = std::make_unique<ActorTraces>(*made->traces);
    made->traced_at = needs_.now;
  }
  if (const GameStateCodec* codec = made->type->state) {
    made->state = std::make_unique<ThingState>(ThingState{order.state.value_or(codec->initial)});
    if (made->state->value != codec->initial) made->state->version = 1;
  }
  if (const auto& plan = made->type->shape->voxels()) {
    PERIGEE_ASSERT(made->is(EntityKind::Static), "voxel ground must be static");
    made->voxels = std::make_unique<VoxelPatch>(plan);
    made->chunk_bodies.resize(plan->chunks());
  }
  return made;
}

bool Spawner::despawn(Handle handle) {
  EntityRecord* gone = needs_.entities.find(handle);
  if (gone == nullptr) return false;
  if (needs_.calls.running() && gone->is(EntityKind::Actor)) {
    return needs_.calls.refuse(GameValue::DespawnActor, *gone);
  }
  despawn_children(handle);
  needs_.grid.invalidate();  // it points at records
  remove(*gone);
  return true;
}

void Spawner::despawn_children(Handle parent) {
  std::vector<Handle> doors;
  for (const EntityRecord* part : needs_.entities.attached()) {
    if (part->entity.parent == parent) doors.push_back(part->entity.handle);
  }
  for (EntityRecord* r : needs_.entities.actors()) {
    ActorTrace* trace = r->traces->find(needs_.now);
    if (trace == nullptr || trace->parent != parent) continue;
    if (const auto motion = needs_.motions.actor_motion(*r, needs_.now)) {
      *trace = {no_entity, motion->pose.position, motion->velocity};
      r->drawn->claim(needs_.now) = *trace;
    }
  }
  for (const Handle door : doors) despawn(door);
}

void Spawner::release(std::span<const Handle> members) {
  needs_.grid.invalidate();  // it points at records
  for (const Handle handle : members) {
    if (EntityRecord* gone = needs_.entities.find(handle)) remove(*gone);
  }
}

void Spawner::remove(EntityRecord& gone) {
  needs_.bodies.leave(gone);
  needs_.forces.drop_drive(gone);
  needs_.lively.remove(gone);
  needs_.news.note_gone(gone.entity.handle);
  needs_.patches.remove(gone);
  needs_.entities.remove(gone);
}

}  // namespace perigee::world
