#include "perigee/directory/space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace perigee::directory {
namespace {

CellBox world() { return cells_around({-8000, -2000, -8000}, {8000, 2000, 8000}); }

TEST(Space, IsOneRegionAtFirst) {
  const Space space(world());
  EXPECT_EQ(space.leaves().size(), 1U);
  EXPECT_EQ(space.region_at({0, 0, 0}), RegionId{0});
  EXPECT_EQ(space.region_at({8001, 0, 0}), std::nullopt);
  EXPECT_EQ(space.world().low_m(), (Vec3{-8000, -2000, -8000}));
}

TEST(Space, DividesAWorldOfAThousandKilometres) {
  const CellBox wide = cells_around({-500'000, -2'000, -500'000}, {500'000, 2'000, 500'000});
  auto sliced = Space::sliced(wide, 16);
  ASSERT_TRUE(sliced);
  Space space = std::move(sliced).value();
  EXPECT_EQ(space.region_at({-500'000, 0, 0}), RegionId{0});
  EXPECT_EQ(space.region_at({499'999.9, 0, 499'999.9}), RegionId{15});
  EXPECT_EQ(space.region_at({500'000, 0, 0}), std::nullopt);
  const auto part = space.split(RegionId{15}, Axis::Z, 1996);  // 1 km of the world's edge
  ASSERT_TRUE(part);
  EXPECT_EQ(space.region_at({499'999, 0, 498'999.99}), RegionId{15});
  EXPECT_EQ(space.region_at({499'999, 0, 499'000}), *part);
  const auto again = Space::restored(wide, space.saved());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->leaves(), space.leaves());
}

TEST(Space, HasAsManyRegionsAsTheMapHolds) {
  const CellBox wide = cells_around({-500'000, -2'000, -500'000}, {500'000, 2'000, 500'000});
  auto sliced = Space::sliced(wide, regions_max / 2);
  ASSERT_TRUE(sliced);
  Space space = std::move(sliced).value();
  for (std::uint32_t i = 0; i < regions_max / 2; ++i) {
    ASSERT_TRUE(space.split(RegionId{i}, Axis::Z, 0)) << i;
  }
  EXPECT_EQ(space.size(), regions_max);
  EXPECT_FALSE(space.split(RegionId{0}, Axis::Z, 1000));
  ASSERT_TRUE(space.merge(RegionId{0}));
  EXPECT_TRUE(space.split(RegionId{0}, Axis::Z, 1000));
  const auto again = Space::restored(wide, space.saved());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->leaves(), space.leaves());
}

TEST(Space, IsSplitMergedAndSlidWithoutGapsOrOverlap) {
  Space space(world());
  const auto east = space.split(RegionId{0}, Axis::X, 0);
  ASSERT_TRUE(east);
  EXPECT_EQ(space.region_at({-0.1, 0, 0}), RegionId{0});
  EXPECT_EQ(space.region_at({0, 0, 0}), *east);
  const auto north = space.split(*east, Axis::Z, 8);
  ASSERT_TRUE(north);
  EXPECT_EQ(space.sibling(RegionId{0}), std::nullopt) << "its other side is divided further";
  EXPECT_FALSE(space.merge(RegionId{0}));
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
  ASSERT_TRUE(space.merge(RegionId{0}));
  EXPECT_EQ(space.leaves(), (std::vector{Leaf{RegionId{0}, world()}}));
}

TEST(Space, DoesNotMakeRegionsThatAreAllBorder) {
  Space space(world());
  EXPECT_FALSE(space.split(RegionId{0}, Axis::X, -29)) << "750 m";
  EXPECT_TRUE(space.split(RegionId{0}, Axis::X, -28)) << "1 km";
  EXPECT_FALSE(space.slide(RegionId{0}, -29));
}

TEST(Space, UsesNoIdAgain) {
  Space space(world());
  const auto first = space.split(RegionId{0}, Axis::X, 0);
  ASSERT_TRUE(first && space.merge(RegionId{0}));
  const auto second = space.split(RegionId{0}, Axis::X, 0);
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
}

TEST(Space, IsCutIntoSlicesWithIdsFromTheSmallestXOn) {
  for (std::uint32_t parts = 1; parts <= 16; ++parts) {
    const auto space = Space::sliced(world(), parts);
    ASSERT_TRUE(space);
    std::int32_t at = world().low[0];
    ASSERT_EQ(space->size(), parts);
    for (const Leaf& leaf : space->leaves()) {
      EXPECT_EQ(leaf.box.low[0], at) << "no gap, no overlap";
      EXPECT_EQ(space->region_of(leaf.box.low), leaf.region);
      at = leaf.box.high[0];
    }
    EXPECT_EQ(at, world().high[0]);
    EXPECT_EQ(space->leaves().back().region, RegionId{parts - 1});
    Space more = *space;
    EXPECT_EQ(*more.split(RegionId{0}, Axis::Z, 0), RegionId{parts}) << "ids go on from there";
  }
  EXPECT_FALSE(Space::sliced(world(), 17)) << "narrower than 1 km";
  EXPECT_FALSE(Space::sliced(world(), 0));
}

TEST(Space, ComesBackFromPaperAsItWas) {
  std::mt19937 random(1);
  Space space = *Space::sliced(world(), 3);
  for (int i = 0; i < 2000; ++i) {
    const auto leaves = space.leaves();
    const Leaf& leaf = leaves[random() % leaves.size()];
    const auto axis = static_cast<Axis>(random() % 3);
    const auto a = static_cast<std::size_t>(axis);
    const auto at = leaf.box.low[a] + static_cast<std::int32_t>(random() % 64);
    switch (random() % 4) {
      case 0:
      case 1:
        (void)space.split(leaf.region, axis, at);
        break;
      case 2:
        (void)space.slide(leaf.region, at);
        break;
      default:
        (void)space.merge(leaf.region);
    }
    const auto back = Space::restored(world(), space.saved());
    ASSERT_TRUE(back);
    ASSERT_EQ(back->leaves(), space.leaves());
    ASSERT_EQ(back->saved(), space.saved());
  }
  EXPECT_GT(space.saved().next, RegionId{100});
}

TEST(Space, DoesNotComeBackFromWhatNoSpaceEverWas) {
  const Space space = *Space::sliced(world(), 4);
  const SavedSpace good = space.saved();
  const auto refused = [&](auto spoil) {
    SavedSpace bad = good;
    spoil(bad);
    return !Space::restored(world(), bad).ok();
  };
  EXPECT_FALSE(refused([](SavedSpace&) {}));
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes.pop_back(); }));
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes.push_back({.region = RegionId{7}}); }));
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes[0].at = 31; })) << "narrower than 1 km";
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes[0].at = INT32_MIN; }));
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes[0].axis = static_cast<Axis>(3); }));
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes.back().region = RegionId{0}; })) << "twice";
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.next = RegionId{3}; })) << "an id would come again";
  EXPECT_TRUE(refused([](SavedSpace& bad) { bad.nodes.clear(); }));
}

TEST(Space, CopiesAreOnTheirOwn) {
  Space space(world());
  Space copy = space;
  ASSERT_TRUE(copy.split(RegionId{0}, Axis::X, 0));
  EXPECT_EQ(space.leaves().size(), 1U);
  space = copy;
  ASSERT_TRUE(space.merge(RegionId{0}));
  EXPECT_EQ(copy.leaves().size(), 2U);
}

}  // namespace
}  // namespace perigee::directory
