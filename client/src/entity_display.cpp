// The poses at which entities are rendered.
#include <algorithm>

#include "perigee/client/entity_store.hpp"

namespace perigee::client {
namespace {

constexpr double aboard_m = 1;  // an entity this near to a steered body travels with it

}  // namespace

// Near the eye an object is rendered at the own avatar's tick, far away at V, in between at an
// interpolated tick. A player who walks up to a wheel sees it turn a little faster, but never jump.
double EntityStore::timeline_ticks(const ClientEntity& entity, const ViewPoint& at) const {
  if (at.ahead_ticks <= 0) return at.ticks;
  const Pose frame = drawn_world(entity.parent, at.remote()).value_or(Pose{});
  const double away_m = distance(transform(frame, entity.spawn_local.position), at.eye);
  return at.ticks + at.ahead_ticks * world::present_share(type_of(entity), away_m);
}

double EntityStore::drawn_ticks(const ClientEntity& entity, const ViewPoint& at) const {
  if (type_of(entity).kind == world::EntityKind::Timeline) return timeline_ticks(entity, at);
  const bool steered = at.steered != no_entity && entity.handle == at.steered;
  return steered ? at.ticks + at.ahead_ticks : at.ticks;
}

TrackPlayer::Sample EntityStore::drawn_timeline(const ClientEntity& entity,
                                                const ViewPoint& at) const {
  const world::Travel& travel = type_of(entity).travel;
  const double ticks = timeline_ticks(entity, at);
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

FramedMotion EntityStore::latest(const ClientEntity& entity) const {
  return entity.tracks.newest(heard_of(entity));
}

Vec3 EntityStore::received_velocity(const ClientEntity& entity, const ViewPoint& at) const {
  const FramedMotion newest = latest(entity);
  const ClientEntity* root = find(newest.frame);
  if (root == nullptr || root->tracks.empty()) return newest.velocity;
  const auto frame = drawn_world(root->handle, at.remote());
  const Quat axes = frame ? frame->rotation : Quat{};
  return latest(*root).velocity + rotate(axes, newest.velocity);
}

std::optional<TrackPlayer::Sample> EntityStore::drawn(const ClientEntity& entity,
                                                      const ViewPoint& at) const {
  const world::EntityKind kind = type_of(entity).kind;
  if (kind == world::EntityKind::Static) {
    return TrackPlayer::Sample{entity.parent, entity.spawn_local, {}, false, false};
  }
  if (kind == world::EntityKind::Timeline) return drawn_timeline(entity, at);
  if (at.steered != no_entity && entity.handle == at.steered) {
    return TrackPlayer::Sample{no_entity, at.steered_pose, {}, false, false};
  }
  if (entity.tracks.empty()) return std::nullopt;
  auto sample =
      entity.tracks.drawn(at.origin, at.ticks, ticks_between(at.origin, heard_of(entity)));
  if (at.steered != no_entity) carry(entity, sample, at);
  return sample;
}

// Cargo on the steered body is rendered at its place on the body at V.
void EntityStore::carry(const ClientEntity& entity, TrackPlayer::Sample& cargo,
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
