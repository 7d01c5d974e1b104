/// Bodies that are hulls rest, fall and slide; bodies on hulls, too.
#include <gtest/gtest.h>

#include "hulls.hpp"
#include "meshes.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {
namespace {

class HullsAsBodies : public testing::Test {
 protected:
  std::unique_ptr<PhysicsWorld> world = make_bullet_world(64);
  std::vector<BodyId> bodies;

  void add_ground(const ShapePtr& shape) {
    world->add_body({.owner = 1, .shape = shape, .mode = BodyMode::Static});
  }
  BodyId add(const ShapePtr& shape, const Vec3& at, const Quat& turn = {}) {
    bodies.push_back(
        world->add_body({.owner = 2, .shape = shape, .mass_kg = 100, .pose = {at, turn}}));
    return bodies.back();
  }
  void step(int ticks) {
    for (int tick = 0; tick < ticks; ++tick) {
      for (const BodyId id : bodies) {
        if (world->awake(id)) world->accelerate(id, {0, -9.81, 0});
      }
      world->step(seconds_per_tick);
    }
  }
  Vec3 place(BodyId id) const { return world->state(id).pose.position; }
};

ShapePtr rock(std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3f> points;
  for (int k = 0; k < 16; ++k) {
    const Vec3 way{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    points.push_back(to_float(multiply(normalized(way), {0.8, 0.5, 0.6})));
  }
  return make_shape({}, nullptr, {hull_of(points)});
}

TEST_F(HullsAsBodies, RestOnBoxesHullsAndTriangles) {
  const ShapePtr grounds[] = {make_shape({floor_box()}), solid_shape({floor_box()}),
                              make_shape({}, mesh_of(floor_of(40, 1)))};
  for (const ShapePtr& ground : grounds) {
    world = make_bullet_world(64);
    bodies.clear();
    add_ground(ground);
    const BodyId cube = add(solid_shape({box_at({}, {0.5, 0.5, 0.5})}), {0, 1.5, 0});
    for (std::uint64_t i = 0; i < 24; ++i) {
      add(rock(i),
          {3.0 * static_cast<double>(i % 8) - 12, 1.2, 4 + 3.0 * static_cast<double>(i / 8)});
    }
    step(480);
    EXPECT_NEAR(place(cube).y, 0.5, 0.02);
    std::vector<Vec3> start;
    for (const BodyId id : bodies) start.push_back(place(id));
    step(600);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_LT(distance(place(bodies[i]), start[i]), 0.002)
          << i << " on " << (&ground - &grounds[0]);
      EXPECT_GT(place(bodies[i]).y, 0.2) << i;
      EXPECT_FALSE(world->awake(bodies[i])) << i;
    }
  }
}

TEST_F(HullsAsBodies, HaveTheSizeOfTheirCorners) {
  add_ground(make_shape({floor_box()}));
  // A wedge with its slope up: two flat sides tell its height.
  const ShapePtr wedge = make_shape({}, nullptr,
                                    {hull_of({{-1, -0.3F, -1},
                                              {1, -0.3F, -1},
                                              {-1, -0.3F, 1},
                                              {1, -0.3F, 1},
                                              {-1, 0.6F, -1},
                                              {-1, 0.6F, 1}})});
  const BodyId body = add(wedge, {0, 0.5, 0});
  step(300);
  EXPECT_NEAR(place(body).y, 0.3, 0.01);
  const auto hit = world->cast_ray(place(body) + Vec3{0, 3, 0}, place(body) - Vec3{0, 3, 0}, {});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->point.y - place(body).y, 0.15, 0.02) << "the middle of the slope";
}

TEST_F(HullsAsBodies, StayInAPile) {
  add_ground(make_shape({floor_box()}));
  const ShapePtr cube = solid_shape({box_at({}, {0.5, 0.5, 0.5})});
  for (int i = 0; i < 4; ++i) add(cube, {0.02 * i, 0.52 + 1.01 * i, 0});
  step(600);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(place(bodies[static_cast<std::size_t>(i)]).y, 0.5 + i, 0.05) << i;
  }
}

TEST_F(HullsAsBodies, GiveTheSameHashTwice) {
  std::uint64_t hashes[2];
  for (std::uint64_t& hash : hashes) {
    world = make_bullet_world(64);
    bodies.clear();
    add_ground(make_shape({}, mesh_of(floor_of(40, 0.7, hills, 0.3))));
    for (std::uint64_t i = 0; i < 12; ++i) {
      add(rock(i), {static_cast<double>(i % 4) * 2, 4.0 + static_cast<double>(i), 1});
    }
    step(400);
    hash = world->hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace perigee::world
