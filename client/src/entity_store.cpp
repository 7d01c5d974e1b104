#include "perigee/client/entity_store.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

constexpr double far_delay_ticks_max = 15;
constexpr double delay_slew = 0.2;          // ticks per tick
constexpr std::size_t settled_samples = 5;  // with fewer, the update interval is unknown
constexpr double doubt_ticks = 600;         // resting entities are refreshed every 480

/// Render delay behind V of an entity with updates each `interval` ticks, so that there are two
/// samples to interpolate between.
double late_ticks_for(double interval, double jitter_ticks) {
  if (interval <= 5) return 0;
  return std::max(0.0, std::min(1.5 * interval + jitter_ticks, far_delay_ticks_max) - 3.6);
}

/// Around its spawn place, for entities that move by announcements.
double radius_of(const world::EntityType& type) {
  if (type.shape == nullptr) return 0;
  const world::Bounds& box = type.shape->bounds();
  const Vec3 far{std::max(-box.low.x, box.high.x), std::max(-box.low.y, box.high.y),
                 std::max(-box.low.z, box.high.z)};
  return length(far) + length(type.travel.slide) + 2 * length(type.travel.hinge);
}

}  // namespace

EntityStore::EntityStore(std::span<const world::EntityType> types) : types_(types) {
  entities_.reserve(entities_max);
  for (const world::EntityType& type : types) radius_m_.push_back(radius_of(type));
}

const ClientEntity* EntityStore::find(Handle handle) const {
  const auto found =
      std::lower_bound(entities_.begin(), entities_.end(), handle,
                       [](const auto& entity, Handle h) { return entity->handle < h; });
  return found == entities_.end() || (*found)->handle != handle ? nullptr : found->get();
}

ClientEntity* EntityStore::find_mutable(Handle handle) {
  return const_cast<ClientEntity*>(find(handle));
}

bool EntityStore::spawn(const SpawnEvent& event, std::uint8_t stream) {
  if (event.type >= types_.size() || event.handle == no_entity) return false;
  ClientEntity* entity = find_mutable(event.handle);
  if (entity == nullptr) {
    if (entities_.size() >= entities_max) return false;
    const auto place = std::lower_bound(entities_.begin(), entities_.end(), event.handle,
                                        [](const auto& e, Handle h) { return e->handle < h; });
    entity = entities_.insert(place, std::make_unique<ClientEntity>())->get();
  } else if (entity->identity == event.identity && entity->respawns == event.respawns &&
             entity->type == event.type && entity->parent == event.parent &&
             goes_by_announcements(*entity)) {
    entity->stream = stream;  // it has another owner; its state stays valid
    entity->doubt_ticks = 0;
    return true;
  }
  *entity = ClientEntity{};
  entity->handle = event.handle;
  entity->identity = event.identity;
  entity->type = event.type;
  entity->respawns = event.respawns;
  entity->stream = stream;
  entity->parent = event.parent;
  entity->spawn_local = event.pose;
  entity->log = world::TimelineLog(event.goal);
  patches_.set(entity->handle, type_of(*entity).shape);
  return true;
}

void EntityStore::forget_patches() {
  patches_.keep([&](Handle handle) { return find(handle) != nullptr; });
}

bool EntityStore::goes_by_announcements(const ClientEntity& entity) const {
  const world::EntityKind kind = type_of(entity).kind;
  return kind == world::EntityKind::Static || kind == world::EntityKind::Timeline;
}

void EntityStore::despawn(Handle handle) {
  std::erase_if(entities_, [&](const auto& entity) { return entity->handle == handle; });
  forget_patches();
}

// Scheduled objects have no records: the worker that replicates the carrier replicates them.
const ClientEntity& EntityStore::sent_with(const ClientEntity& entity) const {
  const ClientEntity* at = &entity;
  for (int depth = 0; depth < tree_depth_max; ++depth) {
    if (type_of(*at).kind != world::EntityKind::Timeline) break;
    const ClientEntity* carrier = find(at->parent);
    if (carrier == nullptr) break;
    at = carrier;
  }
  return *at;
}

void EntityStore::forget_stream(std::uint8_t stream) {
  std::vector<Handle> gone;
  for (const auto& entity : entities_) {
    if (sent_with(*entity).stream == stream) gone.push_back(entity->handle);
  }
  forget_all(gone);
}

void EntityStore::forget_all(std::span<const Handle> ascending) {
  std::erase_if(entities_, [&](const auto& entity) {
    return std::binary_search(ascending.begin(), ascending.end(), entity->handle);
  });
  forget_patches();
}

void EntityStore::doubt(Handle handle, std::uint8_t stream) {
  ClientEntity* entity = find_mutable(handle);
  if (entity == nullptr || &sent_with(*entity) != entity) return;
  if (entity->stream == stream) entity->doubt_ticks = doubt_ticks;
}

void EntityStore::drop_doubtful(double elapsed_ticks) {
  bool any = false;
  for (const auto& entity : entities_) {
    if (entity->doubt_ticks <= 0) continue;
    entity->doubt_ticks -= elapsed_ticks;
    entity->given_up = entity->doubt_ticks <= 0;
    any = any || entity->given_up;
  }
  if (!any) return;
  std::vector<Handle> gone;
  for (const auto& entity : entities_) {
    if (sent_with(*entity).given_up) gone.push_back(entity->handle);
  }
  forget_all(gone);
}

void EntityStore::timeline(const TimelineEvent& event) {
  if (ClientEntity* entity = find_mutable(event.object)) {
    entity->log.add({event.object, event.effect, event.goal, event.version},
                    type_of(*entity).travel);
  }
}

void EntityStore::game_state(const GameStateEvent& event) {
  if (ClientEntity* entity = find_mutable(event.handle)) entity->game = event.game;
}

bool EntityStore::up_to_date(const ObjectVersion& version) const {
  const ClientEntity* entity = find(version.object);
  return entity != nullptr && entity->log.last_version() == version.version;
}

bool EntityStore::record(Tick tick, const GroupFrame& frame, const EntityRecord& record,
                         std::uint8_t stream) {
  ClientEntity* entity = find_mutable(record.handle);
  if (entity == nullptr) return false;
  entity->stream = stream;
  entity->doubt_ticks = 0;
  entity->samples.insert(
      {tick, frame.parent, {origin_of(frame) + record.offset, record.rotation}, record.velocity});
  return true;
}

void EntityStore::parent_motion(Tick tick, const ParentMotion& motion) {
  ClientEntity* entity = find_mutable(motion.handle);
  if (entity == nullptr || (entity->has_motion && !before(entity->motion_tick, tick))) return;
  entity->has_motion = true;
  entity->motion_tick = tick;
  entity->motion.start(motion.motion, type_of(*entity).thrust_limit_m_s2);
}

void EntityStore::own_state(const OwnSection& own, std::uint8_t stream) {
  ClientEntity* entity = find_mutable(own.avatar);
  if (entity == nullptr) return;
  entity->stream = stream;
  entity->doubt_ticks = 0;
  const ActorState& state = own.final_state;
  entity->samples.insert(
      {own.final_tick, own.final_parent, {state.position, {}}, to_double(state.velocity)});
}

void EntityStore::advance(double elapsed_ticks, double jitter_ticks) {
  drop_doubtful(elapsed_ticks);
  for (const auto& entity : entities_) {
    if (entity->samples.empty()) continue;
    const double wanted = late_ticks_for(entity->samples.interval_ticks(), jitter_ticks);
    const double most =
        entity->samples.size() < settled_samples ? far_delay_ticks_max : delay_slew * elapsed_ticks;
    entity->late_ticks += std::clamp(wanted - entity->late_ticks, -most, most);
  }
}

void EntityStore::settle(Tick before) {
  for (const auto& entity : entities_) {
    if (entity->log.size() == 0) continue;
    const Tick finished = before - world::timeline_look_back_ticks;
    entity->log.forget_finished(type_of(*entity).travel, finished);
  }
  patches_.settle(before);
}

}  // namespace perigee::client
