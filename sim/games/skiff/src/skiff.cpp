#include "perigee/skiff/skiff.hpp"

#include <algorithm>

#include "asteroids.hpp"
#include "models.hpp"
#include "owns.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/skiff/fighter.hpp"
#include "perigee/world/schema.hpp"

namespace perigee::skiff {
namespace {

using world::Bounds;
using world::EntityKind;
using world::EntityType;
using world::SizeClass;

constexpr Quat half_turn{0, 1, 0, 0};

/// Between the station and the border, clear of the ferry's track; in the first half.
constexpr Vec3 carousel_axis{300, 0, 300};
constexpr Vec3 gyre_center{300, 0, -200};

/// Ordinals of the entities that a side is created with; they identify the ferries permanently.
constexpr std::uint32_t side_stride = 1024;
constexpr std::uint32_t station_ordinal = 0;
constexpr std::uint32_t station_door_ordinal = 1;
constexpr std::uint32_t ferry_ordinal = 2;
constexpr std::uint32_t ferry_door_ordinal = 3;
constexpr std::uint32_t station_lift_ordinal = 4;
constexpr std::uint32_t station_trap_ordinal = 5;
constexpr std::uint32_t station_rotor_ordinal = 6;
constexpr std::uint32_t carousel_ordinal = 7;
constexpr std::uint32_t gyre_ordinal = 8;
constexpr std::uint32_t skiff_ordinal = 15;
constexpr std::uint32_t walker_ordinal = 600;
constexpr std::uint32_t station_crates_ordinal = 16;
constexpr std::uint32_t ferry_crates_ordinal = 512;
constexpr std::uint32_t station_gates_ordinal = 8;
constexpr std::uint32_t ground_ordinal = 700;
constexpr std::uint32_t asteroids_ordinal = 2 * side_stride;

/// A door accepts no further change while this many are unfinished. A door that is used too often
/// responds again once it has stopped.
constexpr std::size_t young_changes_max = world::TimelineLog::changes_max / 2;

std::int32_t whole_ticks(double seconds) {
  return static_cast<std::int32_t>(seconds / seconds_per_tick + 0.5);
}

std::vector<EntityType> make_types(const Tunables& t, const Asteroids& asteroids) {
  std::vector<EntityType> rows(rows_count);
  const Vec3 down{0, -t.gravity_m_s2, 0};
  rows[station_row] = {.name = "station",
                       .kind = EntityKind::Static,
                       .shape = station_shape(),
                       .size = SizeClass::Large,
                       .parent_eligible = true,
                       .gravity = {down, station_gravity()}};
  rows[ferry_row] = {.name = "ferry",
                     .kind = EntityKind::Body,
                     .shape = ferry_shape(),
                     .mass_kg = t.ferry_mass_kg,
                     .size = SizeClass::Large,
                     .parent_eligible = true,
                     .inertia = world::Inertia::None,
                     .gravity = {down, ferry_gravity()}};
  rows[carousel_row] = {.name = "carousel",
                        .kind = EntityKind::Body,
                        .shape = carousel_shape(),
                        .mass_kg = t.carousel_mass_kg,
                        .size = SizeClass::Large,
                        .parent_eligible = true,
                        .inertia = world::Inertia::Full,
                        .gravity = {down, carousel_gravity()}};
  rows[gyre_row] = rows[ferry_row];
  rows[gyre_row].name = "gyre";
  rows[skiff_row] = {.name = "skiff",
                     .kind = EntityKind::Body,
                     .shape = skiff_shape(),
                     .mass_kg = t.skiff_mass_kg,
                     .size = SizeClass::Large,
                     .parent_eligible = true,
                     .inertia = world::Inertia::None,
                     .gravity = {down, skiff_gravity()},
                     .vehicle = t.vehicle};
  rows[walker_link_row] = {.name = "walker_link",
                           .kind = EntityKind::Body,
                           .shape = walker_link_shape(),
                           .mass_kg = t.walker_link_kg,
                           .size = SizeClass::Medium};
  const EntityType door{.kind = EntityKind::Timeline,
                        .shape = door_shape(),
                        .size = SizeClass::Medium,
                        .travel = {.slide = {0, 0, 2}, .ticks = t.door_ticks}};
  rows[station_door_row] = door;
  rows[station_door_row].name = "station_door";
  rows[ferry_door_row] = door;
  rows[ferry_door_row].name = "ferry_door";
  rows[station_lift_row] = {.name = "station_lift",
                            .kind = EntityKind::Timeline,
                            .shape = lift_shape(t),
                            .size = SizeClass::Medium,
                            .travel = {.slide = {0, t.lift_stroke_m, 0},
                                       .ticks = whole_ticks(t.lift_stroke_m / t.lift_m_s)}};
  rows[station_trap_row] = {
      .name = "station_trap",
      .kind = EntityKind::Timeline,
      .shape = trap_shape(),
      .size = SizeClass::Medium,
      .travel = {.axis = {0, 0, 1}, .hinge = {1, 0, 0}, .turn_rad = pi / 2, .ticks = t.door_ticks}};
  rows[station_rotor_row] = {
      .name = "station_rotor",
      .kind = EntityKind::Timeline,
      .shape = rotor_shape(),
      .mass_kg = t.rotor_mass_kg,
      .size = SizeClass::Medium,
      .parent_eligible = true,
      .inertia = world::Inertia::Full,
      .gravity = {down, rotor_gravity()},
      .travel = {
          .turn_rad = 2 * pi, .ticks = whole_ticks(2 * pi / t.rotor_rad_s), .endless = true}};
  const double half = t.crate_edge_m / 2;
  rows[crate_row] = {.name = "crate",
                     .kind = EntityKind::Body,
                     .shape = world::make_shape({{.half = {half, half, half}}}),
                     .mass_kg = t.crate_mass_kg};
  rows[character_row] = {.name = "character",
                         .kind = EntityKind::Actor,
                         .shape = world::actor_shape(t.character),
                         .actor = t.character};
  rows[ground_row] = {.name = "ground",
                      .kind = EntityKind::Static,
                      .shape = ground_shape(),
                      .size = SizeClass::Medium};
  asteroids.add_types(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].id = static_cast<world::TypeId>(i);
  return rows;
}

world::GameStateCodec make_codec(const Tunables& t) {
  world::GameStateCodec codec = world::codec_of<Fighter>();
  codec.initial.as<Fighter>().health = t.hits_to_kill;
  return codec;
}

std::uint64_t hash_of(std::span<const EntityType> types, const Tunables& t,
                      const world::GameStateCodec& codec) {
  StateHash hash;
  hash.add(codec.schema_hash).add(t.hits_to_kill).add(t.respawn_ticks).add(t.rifle_reload_ticks);
  hash.add(t.eye_m).add(t.dig_reach_m).add(t.tool_reload_ticks);
  world::add_types(hash, types);
  return hash.value();
}

Pose turned_to(Side side, const Pose& pose) {
  return side == Side::Plus ? pose : Pose{{}, half_turn} * pose;
}

Course make_course(const Tunables& t, Side side) {
  const Pose placed = turned_to(side, {{t.station_x_m + t.course_offset_m, 0, 0}, {}});
  return Course(side == Side::Plus ? t.fast : t.slow, placed);
}

Vec3 at_most(const Vec3& v, double limit) {
  const double l = length(v);
  return l > limit ? v * (limit / l) : v;
}

}  // namespace

Skiff::Skiff(const Tunables& tunables)
    : tunables_(tunables),
      asteroids_(std::make_shared<Asteroids>(tunables.asteroid_spin_damping_per_s)),
      types_(make_types(tunables, *asteroids_)),
      courses_{make_course(tunables, Side::Plus), make_course(tunables, Side::Minus)},
      codec_(make_codec(tunables)),
      schema_hash_(hash_of(types_, tunables, codec_)) {}

Pose Skiff::station_pose(Side side) const {
  return turned_to(side, {{tunables_.station_x_m, 0, 0}, {}});
}

std::optional<Motion> Skiff::course_of(Row row, Side side, Tick tick) const {
  const auto round = [&](const Vec3& center, double radius_m, double rad_s) {
    const world::Travel circle{.hinge = {-radius_m, 0, 0},
                               .turn_rad = 2 * pi,
                               .ticks = whole_ticks(2 * pi / rad_s),
                               .endless = true};
    const Pose start = turned_to(side, {center + Vec3{radius_m, 0, 0}, {}});
    return world::timeline_motion(circle, start, {}, tick);
  };
  switch (row) {
    case ferry_row:
      return course(side).at(tick);
    case carousel_row:
      return round(carousel_axis, tunables_.carousel_radius_m, tunables_.carousel_rad_s);
    case gyre_row:
      return round(gyre_center, 0, tunables_.gyre_rad_s);
    default:
      return std::nullopt;
  }
}

void Skiff::populate(world::World& world, const Bounds& region, std::uint32_t spawner) const {
  if (tunables_.stage == Stage::Asteroids) {
    return asteroids_->populate(world, region, spawner, asteroids_ordinal);
  }
  for (const Side side : sides) {
    const Pose station = station_pose(side);
    if (!owns(region, station.position)) continue;
    const std::uint32_t first = static_cast<std::uint32_t>(side) * side_stride;
    const auto spawn = [&](std::uint32_t ordinal, Row row, Handle parent, const Motion& motion) {
      return world.spawn({.id = world::make_entity_id(spawner, Tick{}, first + ordinal),
                          .type = row,
                          .parent = parent,
                          .local = motion.pose,
                          .velocity = motion.velocity,
                          .angular_velocity = motion.angular_velocity});
    };
    const Handle deck = spawn(station_ordinal, station_row, no_entity, {.pose = station});
    for (std::uint32_t i = 0; i < station_doors; ++i) {
      const std::uint32_t ordinal = i == 0 ? station_door_ordinal : station_gates_ordinal + i;
      spawn(ordinal, station_door_row, deck, {.pose = station_door_pose(i)});
    }
    spawn(station_lift_ordinal, station_lift_row, deck, {.pose = lift_pose()});
    spawn(station_trap_ordinal, station_trap_row, deck, {.pose = trap_pose()});
    spawn(station_rotor_ordinal, station_rotor_row, deck, {.pose = rotor_pose()});
    for (std::uint32_t i = 0; i < tunables_.station_crates; ++i) {
      const Pose local{station_crate_position(i, tunables_.crate_edge_m), {}};
      spawn(station_crates_ordinal + i, crate_row, no_entity, {.pose = station * local});
    }
    const Motion sailing = course(side).at(world.now());
    const Handle ferry = spawn(ferry_ordinal, ferry_row, no_entity, sailing);
    spawn(ferry_door_ordinal, ferry_door_row, ferry, {.pose = ferry_door_pose()});
    add_walker(world, side, spawner);
    spawn(skiff_ordinal, skiff_row, no_entity, {.pose = station * mooring()});
    spawn(carousel_ordinal, carousel_row, no_entity, *course_of(carousel_row, side, world.now()));
    spawn(gyre_ordinal, gyre_row, no_entity, *course_of(gyre_row, side, world.now()));
    for (std::uint32_t i = 0; i < tunables_.ferry_crates; ++i) {
      Motion loaded = sailing;
      loaded.pose.position =
          transform(sailing.pose, ferry_crate_position(i, tunables_.crate_edge_m));
      loaded.velocity = velocity_at(sailing, loaded.pose.position);
      spawn(ferry_crates_ordinal + i, crate_row, no_entity, loaded);
    }
    spawn(ground_ordinal, ground_row, no_entity, {.pose = station * ground_pose()});
  }
}

void Skiff::add_walker(world::World& world, Side side, std::uint32_t spawner) const {
  const std::uint32_t first = static_cast<std::uint32_t>(side) * side_stride + walker_ordinal;
  Handle before = no_entity;
  for (std::uint32_t i = 0; i < walker_links; ++i) {
    const Handle link = world.spawn({.id = world::make_entity_id(spawner, Tick{}, first + i),
                                     .type = walker_link_row,
                                     .local = station_pose(side) * walker_link_pose(i)});
    if (before != no_entity) {
      world.add_hinge({.a = before,
                       .b = link,
                       .frame_a = walker_joint(1),
                       .frame_b = walker_joint(-1),
                       .low_rad = -tunables_.walker_bend_rad,
                       .high_rad = tunables_.walker_bend_rad,
                       .motor_n_m = tunables_.walker_n_m});
    }
    before = link;
  }
}

// A wave runs along the walker: each joint follows the previous one with a delay.
void Skiff::walk(world::World& world, Tick tick) const {
  Handle before = no_entity;
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type != walker_link_row || entity.remote) continue;
    const std::uint32_t number = entity.id.ordinal() % side_stride - walker_ordinal;
    if (number > 0 && before != no_entity) {
      const double phase = 2 * pi * (tick.count % 180) / 180.0 - 0.9 * number;
      world.drive_hinge(before, handle, tunables_.walker_rad_s * sin_cos(phase).cos);
    }
    before = handle;
  }
}

void Skiff::drive(world::World& world, Tick tick) const {
  walk(world, tick);
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type >= asteroid_row && entity.type < planetoid_row && !entity.remote) {
      asteroids_->drive(world, entity, tick, asteroids_ordinal);
      continue;
    }
    const Side side = entity.id.ordinal() < side_stride ? Side::Plus : Side::Minus;
    const auto wanted = course_of(static_cast<Row>(entity.type), side, tick);
    const auto now = world.motion(handle, tick);
    if (entity.remote || !wanted || !now) continue;
    const Motion next = *course_of(static_cast<Row>(entity.type), side, tick + 1);
    // Corrects an error at twice its size per second, within limits. A body on course gets no
    // correction.
    const Vec3 error = wanted->pose.position - now->pose.position;
    const Vec3 turn = rotation_vector(wanted->pose.rotation * conjugate(now->pose.rotation));
    world.set_drive(handle, next.velocity + at_most(error * 2.0, tunables_.course_hold_m_s),
                    next.angular_velocity + at_most(turn * 2.0, tunables_.course_hold_rad_s));
  }
}

/// The body in the region on which players begin.
Handle Skiff::birthplace_in(const world::World& world, const Bounds& region) const {
  constexpr std::array rows{station_row, carousel_row, gyre_row, skiff_row};
  const Row row = rows[static_cast<std::size_t>(tunables_.birthplace)];
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type == row && owns(region, entity.local.position)) return handle;
  }
  return no_entity;
}

bool Skiff::spawns_players(const world::World& world, const Bounds& region) const {
  return tunables_.stage == Stage::Asteroids || birthplace_in(world, region) != no_entity;
}

world::ActorSpawn Skiff::spawn_state(const world::World& world, const Bounds& region,
                                     std::uint32_t ordinal) const {
  world::ActorSpawn out{.type = character_row};
  if (tunables_.stage == Stage::Asteroids) {
    out.state.position = Asteroids::spawn_place(region, ordinal);
    out.state.flags = actor_jetpack;
    return out;
  }
  out.yaw = 16384;  // towards +x of the station, where the ferry's course is
  out.parent = birthplace_in(world, region);
  if (out.parent == no_entity) {
    out.state.position = region.center();  // an avatar that respawns here floats in the middle
  } else {
    out.state.position = tunables_.birthplace == Birthplace::Station
                             ? newcomer_position(ordinal, tunables_)
                             : deckhand_position(ordinal, tunables_);
  }
  return out;
}

world::UseOutcome Skiff::accept_vehicle(const world::World& world,
                                        const world::UseAttempt& attempt) const {
  if ((attempt.state.flags & actor_at_controls) != 0) {
    if (attempt.parent != attempt.target) return {.verdict = world::UseVerdict::TooFar};
    return {.verdict = world::UseVerdict::Accepted, .vehicle = VehicleChange::Leave};
  }
  const auto parent = world.pose(attempt.parent, attempt.now);
  const auto body = world.pose(attempt.target, attempt.now);
  if (!parent || !body) return {.verdict = world::UseVerdict::UnknownTarget};
  const Vec3 user = transform(*parent, attempt.state.position);
  if (distance(user, transform(*body, tunables_.vehicle.seat)) > tunables_.use_reach_m) {
    return {.verdict = world::UseVerdict::TooFar};
  }
  return {.verdict = world::UseVerdict::Accepted, .vehicle = VehicleChange::Take};
}

world::UseOutcome Skiff::accept_use(const world::World& world,
                                    const world::UseAttempt& attempt) const {
  const world::Entity* target = world.find(attempt.target);
  if (target == nullptr) return {.verdict = world::UseVerdict::UnknownTarget};
  if (world.type_of(*target).vehicle.thrust_m_s2 > 0) return accept_vehicle(world, attempt);
  const world::TimelineLog* log = world.timeline(attempt.target);
  const world::Travel& travel = world.type_of(*target).travel;
  if (log == nullptr || travel.endless) return {.verdict = world::UseVerdict::NotUsable};
  const auto parent = world.motion(attempt.parent, attempt.now);
  const auto frame = world.motion(target->parent, attempt.now);
  if (!parent || !frame) return {.verdict = world::UseVerdict::UnknownTarget};
  const Vec3 user = transform(parent->pose, attempt.state.position);
  // A lift can also be called from its two ends.
  const auto in_reach = [&](const Pose& pose) {
    return distance(user, transform(frame->pose, pose.position)) <= tunables_.use_reach_m;
  };
  if (!in_reach(timeline_pose(travel, target->local, *log, attempt.now)) &&
      !in_reach(timeline_pose(travel, target->local, world::TimelineLog(0), attempt.now)) &&
      !in_reach(timeline_pose(travel, target->local, world::TimelineLog(1), attempt.now))) {
    return {.verdict = world::UseVerdict::TooFar};
  }
  if (log->size() >= young_changes_max) {
    const Tick nth = (*log)[log->size() - young_changes_max].effect;
    if (before(attempt.now - travel.ticks, nth)) {
      return {.verdict = world::UseVerdict::Busy};
    }
  }
  const std::uint8_t goal = log->last_goal() == 0 ? 1 : 0;
  const std::int32_t announce_ticks = std::max(tunables_.announce_ticks, attempt.announce_ticks);
  return {.verdict = world::UseVerdict::Accepted,
          .change = world.propose_change(attempt.target, attempt.at, goal, announce_ticks)};
}

}  // namespace perigee::skiff
