#include "perigee/client/entity_store.hpp"

#include <algorithm>

#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

constexpr int tree_depth_max = 4;  // deeper trees and cycles are cut (K19)
// A remote entity is extrapolated beyond its newest sample at most this long, or two intervals.
constexpr double extrapolate_ticks_min = 15;
constexpr double far_delay_ticks_max = 15;
constexpr double delay_slew = 0.2;          // ticks per tick
constexpr std::size_t settled_samples = 5;  // with fewer, the update interval is unknown
// An entity's possible motion since its newest sample: its velocity for this time, plus this
// distance for acceleration and turns.
constexpr double unheard_s_max = 2;
constexpr double unheard_m = 10;
constexpr double doubt_ticks = 600;  // resting entities are refreshed every 480
constexpr double aboard_m = 1;       // an entity this near to a steered body travels with it

/// Render delay behind V of an entity with updates each `interval` ticks, so that there are two
/// samples to interpolate between. (K6, V5)
double late_ticks_for(double interval, double jitter_ticks) {
  if (interval <= 5) return 0;
  return std::max(0.0, std::min(1.5 * interval + jitter_ticks, far_delay_ticks_max) - 3.6);
}

/// Distance that it may have moved since that sample.
double since_heard_m(const Snapshot& newest) {
  return unheard_m + unheard_s_max * length(newest.velocity);
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
  } else if (entity->identity == event.identity && entity->life == event.life &&
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
  entity->life = event.life;
  entity->stream = stream;
  entity->parent = event.parent;
  entity->spawn_local = event.pose;
  entity->log = world::TimelineLog(event.goal);
  add_patch(*entity);
  return true;
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
const ClientEntity& EntityStore::told_with(const ClientEntity& entity) const {
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
    if (told_with(*entity).stream == stream) gone.push_back(entity->handle);
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
  if (entity == nullptr || &told_with(*entity) != entity) return;
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
    if (told_with(*entity).given_up) gone.push_back(entity->handle);
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

world::GravityBox EntityStore::gravity_in(Handle parent) const {
  const ClientEntity* frame = find(parent);
  return frame != nullptr ? type_of(*frame).gravity : world::GravityBox{};
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

std::optional<Motion> EntityStore::motion_at(Handle handle, Tick tick) const {
  return motion_of(handle, tick, 0);
}

std::optional<Motion> EntityStore::motion_of(Handle handle, Tick tick, int depth) const {
  if (handle == no_entity) return Motion{};
  const ClientEntity* entity = find(handle);
  if (entity == nullptr || depth > tree_depth_max) return std::nullopt;
  const world::EntityType& type = type_of(*entity);
  switch (type.kind) {
    case world::EntityKind::Static: {
      Motion rest;
      rest.pose = entity->spawn_local;
      return rest;
    }
    case world::EntityKind::Body:
      if (!entity->has_motion) return std::nullopt;
      return entity->motion.after(ticks_between(entity->motion_tick, tick));
    case world::EntityKind::Timeline: {
      const auto parent = motion_of(entity->parent, tick, depth + 1);
      if (!parent) return std::nullopt;
      return world::moved_with(
          *parent, world::timeline_motion(type.travel, entity->spawn_local, entity->log, tick));
    }
    case world::EntityKind::Actor:
      return std::nullopt;
  }
  return std::nullopt;
}

bool EntityStore::stands_fast(Handle parent) const {
  if (parent == no_entity) return true;
  const ClientEntity* entity = find(parent);
  return entity != nullptr && type_of(*entity).kind == world::EntityKind::Static;
}

bool EntityStore::surely_beyond(const ClientEntity& entity, const Viewer& from,
                                double reach_m) const {
  const double enough_m = reach_m + radius_m_[entity.type];
  const auto farther = [](const Vec3& a, const Vec3& b, double meters) {
    return length_squared(a - b) > meters * meters;
  };
  const world::EntityKind kind = type_of(entity).kind;
  if (is_fixture(kind)) {
    if (entity.parent == from.parent) {
      return farther(entity.spawn_local.position, from.local, enough_m);
    }
    if (!stands_fast(entity.parent)) return false;
    const Vec3& at = entity.spawn_local.position;
    const ClientEntity* parent = find(entity.parent);
    return farther(parent == nullptr ? at : transform(parent->spawn_local, at), from.world,
                   enough_m);
  }
  if (entity.has_motion || entity.samples.empty()) return false;
  const Snapshot& newest = entity.samples.newest();
  double enough_now_m = enough_m + since_heard_m(newest);
  if (newest.frame == from.parent) {
    return farther(newest.pose.position, from.local, enough_now_m);
  }
  if (newest.frame == no_entity) return farther(newest.pose.position, from.world, enough_now_m);
  // Anywhere around its carrier, which may have turned.
  const ClientEntity* root = find(newest.frame);
  if (root == nullptr || root->samples.empty()) return false;
  const Snapshot& carrier = root->samples.newest();
  enough_now_m += since_heard_m(carrier) + length(newest.pose.position);
  return carrier.frame == no_entity && farther(carrier.pose.position, from.world, enough_now_m);
}

std::optional<Pose> EntityStore::expected_at(const ClientEntity& entity, Tick tick) const {
  if (entity.samples.empty()) return std::nullopt;
  const Snapshot& newest = entity.samples.newest();
  const double ahead = ticks_between(newest.tick, tick);
  const auto frame = motion_at(newest.frame, tick);
  if (!frame || ahead > extrapolate_ticks_min) return std::nullopt;
  const auto carried = entity.samples.sample(newest.tick, ahead, extrapolate_ticks_min);
  return frame->pose * carried.pose;
}

// Near the eye at the own avatar's tick, far away at V, in between interpolated: a player who walks
// up to a wheel sees it turn a little faster, but never jump.
SnapshotRing::Sample EntityStore::drawn_timeline(const ClientEntity& entity,
                                                 const ViewPoint& at) const {
  const world::Travel& travel = type_of(entity).travel;
  double ticks = at.ticks;
  if (at.ahead_ticks > 0) {
    const Pose frame = drawn_world(entity.parent, at.remote()).value_or(Pose{});
    const double away_m = distance(transform(frame, entity.spawn_local.position), at.eye);
    ticks += at.ahead_ticks * world::present_share(type_of(entity), away_m);
  }
  const auto whole = static_cast<std::int32_t>(ticks);
  const double part = ticks - whole;
  const auto pose_at = [&](std::int32_t after) {
    return world::timeline_pose(travel, entity.spawn_local, entity.log, at.origin + after);
  };
  const Pose a = pose_at(whole);
  const Pose b = pose_at(whole + 1);
  return {entity.parent,
          {lerp(a.position, b.position, part), slerp(a.rotation, b.rotation, part)},
          (b.position - a.position) / seconds_per_tick,
          false,
          false};
}

Vec3 EntityStore::heard_velocity(const ClientEntity& entity, const ViewPoint& at) const {
  const Snapshot& newest = entity.samples.newest();
  const ClientEntity* root = find(newest.frame);
  if (root == nullptr || root->samples.empty()) return newest.velocity;
  const auto frame = drawn_world(root->handle, at.remote());
  const Quat axes = frame ? frame->rotation : Quat{};
  return root->samples.newest().velocity + rotate(axes, newest.velocity);
}

std::optional<SnapshotRing::Sample> EntityStore::drawn(const ClientEntity& entity,
                                                       const ViewPoint& at) const {
  const world::EntityKind kind = type_of(entity).kind;
  if (kind == world::EntityKind::Static) {
    return SnapshotRing::Sample{entity.parent, entity.spawn_local, {}, false, false};
  }
  if (kind == world::EntityKind::Timeline) return drawn_timeline(entity, at);
  if (at.steered != no_entity && entity.handle == at.steered) {
    return SnapshotRing::Sample{no_entity, at.steered_pose, {}, false, false};
  }
  if (entity.samples.empty()) return std::nullopt;
  const double ahead_max = std::max(extrapolate_ticks_min, 2 * entity.samples.interval_ticks());
  auto sample = entity.samples.drawn(at.origin, at.ticks - entity.late_ticks, ahead_max);
  if (at.steered != no_entity) carry(entity, sample, at);
  return sample;
}

// Cargo on the steered body is rendered at its place on the body at V.
void EntityStore::carry(const ClientEntity& entity, SnapshotRing::Sample& cargo,
                        const ViewPoint& at) const {
  const ClientEntity* body = find(at.steered);
  const auto hull = drawn_world(at.steered, at.remote());
  if (body == nullptr || !hull || cargo.frame != no_entity) return;
  if (type_of(entity).mass_kg > type_of(*body).mass_kg) return;  // the heavier one carries
  const Pose aboard = relative(*hull, cargo.pose);
  const world::Bounds inside = world::inflated(type_of(*body).shape->bounds(), aboard_m);
  if (inside.contains(aboard.position)) cargo.pose = at.steered_pose * aboard;
}

std::optional<Pose> EntityStore::drawn_pose(Handle handle, const ViewPoint& at, int depth) const {
  if (handle == no_entity) return Pose{};
  const ClientEntity* entity = find(handle);
  if (entity == nullptr || depth > tree_depth_max) return std::nullopt;
  const auto sample = drawn(*entity, at);
  if (!sample) return std::nullopt;
  const auto frame = drawn_pose(sample->frame, at, depth + 1);
  if (!frame) return std::nullopt;
  return *frame * sample->pose;
}

std::optional<Pose> EntityStore::drawn_world(Handle handle, const ViewPoint& at) const {
  return drawn_pose(handle, at, 0);
}

}  // namespace perigee::client
