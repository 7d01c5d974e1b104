#include "perigee/world/gravity_fields.hpp"

#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

TEST(TheGravityFields, OfTheSmallestBoxIsFelt) {
  Records world;
  world.types.push_back(world.types[Records::ground]);
  world.types.back().id = 5;
  world.types.back().gravity = {{0, -1, 0}, {{-1, -1, -1}, {1, 1, 1}}};
  world.setup.types = world.types;
  EntityTable table(world.setup);
  EntityMotions motions(table, world.now);
  GravityFields fields({.entities = table, .motions = motions, .now = world.now});
  for (const TypeId type : {TypeId{Records::ground}, TypeId{5}}) {
    table.add(world.make(type, {}));
  }
  EXPECT_EQ(fields.pull_at({5, 5, 5}).y, -9.81);
  EXPECT_EQ(fields.pull_at({0.5, 0.5, 0.5}).y, -1);
  EXPECT_EQ(fields.pull_at({0, 100, 0}), Vec3{});
  EXPECT_EQ(fields.at({0, 0, 0}, world.now).acceleration.y, -1);
  EXPECT_EQ(fields.at({0, 100, 0}, world.now).acceleration, Vec3{});
}

TEST(TheGravityFields, OfADrivenShipCarryBodiesAlong) {
  Records world;
  world.types[Records::box].gravity = {{0, -9.81, 0}, {{-5, -5, -5}, {5, 5, 5}}};
  GravityFields fields({.entities = world.table, .motions = world.motions, .now = world.now});
  EntityRecord& ship = world.add(Records::box, {});
  EXPECT_EQ(fields.pull_at({}).x, 0);
  ship.driven = true;
  ship.drive_velocity = {1, 0, 0};
  EXPECT_EQ(fields.pull_at({}).x, 1 / seconds_per_tick);
  EXPECT_EQ(fields.pull_at({}).y, -9.81);
}

}  // namespace
}  // namespace perigee::world
