#include "perigee/client/entity_store.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace perigee::client {
namespace {

/// The worker that has it sends its track again within the longest period.
constexpr double doubt_ticks = 600;

/// Duration of the blend to a new track, by its class. Far entities are looked at seldom, so their
/// tracks are farther apart.
constexpr std::array<double, precisions> blend_ticks{4, 4, 8, 12};

double seen_after(const ViewPoint& seen, Tick tick) {
  return seen.ticks - ticks_between(seen.origin, tick);
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
  handles_.reserve(entities_max);
  rough_.reserve(entities_max);
  retired_.reserve(retired_max);
  early_states_.reserve(early_states_max);
  for (const world::EntityType& type : types) radius_m_.push_back(radius_of(type));
}

std::optional<std::size_t> EntityStore::index_of(Handle handle) const {
  const auto found = std::lower_bound(handles_.begin(), handles_.end(), handle);
  if (found == handles_.end() || *found != handle) return std::nullopt;
  return static_cast<std::size_t>(found - handles_.begin());
}

const ClientEntity* EntityStore::find(Handle handle) const {
  const auto index = index_of(handle);
  return index ? entities_[*index].get() : nullptr;
}

void EntityStore::note_handles() {
  handles_.clear();
  for (const auto& entity : entities_) handles_.push_back(entity->handle);
  rough_.resize(entities_.size());
  note_places();
  ++changes_;
}

void EntityStore::note_places() {
  for (std::size_t i = 0; i < entities_.size(); ++i) rough_[i] = rough_place(*entities_[i]);
}

ClientEntity* EntityStore::find_mutable(Handle handle) {
  return const_cast<ClientEntity*>(find(handle));
}

bool EntityStore::spawn(const SpawnEvent& event, StreamId stream) {
  if (event.type >= types_.size() || event.handle == no_entity) return false;
  ClientEntity* entity = find_mutable(event.handle);
  const bool replaced = entity != nullptr;
  if (!replaced) {
    if (entities_.size() >= entities_max) return false;
    const auto place = std::lower_bound(handles_.begin(), handles_.end(), event.handle);
    const auto index = place - handles_.begin();
    handles_.insert(place, event.handle);
    rough_.emplace(rough_.begin() + index);
    entity = entities_.insert(entities_.begin() + index, std::make_unique<ClientEntity>())->get();
  } else if (entity->identity == event.identity && entity->respawns == event.respawns &&
             entity->type == event.type &&
             (entity->parent == event.parent || !goes_by_announcements(*entity))) {
    entity->stream = stream;  // it may have another owner; its state stays valid
    entity->doubt_ticks = 0;
    // A successor may not know the last changes of a worker that died: its state follows, and
    // counts.
    entity->game.clear();
    entity->game_version.reset();
    note_place(*entity);
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
  take_back_track(*entity);
  take_early_state(*entity);
  note_place(*entity);
  if (replaced || type_of(*entity).kind == world::EntityKind::Static) note_places();
  ++changes_;
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

void EntityStore::retire(const ClientEntity& entity) {
  if (entity.tracks.empty()) return;
  const Retired one{entity.handle,        entity.identity, entity.respawns,
                    entity.tracks.last(), entity.bases,    heard_of(entity)};
  if (retired_.size() < retired_max) {
    retired_.push_back(one);
  } else {
    retired_[next_retired_++ % retired_max] = one;
  }
}

void EntityStore::take_back_track(ClientEntity& entity) const {
  constexpr double never_seen = -1e9;
  constexpr std::int32_t useful_ticks = 180;  // later, it has left its track
  for (const Retired& one : retired_) {
    const bool same = one.handle == entity.handle && one.identity == entity.identity &&
                      one.respawns == entity.respawns;
    if (!same) continue;
    const std::int32_t ago = ticks_between(one.at, heard_[entity.stream].value_or(one.at));
    if (ago > useful_ticks) continue;
    entity.tracks.insert(one.track, never_seen);
    entity.bases = one.bases;
  }
}

void EntityStore::despawn(Handle handle) {
  if (const ClientEntity* entity = find(handle)) retire(*entity);
  std::erase_if(entities_, [&](const auto& entity) { return entity->handle == handle; });
  note_handles();
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

void EntityStore::forget_stream(StreamId stream) {
  std::vector<Handle> gone;
  for (const auto& entity : entities_) {
    if (sent_with(*entity).stream == stream) gone.push_back(entity->handle);
    entity->bases.forget_stream(stream);
  }
  heard_[stream].reset();
  forget_all(gone);
}

void EntityStore::forget_all(std::span<const Handle> ascending) {
  std::erase_if(entities_, [&](const auto& entity) {
    return std::binary_search(ascending.begin(), ascending.end(), entity->handle);
  });
  note_handles();
  forget_patches();
}

void EntityStore::doubt(Handle handle, StreamId stream) {
  ClientEntity* entity = find_mutable(handle);
  if (entity == nullptr || &sent_with(*entity) != entity) return;
  if (entity->stream != stream) return;
  entity->doubt_ticks = doubt_ticks;
  any_doubt_ = true;
}

void EntityStore::drop_doubtful(double elapsed_ticks) {
  if (!std::exchange(any_doubt_, false)) return;
  bool any = false;
  for (const auto& entity : entities_) {
    if (entity->doubt_ticks <= 0) continue;
    entity->doubt_ticks -= elapsed_ticks;
    entity->given_up = entity->doubt_ticks <= 0;
    any_doubt_ = any_doubt_ || !entity->given_up;
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
  ClientEntity* entity = find_mutable(event.object);
  if (entity != nullptr && is_fixture(type_of(*entity).kind)) {
    entity->log.add({event.object, event.effect, event.goal, event.version},
                    type_of(*entity).travel);
  }
}

// An entity has migrated while its spawn was on its way: the new owner's event was faster.
void EntityStore::game_state(const GameStateEvent& event) {
  ClientEntity* entity = find_mutable(event.handle);
  if (entity == nullptr) {
    if (early_states_.size() == early_states_max) early_states_.erase(early_states_.begin());
    early_states_.push_back(event);
    return;
  }
  const auto& known = entity->game_version;
  if (known && static_cast<std::int32_t>(event.version - *known) <= 0) return;
  entity->game = event.game;
  entity->game_version = event.version;
}

void EntityStore::take_early_state(ClientEntity& entity) {
  for (const GameStateEvent& event : early_states_) {
    if (event.handle == entity.handle) game_state(event);
  }
  std::erase_if(early_states_,
                [&](const GameStateEvent& event) { return event.handle == entity.handle; });
}

// After a migration of the avatar the former owner's events may arrive last. After the death of a
// worker its successor may have an older version, and goes on from there.
void EntityStore::world_state(const WorldStateEvent& event, bool from_owner) {
  const bool newer = world_state_ && world_state_->identity == event.identity &&
                     static_cast<std::int32_t>(event.version - world_state_->version) > 0;
  if (!world_state_ || from_owner || newer) world_state_ = event;
}

void EntityStore::player_name(const PlayerNameEvent& event) {
  if (ClientEntity* entity = find_mutable(event.actor)) entity->name = event.name;
}

bool EntityStore::up_to_date(const ObjectVersion& version) const {
  const ClientEntity* entity = find(version.object);
  return entity != nullptr && entity->log.last_version() == version.version;
}

bool EntityStore::is_superseded(Handle handle, StreamId stream, Tick made) const {
  const ClientEntity* entity = find(handle);
  return entity != nullptr && entity->stream != stream && entity->owner_tick &&
         before(made, *entity->owner_tick);
}

void EntityStore::note_owner(Handle handle, StreamId stream, Tick at) {
  if (ClientEntity* entity = find_mutable(handle)) note_owner(*entity, stream, at);
}

bool EntityStore::note_owner(ClientEntity& entity, StreamId stream, Tick at) {
  entity.doubt_ticks = 0;
  if (entity.owner_tick && before(at, *entity.owner_tick)) return false;
  entity.owner_tick = at;
  return std::exchange(entity.stream, stream) != stream;
}

bool EntityStore::record(const GroupFrame& frame, const TrackRecord& received, StreamId stream,
                         const ViewPoint& seen) {
  ClientEntity* entity = find_mutable(received.handle);
  if (entity == nullptr) return false;
  TrackRecord record = received;
  const double damping_per_s = type_of(*entity).spin_damping_per_s;
  if (!entity->bases.complete(record, frame, stream, damping_per_s)) return false;
  const bool other_stream = note_owner(*entity, stream, received.sent);
  if (record.heading_only) {
    if (other_stream) note_place(*entity);
    entity->tracks.turn(record.track.tick, record.sent, record.track.rotation,
                        seen_after(seen, record.track.tick));
    return !entity->tracks.empty();
  }
  TrackPlayer::NewTrack added{record.track, frame.parent, record.sent, bound_m(frame.precision),
                              blend_ticks[static_cast<std::size_t>(frame.precision)]};
  added.track.position += origin_of(frame);
  added.track.spin_damping_per_s = damping_per_s;
  const TrackOffer offer = entity->tracks.insert(added, seen_after(seen, record.track.tick));
  note_place(*entity);
  if (offer == TrackOffer::Duplicate && record.track.turn == TrackTurn::Yaw) {  // sent again
    entity->tracks.turn(record.sent, record.sent, record.track.rotation,
                        seen_after(seen, record.sent));
  }
  return true;
}

void EntityStore::heard(StreamId stream, Tick tick) {
  heard_[stream] = later_of(heard_[stream].value_or(tick), tick);
}

Tick EntityStore::heard_of(const ClientEntity& entity) const {
  const Tick newest = entity.tracks.newest_tick();
  return later_of(heard_[entity.stream].value_or(newest), newest);
}

void EntityStore::own_state(const OwnSection& own, StreamId stream, Tick at,
                            const ViewPoint& seen) {
  ClientEntity* entity = find_mutable(own.avatar);
  if (entity == nullptr) return;
  note_owner(*entity, stream, at);
  const ActorState& state = own.final_state;
  const Track track{.tick = own.final_tick,
                    .curve = TrackCurve::Straight,
                    .position = state.position,
                    .velocity = to_double(state.velocity)};
  entity->tracks.insert(
      {track, own.final_parent, track.tick, bound_m(Precision::Finest), blend_ticks[0]},
      seen_after(seen, track.tick));
  note_place(*entity);
}

void EntityStore::settle(Tick before) {
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const auto& entity = entities_[i];
    if (rough_[i].motion != RoughPlace::Motion::None || entity->log.size() == 0) continue;
    const Tick finished = before - world::timeline_look_back_ticks;
    entity->log.forget_finished(type_of(*entity).travel, finished);
  }
  patches_.settle(before);
}

}  // namespace perigee::client
