// Surroundings of the predicted avatar: gathered when a tick is predicted, refreshed when it is
// replayed.
#include <algorithm>

#include "perigee/client/prediction.hpp"
#include "perigee/world/aboard.hpp"

namespace perigee::client {
namespace {

/// A body with samples only is extrapolated for at most 250 ms.
constexpr double drift_ticks_max = 15;
/// Limit of a path's deviation from the line between its ends.
constexpr double detour_m = 10;

bool within(const world::Bounds& around, const world::Shape& shape, const Pose& previous,
            const Pose& pose) {
  return world::overlap(world::united(world::transformed(previous, shape.bounds()),
                                      world::transformed(pose, shape.bounds())),
                        around);
}

}  // namespace

// Fills in everything that the record needs besides input and state: the parent's motion over its
// tick, as known now, and the surroundings. False if a parent's motion is not known.
bool Prediction::fill(world::StepRecord& record, Handle from) const {
  const Handle to = parent_at(record.tick);
  const Tick now = worker_tick(record.tick);
  const auto start = entities_.motion_at(to, now);
  const auto end = entities_.motion_at(to, now + 1);
  if (!start || !end) return false;
  record.switched_from.reset();
  if (from != to) {
    const auto old = entities_.motion_at(from, now);
    if (!old) return false;
    record.switched_from = *old;
  }
  record.helm = helm_change_at(record.tick);
  record.parent = to;
  record.parent_motion = *start;
  const ClientEntity* parent = entities_.find(to);
  if (parent == nullptr) {
    record.frame = world::frame_motion(*start, *end, world::Inertia::None, {});
    return true;
  }
  const world::EntityType& type = entities_.type_of(*parent);
  record.seat = type.helm.seat;
  const ClientEntity* carrier = entities_.find(parent->parent);
  const auto frame = world::frame_felt(
      type, *start, *end, carrier != nullptr ? &entities_.type_of(*carrier) : nullptr,
      [&](int ahead) { return entities_.motion_at(parent->parent, now + ahead); });
  if (!frame) return false;
  record.frame = *frame;
  return true;
}

bool Prediction::drawn_only(const world::EntityType& type) const {
  return !techniques_.relative_prediction && type.kind == world::EntityKind::Body;
}

// Doors of the own parent, not via world poses: client and server get the same bits from tick and
// log alone.
Prediction::Ends Prediction::door_ends(const ClientEntity& entity, Tick now) const {
  const auto at = [&](Tick tick) {
    return world::timeline_pose(entities_.type_of(entity).travel, entity.spawn_local, entity.log,
                                tick);
  };
  return {at(now), at(now + 1)};
}

bool Prediction::is_own_door(const ClientEntity& entity, const world::StepRecord& record) const {
  return entities_.type_of(entity).kind == world::EntityKind::Timeline &&
         entity.parent == record.parent;
}

std::optional<Prediction::Ends> Prediction::known_ends(
    const ClientEntity& entity, const world::StepRecord& record,
    const std::optional<Motion>& parent_end) const {
  const Tick now = worker_tick(record.tick);
  if (is_own_door(entity, record)) return door_ends(entity, now);
  if (!parent_end) return std::nullopt;
  const auto start = entities_.motion_at(entity.handle, now);
  const auto end = entities_.motion_at(entity.handle, now + 1);
  if (!start || !end) return std::nullopt;
  return Ends{relative(record.parent_motion.pose, start->pose),
              relative(parent_end->pose, end->pose)};
}

void Prediction::gather(world::StepRecord& record, const ActorState& local,
                        const ViewPoint& view) const {
  record.neighbours.clear();
  const Tick now = worker_tick(record.tick);
  const world::Bounds around = world::reach_of(*params_, local);
  const auto parent_end = entities_.motion_at(record.parent, now + 1);
  const Pose& before_pose = record.parent_motion.pose;
  const Pose after_pose = parent_end ? parent_end->pose : before_pose;
  const auto parent_drawn = entities_.drawn_world(record.parent, view.remote());
  const Vec3 middle = around.center();
  const EntityStore::Viewer viewer{record.parent, middle, transform(before_pose, middle)};
  const double reach_m = length(around.size()) / 2;
  for (const auto& entity : entities_.all()) {
    if (entities_.surely_beyond(*entity, viewer, reach_m)) continue;
    const world::EntityType& type = entities_.type_of(*entity);
    if (entity->handle == avatar_ || type.shape == nullptr) continue;
    Pose previous;
    Pose pose;
    if (entity->handle == record.parent) {
      previous = pose = Pose{};
    } else if (drawn_only(type)) {
      // In the world's frame ships are at their rendered places, one view delay behind (K33).
      ViewPoint later = view.remote();
      later.ticks += 1;
      const auto start = entities_.drawn_world(entity->handle, view.remote());
      const auto end = entities_.drawn_world(entity->handle, later);
      if (!start || !end) continue;
      previous = relative(before_pose, *start);
      pose = relative(after_pose, *end);
    } else if (const auto known = known_ends(*entity, record, parent_end)) {
      previous = known->previous;
      pose = known->pose;
    } else if (type.kind == world::EntityKind::Actor) {
      // Actors keep moving: their extrapolated place is a better guess than the rendered one.
      const auto start_pose = entities_.expected_at(*entity, now);
      const auto end_pose = entities_.expected_at(*entity, now + 1);
      if (!start_pose || !end_pose) continue;
      previous = relative(before_pose, *start_pose);
      pose = relative(after_pose, *end_pose);
    } else if (parent_drawn) {
      // With samples only: the rendered place relative to the rendered parent (K40), extrapolated
      // by the velocity relative to the parent, so that a pushed crate keeps moving.
      const auto drawn = entities_.drawn_world(entity->handle, view.remote());
      if (!drawn || entity->samples.empty()) continue;
      const Pose seen = relative(*parent_drawn, *drawn);
      const Vec3 drift =
          rotate_back(before_pose.rotation,
                      entities_.heard_velocity(*entity, view) -
                          velocity_at(record.parent_motion, transform(before_pose, seen.position)));
      const double ahead =
          std::clamp(ticks_between(view.origin, now) - view.ticks, 0.0, drift_ticks_max);
      previous = pose = seen;
      previous.position += drift * (ahead * seconds_per_tick);
      pose.position += drift * ((ahead + 1) * seconds_per_tick);
    } else {
      continue;
    }
    if (!within(around, *type.shape, previous, pose)) continue;
    const auto kind = type.kind == world::EntityKind::Actor ? world::NeighbourKind::Actor
                                                            : world::NeighbourKind::Solid;
    world::insert_by_id(record.neighbours,
                        world::make_neighbour(entity->handle, kind, *type.shape, previous, pose));
  }
}

// In the world's frame: gravity of the smallest field rendered around the avatar.
void Prediction::feel_gravity(world::StepRecord& record, const ActorState& local,
                              const ViewPoint& view) const {
  if (techniques_.relative_prediction || record.parent != no_entity) return;
  double smallest_m3 = 0;
  for (const auto& entity : entities_.all()) {
    const world::GravityBox& gravity = entities_.type_of(*entity).gravity;
    const Vec3 size = gravity.inside.size();
    if (size.x <= 0) continue;
    const auto drawn = entities_.drawn_world(entity->handle, view.remote());
    if (!drawn || !gravity.inside.contains(inverse_transform(*drawn, local.position))) continue;
    const double m3 = size.x * size.y * size.z;
    if (smallest_m3 > 0 && m3 >= smallest_m3) continue;
    smallest_m3 = m3;
    record.frame.gravity = world::unbounded_gravity(rotate(drawn->rotation, gravity.acceleration));
  }
}

// Cuts out the ground as known now for that tick, with the own edits.
void Prediction::cut_out(world::StepRecord& record, const ActorState& local) const {
  world::cut_out(*params_, local, record,
                 [this](Handle handle, const world::Bounds& around, Tick tick, auto& out) {
                   const world::VoxelPatch* patch = entities_.voxels(handle);
                   if (patch == nullptr) return false;
                   const OwnEdits::OfPatch own = own_edits_.of(handle);
                   patch->cut(around, tick, {own.begin(), own.size()}, out);
                   return true;
                 });
}

// Replaces only neighbours that depend on announced changes: doors (ground is cut out anew for each
// step). The others stay as recorded, so that a replay does not add errors of its own. True if a
// door differed.
bool Prediction::refresh(world::StepRecord& record) const {
  bool otherwise = false;
  for (world::Neighbour& neighbour : record.neighbours) {
    const ClientEntity* entity = entities_.find(neighbour.id);
    if (entity == nullptr) continue;
    if (!is_own_door(*entity, record)) continue;
    const Ends known = door_ends(*entity, worker_tick(record.tick));
    otherwise = otherwise || neighbour.pose != known.pose;
    neighbour =
        world::make_neighbour(neighbour.id, neighbour.kind, *entities_.type_of(*entity).shape,
                              known.previous, known.pose);
  }
  return otherwise;
}

// Adds obstacles of that tick that were not known then, or not at that place, or were out of reach.
// True if there were any.
bool Prediction::add_missing(world::StepRecord& record, const ActorState& local) const {
  const world::Bounds around = world::reach_of(*params_, local);
  const Vec3 middle = around.center();
  const EntityStore::Viewer viewer{record.parent, middle,
                                   transform(record.parent_motion.pose, middle)};
  const double reach_m = length(around.size()) / 2;
  const auto parent_end = entities_.motion_at(record.parent, worker_tick(record.tick) + 1);
  bool any = false;
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (!is_fixture(type.kind) || type.shape == nullptr || entity->handle == record.parent ||
        entities_.surely_beyond(*entity, viewer, reach_m)) {
      continue;
    }
    const auto known = known_ends(*entity, record, parent_end);
    if (!known || !within(around, *type.shape, known->previous, known->pose)) continue;
    const bool listed =
        std::any_of(record.neighbours.begin(), record.neighbours.end(),
                    [&](const world::Neighbour& other) { return other.id == entity->handle; });
    if (listed) continue;
    any |= world::insert_by_id(record.neighbours,
                               world::make_neighbour(entity->handle, world::NeighbourKind::Solid,
                                                     *type.shape, known->previous, known->pose));
  }
  return any;
}

void Prediction::hear_of_fixture(Handle handle) {
  const ClientEntity* entity = entities_.find(handle);
  const world::StepRecord* oldest = history_.find(base_tick_ - 1);
  if (!running_ || entity == nullptr || oldest == nullptr) return;
  const auto parent = entities_.motion_at(parent_, worker_tick(next_));
  if (!parent || oldest->parent != parent_) {
    news_ = true;  // a parent switch needs two frames
    return;
  }
  const EntityStore::Viewer viewer{parent_, state_.position,
                                   transform(parent->pose, state_.position)};
  const double reach_m = length(world::reach_of(*params_, state_).size()) +
                         2 * distance(oldest->before.position, state_.position) + detour_m;
  news_ = news_ || !entities_.surely_beyond(*entity, viewer, reach_m);
}

std::optional<Correction> Prediction::hear_of_surroundings(const OwnSection& own,
                                                           bool ground_changed,
                                                           const ViewPoint& view) {
  if (!running_) return std::nullopt;
  ground_changed |= own_edits_.on_final(own);
  const bool newest = own.reset_epoch == reset_epoch_ && own.final_tick == base_tick_;
  if (!newest || history_.find(base_tick_ - 1) == nullptr) return std::nullopt;
  bool on_ground = false;
  for (Tick t = base_tick_; ground_changed && before(t, next_); ++t) {
    const world::StepRecord* record = history_.find(t);
    on_ground |= record != nullptr && !record->cutouts.empty();
  }
  if (!on_ground && !owes_replay()) return std::nullopt;
  const ActorState old_state = state_;
  const Handle old_parent = parent_;
  replay(own, view);
  auto correction = displaced(old_state, old_parent, own);
  if (correction && on_ground && old_parent == parent_) {
    correction->cause = CorrectionCause::StaleObject;
  }
  return correction;
}

}  // namespace perigee::client
