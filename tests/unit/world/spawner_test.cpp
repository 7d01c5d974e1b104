#include "perigee/world/spawner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "parts.hpp"

namespace perigee::world {
namespace {

TEST(TheSpawner, RefusesAGamesOrdersForActors) {
  Parts world;
  const SpawnOrder order{.id = {5}, .type = Records::walker};
  world.calls.begin();
  EXPECT_EQ(world.spawner.spawn(order), no_entity);
  EXPECT_EQ(world.calls.faults().total(), 1U);
  world.calls.end();
  const Handle actor = world.spawner.spawn(order);
  EXPECT_NE(actor, no_entity);
  EXPECT_EQ(world.spawner.spawn(order), no_entity) << "the id is taken";
  EXPECT_EQ(world.calls.faults().total(), 1U) << "not a game's order";
}

TEST(TheSpawner, DespawnsPartsAndLeavesActorsInTheRegionsFrame) {
  Parts world;
  const Handle ship = world.spawn(Records::box, {100, 0, 0}).entity.handle;
  const Handle door = world.spawn(Records::door, {}, ship).entity.handle;
  const EntityRecord& actor = world.spawn(Records::walker, {1, 0, 0}, ship);
  EXPECT_TRUE(world.spawner.despawn(ship));
  EXPECT_EQ(world.table.find(ship), nullptr);
  EXPECT_EQ(world.table.find(door), nullptr);
  EXPECT_EQ(actor.trace(world.now)->parent, no_entity);
  EXPECT_EQ(actor.trace(world.now)->position.x, 101);
  EXPECT_FALSE(world.spawner.despawn(ship));
}

TEST(TheSpawner, ReleasesEntitiesWithoutTheOnesTheyCarry) {
  Parts world;
  const Handle ship = world.spawn(Records::box, {}).entity.handle;
  const Handle door = world.spawn(Records::door, {}, ship).entity.handle;
  world.grid.begin(world.now);
  world.spawner.release(std::array{ship});
  EXPECT_EQ(world.table.find(ship), nullptr);
  EXPECT_NE(world.table.find(door), nullptr);
  EXPECT_FALSE(world.grid.valid());
}

TEST(TheSpawner, FilesABodyThatRestsAtOnce) {
  Parts world;
  EntityRecord* box = world.spawner.enter({.id = {5}, .type = Records::box, .rests = true});
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->still);
  EXPECT_EQ(box->motions, nullptr);
  EXPECT_THAT(world.lively.list(), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::world
