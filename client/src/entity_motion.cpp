// The motion of entities: exact for prediction, or a bound for cheap tests.
#include <algorithm>

#include "perigee/client/entity_store.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

// An entity's possible motion since its stream was heard of: its velocity for this time, plus this
// distance for acceleration and turns.
constexpr double unheard_s_max = 2;
constexpr double unheard_m = 10;

/// Distance that it may have moved since then.
double since_received_m(const TrackPlace& newest) {
  return unheard_m + unheard_s_max * length(newest.velocity);
}

}  // namespace

world::GravityBox EntityStore::gravity_in(Handle parent) const {
  const ClientEntity* frame = find(parent);
  return frame != nullptr ? type_of(*frame).gravity : world::GravityBox{};
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
      return parent_motions_.motion_at(handle, tick, type.thrust_limit_m_s2);
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

RoughPlace EntityStore::rough_place(const ClientEntity& entity) const {
  const double radius_m = radius_m_[entity.type];
  if (is_fixture(type_of(entity).kind)) {
    return RoughPlace::resting(entity.parent, entity.spawn_local.position, radius_m);
  }
  if (entity.tracks.empty()) return {};
  RoughPlace out = RoughPlace::on_track(entity.tracks.frame(), entity.tracks.newest_track(),
                                        radius_m, entity.stream);
  out.body = type_of(entity).kind == world::EntityKind::Body;
  return out;
}

void EntityStore::note_place(const ClientEntity& entity) {
  const auto at = std::lower_bound(handles_.begin(), handles_.end(), entity.handle);
  rough_[static_cast<std::size_t>(at - handles_.begin())] = rough_place(entity);
}

bool EntityStore::roughly_beyond(const RoughPlace& rough, const Viewer& from,
                                 double reach_m) const {
  const bool same_frame = rough.frame == from.parent;
  if (rough.motion == RoughPlace::Motion::Unknown || (!same_frame && rough.frame != no_entity)) {
    return false;
  }
  double enough_m = reach_m + double{rough.radius_m};
  if (rough.motion == RoughPlace::Motion::Track) {
    const Tick heard = later_of(heard_[rough.stream].value_or(rough.tick), rough.tick);
    const double after_s = ticks_between(rough.tick, heard) * seconds_per_tick;
    enough_m += unheard_m + rough.moved_m(after_s, unheard_s_max);
  }
  const Vec3 way = rough.position - (same_frame ? from.local : from.world);
  return length_squared(way) > enough_m * enough_m;
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
    const Vec3& at = entity.spawn_local.position;
    if (entity.parent == no_entity) return farther(at, from.world, enough_m);
    const ClientEntity* parent = find(entity.parent);
    if (parent == nullptr || type_of(*parent).kind != world::EntityKind::Static) return false;
    return farther(transform(parent->spawn_local, at), from.world, enough_m);
  }
  if (entity.tracks.empty() || parent_motions_.tick_of(entity.handle)) return false;
  const TrackPlace newest = latest_place(entity);
  const Handle frame = entity.tracks.frame();
  double enough_now_m = enough_m + since_received_m(newest);
  if (frame == from.parent) return farther(newest.position, from.local, enough_now_m);
  if (frame == no_entity) return farther(newest.position, from.world, enough_now_m);
  // Anywhere around its carrier, which may have turned.
  const ClientEntity* root = find(frame);
  if (root == nullptr || root->tracks.empty()) return false;
  const TrackPlace carrier = latest_place(*root);
  enough_now_m += since_received_m(carrier) + length(newest.position);
  return root->tracks.frame() == no_entity && farther(carrier.position, from.world, enough_now_m);
}

std::optional<Pose> EntityStore::expected_at(const ClientEntity& entity, Tick tick) const {
  if (entity.tracks.empty()) return std::nullopt;
  const auto frame = motion_at(entity.tracks.frame(), tick);
  const std::int32_t ahead = ticks_between(heard_of(entity), tick);
  if (!frame || ahead > TrackPlayer::ahead_ticks_max) return std::nullopt;
  return frame->pose * entity.tracks.newest(tick).pose;
}

}  // namespace perigee::client
