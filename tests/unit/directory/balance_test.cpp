// Which regions a balancer moves to which workers, and when it changes nothing.
#include <gmock/gmock.h>

#include "planned_cluster.hpp"
#include "sanitized.hpp"

namespace perigee::directory {
namespace {

TEST(ABalancer, GivesEveryNewWorkerItsShare) {
  for (const int workers : {2, 3, 4, 8}) {
    for (std::uint32_t seed = 1; seed <= seeds_of(20, 4); ++seed) {
      Cluster cluster = of(workers, seed);
      EXPECT_LT(cluster.settle(60), 60) << workers << " workers, seed " << seed;
      EXPECT_LE(cluster.unevenness(), 1.25) << workers << " workers, seed " << seed;
    }
  }
}

TEST(ABalancer, LeavesAloneWhatIsEven) {
  Cluster cluster = of(4, 1);
  cluster.settle(60);
  cluster.changes = 0;
  EXPECT_EQ(cluster.settle(10), 0);
  EXPECT_EQ(cluster.changes, 0);
}

TEST(ABalancer, EmptiesADrainingWorker) {
  Cluster cluster = of(8, 1);
  cluster.settle(60);
  for (std::size_t i = 2; i < 8; ++i) cluster.workers[i].draining = true;
  EXPECT_LT(cluster.settle(60), 60);
  for (const auto& [region, owner] : cluster.owners) EXPECT_LT(owner, WorkerSlot{2});
  EXPECT_LE(cluster.unevenness(), 1.25);
}

TEST(ABalancer, EmptiesADrainingWorkerAtOnceAndSpreadsWhatItHad) {
  Cluster cluster = of(8, 1);
  cluster.settle(60);
  cluster.workers[3].draining = true;
  const auto going =
      Balancer::drains(cluster.space, cluster.owners, cluster.workers, cluster.costs, {});
  std::set<WorkerSlot> takers;
  for (const Change& change : going) {
    EXPECT_EQ(change.kind, ChangeKind::Move);
    takers.insert(change.to);
    cluster.make(change);
  }
  for (const auto& [region, owner] : cluster.owners) EXPECT_NE(owner, WorkerSlot{3});
  EXPECT_EQ(takers.size(), going.size()) << "each to another one";
}

TEST(ABalancer, FollowsACrowdThatMoves) {
  Cluster cluster = of(4, 1);
  cluster.settle(60);
  double worst = 0;
  for (int second = 0; second < (shortened() ? 150 : 600); ++second) {
    cluster.costs.clear();
    crowd(cluster.costs, 2000, {-4000 + second * 13.0, 0, 2000 - second * 5.0}, 2000,
          static_cast<std::uint32_t>(second / 10));
    for (const Change& change : cluster.plan()) {
      cluster.make(change);
    }
    if (second > 20) worst = std::max(worst, cluster.unevenness());
  }
  EXPECT_LT(worst, 1.6);
  EXPECT_LT(cluster.space.leaves().size(), 40U) << "what is empty becomes one again";
}

TEST(ABalancer, MakesOneOfWhatHasBecomeEmpty) {
  Cluster cluster = of(8, 1);
  cluster.settle(60);
  for (std::size_t i = 2; i < 8; ++i) cluster.workers[i].draining = true;
  cluster.settle(60);
  const std::size_t before = cluster.space.leaves().size();
  cluster.costs.clear();
  crowd(cluster.costs, 1000, {6000, 0, 6000}, 300, 1);
  crowd(cluster.costs, 1000, {-6000, 0, -6000}, 300, 1);
  EXPECT_LT(cluster.settle(100), 100);
  EXPECT_LE(cluster.space.leaves().size() + 2, before);
  EXPECT_LE(cluster.unevenness(), 1.25);
}

TEST(ABalancer, CannotDivideWhatIsInOneCell) {
  Cluster cluster = of(4, 1);
  cluster.costs.clear();
  cluster.costs[{0, 0, 0}] = 40;
  EXPECT_LT(cluster.settle(60), 60) << "and does not try for ever";
  EXPECT_LE(cluster.space.size(), 12U);
}

// The two places cannot be divided, and the rest of space costs nothing.
TEST(ABalancer, GivesANewWorkerSomeOfTheSpaceWhenEverybodyIsInOnePlace) {
  Cluster cluster = of(3, 1);
  cluster.costs.clear();
  cluster.costs[{3, 0, 3}] = 1.3;
  cluster.costs[{5, 0, 3}] = 0.7;
  EXPECT_LT(cluster.settle(30), 30);
  std::set<WorkerSlot> have;
  for (const auto& [region, owner] : cluster.owners) have.insert(owner);
  EXPECT_EQ(have.size(), 3U);
  EXPECT_LE(cluster.space.size(), 6U);
  EXPECT_LE(cluster.changes, 12);
}

TEST(ABalancer, GivesANewWorkerItsShareAlsoOfLittle) {
  Cluster cluster = of(2, 1);
  cluster.costs.clear();
  crowd(cluster.costs, 40, {4000, 0, 0}, 1000, 1);
  EXPECT_LT(cluster.settle(30), 30);
  EXPECT_LE(cluster.unevenness(), 1.25);
}

TEST(ABalancer, LeavesAPlaneAloneThatOnlyNoiseWouldMove) {
  Cluster cluster = of(4, 1);
  cluster.settle(60);
  cluster.changes = 0;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(0.98, 1.02);
  const CostMap quiet = cluster.costs;
  for (int second = 0; second < 120; ++second) {
    for (auto& [cell, ms] : cluster.costs) ms = quiet.at(cell) * noise(random);
    cluster.settle(1);
  }
  EXPECT_LE(cluster.changes, 2);
}

/// Split across x in the middle and each half across z: 1 ms for each slice of z of a quarter.
Cluster of_quarters(std::int32_t low_half_at, std::int32_t high_half_at) {
  Cluster out = of(4, 1);
  const RegionId high = *out.space.split(RegionId{0}, Axis::X, 0);
  const RegionId low_part = *out.space.split(RegionId{0}, Axis::Z, low_half_at);
  const RegionId high_part = *out.space.split(high, Axis::Z, high_half_at);
  out.owners = {{RegionId{0}, WorkerSlot{0}},
                {high, WorkerSlot{1}},
                {low_part, WorkerSlot{2}},
                {high_part, WorkerSlot{3}}};
  out.costs.clear();
  for (std::int32_t z = -32; z < 32; ++z) out.costs[{-1, 0, z}] = out.costs[{0, 0, z}] = 1;
  return out;
}

// With one cell per second, it would take half a minute to follow a crowd.
TEST(ABalancer, SlidesPlanesAsFarAsEvensOutAndTheWorstFirst) {
  Cluster cluster = of_quarters(2, 4);
  const auto plan = cluster.plan();
  ASSERT_EQ(plan.size(), 2U);
  const RegionId high = plan[0].region;
  EXPECT_EQ(plan[0], (Change{.kind = ChangeKind::Slide, .region = high, .axis = Axis::Z, .at = 0}));
  EXPECT_EQ(plan[1],
            (Change{.kind = ChangeKind::Slide, .region = RegionId{0}, .axis = Axis::Z, .at = 0}));
  EXPECT_EQ(cluster.owners.at(high), WorkerSlot{1});
  for (const Change& change : plan) cluster.make(change);
  EXPECT_DOUBLE_EQ(cluster.unevenness(), 1);
}

// Then the border is far from both crowds.
TEST(ABalancer, PutsAPlaneInTheMiddleBetweenTwoCrowds) {
  Cluster cluster = of(2, 1);
  const RegionId high = *cluster.space.split(RegionId{0}, Axis::X, 26);
  cluster.owners = {{RegionId{0}, WorkerSlot{0}}, {high, WorkerSlot{1}}};
  cluster.costs.clear();
  for (std::int32_t z = 0; z < 4; ++z) {
    cluster.costs[{-21, 0, z}] = 5;
    cluster.costs[{20, 0, z}] = 0.5;
    cluster.costs[{27, 0, z}] = 4.5;
  }
  const auto plan = cluster.plan();
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].kind, ChangeKind::Slide);
  EXPECT_EQ(plan[0].at, 0);
}

TEST(ABalancer, LeavesPlanesAloneThatLieNearlyRight) {
  Cluster cluster = of_quarters(1, -1);
  EXPECT_THAT(cluster.plan(), testing::IsEmpty());
}

TEST(ABalancer, MakesNoMoreRegionsThanThereMayBe) {
  Cluster cluster = of(200, 1);
  cluster.costs.clear();
  for (std::int32_t x = -32; x < 32; ++x) {
    for (std::int32_t z = -32; z < 32; ++z) cluster.costs[{x, 0, z}] = 1;
  }
  cluster.settle(120);
  EXPECT_LE(cluster.space.size(), regions_max);
  EXPECT_GE(cluster.space.size(), 200U) << "everybody has one";
}

TEST(ABalancer, WaitsForWhatIsUnderWay) {
  Cluster cluster = of(2, 1);
  EXPECT_THAT(cluster.plan({RegionId{0}}), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::directory
