#include "perigee/world/neighbour_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class ANeighbourGrid : public testing::Test {
 protected:
  Records world;
  NeighbourGrid grid{world.setup.limits};

  static Bounds around(const Vec3& at, double half_m) { return inflated({at, at}, half_m); }
  std::vector<const EntityRecord*> found(const Vec3& at, double half_m = 1) const {
    std::vector<const EntityRecord*> out;
    grid.find(around(at, half_m), [&](const EntityRecord& r) { out.push_back(&r); });
    return out;
  }
};

TEST_F(ANeighbourGrid, FindsEachEntityOnceAcrossTheBordersOfCells) {
  const EntityRecord& box = world.add(Records::box, {});
  grid.begin(world.now);
  grid.add(box, around({16, 0, 16}, 3));
  EXPECT_THAT(found({14, 0, 14}), testing::ElementsAre(&box));
  EXPECT_THAT(found({18, 0, 18}), testing::ElementsAre(&box));
  EXPECT_THAT(found({0, 0, 0}, 100), testing::ElementsAre(&box));
  EXPECT_THAT(found({30, 0, 16}), testing::IsEmpty());
}

TEST_F(ANeighbourGrid, KeepsEntitiesAtRestFromTickToTick) {
  EntityRecord& small = world.add(Records::box, {});
  EntityRecord& large = world.add(Records::ground, {});
  const EntityRecord& moving = world.add(Records::box, {});
  for (EntityRecord* r : {&small, &large}) r->still = {.since = {}, .at = {}, .bounds = {}};
  small.still->bounds = around({}, 1);
  large.still->bounds = around({}, 40);
  grid.begin(world.now);
  grid.keep(small, small.still->bounds);
  grid.keep(large, large.still->bounds);
  grid.add(moving, around({}, 1));
  EXPECT_THAT(found({}), testing::UnorderedElementsAre(&small, &large, &moving));
  grid.begin(world.now + 1);
  EXPECT_THAT(found({}), testing::UnorderedElementsAre(&small, &large));
  grid.unkeep(small);
  grid.unkeep(large);
  EXPECT_THAT(found({}), testing::IsEmpty());
}

TEST_F(ANeighbourGrid, IsOfOneTickUntilItIsInvalidated) {
  EXPECT_FALSE(grid.valid());
  grid.begin(world.now);
  EXPECT_TRUE(grid.is_of(world.now));
  EXPECT_FALSE(grid.is_of(world.now + 1));
  grid.invalidate();
  EXPECT_FALSE(grid.is_of(world.now));
}

TEST_F(ANeighbourGrid, FindsDoorsByTheirWholePath) {
  EntityRecord& near = world.add(Records::door, {});
  EntityRecord& far = world.add(Records::door, {});
  grid.add_door(near, around({}, 5));
  grid.add_door(far, around({1000, 0, 0}, 5));
  std::vector<const EntityRecord*> doors;
  const auto take = [&](const EntityRecord& r) { doors.push_back(&r); };
  grid.find_doors(around({}, 30), take);
  EXPECT_THAT(doors, testing::ElementsAre(&near));
  grid.remove_door(near);
  doors.clear();
  grid.find_doors(around({}, 30), take);
  EXPECT_THAT(doors, testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::world
