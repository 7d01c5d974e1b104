#include "perigee/world/entity_motions.hpp"

#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

TEST(EntityMotionsAt, TicksOfTheHistoryOnly) {
  Records world;
  const EntityRecord& box = world.add(Records::box, {1, 2, 3});
  ASSERT_TRUE(world.motions.pose(box.entity.handle, world.now));
  EXPECT_EQ(world.motions.pose(box.entity.handle, world.now)->position, (Vec3{1, 2, 3}));
  EXPECT_FALSE(world.motions.pose(box.entity.handle, world.now - 1));
  EXPECT_FALSE(world.motions.ends(box.entity.handle, world.now));
  EXPECT_FALSE(world.motions.pose(99, world.now));
}

TEST(EntityMotionsAt, EveryTickSinceABodyCameToRest) {
  Records world;
  EntityRecord& box = world.add(Records::box, {});
  box.motions.reset();
  box.still = {.since = world.now - 5, .at = {.pose = {{0, 7, 0}, {}}}, .bounds = {}};
  EXPECT_EQ(world.motions.pose(box.entity.handle, world.now)->position.y, 7);
  EXPECT_EQ(world.motions.pose(box.entity.handle, world.now - 5)->position.y, 7);
  EXPECT_FALSE(world.motions.pose(box.entity.handle, world.now - 6));
}

TEST(EntityMotionsOf, ActorsAndDoorsFollowTheirParent) {
  Records world;
  EntityRecord& ship = world.add(Records::box, {});
  ship.motions->claim(world.now) = {.pose = {{100, 0, 0}, {}}, .velocity = {5, 0, 0}};
  const EntityRecord& actor = world.add(Records::walker, {1, 0, 0}, ship.entity.handle);
  const EntityRecord& door = world.add(Records::door, {2, 0, 0}, ship.entity.handle);
  EXPECT_EQ(world.motions.motion(actor, world.now)->pose.position.x, 101);
  EXPECT_EQ(world.motions.motion(actor, world.now)->velocity.x, 5);
  EXPECT_EQ(world.motions.motion(door, world.now)->pose.position.x, 102);
  EXPECT_FALSE(world.motions.parent_rests(door));
  const auto beside = world.motions.actor_beside(actor, no_entity, world.now);
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->position.x, 101);
}

TEST(EntityMotionsOf, AnActorCarriesNothing) {
  Records world;
  EntityRecord& actor = world.add(Records::walker, {});
  actor.traces->claim(world.now) = {actor.entity.handle, {}, {}};
  EXPECT_FALSE(world.motions.motion(actor, world.now));
}

TEST(EntityMotionsOf, AScheduledObjectHasBoundsOfItsWholePath) {
  Records world;
  const EntityRecord& ground = world.add(Records::ground, {0, 10, 0});
  const EntityRecord& door = world.add(Records::door, {}, ground.entity.handle);
  const Bounds bounds = world.motions.path_bounds(door);
  EXPECT_EQ(bounds.low.z, -1);
  EXPECT_EQ(bounds.high.z, 3);
  EXPECT_EQ(bounds.low.y, 9);
  EXPECT_FALSE(world.motions.goes_rounds(door));
  EXPECT_TRUE(world.motions.goes_rounds(world.add(Records::wheel, {}, ground.entity.handle)));
}

}  // namespace
}  // namespace perigee::world
