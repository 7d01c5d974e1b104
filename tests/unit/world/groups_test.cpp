#include "perigee/world/groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parts.hpp"
#include "perigee/world/group.hpp"

namespace perigee::world {
namespace {

class TheGroups : public testing::Test {
 protected:
  Parts world;
  Groups groups{{.entities = world.table,
                 .joints = world.joints,
                 .physics = *world.physics,
                 .now = world.now}};
};

TEST_F(TheGroups, OfAShipHaveItsPartsPassengersAndJointedBodies) {
  const Handle ship = world.spawn(Records::box, {}).entity.handle;
  const Handle door = world.spawn(Records::door, {}, ship).entity.handle;
  const Handle actor = world.spawn(Records::walker, {}, ship).entity.handle;
  const Handle trailer = world.spawn(Records::box, {10, 0, 0}).entity.handle;
  world.spawn(Records::box, {50, 0, 0});
  world.joints.add({.a = ship, .b = trailer});
  const Group group = groups.group_of(actor);
  EXPECT_THAT(group.members, testing::ElementsAre(ship, door, actor, trailer));
  EXPECT_EQ(group.root, trailer) << "equally heavy, with the larger id";
}

TEST_F(TheGroups, OfAFixtureHaveItsPartsButNoActors) {
  const Handle ground = world.spawn(Records::ground, {}).entity.handle;
  const Handle door = world.spawn(Records::door, {}, ground).entity.handle;
  world.spawn(Records::walker, {}, ground);
  const Group group = groups.group_of(door);
  EXPECT_EQ(group.root, ground);
  EXPECT_THAT(group.members, testing::ElementsAre(ground, door));
  EXPECT_TRUE(groups.is_fixture(door));
}

TEST_F(TheGroups, NameTouchedEntitiesOfOtherWorkers) {
  EntityRecord& own = world.spawn(Records::box, {});
  EntityRecord& other = world.spawn(Records::box, {0.9, 0, 0});
  world.remote.set_remote(other.entity.handle, true);
  world.enter();
  EXPECT_FALSE(groups.touches_remote(own.entity.handle));
  world.physics->step(seconds_per_tick);
  EXPECT_TRUE(groups.touches_remote(own.entity.handle));
  EXPECT_THAT(groups.group_of(own.entity.handle).foreign,
              testing::ElementsAre(other.entity.handle));
  EXPECT_TRUE(groups.group_of(other.entity.handle).members.empty());
}

}  // namespace
}  // namespace perigee::world
