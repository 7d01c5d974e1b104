// Balancing rounds, drains, and operators' orders, on a map without standbys.
#include "perigee/directory/region_balance.hpp"

#include "components.hpp"
#include "perigee/directory/region_orders.hpp"

namespace perigee::directory {
namespace {

struct ABalancedMap : Components {
  /// All three regions are worker 0's, and cost it 9 ms; worker 1 idles.
  void lopsided() {
    join(0);
    join(1);
    for (std::uint32_t id = 0; id < 3; ++id) regions.assign(RegionId{id}, WorkerSlot{0});
    all_report();
  }
  void all_report() {
    WorkerReport loaded;
    for (const RegionEntry& each : map.regions) {
      loaded.cells.push_back({cost_cell_at((each.low + each.high) * 0.5), 3});
    }
    report(0, loaded);
    report(1, {});
  }
  /// Advances through a whole second of the directory's clock.
  void pass_second() {
    for (int i = 0; i < 4; ++i) {
      pass(one_second / 4);
      balance.advance(now_us);
    }
  }
  RegionBalance balance{{.regions = regions, .loads = loads, .on = true}, {}, std::nullopt};
  RegionOrders orders{{.map = map, .members = members, .loads = loads, .regions = regions}};
};

TEST_F(ABalancedMap, MovesLoadToAnIdleWorkerOnceASecond) {
  lopsided();
  pass_second();
  EXPECT_EQ(regions.owned_by(WorkerSlot{1}).size(), 1U);
  const std::uint64_t version = map.version;
  for (int i = 0; i < 3; ++i) balance.advance(now_us + i);
  EXPECT_EQ(map.version, version) << "the same second";
}

TEST_F(ABalancedMap, MovesNothingWithoutBalanceButEmptiesAWorkerThatDrains) {
  balance.order(false);
  EXPECT_FALSE(balance.on());
  lopsided();
  pass_second();
  EXPECT_TRUE(regions.owned_by(WorkerSlot{1}).empty());
  members.set_draining(WorkerSlot{0}, true);
  balance.drain(now_us);
  EXPECT_TRUE(regions.owned_by(WorkerSlot{0}).empty());
  EXPECT_EQ(regions.owned_by(WorkerSlot{1}).size(), 3U);
}

TEST_F(ABalancedMap, DoesNotMoveARegionWhoseOwnerDoesNotKnowItsLastChange) {
  lopsided();
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{0});
  members.set_draining(WorkerSlot{0}, true);
  balance.drain(now_us);
  EXPECT_EQ(regions.owned_by(WorkerSlot{0}), std::vector<RegionId>{RegionId{0}});
  all_report();
  balance.drain(now_us);
  EXPECT_TRUE(regions.owned_by(WorkerSlot{0}).empty());
}

TEST_F(ABalancedMap, TheSettingHoldsUntilAnOperatorOrdersOtherwise) {
  const RegionBalance restored({.regions = regions, .loads = loads, .on = true}, {}, false);
  EXPECT_FALSE(restored.on());
  EXPECT_TRUE(balance.on());
  EXPECT_EQ(balance.ordered(), std::nullopt);
}

TEST_F(ABalancedMap, AnOrderedSplitHalvesTheCostAlongTheLongestAxis) {
  lopsided();
  WorkerReport loaded;
  const Vec3 low = region(1).low;
  loaded.cells = {{cost_cell_at(low + Vec3{300, 300, 3'000}), 4},
                  {cost_cell_at(low + Vec3{300, 300, 9'000}), 4}};
  report(0, loaded);
  const auto part = orders.split(now_us, RegionId{1}, std::nullopt, std::nullopt);
  ASSERT_TRUE(part.ok());
  EXPECT_GT(region(*part).low.z, low.z + 3'000);
  EXPECT_LE(region(*part).low.z, low.z + 9'000);
  EXPECT_FALSE(orders.split(now_us, RegionId{1}, std::nullopt, std::nullopt).ok())
      << "its owner has not acknowledged the first split";
}

TEST_F(ABalancedMap, ImpossibleOrdersChangeNothing) {
  lopsided();
  const ClusterMap before = map;
  EXPECT_FALSE(orders.split(now_us, RegionId{77}, std::nullopt, std::nullopt).ok());
  EXPECT_FALSE(orders.split(now_us, RegionId{0}, Axis::X, 1e9).ok());
  EXPECT_FALSE(orders.move(now_us, RegionId{0}, "sim-9").ok());
  EXPECT_TRUE(orders.move(now_us, RegionId{0}, "sim-0").ok()) << "it is there already";
  EXPECT_EQ(map, before);
}

TEST_F(ABalancedMap, AnOrderedMergeNeedsOneOwner) {
  lopsided();
  const RegionId sibling = *regions.space().sibling(RegionId{1});
  ASSERT_TRUE(orders.move(now_us, sibling, "sim-1").ok());
  all_report();
  const auto refused = orders.merge(now_us, RegionId{1});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("first: move"));
  ASSERT_TRUE(orders.move(now_us, sibling, "sim-0").ok());
  all_report();
  EXPECT_TRUE(orders.merge(now_us, RegionId{1}).ok());
  EXPECT_EQ(map.regions.size(), 2U);
}

}  // namespace
}  // namespace perigee::directory
