/// Bodies on heightfields: they rest, slide and fall as on meshes.
#include <gtest/gtest.h>

#include "heightfields.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {
namespace {

class BodiesOnAHeightfield : public testing::Test {
 protected:
  std::unique_ptr<PhysicsWorld> world = make_bullet_world(64);
  ShapePtr crate = make_shape({{.half = {0.5, 0.5, 0.5}}});
  std::vector<BodyId> bodies;

  BodyId add_level(const HeightfieldPtr& field, const Pose& pose = {}) {
    return world->add_body(
        {.owner = 1, .shape = make_shape(field), .mode = BodyMode::Static, .pose = pose});
  }
  BodyId add(const ShapePtr& shape, const Vec3& at, const Vec3& velocity = {},
             double friction = 0.6) {
    bodies.push_back(world->add_body({.owner = 2,
                                      .shape = shape,
                                      .mass_kg = 100,
                                      .friction = friction,
                                      .pose = {at, {}},
                                      .velocity = velocity}));
    return bodies.back();
  }
  void step(bool keep_awake = true) {
    for (const BodyId id : bodies) {
      if (keep_awake) world->wake(id);
      if (world->awake(id)) world->accelerate(id, {0, -9.81, 0});
    }
    world->step(seconds_per_tick);
  }
  void start_anew() {
    world = make_bullet_world(64);
    bodies.clear();
  }
  Vec3 place(BodyId id) const { return world->state(id).pose.position; }
};

double field_bumps(double x, double z) {
  return 0.05 * sin_cos(x * 2.1).sin * sin_cos(z * 1.7).cos;
}

TEST_F(BodiesOnAHeightfield, RestOnBumpsWithoutDrifting) {
  for (const Diagonals diagonals : all_diagonals) {
    start_anew();
    add_level(field_of(60, 0.5, field_bumps, diagonals));
    for (int i = 0; i < 9; ++i) add(crate, {i * 2.9 - 12, 1.2, 0.7 * i});
    for (int tick = 0; tick < 8 * 60; ++tick) step(false);
    std::vector<Vec3> start;
    for (const BodyId id : bodies) start.push_back(place(id));
    for (int tick = 0; tick < 20 * 60; ++tick) step(false);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_LT(distance(place(bodies[i]), start[i]), 0.002) << "crate " << i;
      EXPECT_GT(place(bodies[i]).y, 0.4);
    }
  }
}

TEST_F(BodiesOnAHeightfield, FallAsleepAndRestWithinTwoCentimetresOfTheFloor) {
  add_level(field_of(20, 0.5));
  const BodyId body = add(crate, {0.3, 2, 0.2});
  for (int tick = 0; tick < 400; ++tick) step(false);
  EXPECT_FALSE(world->awake(body));
  EXPECT_NEAR(place(body).y, 0.5, 0.02);
}

TEST_F(BodiesOnAHeightfield, RestOnASlopeAsFarFromItAsOnAFloor) {
  HeightfieldSource source = field_source(40, 0.5, [](double x, double) { return 0.4 * x; });
  add_level(field_of(std::move(source)));
  const BodyId ball = add(make_shape({{.half = {0.5, 0.5, 0.5}}}), {0, 1.2, 0}, {}, 5);
  for (int tick = 0; tick < 400; ++tick) step(false);
  const Vec3 at = place(ball);
  EXPECT_NEAR((at.y - 0.4 * at.x) / std::sqrt(1 + 0.4 * 0.4), 0.5, 0.02);
}

TEST_F(BodiesOnAHeightfield, SlideOverSeamsWithoutHopping) {
  for (const Diagonals diagonals : all_diagonals) {
    start_anew();
    add_level(field_of(120, 0.5, {}, diagonals));
    const BodyId body = add(crate, {-25, 0.52, 0.1}, {}, 0.1);
    for (int tick = 0; tick < 60; ++tick) step();
    const Vec3 rests = place(body);
    world->set_velocity(body, {8, 0, 0.5}, {});
    double hop = 0;
    for (int tick = 0; tick < 240; ++tick) {
      step();
      hop = std::max(hop, place(body).y - rests.y);
    }
    EXPECT_LT(hop, 0.005);
    EXPECT_GT(place(body).x - rests.x, 15);
  }
}

TEST_F(BodiesOnAHeightfield, FallFastAndStayAboveIt) {
  const HeightfieldPtr hilly = field_of(80, 0.5, hills);
  const ShapePtr small = make_shape({{.half = {0.1, 0.15, 0.1}}});
  const ShapePtr ball = make_capsule_shape(0.2, 0.4);
  for (int i = 0; i < 100; ++i) {
    start_anew();
    add_level(hilly);
    Random random(static_cast<std::uint64_t>(i));
    const BodyId body = add(i % 3 == 0   ? crate
                            : i % 3 == 1 ? small
                                         : ball,
                            {random.between(-12, 12), 8, random.between(-12, 12)}, {0, -50, 0});
    for (int tick = 0; tick < 60; ++tick) step();
    const Vec3 at = place(body);
    if (std::abs(at.x) > 19 || std::abs(at.z) > 19) continue;  // rolled off
    EXPECT_TRUE(hilly->cast_ray(at + Vec3{0, 0.2, 0}, {0, -1, 0}, 30)) << "body " << i;
  }
}

TEST_F(BodiesOnAHeightfield, FallThroughHolesAndSlideByMaterials) {
  HeightfieldSource source = field_source(40, 1);
  source.materials = {{1, 1}, {2, 0.02F}};
  for (int cell = 0; cell < 40 * 40; ++cell) {
    source.cells.push_back(cell % 40 < 15 ? 0 : cell % 40 < 30 ? 1 : Heightfield::hole);
  }
  add_level(field_of(std::move(source)));
  const BodyId on_grass = add(crate, {-10, 0.52, -15}, {0, 0, 4});
  const BodyId on_ice = add(crate, {2, 0.52, -15}, {0, 0, 4});
  const BodyId in_hole = add(crate, {15, 0.52, 0});
  for (int tick = 0; tick < 180; ++tick) step();
  EXPECT_LT(place(on_grass).z + 15, 2.5);  // v^2 / (2 * 0.6 * 9.81) = 1.4 m
  EXPECT_GT(place(on_ice).z + 15, 9);
  EXPECT_LT(place(in_hole).y, -5);
}

TEST_F(BodiesOnAHeightfield, HaveTheSameHashTwice) {
  const auto tumble = [&] {
    start_anew();
    add_level(field_of(60, 0.5, hills), {{1, 0, 2}, yaw_rotation(0.4)});
    Random random(5);
    for (int i = 0; i < 12; ++i) {
      add(crate, {random.between(-4, 4), 4 + i * 1.1, random.between(-4, 4)},
          {random.between(-3, 3), 0, 0});
    }
    for (int tick = 0; tick < 240; ++tick) step(false);
    return world->hash();
  };
  const std::uint64_t hash = tumble();
  EXPECT_EQ(tumble(), hash);
}

TEST_F(BodiesOnAHeightfield, ReplaySixteenTicksBitExactFromASnapshot) {
  add_level(field_of(120, 0.5, field_bumps));
  const BodyId body = add(crate, {-20, 0.7, 0}, {9, 0, 1}, 0.2);
  for (int tick = 0; tick < 10; ++tick) step();
  for (int round = 0; round < 20; ++round) {
    const BodySnapshot saved = world->snapshot(body);
    for (int tick = 0; tick < 16; ++tick) step();
    const BodyState first = world->state(body);
    world->restore(saved);
    for (int tick = 0; tick < 16; ++tick) step();
    ASSERT_EQ(world->state(body), first) << "round " << round;
    world->restore(saved);
    for (int tick = 0; tick < 5; ++tick) step();
  }
}

TEST_F(BodiesOnAHeightfield, MeetTheSameRaysAsActors) {
  const HeightfieldPtr field = field_of(400, 2, hills);
  const Pose pose{{3, 5, -2}, yaw_rotation(0.6)};
  const BodyId level = add_level(field, pose);
  const BodyId body = add(crate, {0, 30, 0});
  for (const bool stepped : {false, true}) {
    if (stepped) step();
    Random random(3);
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
      const Vec3 from{random.between(-300, 300), random.between(6, 20), random.between(-300, 300)};
      const Vec3 to{random.between(-300, 300), random.between(-20, 6), random.between(-300, 300)};
      const Vec3 way = rotate_back(pose.rotation, normalized(to - from));
      const auto expected = field->cast_ray(inverse_transform(pose, from), way, distance(from, to));
      const auto found = world->cast_ray(from, to, {});
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      ++hits;
      ASSERT_NEAR(distance(from, found->point), expected->away_m, 1e-6);
    }
    EXPECT_GT(hits, 200);
  }
  EXPECT_FALSE(world->cast_ray({0, 20, 0}, {0, -20, 0}, {.except = level}));
  const auto above = world->cast_ray({0, 40, 0}, {0, -20, 0}, {});
  ASSERT_TRUE(above);
  EXPECT_GT(above->point.y, 29) << "the crate is nearer";
  world->remove_body(body);
  world->remove_body(level);
  EXPECT_FALSE(world->cast_ray({0, 40, 0}, {0, -20, 0}, {}));
}

}  // namespace
}  // namespace perigee::world
