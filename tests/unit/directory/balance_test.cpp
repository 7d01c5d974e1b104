#include "perigee/directory/balance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace perigee::directory {
namespace {

CellBox world() { return cells_around({-8000, -2000, -8000}, {8000, 2000, 8000}); }

/// The map as the directory would change it: at once, a plan a second.
struct Cluster {
  Space space{world()};
  std::map<Region, WorkerSlot> owners{{0, 0}};
  std::vector<WorkerShare> workers{{0, false}};
  CostMap costs;
  Balancer balancer{BalanceSettings{}};
  int changes = 0;

  std::map<WorkerSlot, double> loads() const {
    std::map<WorkerSlot, double> out;
    for (const WorkerShare& worker : workers) {
      out[worker.slot] = worker.draining ? 0 : worker.overhead_ms;
    }
    std::map<WorkerSlot, double> own;
    for (const Leaf& leaf : space.leaves()) own[owners.at(leaf.region)] += cost_in(costs, leaf.box);
    for (const auto& [slot, ms] : own) out[slot] += ms;
    for (const WorkerShare& worker : workers) {
      if (worker.buddy) out[*worker.buddy] += worker.copy_share * own[worker.slot];
    }
    return out;
  }
  /// Most loaded to mean, of those that stay.
  double unevenness() const {
    double most = 0, sum = 0;
    int staying = 0;
    for (const WorkerShare& worker : workers) {
      const double ms = loads().at(worker.slot);
      sum += ms;
      staying += !worker.draining;
      if (!worker.draining) most = std::max(most, ms);
    }
    return sum > 0 ? most * staying / sum : 1;
  }
  void make(const Change& change) {
    ++changes;
    if (change.kind == ChangeKind::Merge) {
      ASSERT_EQ(owners.at(*space.sibling(change.region)), owners.at(change.region));
    }
    if (change.kind == ChangeKind::Move) {
      ASSERT_NE(owners.at(change.region), change.to);
    }
    apply(change, space, owners);
  }
  /// Plans until nothing is left to do; how many seconds that took.
  int settle(int seconds_max) {
    for (int second = 0; second < seconds_max; ++second) {
      const auto going = Balancer::drains(space, owners, workers, costs, {});
      for (const Change& change : going) make(change);
      const auto plan = balancer.plan(space, owners, workers, costs, {});
      if (plan.empty() && going.empty()) return second;
      for (const Change& change : plan) make(change);
    }
    return seconds_max;
  }
};

/// `n` players at about `at`, 20 us each.
void crowd(CostMap& costs, int n, const Vec3& at, double spread_m, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(0, spread_m);
  for (int i = 0; i < n; ++i) {
    const Vec3 point{std::clamp(at.x + spread(random), -7999.0, 7999.0),
                     std::clamp(at.y + spread(random) / 8, -1999.0, 1999.0),
                     std::clamp(at.z + spread(random), -7999.0, 7999.0)};
    costs[cost_cell_at(point)] += 0.02;
  }
}

Cluster of(int workers, std::uint32_t seed) {
  Cluster out;
  out.workers.clear();
  for (int i = 0; i < workers; ++i) out.workers.push_back({static_cast<WorkerSlot>(i), false});
  crowd(out.costs, 2000, {0, 0, 0}, 3000, seed);
  return out;
}

TEST(ABalancer, GivesEveryNewWorkerItsShare) {
  for (const int workers : {2, 3, 4, 8}) {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
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

// Whatever is moved, that stays.
TEST(ABalancer, CountsWhatAWorkerBearsWhateverItOwns) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Cluster cluster = of(4, seed);
    cluster.workers[0].overhead_ms = 6;
    cluster.workers[2].overhead_ms = 3;
    EXPECT_LT(cluster.settle(60), 60) << seed;
    EXPECT_LE(cluster.unevenness(), 1.16) << seed;
  }
}

// Whatever somebody is given, its buddy has a copy of. Every other one has two.
TEST(ABalancer, CountsCopiesWhereTheyAre) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Cluster cluster = of(8, seed);
    for (WorkerShare& worker : cluster.workers) {
      worker.buddy = static_cast<WorkerSlot>((worker.slot / 2 * 2 + 2) % 8);
      worker.copy_share = 0.6;
    }
    EXPECT_LT(cluster.settle(60), 60) << seed;
    EXPECT_LE(cluster.unevenness(), 1.16) << seed;
  }
}

/// So much in cells side by side in the middle of the region.
void put(Cluster& cluster, Region region, double ms, int cells) {
  const CellBox& box = *cluster.space.box_of(region);
  for (int i = 0; i < cells; ++i) {
    cluster.costs[{box.low[0] + box.length(Axis::X) / 2 + i - cells / 2, 0,
                   box.low[2] + box.length(Axis::Z) / 2}] += ms / cells;
  }
}

struct InTheMiddle {
  double ms = 0;
  int cells = 10;
};
/// Each region's, in their order.
void put(Cluster& cluster, const std::vector<InTheMiddle>& each) {
  for (std::size_t i = 0; i < each.size(); ++i) {
    put(cluster, static_cast<Region>(i), each[i].ms, each[i].cells);
  }
}

/// Regions 0 to 4; the planes between 1 and 3, and between 2 and 4, have no others beside them.
Cluster of_five_regions(std::vector<WorkerShare> workers) {
  Cluster cluster;
  cluster.workers = std::move(workers);
  cluster.make({.kind = ChangeKind::Split, .region = 0, .axis = Axis::X, .at = 0});
  cluster.make({.kind = ChangeKind::Split, .region = 0, .axis = Axis::Z, .at = 0});
  cluster.make({.kind = ChangeKind::Split, .region = 1, .axis = Axis::Z, .at = 0});
  cluster.make({.kind = ChangeKind::Split, .region = 2, .axis = Axis::X, .at = -16});
  return cluster;
}

// All that it has is in one place, and it has another's copy besides.
TEST(ABalancer, RelievesOfACopyWhoHasNothingElseToGive) {
  Cluster cluster = of_five_regions(
      {{.slot = 0}, {.slot = 1, .buddy = 0, .copy_share = 0.6}, {.slot = 2}, {.slot = 3}});
  cluster.owners = {{0, 0}, {1, 1}, {2, 2}, {3, 1}, {4, 3}};
  put(cluster, {{0.8, 1}, {0.8, 20}, {1.1}, {0.8, 20}, {1.1}});
  EXPECT_GT(cluster.unevenness(), 1.26);
  EXPECT_LT(cluster.settle(60), 60);
  EXPECT_LE(cluster.unevenness(), 1.16);
  EXPECT_EQ(cluster.owners.at(0), 0) << "what cannot be divided is left where it is";
}

TEST(ABalancer, GivesNothingThatWouldBurdenABuddyWithLittleToGive) {
  for (const double others_ms : {0.0, 3.0}) {
    Cluster cluster = of_five_regions({{.slot = 0, .overhead_ms = others_ms},
                                       {.slot = 1, .buddy = 0, .copy_share = 0.6},
                                       {.slot = 2},
                                       {.slot = 3}});
    cluster.owners = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 3}};
    put(cluster, {{0.6, 1}, {0.8}, {1}, {2.4, 20}, {2.4}});
    const auto plan =
        cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {});
    const auto first = std::find_if(plan.begin(), plan.end(), [](const Change& change) {
      return change.kind == ChangeKind::Move;
    });
    ASSERT_NE(first, plan.end());
    EXPECT_EQ(first->to, others_ms > 0 ? 2 : 1) << others_ms;
  }
}

// People beside a border stay with who has them: it gives away something else, but not to those who
// would have both once they go.
TEST(ABalancer, MakesUpForWhatStays) {
  Cluster cluster = of_five_regions({{.slot = 0}, {.slot = 1}, {.slot = 2}, {.slot = 3}});
  cluster.owners = {{0, 0}, {1, 1}, {2, 2}, {3, 1}, {4, 3}};
  put(cluster, {{2, 20}, {1}, {1.5}, {1}, {1.5}});
  const auto plan = [&] {
    Balancer fresh{BalanceSettings{}};
    return fresh.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {});
  };
  EXPECT_TRUE(plan().empty());
  for (const WorkerSlot whose : {WorkerSlot{2}, WorkerSlot{1}}) {
    cluster.workers[0].stays_ms = {{whose, 0.8}};
    const auto changes = plan();
    const bool moves = std::any_of(changes.begin(), changes.end(), [](const Change& change) {
      return change.kind == ChangeKind::Move && change.to == 2;
    });
    EXPECT_EQ(moves, whose != 2);
  }
}

// Whoever has nothing to give carries more still.
TEST(ABalancer, GivesANewWorkerSomethingFromTheNextWhoCarriesTooMuch) {
  Cluster cluster = of_five_regions({{.slot = 0, .overhead_ms = 4}, {.slot = 1}, {.slot = 2}});
  cluster.owners = {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}};
  put(cluster, {{0.2, 1}, {1}, {1}, {1}, {1}});
  for (const Change& change :
       cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {})) {
    cluster.make(change);
  }
  EXPECT_GT(cluster.loads().at(2), 0.9);
}

TEST(ABalancer, DoesNotCountWhatEndsWithWhoLeaves) {
  Cluster cluster = of(3, 1);
  cluster.workers[0] = {.slot = 0, .draining = true, .overhead_ms = 100};
  EXPECT_LT(cluster.settle(60), 60);
  EXPECT_LE(cluster.unevenness(), 1.16);
}

TEST(ABalancer, EmptiesADrainingWorker) {
  Cluster cluster = of(8, 1);
  cluster.settle(60);
  for (std::size_t i = 2; i < 8; ++i) cluster.workers[i].draining = true;
  EXPECT_LT(cluster.settle(60), 60);
  for (const auto& [region, owner] : cluster.owners) EXPECT_LT(owner, 2);
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
  for (const auto& [region, owner] : cluster.owners) EXPECT_NE(owner, 3);
  EXPECT_EQ(takers.size(), going.size()) << "each to another one";
}

TEST(ABalancer, FollowsACrowdThatMoves) {
  Cluster cluster = of(4, 1);
  cluster.settle(60);
  double worst = 0;
  for (int second = 0; second < 600; ++second) {
    cluster.costs.clear();
    crowd(cluster.costs, 2000, {-4000 + second * 13.0, 0, 2000 - second * 5.0}, 2000,
          static_cast<std::uint32_t>(second / 10));
    for (const Change& change :
         cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {})) {
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

// They cannot be divided, and nothing else costs anything.
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

/// Cut across x in the middle and each half across z: 1 ms for each slice of z of a quarter.
Cluster of_quarters(std::int32_t low_half_at, std::int32_t high_half_at) {
  Cluster out = of(4, 1);
  const Region high = *out.space.split(0, Axis::X, 0);
  const Region low_part = *out.space.split(0, Axis::Z, low_half_at);
  const Region high_part = *out.space.split(high, Axis::Z, high_half_at);
  out.owners = {{0, 0}, {high, 1}, {low_part, 2}, {high_part, 3}};
  out.costs.clear();
  for (std::int32_t z = -32; z < 32; ++z) out.costs[{-1, 0, z}] = out.costs[{0, 0, z}] = 1;
  return out;
}

// By a cell each second it would take a crowd's move half a minute.
TEST(ABalancer, SlidesPlanesAsFarAsEvensOutAndTheWorstFirst) {
  Cluster cluster = of_quarters(2, 4);
  const auto plan =
      cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {});
  ASSERT_EQ(plan.size(), 2U);
  const Region high = plan[0].region;
  EXPECT_EQ(plan[0], (Change{.kind = ChangeKind::Slide, .region = high, .axis = Axis::Z, .at = 0}));
  EXPECT_EQ(plan[1], (Change{.kind = ChangeKind::Slide, .region = 0, .axis = Axis::Z, .at = 0}));
  EXPECT_EQ(cluster.owners.at(high), 1);
  for (const Change& change : plan) cluster.make(change);
  EXPECT_DOUBLE_EQ(cluster.unevenness(), 1);
}

// Nothing of theirs is near the border then.
TEST(ABalancer, PutsAPlaneInTheMiddleBetweenTwoCrowds) {
  Cluster cluster = of(2, 1);
  const Region high = *cluster.space.split(0, Axis::X, 26);
  cluster.owners = {{0, 0}, {high, 1}};
  cluster.costs.clear();
  for (std::int32_t z = 0; z < 4; ++z) {
    cluster.costs[{-21, 0, z}] = 5;
    cluster.costs[{20, 0, z}] = 0.5;
    cluster.costs[{27, 0, z}] = 4.5;
  }
  const auto plan =
      cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {});
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].kind, ChangeKind::Slide);
  EXPECT_EQ(plan[0].at, 0);
}

TEST(ABalancer, LeavesPlanesAloneThatLieNearlyRight) {
  Cluster cluster = of_quarters(1, -1);
  EXPECT_THAT(
      cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {}),
      testing::IsEmpty());
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
  EXPECT_THAT(
      cluster.balancer.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {0}),
      testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::directory
