#include "cubes.hpp"

namespace perigee::bench {
namespace {

enum Row : world::TypeId { floor_row, small_row, large_row, rows_count };

constexpr double small_edge_m = 0.4, large_edge_m = 1.5;
constexpr std::uint32_t in_a_line = 30;
constexpr double spacing_m = 0.8, half_field_m = in_a_line * spacing_m / 2;
constexpr double gravity_m_s2 = 10;
constexpr double thrust_m_s2 = 18, speed_max_m_s = 7;
constexpr double pull_within_m = 3.5, pull_m_s2 = 25;
constexpr double hover_m = 2.5;
constexpr double act_least_s = 1, act_longest_s = 3;

/// Of one density; a small cube has 1 kg.
constexpr double mass_kg(double edge_m) {
  const double edges = edge_m / small_edge_m;
  return edges * edges * edges;
}

world::EntityType cube(std::string_view name, double edge_m) {
  const double half_m = edge_m / 2;
  return {.name = name,
          .kind = world::EntityKind::Body,
          .shape = world::make_shape({world::Box{.center = {}, .half = {half_m, half_m, half_m}}}),
          .mass_kg = mass_kg(edge_m)};
}

}  // namespace

Cubes::Cubes(std::uint64_t seed) : types_(rows_count), random_(seed) {
  constexpr double half_m = 500, high_m = 100;
  types_[floor_row] = {
      .name = "floor",
      .kind = world::EntityKind::Static,
      .shape = world::make_shape({world::Box{.center = {0, -1, 0}, .half = {half_m, 1, half_m}}}),
      .size = world::SizeClass::Large,
      .gravity = {{0, -gravity_m_s2, 0}, {{-half_m, -10, -half_m}, {half_m, high_m, half_m}}}};
  types_[small_row] = cube("small_cube", small_edge_m);
  types_[large_row] = cube("large_cube", large_edge_m);
  for (world::TypeId row = 0; row < rows_count; ++row) types_[row].id = row;
}

void Cubes::populate(world::World& world) {
  std::uint32_t ordinal = 0;
  const auto add = [&](Row row, const Vec3& at) {
    return world.spawn({.id = world::make_entity_id(1, Tick{}, ordinal++),
                        .type = row,
                        .local = {.position = at, .rotation = {}}});
  };
  add(floor_row, {});
  large_ = add(large_row, {0, 3, 0});
  const auto place = [](std::uint32_t n) { return (n + 0.5) * spacing_m - half_field_m; };
  for (std::uint32_t n = 0; n < small_count; ++n) {
    small_.push_back(
        add(small_row, {place(n % in_a_line), small_edge_m / 2, place(n / in_a_line)}));
  }
}

void Cubes::choose_act(Tick now) {
  const double lasts_s = random_.between(act_least_s, act_longest_s);
  act_.until = now + static_cast<std::int32_t>(lasts_s / seconds_per_tick);
  const auto part = [&] { return random_.between(-half_field_m, half_field_m); };
  act_.towards = {part(), 0, part()};
  act_.pulls = random_.below(3) == 0;
  act_.hovers = random_.below(4) == 0;
}

void Cubes::drive(world::World& world) {
  if (!before(world.now(), act_.until)) choose_act(world.now());
  const auto large = world.motion(large_, world.now());
  if (!large) return;
  const Vec3& at = large->pose.position;
  Vec3 way = act_.towards - at;
  way.y = 0;
  const Vec3 wanted = normalized(way) * std::min(speed_max_m_s, length(way));
  Vec3 change = wanted - large->velocity;
  change.y = act_.hovers ? 4 * (hover_m - at.y) - large->velocity.y : 0;
  const double limit = thrust_m_s2 * seconds_per_tick;
  if (length(change) > limit) change = normalized(change) * limit;
  if (act_.hovers) change.y += gravity_m_s2 * seconds_per_tick;
  world.apply_impulse_next_tick(large_, change * mass_kg(large_edge_m), at);
  if (act_.pulls) pull_others(world, at);
}

void Cubes::pull_others(world::World& world, const Vec3& towards) {
  for (const Handle small : small_) {
    const auto motion = world.motion(small, world.now());
    if (!motion) continue;
    const Vec3 way = towards - motion->pose.position;
    const double away_m = length(way);
    if (away_m > pull_within_m) continue;
    world.apply_impulse_next_tick(small, way * (pull_m_s2 * seconds_per_tick / away_m),
                                  motion->pose.position);
  }
}

double Cubes::radius_m(const world::EntityType& type) const {
  return type.shape == nullptr ? 0 : type.shape->reach_m();
}

bool Cubes::is_sample(const world::World& world, const world::Entity& entity, Tick tick) const {
  if (world.type_of(entity).kind != world::EntityKind::Body) return false;
  constexpr double moved_m = 0.001, turned_rad = 0.002;
  const auto here = world.pose(entity.handle, tick), next = world.pose(entity.handle, tick + 1);
  return here && next &&
         (distance(here->position, next->position) > moved_m ||
          small_angle_between(here->rotation, next->rotation) > turned_rad);
}

}  // namespace perigee::bench
