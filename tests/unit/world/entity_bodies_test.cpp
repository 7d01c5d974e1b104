#include "perigee/world/entity_bodies.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "parts.hpp"

namespace perigee::world {
namespace {

TEST(TheEntityBodies, EnterInTheOrderOfEntityIds) {
  Parts world;
  auto first = world.make(Records::box, {});
  EntityRecord& second = world.table.add(world.make(Records::box, {5, 0, 0}));
  EntityRecord& early = world.table.add(std::move(first));
  world.bodies.add(second);
  world.bodies.add(early);
  world.enter();
  EXPECT_LT(early.body, second.body);
  EXPECT_EQ(world.physics->mode(early.body), BodyMode::Dynamic);
}

TEST(TheEntityBodies, LeaveWithTheNextStep) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  world.enter();
  const BodyId body = box.body;
  world.bodies.leave(box);
  EXPECT_TRUE(world.physics->has(body));
  world.bodies.remove_left();
  EXPECT_FALSE(world.physics->has(body));
}

TEST(TheEntityBodies, OfDoorsOnMovingCarriersDoNotExist) {
  Parts world;
  const EntityRecord& ship = world.spawn(Records::box, {});
  const EntityRecord& carried = world.spawn(Records::door, {}, ship.entity.handle);
  const EntityRecord& door = world.spawn(Records::door, {9, 0, 0});
  world.enter();
  EXPECT_EQ(carried.body, no_body);
  EXPECT_EQ(world.physics->mode(door.body), BodyMode::Animated);
}

TEST(TheEntityBodies, AreReadAfterTheStep) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  world.enter();
  world.physics->set_velocity(box.body, {6, 0, 0}, {});
  world.physics->step(seconds_per_tick);
  world.bodies.record_motions(world.now + 1);
  const Motion* after = box.motions->find(world.now + 1);
  ASSERT_NE(after, nullptr);
  EXPECT_NEAR(after->pose.position.x, 0.1, 1e-12);
  EXPECT_EQ(after->velocity.x, 6);
}

TEST(TheEntityBodies, RefuseMotionsThatAreNotFinite) {
  Parts world;
  const EntityRecord& box = world.spawn(Records::box, {});
  Motion wrong;
  wrong.velocity.x = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(world.bodies.set(box.entity.handle, wrong));
  EXPECT_FALSE(world.bodies.set(99, {}));
  EXPECT_EQ(world.calls.faults().total(), 2U);
  EXPECT_TRUE(world.bodies.set(box.entity.handle, {.pose = {{1, 2, 3}, {}}}));
  EXPECT_EQ(world.motions.pose(box.entity.handle, world.now)->position, (Vec3{1, 2, 3}));
}

}  // namespace
}  // namespace perigee::world
