/// A level as an entity: the world's bodies, rays and actors meet the same surface.
#include <gtest/gtest.h>

#include "heightfields.hpp"
#include "perigee/world/ray.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

enum LevelRow : TypeId { level_ground, level_lift, level_crate };

std::vector<EntityType> make_level_types(const ShapePtr& ground) {
  std::vector<EntityType> rows(3);
  rows[level_ground] = {.id = level_ground,
                        .name = "ground",
                        .kind = EntityKind::Static,
                        .shape = ground,
                        .parent_eligible = true,
                        .gravity = unbounded_gravity({0, -9.81, 0})};
  MeshSource plate;
  add_block(plate, {-1, -0.2, -1}, {1, 0, 1}, 2);
  rows[level_lift] = {.id = level_lift,
                      .name = "lift",
                      .kind = EntityKind::Timeline,
                      .shape = make_shape({}, mesh_of(plate))};
  rows[level_lift].travel.slide = {0, 2, 0};
  rows[level_crate] = {.id = level_crate,
                       .name = "crate",
                       .kind = EntityKind::Body,
                       .shape = make_shape({{.half = {0.4, 0.4, 0.4}}}),
                       .mass_kg = 100};
  return rows;
}

void expect_one_surface(const ShapePtr& shape) {
  const std::vector<EntityType> types = make_level_types(shape);
  ASSERT_TRUE(check(types).ok());
  World world{{.types = types, .start = Tick{1000}, .limits = {.entities_max = 64}}};
  std::uint32_t ordinal = 0;
  const auto spawn = [&](TypeId type, const Vec3& at, Handle parent = no_entity) {
    return world.spawn({.id = make_entity_id(1, world.now(), ordinal++),
                        .type = type,
                        .parent = parent,
                        .local = {at, {}}});
  };
  const Handle ground = spawn(level_ground, {30, 5, -20});
  const Handle lift = spawn(level_lift, {6, 4, 6}, ground);
  const Handle crate = spawn(level_crate, {32, 10, -21});
  for (int tick = 0; tick < 300; ++tick) world.step_bodies(world.now());

  const Vec3 rests = world.pose(crate, world.now())->position - Vec3{30, 5, -20};
  const auto below = cast_ray(*shape, rests, {0, -1, 0}, 5);
  ASSERT_TRUE(below);
  EXPECT_NEAR(*below, 0.45, 0.15) << "it lies on a slope";

  const auto hit = world.physics().cast_ray({20, 20, -30}, {20, -20, -30}, {});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->point.y, 5 + hills(-10, -10), 0.15);

  Neighbours near;
  const Vec3 at{6, 5, 6};
  world.gather_neighbours(ground, inflated({at, at}, 3), world.now() - 1, no_entity, near);
  ASSERT_EQ(near.size(), 2U);
  ActorState state{.position = at};
  PlayerInput input;
  FrameMotion frame = with_gravity();
  for (int tick = 0; tick < 60; ++tick, ++input.tick) step_actor({}, frame, near, input, state);
  EXPECT_EQ(state.ground, lift);
  EXPECT_NEAR(state.position.y, 4.91, 0.001);
}

TEST(ALevel, IsTheSameForBodiesRaysAndActors) {
  expect_one_surface(make_shape({}, mesh_of(floor_of(80, 0.5, hills, 0.3))));
}

TEST(ALevel, OfHeightsIsTheSameForBodiesRaysAndActors) {
  expect_one_surface(make_shape(field_of(80, 0.5, hills)));
}

}  // namespace
}  // namespace perigee::world
