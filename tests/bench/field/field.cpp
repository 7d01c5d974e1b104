#include "bench/field/field.hpp"

#include <cmath>

#include "perigee/netcode/hash.hpp"

namespace perigee::bench {
namespace {

enum Row : world::TypeId { floor_row, crate_row, drone_row, door_row, person_row, rows };

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
         .local = {row == floor_row ? Vec3{} : at, {}}});
  };
  spawn(floor_row, 0);
  for (std::uint32_t i = 0; i < plan_.crates; ++i) spawn(crate_row, 0.5);
  for (std::uint32_t i = 0; i < plan_.doors; ++i) spawn(door_row, 0);
  for (std::uint32_t i = 0; i < plan_.drones; ++i) drones_.push_back(spawn(drone_row, 30));
}

void Field::drive(world::World& world, Tick tick) const {
  constexpr double speed_m_s = 20;
  std::uint32_t phase = 0;
  for (const Handle drone : drones_) {
    const double angle = (tick.count + 37 * phase++) * 0.01;
    world.set_drive(drone, Vec3{std::cos(angle), 0, std::sin(angle)} * speed_m_s, {0, 0.6, 0});
  }
}

world::ActorSpawn Field::spawn_state(const world::World& world, const world::Bounds&,
                                     std::uint32_t ordinal) const {
  world::ActorSpawn out{.type = person_row};
  out.parent = world.in_order().front();
  // A square of people 12 m apart, the huddle in a square beside it.
  const bool huddles = ordinal < plan_.huddle;
  const double apart_m = huddles ? 0.7 : 12;
  const std::uint32_t row = huddles ? 7 : 16;
  const double from_m = huddles ? -150 : -90;
  out.state.position = {apart_m * (ordinal % row) + from_m, 0.91, apart_m * (ordinal / row) - 90};
  return out;
}

}  // namespace perigee::bench
