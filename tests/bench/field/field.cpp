#include "bench/field/field.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/base/hash.hpp"

namespace perigee::bench {
namespace {

enum Row : world::TypeId {
  floor_row,
  crate_row,
  drone_row,
  door_row,
  person_row,
  sleeper_row,
  post_row,
  wheel_row,
  heaped_row,
  rows
};
constexpr std::uint32_t heap_crates = 10;
constexpr double town_m = 400;

world::ShapePtr box(const Vec3& center, const Vec3& half) {
  return world::make_shape({world::Box{.center = center, .half = half}});
}

}  // namespace

Field::Field(const FieldPlan& plan) : plan_(plan), types_(rows) {
  const double h = plan.half_m;
  const world::GravityBox down{{0, -9.81, 0}, {{-h, -5, -h}, {h, 20, h}}};
  types_[floor_row] = {.name = "floor",
                       .kind = world::EntityKind::Static,
                       .shape = box({0, -0.5, 0}, {h, 0.5, h}),
                       .size = world::SizeClass::Large,
                       .parent_eligible = true,
                       .gravity = down};
  types_[crate_row] = {.name = "crate",
                       .kind = world::EntityKind::Body,
                       .shape = box({}, {0.5, 0.5, 0.5}),
                       .mass_kg = 40,
                       .size = world::SizeClass::Medium};
  types_[drone_row] = {.name = "drone",
                       .kind = world::EntityKind::Body,
                       .shape = box({}, {1, 0.3, 1}),
                       .mass_kg = 200,
                       .size = world::SizeClass::Large};
  types_[door_row] = {.name = "door",
                      .kind = world::EntityKind::Timeline,
                      .shape = box({0, 1, 0}, {0.1, 1, 1}),
                      .size = world::SizeClass::Medium,
                      .travel = {.slide = {0, 0, 2}}};
  types_[sleeper_row] = {.name = "sleeper",
                         .kind = world::EntityKind::Body,
                         .shape = types_[crate_row].shape,
                         .mass_kg = 40,
                         .size = world::SizeClass::Small};
  types_[post_row] = {.name = "post",
                      .kind = world::EntityKind::Static,
                      .shape = box({0, 1, 0}, {0.1, 1, 0.1}),
                      .size = world::SizeClass::Small};
  types_[wheel_row] = {.name = "wheel",
                       .kind = world::EntityKind::Timeline,
                       .shape = box({0, 3, 0}, {1, 0.1, 0.1}),
                       .size = world::SizeClass::Medium,
                       .travel = {.axis = {0, 0, 1},
                                  .hinge = {0, 3, 0},
                                  .turn_rad = 2 * pi,
                                  .ticks = 240,
                                  .endless = true}};
  types_[heaped_row] = types_[crate_row];
  types_[heaped_row].name = "heaped";
  types_[person_row] = {
      .name = "person", .kind = world::EntityKind::Actor, .shape = world::actor_shape({})};
  for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
}

void Field::populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const {
  Random random(9);
  std::uint32_t ordinal = 0;
  const auto spawn = [&](Row row, double height_m) {
    const double reach_m = plan_.half_m - 20;
    const Vec3 at{random.between(-reach_m, reach_m), height_m, random.between(-reach_m, reach_m)};
    return world.spawn(
        {.id = world::make_entity_id(spawner, Tick{ordinal / 1'000}, ordinal++ % 1'000),
         .type = row,
         .local = {row == floor_row ? Vec3{} : at, {}},
         .rests = row == sleeper_row});
  };
  spawn(floor_row, 0);
  for (std::uint32_t i = 0; i < plan_.crates; ++i) spawn(crate_row, 0.5);
  for (std::uint32_t i = 0; i < plan_.doors; ++i) spawn(door_row, 0);
  for (std::uint32_t i = 0; i < plan_.drones; ++i) drones_.push_back(spawn(drone_row, 30));
  for (std::uint32_t i = 0; i < plan_.asleep; ++i) spawn(sleeper_row, 0.5);
  for (std::uint32_t i = 0; i < plan_.posts; ++i) spawn(post_row, 0);
  for (std::uint32_t i = 0; i < plan_.wheels; ++i) spawn(wheel_row, 0);
  for (std::uint32_t i = 0; i < plan_.heaps * heap_crates; ++i) {
    const Vec3 foot = town(i / heap_crates) + Vec3{town_m / 2 + i / heap_crates % 7 * 9.0, 0, 0};
    const std::uint32_t in_heap = i % heap_crates;
    const Vec3 at =
        foot + Vec3{in_heap % 2 * 1.02, 0.5 + in_heap / 4 * 1.01, in_heap / 2 % 2 * 1.02};
    heaped_.push_back(
        world.spawn({.id = world::make_entity_id(spawner, Tick{ordinal / 1'000}, ordinal++ % 1'000),
                     .type = heaped_row,
                     .local = {at, {}}}));
  }
}

Vec3 Field::town(std::uint32_t i) const {
  Random random(100 + i % std::max(plan_.towns, 1U));
  const double reach_m = plan_.half_m - 2 * town_m;
  return {random.between(-reach_m, reach_m), 0, random.between(-reach_m, reach_m)};
}

void Field::drive(world::World& world, Tick tick) const {
  constexpr double speed_m_s = 20;
  std::uint32_t phase = 0;
  for (const Handle drone : drones_) {
    const double angle = (tick.count + 37 * phase++) * 0.01;
    world.set_drive(drone, Vec3{std::cos(angle), 0, std::sin(angle)} * speed_m_s, {0, 0.6, 0});
  }
  // One crate of each heap gets an impulse now and then, so that the whole heap stays awake.
  for (std::size_t i = 0; i < heaped_.size(); i += heap_crates) {
    if ((tick.count + i) % 50 != 0) continue;
    const auto at = world.pose(heaped_[i + heap_crates - 1], tick);
    if (at) world.apply_impulse_next_tick(heaped_[i + heap_crates - 1], {0, 40, 0}, at->position);
  }
}

world::ActorSpawn Field::spawn_state(const world::World& world, const world::Bounds&,
                                     std::uint32_t ordinal) const {
  world::ActorSpawn out{.type = person_row};
  out.parent = world.in_order().front();
  // A square of players 12 m apart, with the huddle in a square next to it.
  if (plan_.towns > 0) {
    Random random(7'000 + ordinal);
    const auto within = [&](double m) { return random.between(-m, m); };
    const double reach_m = plan_.half_m - 20;
    Vec3 at{within(reach_m), 0, within(reach_m)};
    if (ordinal % 5 != 0) at = town(ordinal) + Vec3{within(town_m), 0, within(town_m)};
    out.state.position = at + Vec3{0, 0.91, 0};
    return out;
  }
  const bool huddles = ordinal < plan_.huddle;
  const double apart_m = huddles ? 0.7 : 12;
  const std::uint32_t row = huddles ? 7 : 16;
  const double from_m = huddles ? -150 : -90;
  out.state.position = {apart_m * (ordinal % row) + from_m, 0.91, apart_m * (ordinal / row) - 90};
  return out;
}

}  // namespace perigee::bench
