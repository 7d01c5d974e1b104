#include "perigee/directory/space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::directory {
namespace {

CellBox world() { return cells_around({-8000, -2000, -8000}, {8000, 2000, 8000}); }

TEST(Space, IsOneRegionAtFirst) {
  const Space space(world());
  EXPECT_EQ(space.leaves().size(), 1U);
  EXPECT_EQ(space.region_at({0, 0, 0}), 0U);
  EXPECT_EQ(space.region_at({8001, 0, 0}), std::nullopt);
  EXPECT_EQ(space.world().low_m(), (Vec3{-8000, -2000, -8000}));
}

TEST(Space, IsSplitMergedAndSlidWithoutGapsOrOverlap) {
  Space space(world());
  const auto east = space.split(0, Axis::X, 0);
  ASSERT_TRUE(east);
  EXPECT_EQ(space.region_at({-0.1, 0, 0}), 0U);
  EXPECT_EQ(space.region_at({0, 0, 0}), *east);
  const auto north = space.split(*east, Axis::Z, 8);
  ASSERT_TRUE(north);
  EXPECT_EQ(space.sibling(0), std::nullopt) << "its other side is divided further";
  EXPECT_FALSE(space.merge(0));
  ASSERT_TRUE(space.slide(*north, 12));
  EXPECT_EQ(space.region_at({100, 0, 2999}), *east);
  EXPECT_EQ(space.region_at({100, 0, 3000}), *north);
  std::int64_t cells = 0;
  for (const Leaf& leaf : space.leaves()) {
    cells += std::int64_t{leaf.box.length(Axis::X)} * leaf.box.length(Axis::Y) *
             leaf.box.length(Axis::Z);
  }
  EXPECT_EQ(cells, 64 * 16 * 64);
  ASSERT_TRUE(space.merge(*east));
  EXPECT_EQ(space.box_of(*north), nullptr);
  ASSERT_TRUE(space.merge(0));
  EXPECT_EQ(space.leaves(), (std::vector{Leaf{0, world()}}));
}

TEST(Space, DoesNotMakeRegionsThatAreAllBorder) {
  Space space(world());
  EXPECT_FALSE(space.split(0, Axis::X, -29)) << "750 m";
  EXPECT_TRUE(space.split(0, Axis::X, -28)) << "1 km";
  EXPECT_FALSE(space.slide(0, -29));
}

TEST(Space, UsesNoIdAgain) {
  Space space(world());
  const auto first = space.split(0, Axis::X, 0);
  ASSERT_TRUE(first && space.merge(0));
  const auto second = space.split(0, Axis::X, 0);
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
}

TEST(Space, CopiesAreOnTheirOwn) {
  Space space(world());
  Space copy = space;
  ASSERT_TRUE(copy.split(0, Axis::X, 0));
  EXPECT_EQ(space.leaves().size(), 1U);
  space = copy;
  ASSERT_TRUE(space.merge(0));
  EXPECT_EQ(copy.leaves().size(), 2U);
}

}  // namespace
}  // namespace perigee::directory
