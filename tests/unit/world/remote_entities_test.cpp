#include "perigee/world/remote_entities.hpp"

#include <gtest/gtest.h>

#include <array>

#include "parts.hpp"

namespace perigee::world {
namespace {

TEST(TheRemoteEntities, KeepTheirStateWhenTheyChangeTheirOwner) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {1, 0, 0});
  world.enter();
  world.forces.drive(box.entity.handle, {1, 0, 0}, {});
  world.remote.make_remote(std::array{box.entity.handle});
  EXPECT_TRUE(box.entity.remote);
  EXPECT_FALSE(box.driven);
  EXPECT_EQ(world.physics->mode(box.body), BodyMode::Animated);
  world.remote.make_own(std::array{box.entity.handle});
  EXPECT_EQ(world.physics->mode(box.body), BodyMode::Dynamic);
  EXPECT_EQ(world.motions.pose(box.entity.handle, world.now)->position.x, 1);
}

TEST(TheRemoteEntities, MoveOnFromTheMotionReceivedLast) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  world.remote.set_remote(box.entity.handle, true);
  const Tick received = world.now;
  world.now = received + 6;
  world.remote.set_motion(box.entity.handle, received, {.velocity = {6, 0, 0}});
  world.remote.set_motion(box.entity.handle, received - 1, {.velocity = {60, 0, 0}});
  EXPECT_NEAR(world.motions.pose(box.entity.handle, world.now)->position.x, 0.6, 1e-9)
      << "an older motion is ignored";
}

TEST(TheRemoteEntities, StandStillWithoutUpdatesAndMoveOnAsOwn) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  world.remote.set_remote(box.entity.handle, true);
  world.now = world.now + 20;
  world.remote.set_motion(box.entity.handle, world.now - 20, {.velocity = {6, 0, 0}});
  EXPECT_EQ(world.motions.motion(box.entity.handle, world.now)->velocity.x, 0);
  world.remote.make_own(std::array{box.entity.handle});
  EXPECT_EQ(world.motions.motion(box.entity.handle, world.now)->velocity.x, 6);
}

TEST(TheRemoteEntities, AtRestAreRousedByAMotionThatDiffers) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  world.lively.remove(box);
  box.lively = false;
  world.lively.settle(box, world.now);
  world.remote.set_remote(box.entity.handle, true);
  world.remote.set_motion(box.entity.handle, world.now, {});
  EXPECT_TRUE(box.still);
  world.remote.set_motion(box.entity.handle, world.now, {.velocity = {1, 0, 0}});
  EXPECT_FALSE(box.still);
}

}  // namespace
}  // namespace perigee::world
