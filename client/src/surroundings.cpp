#include "perigee/client/surroundings.hpp"

#include <algorithm>

#include "perigee/world/aboard.hpp"

namespace perigee::client {
namespace {

/// A body with a track only is extrapolated for at most 250 ms.
constexpr double drift_ticks_max = 15;

/// The place of a door of another frame follows from the motions of both frames, too. Each block
/// changes these motions, and thereby the place, by less than this.
constexpr double frames_differ_m = 0.05;

/// Whether a door was taken to be elsewhere.
bool differs(const Pose& taken, const Pose& known, bool own_frame) {
  return own_frame ? taken != known : distance(taken.position, known.position) > frames_differ_m;
}

bool within(const world::Bounds& around, const world::Shape& shape, const Pose& previous,
            const Pose& pose) {
  return world::overlap(world::united(world::transformed(previous, shape.bounds()),
                                      world::transformed(pose, shape.bounds())),
                        around);
}

}  // namespace

bool Surroundings::set_parent(world::StepRecord& record, Handle from) const {
  const Handle to = needs_.switches.parent_at(record.tick);
  const Tick now = needs_.avatar.worker_tick(record.tick);
  const auto start = needs_.entities.motion_at(to, now);
  const auto end = needs_.entities.motion_at(to, now + 1);
  if (!start || !end) return false;
  record.switched_from.reset();
  if (from != to) {
    const auto old = needs_.entities.motion_at(from, now);
    if (!old) return false;
    record.switched_from = *old;
  }
  record.vehicle = needs_.switches.vehicle_change_at(record.tick);
  record.parent = to;
  record.parent_motion = *start;
  const ClientEntity* parent = needs_.entities.find(to);
  if (parent == nullptr) {
    record.frame = world::frame_motion(*start, *end, world::Inertia::None, {});
    return true;
  }
  const world::EntityType& type = needs_.entities.type_of(*parent);
  record.seat = type.vehicle.seat;
  const ClientEntity* carrier = needs_.entities.find(parent->parent);
  const auto frame = world::frame_felt(
      type, *start, *end, carrier != nullptr ? &needs_.entities.type_of(*carrier) : nullptr,
      [&](int ahead) { return needs_.entities.motion_at(parent->parent, now + ahead); });
  if (!frame) return false;
  record.frame = *frame;
  return true;
}

bool Surroundings::drawn_only(const world::EntityType& type) const {
  return !needs_.techniques.relative_prediction && type.kind == world::EntityKind::Body;
}

// Places doors of the own parent without world poses: client and server get the same bits from tick
// and log alone.
Surroundings::Ends Surroundings::door_ends(const ClientEntity& entity, Tick now) const {
  const auto at = [&](Tick tick) {
    return world::timeline_pose(needs_.entities.type_of(entity).travel, entity.spawn_local,
                                entity.log, tick);
  };
  return {at(now), at(now + 1)};
}

bool Surroundings::is_own_door(const ClientEntity& entity, const world::StepRecord& record) const {
  return needs_.entities.type_of(entity).kind == world::EntityKind::Timeline &&
         entity.parent == record.parent;
}

std::optional<Surroundings::Ends> Surroundings::known_ends(
    const ClientEntity& entity, const world::StepRecord& record,
    const std::optional<Motion>& parent_end) const {
  const Tick now = needs_.avatar.worker_tick(record.tick);
  if (is_own_door(entity, record)) return door_ends(entity, now);
  if (!parent_end) return std::nullopt;
  const auto start = needs_.entities.motion_at(entity.handle, now);
  const auto end = needs_.entities.motion_at(entity.handle, now + 1);
  if (!start || !end) return std::nullopt;
  return Ends{relative(record.parent_motion.pose, start->pose),
              relative(parent_end->pose, end->pose)};
}

void Surroundings::gather(world::StepRecord& record, const ActorState& local,
                          const ViewPoint& view) const {
  record.neighbours.clear();
  const Tick now = needs_.avatar.worker_tick(record.tick);
  const world::Bounds around = world::reach_of(*needs_.avatar.params, local);
  const auto parent_end = needs_.entities.motion_at(record.parent, now + 1);
  const Pose& before_pose = record.parent_motion.pose;
  const Pose after_pose = parent_end ? parent_end->pose : before_pose;
  std::optional<Pose> parent_drawn;  // needed by few
  const Vec3 middle = around.center();
  const EntityStore::SweptSpace swept{{record.parent, middle, transform(before_pose, middle)},
                                      length(around.size()) / 2,
                                      now,
                                      around,
                                      after_pose == before_pose ? &before_pose : nullptr};
  const auto all = needs_.entities.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (needs_.entities.surely_misses(i, swept)) continue;
    const auto& entity = all[i];
    const world::EntityType& type = needs_.entities.type_of(*entity);
    if (entity->handle == needs_.avatar.handle || type.shape == nullptr) continue;
    Pose previous;
    Pose pose;
    if (entity->handle == record.parent) {
      previous = pose = Pose{};
    } else if (drawn_only(type)) {
      // In the world's frame ships are at their rendered places, one view delay behind.
      ViewPoint later = view.remote();
      later.ticks += 1;
      const auto start = needs_.entities.drawn_world(entity->handle, view.remote());
      const auto end = needs_.entities.drawn_world(entity->handle, later);
      if (!start || !end) continue;
      previous = relative(before_pose, *start);
      pose = relative(after_pose, *end);
    } else if (type.kind == world::EntityKind::Actor) {
      // Actors keep moving: their extrapolated place is a better guess than the rendered one.
      const auto start_pose = needs_.entities.expected_at(*entity, now);
      const auto end_pose = needs_.entities.expected_at(*entity, now + 1);
      if (!start_pose || !end_pose) continue;
      previous = relative(before_pose, *start_pose);
      pose = relative(after_pose, *end_pose);
    } else if (const auto known = known_ends(*entity, record, parent_end)) {
      previous = known->previous;
      pose = known->pose;
    } else if (parent_drawn ||
               (parent_drawn = needs_.entities.drawn_world(record.parent, view.remote()))) {
      // With a track only: the rendered place relative to the rendered parent, extrapolated
      // by the velocity relative to the parent, so that a pushed crate keeps moving.
      const auto drawn = needs_.entities.drawn_world(entity->handle, view.remote());
      if (!drawn || entity->tracks.empty()) continue;
      const Pose seen = relative(*parent_drawn, *drawn);
      const Vec3 drift =
          rotate_back(before_pose.rotation,
                      needs_.entities.received_velocity(*entity, view) -
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
    world::insert_by_id(record.neighbours,
                        world::make_neighbour(entity->handle, type, previous, pose));
  }
}

// In the world's frame: gravity of the smallest field rendered around the avatar.
void Surroundings::set_gravity(world::StepRecord& record, const ActorState& local,
                               const ViewPoint& view) const {
  if (needs_.techniques.relative_prediction || record.parent != no_entity) return;
  double smallest_m3 = 0;
  for (const auto& entity : needs_.entities.all()) {
    const world::GravityBox& gravity = needs_.entities.type_of(*entity).gravity;
    const Vec3 size = gravity.inside.size();
    if (size.x <= 0) continue;
    const auto drawn = needs_.entities.drawn_world(entity->handle, view.remote());
    if (!drawn || !gravity.inside.contains(inverse_transform(*drawn, local.position))) continue;
    const double m3 = size.x * size.y * size.z;
    if (smallest_m3 > 0 && m3 >= smallest_m3) continue;
    smallest_m3 = m3;
    record.frame.gravity = world::unbounded_gravity(rotate(drawn->rotation, gravity.acceleration));
  }
}

// Cuts out the ground as known now for that tick, with the own edits.
void Surroundings::cut_out(world::StepRecord& record, const ActorState& local) const {
  world::cut_out(*needs_.avatar.params, local, record,
                 [this](Handle handle, const world::Bounds& around, Tick tick, auto& out) {
                   const world::VoxelPatch* patch = needs_.entities.voxels(handle);
                   if (patch == nullptr) return false;
                   const OwnEdits::OfPatch own = needs_.own_edits.of(handle);
                   patch->cut(around, tick, {own.begin(), own.size()}, out);
                   return true;
                 });
}

bool Surroundings::refresh_doors(world::StepRecord& record) const {
  const auto parent_end =
      needs_.entities.motion_at(record.parent, needs_.avatar.worker_tick(record.tick) + 1);
  bool otherwise = false;
  for (world::Neighbour& neighbour : record.neighbours) {
    const ClientEntity* entity = needs_.entities.find(neighbour.id);
    if (entity == nullptr) continue;
    const world::EntityType& type = needs_.entities.type_of(*entity);
    if (type.kind != world::EntityKind::Timeline) continue;
    const auto known = known_ends(*entity, record, parent_end);
    if (!known) continue;
    otherwise = otherwise || differs(neighbour.pose, known->pose, is_own_door(*entity, record));
    neighbour = world::make_neighbour(neighbour.id, type, known->previous, known->pose);
  }
  return otherwise;
}

bool Surroundings::add_missing(world::StepRecord& record, const ActorState& local) const {
  const world::Bounds around = world::reach_of(*needs_.avatar.params, local);
  const Vec3 middle = around.center();
  const EntityStore::Viewer viewer{record.parent, middle,
                                   transform(record.parent_motion.pose, middle)};
  const double reach_m = length(around.size()) / 2;
  const auto parent_end =
      needs_.entities.motion_at(record.parent, needs_.avatar.worker_tick(record.tick) + 1);
  bool any = false;
  const auto all = needs_.entities.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (needs_.entities.surely_beyond(i, viewer, reach_m)) continue;
    const auto& entity = all[i];
    const world::EntityType& type = needs_.entities.type_of(*entity);
    if (!is_fixture(type.kind) || type.shape == nullptr || entity->handle == record.parent) {
      continue;
    }
    const auto known = known_ends(*entity, record, parent_end);
    if (!known || !within(around, *type.shape, known->previous, known->pose)) continue;
    const bool listed =
        std::any_of(record.neighbours.begin(), record.neighbours.end(),
                    [&](const world::Neighbour& other) { return other.id == entity->handle; });
    if (listed) continue;
    any |= world::insert_by_id(
        record.neighbours,
        world::make_neighbour(entity->handle, type, known->previous, known->pose));
  }
  return any;
}

}  // namespace perigee::client
