#include "perigee/bots/senses.hpp"

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double door_seen_m = 35;
constexpr double lift_seen_m = 40;
constexpr double ship_seen_m = 900;
constexpr double queue_m = 5;  // in front of a door, the nearest goes first

/// A door slides sideways: an object that sinks, turns or rises is not one to walk through.
bool is_door(const world::EntityType& type) {
  const world::Travel& way = type.travel;
  return type.kind == world::EntityKind::Timeline && way.turn_rad == 0 && way.slide.y == 0;
}
/// A lift carries players: upwards, or endlessly.
bool is_lift(const world::EntityType& type) {
  return type.kind == world::EntityKind::Timeline &&
         (type.travel.slide.y > 0 || type.travel.endless);
}

}  // namespace

bool Senses::is_ship(const client::ClientEntity& entity) const {
  const world::EntityType& type = entities_.type_of(entity);
  return type.kind == world::EntityKind::Body && type.parent_eligible;
}

bool Senses::aboard() const {
  const client::ClientEntity* parent = entities_.find(own_.parent);
  return parent != nullptr && is_ship(*parent);
}

// Near ships have full motion, farther ones tracks.
std::optional<Motion> Senses::ship_motion(Handle handle) const {
  const client::ClientEntity* entity = entities_.find(handle);
  if (entity == nullptr) return std::nullopt;
  return motion_of(*entity);
}

std::optional<Motion> Senses::motion_of(const client::ClientEntity& entity) const {
  const auto heard = entities_.parent_motions().heard_of(entity.handle);
  if (heard && ticks_between(*heard, now_) < 60) {
    return entities_.motion_at(entity.handle, now_);
  }
  if (entity.tracks.empty()) return std::nullopt;
  const FramedMotion newest = entities_.latest(entity);
  Motion motion;
  motion.pose = newest.pose;
  motion.velocity = newest.velocity;
  motion.pose.position += motion.velocity * (ticks_between(newest.tick, now_) * seconds_per_tick);
  return motion;
}

void Senses::look(Tick now, const Own& own) {
  const Handle before = own_.parent;
  now_ = now;
  own_ = own;
  parent_motion_ = entities_.motion_at(own_.parent, now).value_or(Motion{});
  world_ = transform(parent_motion_.pose, own_.state.position);
  boarded_ = before != own_.parent && aboard();
  if (!started_) {
    started_ = true;
    home_ = own_.parent;
    home_local_ = own_.state.position;
  }
  const bool changed = landmarks_of_ != entities_.changes();
  if (changed) find_landmarks();
  const std::int32_t ago = ticks_between(surveyed_, now);
  if (changed || before != own_.parent || ago < 0 || ago >= survey_ticks) survey();
}

void Senses::survey() {
  surveyed_ = now_;
  doors_.clear();
  lifts_.clear();
  ship_ = no_entity;
  double ship_m = ship_seen_m;
  for (const client::ClientEntity* entity : landmarks_) look_at(*entity, ship_m);
}

// Which entities are doors, lifts or ships follows from their types.
void Senses::find_landmarks() {
  landmarks_of_ = entities_.changes();
  landmarks_.clear();
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (is_door(type) || is_lift(type) || is_ship(*entity)) landmarks_.push_back(entity.get());
  }
}

void Senses::look_at(const client::ClientEntity& entity, double& ship_m) {
  const world::EntityType& type = entities_.type_of(entity);
  if (is_door(type) && entity.parent == own_.parent) {
    const double m = distance(entity.spawn_local.position, own_.state.position);
    if (m < door_seen_m) doors_.push_back(entity.handle);
  } else if (is_lift(type) && entity.parent == own_.parent) {
    const double m = distance(entity.spawn_local.position, own_.state.position);
    if (m < lift_seen_m) lifts_.push_back(entity.handle);
  } else if (is_ship(entity) && entity.handle != own_.parent &&
             type.inertia == world::Inertia::None) {  // not onto a carousel
    const auto motion = motion_of(entity);
    if (!motion) return;
    const Vec3 to_ship = motion->pose.position - world_;
    const bool coming = dot(to_ship, motion->velocity) < 0;
    if (length(to_ship) < ship_m && coming) {
      ship_m = length(to_ship);
      ship_ = entity.handle;
    }
  }
}

/// Visits at least those within `reach_m` of that place in the parent's frame.
template <class Visit>
void Senses::for_each_body(const Vec3& place, double reach_m, Visit visit) const {
  const client::EntityStore::Viewer viewer{own_.parent, place,
                                           transform(parent_motion_.pose, place)};
  const auto all = entities_.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (entities_.latest_beyond(i, viewer, reach_m)) continue;
    const auto& entity = all[i];
    if (entity->tracks.empty() || is_ship(*entity) || entity->handle == own_.avatar) continue;
    const Handle frame = entity->tracks.frame();
    if (frame == own_.parent) {
      visit(entities_.latest_place(*entity).position);
    } else if (frame == no_entity) {
      visit(inverse_transform(parent_motion_.pose, entities_.latest_place(*entity).position));
    }
  }
}

bool Senses::somebody_nearer(const Vec3& place) const {
  const double own = distance(place, own_.state.position);
  bool nearer = false;
  for_each_body(place, queue_m, [&](const Vec3& other) {
    const double theirs = distance(place, other);
    nearer |= own < queue_m && theirs < queue_m && theirs < own;
  });
  return nearer;
}

bool Senses::somebody_ahead(double heading_rad) const {
  const SinCos heading = sin_cos(heading_rad);
  const Vec3 ahead{heading.sin, 0, heading.cos};
  bool found = false;
  for_each_body(own_.state.position, elbow_room_m, [&](const Vec3& other) {
    const Vec3 way = other - own_.state.position;
    found |= length(way) < elbow_room_m && dot(way, ahead) > 0;
  });
  return found;
}

}  // namespace perigee::bots
