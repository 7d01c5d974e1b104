// The motion of entities: exact for prediction, or a bound for cheap tests.
#include <algorithm>
#include <cstdlib>

#include "perigee/client/entity_store.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

// An entity's possible motion since its stream was heard of: its velocity for this time, plus this
// distance for acceleration and turns.
constexpr double unheard_s_max = 2;
constexpr double unheard_m = 10;
/// More than all errors of rounding of a place in the world.
constexpr double rounding_m = 0.01;

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
  out.actor = type_of(entity).kind == world::EntityKind::Actor;
  const ClientEntity* frame = find(out.frame);
  if (frame != nullptr && type_of(*frame).kind == world::EntityKind::Static) {
    out.position = transform(frame->spawn_local, out.position);
    out.frame = no_entity;
  }
  return out;
}

void EntityStore::note_place(const ClientEntity& entity) {
  rough_[*index_of(entity.handle)] = rough_place(entity);
}

double EntityStore::rough_way_m(const RoughPlace& rough, double seconds_more) const {
  if (rough.motion != RoughPlace::Motion::Track) return 0;
  const Tick heard = later_of(heard_[rough.stream].value_or(rough.tick), rough.tick);
  return rough.moved_m(ticks_between(rough.tick, heard) * seconds_per_tick, seconds_more);
}

bool EntityStore::roughly_beyond(const RoughPlace& rough, const Viewer& from,
                                 double reach_m) const {
  if (rough.motion == RoughPlace::Motion::Unknown) return false;
  const bool same_frame = rough.frame == from.parent;
  if (!same_frame && rough.frame != no_entity) return carried_beyond(rough, from, reach_m);
  const bool on_track = rough.motion == RoughPlace::Motion::Track;
  const double enough_m = reach_m + double{rough.radius_m} +
                          (on_track ? unheard_m + rough_way_m(rough, unheard_s_max) : 0);
  const Vec3 way = rough.position - (same_frame ? from.local : from.world);
  return length_squared(way) > enough_m * enough_m;
}

// Anywhere around its carrier, which may have turned.
bool EntityStore::carried_beyond(const RoughPlace& rough, const Viewer& from,
                                 double reach_m) const {
  const auto index = index_of(rough.frame);
  if (!index) return false;
  const RoughPlace& carrier = rough_[*index];
  if (rough.motion != RoughPlace::Motion::Track || carrier.motion != RoughPlace::Motion::Track ||
      carrier.frame != no_entity) {
    return false;
  }
  const double enough_m = reach_m + double{rough.radius_m} + length(rough.position) +
                          2 * unheard_m + rough_way_m(rough, unheard_s_max) +
                          rough_way_m(carrier, unheard_s_max);
  return length_squared(carrier.position - from.world) > enough_m * enough_m;
}

// The box that contains its shape over a tick contains both of its places, and extends from them by
// its radius at most.
bool EntityStore::tracked_outside(const RoughPlace& rough, const Vec3& place,
                                  const SweptSpace& by) {
  const std::int32_t after = ticks_between(rough.tick, by.at);
  const double after_s = std::max(std::abs(after), std::abs(after + 1)) * seconds_per_tick;
  const double m = double{rough.radius_m} + rough.moved_m(after_s, 0) + rounding_m;
  const auto& [low, high] = by.around;
  return place.x + m < low.x || place.x - m > high.x || place.y + m < low.y ||
         place.y - m > high.y || place.z + m < low.z || place.z - m > high.z;
}

bool EntityStore::latest_beyond(std::size_t index, const Viewer& from, double reach_m) const {
  const RoughPlace& rough = rough_[index];
  if (rough.motion != RoughPlace::Motion::Track) return roughly_beyond(rough, from, reach_m);
  if (rough.frame != from.parent && rough.frame != no_entity) return true;
  const double enough_m = reach_m + rough_way_m(rough, 0) + rounding_m;
  const Vec3& here = rough.frame == from.parent ? from.local : from.world;
  return length_squared(rough.position - here) > enough_m * enough_m;
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
