// The table of types, and the places of an arena that perigee-level has made of arena.gltf.
#include "game.hpp"

#include "arena_level.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/level/static_entities.hpp"
#include "perigee/world/schema.hpp"

// CMake sets them. The browser's module has these.
#ifndef HOVER_TAG_MATCH_S
#define HOVER_TAG_MATCH_S 180
#define HOVER_TAG_BREAK_S 15
#endif

namespace hover_tag {

using namespace perigee;

namespace {

constexpr double floor_half_m = 30;

level::Level read_arena() {
  auto read = level::read_level(arena_level());
  PERIGEE_ASSERT(read.ok(), "arena.gltf is a part of this program");
  return std::move(*read);
}

world::ActorParams runner_params() {
  world::ActorParams out;
  out.walk_m_s = out.run_m_s = 8;
  out.jetpack_m_s2 = 0;  // runners hover by themselves
  // Runners pass through each other: another player's place, which is a guess on the client, never
  // changes one's own motion. A touch is only reported.
  out.push_m_s = 0;
  return out;
}

/// Stands on its point: stops nothing, and tells runners that they touch it.
world::EntityType spot_type(Row row, std::string_view name, const Vec3& half) {
  return {.id = row,
          .name = name,
          .kind = world::EntityKind::Static,
          .shape = world::make_shape({{.center = {0, half.y, 0}, .half = half}}),
          .trigger = true};
}

bool any_in(std::span<const level::Point> points, const world::Bounds& region) {
  return std::any_of(points.begin(), points.end(), [&](const level::Point& point) {
    return region.contains(point.pose.position);
  });
}

}  // namespace

Rules rules_of_build() {
  static_assert(HOVER_TAG_MATCH_S >= 10 && HOVER_TAG_BREAK_S >= 10,
                "HOVER_TAG_MATCH_S and HOVER_TAG_BREAK_S: 10 seconds at least, for the table and "
                "the torches of the next match");
  return {.match_ticks = HOVER_TAG_MATCH_S * 60, .break_ticks = HOVER_TAG_BREAK_S * 60};
}

Game::Game(const Rules& rules) : rules_(rules), level_(read_arena()), types_(level_row) {
  const world::ActorParams runner = runner_params();
  types_[runner_row] = {.id = runner_row,
                        .name = "runner",
                        .kind = world::EntityKind::Actor,
                        .shape = world::actor_shape(runner),
                        .actor = runner};
  types_[pad_row] = spot_type(pad_row, "pad", {1.2, 0.3, 1.2});
  types_[power_row] = spot_type(power_row, "power-up", {0.6, 0.6, 0.6});
  types_[torch_row] = spot_type(torch_row, "torch", {0.5, 0.8, 0.5});
  types_[seed_row] = spot_type(seed_row, "seed", {0.1, 0.1, 0.1});
  types_[ball_row] = {
      .id = ball_row,
      .name = "ball",
      .kind = world::EntityKind::Timeline,
      .shape = world::make_shape({{.half = {0.6, 0.6, 0.6}}}),
      .trigger = true,
      .travel = {.slide = {0, 0, ball_m_s * seconds_per_tick * ball_ticks}, .ticks = ball_ticks}};
  types_[standings_row] = world::world_row(standings_row, "standings", standings_codec_);
  auto rows = level::static_types(level_, level_row);
  PERIGEE_ASSERT(rows.ok(), "the arena has few meshes");
  for (world::EntityType& type : *rows) {
    if (type.name == "floor") {
      floor_row_ = type.id;
      type.parent_eligible = true;
      // The boxes of two floors overlap at their common edge, where a runner changes its parent.
      const double half = floor_half_m + 1;
      type.gravity = {{0, -9.81, 0}, {{-half, -5, -half}, {half, 30, half}}};
    }
    types_.push_back(std::move(type));
  }
}

// Everything that worker and client compute with: a client with other numbers is refused at log-in.
std::uint64_t Game::schema_hash() const {
  StateHash hash;
  for (const double number : {usual_speed_share, hover_m_s, hover_speed_m_s, pad_m_s, ball_m_s,
                              ball_ahead_m, blow_m_s, blow_up_m_s}) {
    hash.add(number);
  }
  for (const std::int32_t ticks : {boost_ticks, boost_gap_ticks, std::int32_t{hover_fuel_ticks},
                                   std::int32_t{throw_wait_ticks}, std::int32_t{hit_wait_ticks},
                                   std::int32_t{tag_wait_ticks}, std::int32_t{no_tag_back_ticks}}) {
    hash.add(ticks);
  }
  hash.add(codec_.schema_hash)
      .add(standings_codec_.schema_hash)
      .add(level_.hash)
      .add(rules_.match_ticks)
      .add(rules_.break_ticks);
  world::add_types(hash, types_);
  return hash.value();
}

void Game::populate(world::World& world, const world::Bounds& region, std::uint32_t spawner) const {
  level::spawn_instances(world, level_, level_row, region, spawner);
  auto ordinal = static_cast<std::uint32_t>(level_.instances.size());
  const auto spawn_at = [&](std::string_view points, Row row) {
    for (const level::Point& point : level_.points_like(points)) {
      const std::uint32_t own = ordinal++;
      if (!region.contains(point.pose.position)) continue;
      world.spawn(
          {.id = world::make_entity_id(spawner, Tick{}, own), .type = row, .local = point.pose});
    }
  };
  spawn_at("pad.", pad_row);
  spawn_at("power.", power_row);
  spawn_at("torch.", torch_row);
  spawn_at("npc.", seed_row);
  if (region.contains({})) {
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinal), .type = standings_row});
  }
}

bool Game::spawns_players(const world::World&, const world::Bounds& region) const {
  return any_in(level_.points_like("spawn."), region);
}

world::ActorSpawn Game::spawn_state(const world::World& world, const world::Bounds& region,
                                    std::uint32_t ordinal) const {
  std::vector<level::Point> here;
  for (level::Point& point : level_.points_like("spawn.")) {
    if (region.contains(point.pose.position)) here.push_back(std::move(point));
  }
  if (here.empty()) return {.type = runner_row};
  const world::ActorPlace place = standing(world, here[ordinal % here.size()].pose.position);
  world::ActorSpawn out{.type = runner_row, .parent = place.parent};
  out.state.position = place.position;
  return out;
}

world::ActorPlace Game::standing(const world::World& world, const Vec3& point) const {
  const Vec3 centre = point + Vec3{0, types_[runner_row].actor.height_m / 2 + 0.01, 0};
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type != floor_row_) continue;
    const Vec3 local = inverse_transform(entity.local, centre);
    if (std::abs(local.x) <= floor_half_m && std::abs(local.z) <= floor_half_m) {
      return {.parent = handle, .position = local};
    }
  }
  return {.position = centre};
}

}  // namespace hover_tag
