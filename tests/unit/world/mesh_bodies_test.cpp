/// Bodies on triangles: they rest, slide and fall as on boxes.
#include <gtest/gtest.h>

#include "meshes.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {
namespace {

class BodiesOnAMesh : public testing::Test {
 protected:
  std::unique_ptr<PhysicsWorld> world = make_bullet_world(64);
  ShapePtr crate = make_shape({{.half = {0.5, 0.5, 0.5}}});
  std::vector<BodyId> bodies;

  BodyId add_level(const MeshPtr& mesh, const Pose& pose = {}) {
    return world->add_body(
        {.owner = 1, .shape = make_shape({}, mesh), .mode = BodyMode::Static, .pose = pose});
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
  Vec3 place(BodyId id) const { return world->state(id).pose.position; }
};

double bumps(double x, double z) { return 0.05 * sin_cos(x * 2.1).sin * sin_cos(z * 1.7).cos; }

TEST_F(BodiesOnAMesh, RestOnBumpsWithoutDrifting) {
  add_level(mesh_of(floor_of(60, 0.5, bumps, 0.3)));
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

TEST_F(BodiesOnAMesh, RestOnBumpsNearlyAlwaysWhereverTheyFall) {
  world = make_bullet_world(256);
  add_level(mesh_of(floor_of(160, 0.5, bumps, 0.3)));
  Random random(11);
  for (int i = 0; i < 196; ++i) {
    const double x = 4.0 * (i % 14) - 28 + random.between(-1, 1);
    add(crate, {x, 1.2, 4.0 * (i / 14) - 28 + random.between(-1, 1)});
  }
  for (int tick = 0; tick < 8 * 60; ++tick) step(false);
  std::vector<Vec3> start;
  for (const BodyId id : bodies) start.push_back(place(id));
  for (int tick = 0; tick < 10 * 60; ++tick) step(false);
  int moved = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    moved += distance(place(bodies[i]), start[i]) > 0.002 ? 1 : 0;
  }
  EXPECT_LE(moved, 4) << "of 196; 16 if the engine chooses the contacts";
}

TEST_F(BodiesOnAMesh, FallAsleepAndRestWithinTwoCentimetresOfTheFloor) {
  add_level(mesh_of(floor_of(20, 0.5)));
  const BodyId body = add(crate, {0.3, 2, 0.2});
  for (int tick = 0; tick < 400; ++tick) step(false);
  EXPECT_FALSE(world->awake(body));
  EXPECT_NEAR(place(body).y, 0.5, 0.02);
}

TEST_F(BodiesOnAMesh, SlideOverSeamsWithoutHopping) {
  for (const bool bricks : {false, true}) {
    world = make_bullet_world(64);
    bodies.clear();
    add_level(mesh_of(bricks ? brick_floor(120, 0.5) : floor_of(120, 0.5, {}, 0.3)));
    const BodyId body = add(crate, {-25, 0.52, 0.1}, {}, 0.1);
    for (int tick = 0; tick < 60; ++tick) step();
    const Vec3 rests = place(body);
    world->set_velocity(body, {8, 0, 0.5}, {});
    double hop = 0;
    for (int tick = 0; tick < 240; ++tick) {
      step();
      hop = std::max(hop, place(body).y - rests.y);
    }
    EXPECT_LT(hop, 0.005) << "bricks " << bricks;
    EXPECT_GT(place(body).x - rests.x, 15) << "bricks " << bricks;
  }
}

TEST_F(BodiesOnAMesh, FallFastAndStayAboveIt) {
  const MeshPtr hilly = mesh_of(floor_of(80, 0.5, hills, 0.3));
  const ShapePtr small = make_shape({{.half = {0.1, 0.15, 0.1}}});
  const ShapePtr ball = make_capsule_shape(0.2, 0.4);
  for (int i = 0; i < 100; ++i) {
    world = make_bullet_world(64);
    bodies.clear();
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

TEST_F(BodiesOnAMesh, RestOnBoxesAndTrianglesOfOneShape) {
  const auto mixed = make_shape({box_at({4, 1, 0}, {2, 1, 2})}, mesh_of(floor_of(20, 0.5)));
  world->add_body({.owner = 1, .shape = mixed, .mode = BodyMode::Static});
  const BodyId low = add(crate, {0, 1, 0});
  const BodyId high = add(crate, {4, 3, 0});
  for (int tick = 0; tick < 200; ++tick) step();
  EXPECT_NEAR(place(low).y, 0.5, 0.02);
  EXPECT_NEAR(place(high).y, 2.5, 0.05);
}

TEST_F(BodiesOnAMesh, HaveTheSameHashTwice) {
  const auto tumble = [&] {
    world = make_bullet_world(64);
    bodies.clear();
    add_level(mesh_of(floor_of(60, 0.5, hills, 0.3)), {{1, 0, 2}, yaw_rotation(0.4)});
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

TEST_F(BodiesOnAMesh, ReplaySixteenTicksBitExactFromASnapshot) {
  add_level(mesh_of(floor_of(120, 0.5, bumps, 0.3)));
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

}  // namespace
}  // namespace perigee::world
