#include "game.hpp"

#include "perigee/world/schema.hpp"

namespace first_game {

using namespace perigee;

namespace {

constexpr double half_m = 40;
constexpr double line_m = 15;  // a runner that has been beyond both lines has completed a lap

world::ShapePtr floor_shape() {
  std::vector<world::Box> boxes{{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}}};
  for (int i = 0; i < 4; ++i) {
    const double half_height_m = 0.1 * (i + 1);
    boxes.push_back({.center = {0, half_height_m, -4 + 0.6 * i}, .half = {4, half_height_m, 0.3}});
  }
  // Beyond the walls nothing pulls.
  for (const double side : {-half_m, half_m}) {
    boxes.push_back({.center = {side, 1.5, 0}, .half = {0.2, 1.5, half_m}});
    boxes.push_back({.center = {0, 1.5, side}, .half = {half_m, 1.5, 0.2}});
  }
  return world::make_shape(std::move(boxes));
}

/// The floor's region is that of its middle: low inclusive, high exclusive.
bool has_floor(const world::Bounds& region) {
  return region.contains({}) && region.high.x > 0 && region.high.y > 0 && region.high.z > 0;
}

/// The floor, on the worker that has it or in its copy on another one; no_entity: there is none.
Handle floor_of(const world::World& world) {
  for (const Handle handle : world.in_order()) {
    if (world.find(handle)->type == floor_row) return handle;
  }
  return no_entity;
}

}  // namespace

Game::Game() {
  const world::ActorParams person{.jetpack_m_s2 = 0};
  types_ = {{.id = floor_row,
             .name = "floor",
             .kind = world::EntityKind::Static,
             .shape = floor_shape(),
             .size = world::SizeClass::Large,
             .parent_eligible = true,
             .gravity = {{0, -9.81, 0}, {{-half_m, -5, -half_m}, {half_m, 30, half_m}}}},
            {.id = runner_row,
             .name = "runner",
             .kind = world::EntityKind::Actor,
             .shape = world::actor_shape(person),
             .actor = person}};
}

std::uint64_t Game::schema_hash() const {
  StateHash hash;
  hash.add(codec_.schema_hash).add(line_m);
  world::add_types(hash, types_);
  return hash.value();
}

void Game::populate(world::World& world, const world::Bounds& region, std::uint32_t spawner) const {
  if (!has_floor(region)) return;
  world.spawn({.id = world::make_entity_id(spawner, Tick{}, 0), .type = floor_row});
}

bool Game::spawns_players(const world::World&, const world::Bounds& region) const {
  return has_floor(region);
}

world::ActorSpawn Game::spawn_state(const world::World& world, const world::Bounds&,
                                    std::uint32_t ordinal) const {
  const double feet_m = types_[runner_row].actor.height_m / 2 + 0.01;
  world::ActorSpawn out{.type = runner_row, .parent = floor_of(world)};
  // In lanes of 4 m: nobody begins within arm's reach of another player.
  out.state.position = {-14 + 4.0 * (ordinal % 8), feet_m, -10};
  return out;
}

void Game::step(world::ActorContext& context, world::GameState& state) const {
  auto& runner = state.as<Runner>();
  const double z = context.motion().position.z;
  if (z > line_m) runner.on_far_side = 1;
  if (z > -line_m || runner.on_far_side == 0) return;
  runner.on_far_side = 0;
  ++runner.laps;
  context.cue(lap_cue);
}

}  // namespace first_game
