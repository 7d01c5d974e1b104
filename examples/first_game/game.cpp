#include "game.hpp"

#include "perigee/world/schema.hpp"

namespace first_game {

using namespace perigee;

namespace {

constexpr double half_m = 20;
constexpr double line_m = 15;  // a runner that has been beyond both lines has completed a lap

world::ShapePtr floor_shape() {
  std::vector<world::Box> boxes{{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}}};
  for (int i = 0; i < 4; ++i) {
    const double half_height_m = 0.1 * (i + 1);
    boxes.push_back({.center = {0, half_height_m, -4 + 0.6 * i}, .half = {4, half_height_m, 0.3}});
  }
  return world::make_shape(std::move(boxes));
}

}  // namespace

Game::Game() {
  const world::ActorParams person;
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

void Game::populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const {
  world.spawn({.id = world::make_entity_id(spawner, Tick{}, 0), .type = floor_row});
}

world::ActorSpawn Game::spawn_state(const world::World& world, const world::Bounds&,
                                    std::uint32_t ordinal) const {
  const double feet_m = types_[runner_row].actor.height_m / 2 + 0.01;
  world::ActorSpawn out{.type = runner_row, .parent = world.in_order().front()};
  out.state.position = {-8 + 2.0 * (ordinal % 8), feet_m, -10};
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
