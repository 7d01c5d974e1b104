#include "perigee/world/world.hpp"

#include <algorithm>

#include "entity_order.hpp"
#include "entity_record.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

template <class Container, class Value>
void insert_sorted(Container& items, Value* item) {
  const auto at = std::lower_bound(items.begin(), items.end(), item,
                                   [](auto* a, auto* b) { return a->entity.id < b->entity.id; });
  items.insert(at, item);
}

}  // namespace

World::World(const WorldSetup& setup)
    : types_(setup.types),
      setup_(setup),
      now_(setup.start),
      physics_(make_bullet_world(std::min(setup.limits.entities_max, 4096U))),
      order_(std::make_unique<Order>()),
      present_(setup.types.size()),
      grid_(std::make_unique<Grid>(setup.limits)) {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    PERIGEE_ASSERT(types_[i].id == i, "a type's id must be its place in the table");
    PERIGEE_ASSERT(types_[i].shape != nullptr, "every type must have a shape");
  }
  impulses_.reserve(1024);
}

World::~World() = default;

World::Record* World::record(Handle handle) {
  const Handle own = handle - setup_.handle_base;
  if (own < setup_.handle_count) return own < of_block_.size() ? of_block_[own] : nullptr;
  const auto at = by_handle_.find(handle);
  return at != by_handle_.end() ? at->second : nullptr;
}
const World::Record* World::record(Handle handle) const {
  return const_cast<World*>(this)->record(handle);
}

void World::link_handle(Handle handle, Record* to) {
  const Handle own = handle - setup_.handle_base;
  if (own < setup_.handle_count) {
    if (own >= of_block_.size()) of_block_.resize(own + 1);
    of_block_[own] = to;
    return;
  }
  if (to != nullptr) {
    by_handle_[handle] = to;
  } else {
    by_handle_.erase(handle);
  }
}

void World::count(const Record& record, int by) {
  Present& of_type = present_[record.entity.type];
  (record.entity.remote ? of_type.remote : of_type.own) += static_cast<std::uint32_t>(by);
}

void World::set_whose(Record& record, bool remote) {
  count(record, -1);
  record.entity.remote = remote;
  count(record, +1);
  touched_.push_back(record.entity.handle);
}

std::size_t World::size() const { return order_->size(); }

std::vector<std::uint32_t> World::handle_blocks() const {
  std::vector<std::uint32_t> out;
  for (const auto& [block, things] : blocks_) out.push_back(block);
  return out;
}

Handle World::grant_handle() {
  if (granted_ == setup_.handle_count) return no_entity;
  return setup_.handle_base + granted_++;
}

/// Notes the refusal and returns false, for the caller to return.
bool World::refuse(GameValue value, Handle entity) {
  const Record* r = record(entity);
  game_faults_.note({value, r != nullptr ? r->entity.type : GameFault::no_type, entity, now_});
  return false;
}

bool World::refuse(GameValue value, const Record& record) {
  game_faults_.note({value, record.entity.type, record.entity.handle, now_});
  return false;
}

std::optional<GameValue> World::fault_in(const SpawnOrder& order) const {
  if (order.type >= types_.size()) return GameValue::SpawnType;
  const EntityKind kind = types_[order.type].kind;
  if (game_call_ && (kind == EntityKind::Actor || order.remote)) return GameValue::SpawnKind;
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
  if (order.id == no_entity_id || order_->find(order.id) != nullptr) return GameValue::SpawnId;
  const bool handle_free =
      order.handle == no_entity ? granted_ < setup_.handle_count : record(order.handle) == nullptr;
  if (!handle_free || order_->size() == setup_.limits.entities_max) return GameValue::SpawnRoom;
  return std::nullopt;
}

Handle World::spawn(const SpawnOrder& order) {
  const auto fault = fault_in(order);
  if (!fault) return enter(order);
  if (game_call_) {
    const TypeId type = order.type < types_.size() ? order.type : GameFault::no_type;
    game_faults_.note({*fault, type, order.handle, now_});
  }
  return no_entity;
}

Handle World::enter(const SpawnOrder& order) {
  if (order_->size() == setup_.limits.entities_max) return no_entity;
  const Handle handle = order.handle != no_entity ? order.handle : grant_handle();
  if (handle == no_entity || handle == order.parent || record(handle) != nullptr) {
    return no_entity;
  }
  if (order_->find(order.id) != nullptr) return no_entity;

  auto made = std::make_unique<Record>();
  made->type = &types_[order.type];
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
      made->motions = fresh_motions();
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

  Record* kept = &order_->add(std::move(made));
  link_handle(handle, kept);
  count(*kept, +1);
  if (!order.remote) born_.push_back(handle);
  ++blocks_[handle / std::max<Handle>(setup_.handle_count, 1)];
  const Bounds& box = kept->type->gravity.inside;
  if (box.low.x <= box.high.x) insert_sorted(fields_, kept);
  if (kept->type->parent_eligible) insert_sorted(eligible_, kept);
  if (kept->is(EntityKind::Actor)) insert_sorted(actors_, kept);
  if (kept->is(EntityKind::Timeline) && order.parent != no_entity) insert_sorted(attached_, kept);
  if (kept->voxels) list_patch(*kept);
  if (!kept->is(EntityKind::Actor) && !kept->voxels) entering_.push_back(kept);
  if (kept->is(EntityKind::Body) && !kept->motions) {
    settle(*kept, now_);
  } else {
    enliven(*kept);
  }
  return handle;
}

bool World::despawn(Handle handle) {
  Record* gone = record(handle);
  if (gone == nullptr) return false;
  if (game_call_ && gone->is(EntityKind::Actor)) return refuse(GameValue::DespawnActor, *gone);
  despawn_children(handle);
  leave_physics(*gone);
  grid_->valid = false;  // it points at records
  unlink(handle);
  return true;
}

void World::despawn_children(Handle parent) {
  std::vector<Handle> doors;
  for (const Record* part : attached_) {
    if (part->entity.parent == parent) doors.push_back(part->entity.handle);
  }
  for (Record* r : actors_) {
    ActorTrace* trace = r->traces->find(now_);
    if (trace == nullptr || trace->parent != parent) continue;
    if (const auto motion = actor_motion(*r, now_)) {
      *trace = {no_entity, motion->pose.position, motion->velocity};
      r->drawn->claim(now_) = *trace;
    }
  }
  for (const Handle door : doors) despawn(door);
}

void World::unlink(Handle handle) {
  Record* gone = record(handle);
  if (gone == nullptr) return;
  unfile(*gone);
  if (gone->door_entry && *gone->door_entry != Grid::none) {
    grid_->doors.remove(*gone->door_entry);
  }
  std::erase(grid_->wide_doors, gone);
  std::erase(grid_->carried_doors, gone);
  gone_.push_back(handle);
  const auto forget = [&](std::vector<Record*>& list) { std::erase(list, gone); };
  if (gone->lively) forget(lively_);
  if (gone->driven) forget(driven_);
  if (gone->body != no_body) by_body_[gone->body] = nullptr;
  if (!entering_.empty()) forget(entering_);
  if (gone->voxels) std::erase(patches_, handle);
  if (!fields_.empty()) forget(fields_);
  if (gone->type->parent_eligible) forget(eligible_);
  if (gone->is(EntityKind::Actor)) forget(actors_);
  if (gone->is(EntityKind::Timeline)) forget(attached_);
  link_handle(handle, nullptr);
  count(*gone, -1);
  const auto block = blocks_.find(handle / std::max<Handle>(setup_.handle_count, 1));
  if (--block->second == 0) blocks_.erase(block);
  order_->remove(gone->entity.id);
}

const Entity* World::find(Handle handle) const {
  const Record* found = record(handle);
  return found == nullptr ? nullptr : &found->entity;
}

std::span<const Handle> World::in_order() const { return order_->handles(); }

void World::take_news(const std::function<void(const Entity&, const Motion&, const Bounds&)>& visit,
                      const std::function<void(Handle)>& gone) {
  for (const Handle handle : std::exchange(gone_, {})) {
    const Record* r = record(handle);
    if (r == nullptr || r->entity.remote) gone(handle);
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const Handle handle : std::exchange(touched_, {})) {
    const Record* r = record(handle);
    if (r == nullptr || (r->lively && !r->entity.remote)) continue;
    if (r->entity.remote) {
      gone(handle);
    } else if (r->still) {
      visit(r->entity, r->still->at, r->still->bounds);
    } else if (const auto at = motion_of(*r, now_)) {
      visit(r->entity, *at, *r->rounds);
    }
  }
  for (const Record* r : lively_) {
    if (r->entity.remote) continue;
    const auto at = motion_of(*r, now_);
    if (at) visit(r->entity, *at, transformed(at->pose, r->type->shape->bounds()));
  }
}

void World::set_actor(Handle actor, Handle parent, const ActorState& state, Tick tick) {
  correct_actor(actor, parent, state, tick, true);
}

void World::correct_actor(Handle actor, Handle parent, const ActorState& state, Tick tick,
                          bool drawn) {
  Record* set = record(actor);
  PERIGEE_ASSERT(set != nullptr && set->is(EntityKind::Actor), "correct_actor() needs an actor");
  const ActorTrace trace{parent, state.position, to_double(state.velocity)};
  set->traces->claim(tick) = trace;
  if (drawn) set->drawn->claim(tick) = trace;
  if (before(tick, set->traced_at)) return;  // a past tick, re-simulated
  set->traced_at = tick;
  set->entity.parent = parent;
}

const World::ActorTraces* World::traces(Handle actor) const {
  const Record* found = record(actor);
  return found != nullptr ? found->traces.get() : nullptr;
}

TimelineLog::Added World::announce(const TimelineChange& change) {
  using Added = TimelineLog::Added;
  Record* object = record(change.object);
  if (object == nullptr || !object->is(EntityKind::Timeline) || object->entity.remote) {
    refuse(GameValue::Change, change.object);
    return Added::TooOld;
  }
  TimelineLog& log = object->log;
  if (log.size() > 0 && log[log.size() - 1] == change) return Added::Duplicate;
  const TimelineChange next = propose_change(change.object, change.effect, change.goal, 0);
  if (before(change.effect, next.effect) || change.version != next.version) {
    refuse(GameValue::Change, *object);
    return Added::TooOld;
  }
  if (!log.has_room(now_)) return Added::Full;
  const Added added = log.add(change, object->type->travel);
  PERIGEE_ASSERT(added == Added::Stored, "the next version, after all others, must be accepted");
  rouse(*object);
  announced_.push_back(change);
  return added;
}

void World::take_announced(std::vector<TimelineChange>& out) {
  out.clear();
  out.swap(announced_);
}

const TimelineLog* World::timeline(Handle object) const {
  const Record* found = record(object);
  return found != nullptr && found->is(EntityKind::Timeline) ? &found->log : nullptr;
}

TimelineChange World::propose_change(Handle object, Tick target, std::uint8_t goal,
                                     std::int32_t announce_ticks) const {
  const TimelineLog* log = timeline(object);
  if (log == nullptr) return {};  // announce refuses this
  Tick effect = effect_tick(now_, target, announce_ticks);
  if (log->size() > 0) effect = later_of(effect, (*log)[log->size() - 1].effect + 1);
  return {.object = object,
          .effect = effect,
          .goal = goal,
          .version = static_cast<std::uint16_t>(log->last_version() + 1)};
}

std::uint64_t World::hash() const {
  StateHash hash;
  hash.add(now_.count);
  const auto add = [&](const Vec3& v) { hash.add(v.x).add(v.y).add(v.z); };
  for (const auto& [id, handle, r] : order_->places()) {
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
