#include "perigee/embed/own_map.hpp"

#include <gtest/gtest.h>

namespace perigee::embed {
namespace {

constexpr Address fabric_at(std::uint16_t port) { return Address::v4(127, 0, 0, 1, port); }
constexpr Vec3 low{-10, -10, -10}, high{10, 10, 10};
constexpr WorkerSlot zero{0}, one{1}, two{2};

struct AnOwnMap : testing::Test {
  void add(WorkerSlot slot, std::uint32_t region) {
    map.add(slot, fabric_at(static_cast<std::uint16_t>(2 + slot.number)), RegionId{region}, low,
            high);
  }
  Micros now_us = 5'000'000;
  OwnMap map{now_us, Tick{100}, {.fabric = fabric_at(1), .alive = true}, 77};
};

TEST_F(AnOwnMap, HasWorkersBySlotAndRegionsById) {
  add(two, 1);
  add(zero, 2);
  ASSERT_EQ(map.map().workers.size(), 2U);
  EXPECT_EQ(map.map().workers[0].slot, zero);
  EXPECT_EQ(map.map().workers[1].slot, two);
  EXPECT_EQ(map.map().regions[0].owner, two);
  EXPECT_EQ(map.map().regions[1].owner, zero);
  EXPECT_NE(map.map().workers[0].block(), map.map().workers[1].block());
  EXPECT_EQ(map.map().schema_hash, 77U);
}

TEST_F(AnOwnMap, ShowsAWorkerItselfAlone) {
  add(zero, 1);
  add(one, 2);
  const ClusterMap own = map.map_of(one);
  ASSERT_EQ(own.workers.size(), 1U);
  ASSERT_EQ(own.regions.size(), 1U);
  EXPECT_EQ(own.workers[0].slot, one);
  EXPECT_EQ(own.regions[0].region, RegionId{2});
  EXPECT_EQ(own.gateways, map.map().gateways);
  EXPECT_EQ(own.version, map.map().version);
}

TEST_F(AnOwnMap, GivesASlotsNextWorkerAnotherIncarnation) {
  add(zero, 1);
  const Incarnation first = map.map().workers[0].incarnation;
  const std::uint64_t version = map.map().version;
  map.remove(zero);
  EXPECT_TRUE(map.map().workers.empty());
  EXPECT_TRUE(map.map().regions.empty());
  EXPECT_GT(map.map().version, version);
  add(zero, 2);
  EXPECT_EQ(map.map().workers[0].incarnation, first.next());
}

TEST_F(AnOwnMap, SkipsTheTicksOfALongStallOnly) {
  const std::uint32_t cluster = map.map().cluster_id;
  EXPECT_EQ(map.skip_stall(now_us + 4'900'000, Tick{100}), 0U);
  EXPECT_EQ(map.map().cluster_id, cluster);
  EXPECT_EQ(map.skip_stall(now_us + 60'000'000, Tick{100}), 3'600U);
  EXPECT_NE(map.map().cluster_id, cluster) << "nobody may use a stamp of before";
  EXPECT_EQ(tick_at(map.map().time, now_us + 60'000'000), Tick{100});
}

TEST_F(AnOwnMap, CountsTicksThroughYears) {
  constexpr Micros day_us = 86'400'000'000;
  for (int day = 0; day < 1'000; ++day) map.advance(now_us += day_us);
  const Tick expected =
      Tick{100} + 0 +
      static_cast<std::int32_t>(static_cast<std::uint32_t>(std::uint64_t{1'000} * 86'400 * 60));
  EXPECT_EQ(tick_at(map.map().time, now_us), expected);
}

}  // namespace
}  // namespace perigee::embed
