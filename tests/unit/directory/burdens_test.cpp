// Load that a worker bears independently of its regions: overhead, standby replicas, pinned load.
#include "planned_cluster.hpp"
#include "sanitized.hpp"

namespace perigee::directory {
namespace {

// Overhead stays with its worker, whichever regions move.
TEST(ABalancer, CountsWhatAWorkerBearsWhateverItOwns) {
  for (std::uint32_t seed = 1; seed <= seeds_of(20, 4); ++seed) {
    Cluster cluster = of(4, seed);
    cluster.workers[0].overhead_ms = 6;
    cluster.workers[2].overhead_ms = 3;
    EXPECT_LT(cluster.settle(60), 60) << seed;
    EXPECT_LE(cluster.unevenness(), 1.16) << seed;
  }
}

// The standby of a worker replicates all content that moves there. Every other worker holds two
// replicas.
TEST(ABalancer, CountsCopiesWhereTheyAre) {
  for (std::uint32_t seed = 1; seed <= seeds_of(20, 4); ++seed) {
    Cluster cluster = of(8, seed);
    for (WorkerShare& worker : cluster.workers) {
      worker.standby = WorkerSlot::at((worker.slot.number / 2 * 2 + 2) % 8);
      worker.copy_share = 0.6;
    }
    EXPECT_LT(cluster.settle(60), 60) << seed;
    EXPECT_LE(cluster.unevenness(), 1.16) << seed;
  }
}

/// Adds this cost in adjacent cells in the middle of the region.
void put(Cluster& cluster, RegionId region, double ms, int cells) {
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
/// Costs of each region, in order.
void put(Cluster& cluster, const std::vector<InTheMiddle>& each) {
  for (std::size_t i = 0; i < each.size(); ++i) {
    put(cluster, RegionId{static_cast<std::uint32_t>(i)}, each[i].ms, each[i].cells);
  }
}

/// Regions 0 to 4. The planes between 1 and 3, and between 2 and 4, touch no other regions.
Cluster of_five_regions(std::vector<WorkerShare> workers) {
  Cluster cluster;
  cluster.workers = std::move(workers);
  cluster.make({.kind = ChangeKind::Split, .region = RegionId{0}, .axis = Axis::X, .at = 0});
  cluster.make({.kind = ChangeKind::Split, .region = RegionId{0}, .axis = Axis::Z, .at = 0});
  cluster.make({.kind = ChangeKind::Split, .region = RegionId{1}, .axis = Axis::Z, .at = 0});
  cluster.make({.kind = ChangeKind::Split, .region = RegionId{2}, .axis = Axis::X, .at = -16});
  return cluster;
}

// Worker 0's own load is in one place and cannot be divided; it also holds another worker's
// replica.
TEST(ABalancer, RelievesOfACopyWhoHasNothingElseToGive) {
  Cluster cluster =
      of_five_regions({{.slot = WorkerSlot{0}},
                       {.slot = WorkerSlot{1}, .standby = WorkerSlot{0}, .copy_share = 0.6},
                       {.slot = WorkerSlot{2}},
                       {.slot = WorkerSlot{3}}});
  cluster.owners = {{RegionId{0}, WorkerSlot{0}},
                    {RegionId{1}, WorkerSlot{1}},
                    {RegionId{2}, WorkerSlot{2}},
                    {RegionId{3}, WorkerSlot{1}},
                    {RegionId{4}, WorkerSlot{3}}};
  put(cluster, {{0.8, 1}, {0.8, 20}, {1.1}, {0.8, 20}, {1.1}});
  EXPECT_GT(cluster.unevenness(), 1.26);
  EXPECT_LT(cluster.settle(60), 60);
  EXPECT_LE(cluster.unevenness(), 1.16);
  EXPECT_EQ(cluster.owners.at(RegionId{0}), WorkerSlot{0})
      << "what cannot be divided is left where it is";
}

TEST(ABalancer, GivesNothingThatWouldBurdenAStandbyWithLittleToGive) {
  for (const double others_ms : {0.0, 3.0}) {
    Cluster cluster =
        of_five_regions({{.slot = WorkerSlot{0}, .overhead_ms = others_ms},
                         {.slot = WorkerSlot{1}, .standby = WorkerSlot{0}, .copy_share = 0.6},
                         {.slot = WorkerSlot{2}},
                         {.slot = WorkerSlot{3}}});
    cluster.owners = {{RegionId{0}, WorkerSlot{0}},
                      {RegionId{1}, WorkerSlot{1}},
                      {RegionId{2}, WorkerSlot{2}},
                      {RegionId{3}, WorkerSlot{3}},
                      {RegionId{4}, WorkerSlot{3}}};
    put(cluster, {{0.6, 1}, {0.8}, {1}, {2.4, 20}, {2.4}});
    const auto plan = cluster.plan();
    const auto first = std::find_if(plan.begin(), plan.end(), [](const Change& change) {
      return change.kind == ChangeKind::Move;
    });
    ASSERT_NE(first, plan.end());
    EXPECT_EQ(first->to, WorkerSlot::at(others_ms > 0 ? 2 : 1)) << others_ms;
  }
}

// Load next to a border is pinned to its worker. The worker moves other load away instead, but not
// to the worker that will get the pinned load later.
TEST(ABalancer, MakesUpForWhatStays) {
  Cluster cluster = of_five_regions({{.slot = WorkerSlot{0}},
                                     {.slot = WorkerSlot{1}},
                                     {.slot = WorkerSlot{2}},
                                     {.slot = WorkerSlot{3}}});
  cluster.owners = {{RegionId{0}, WorkerSlot{0}},
                    {RegionId{1}, WorkerSlot{1}},
                    {RegionId{2}, WorkerSlot{2}},
                    {RegionId{3}, WorkerSlot{1}},
                    {RegionId{4}, WorkerSlot{3}}};
  put(cluster, {{2, 20}, {1}, {1.5}, {1}, {1.5}});
  const auto plan = [&] {
    Balancer fresh{BalanceSettings{}};
    return fresh.plan(cluster.space, cluster.owners, cluster.workers, cluster.costs, {});
  };
  EXPECT_TRUE(plan().empty());
  for (const WorkerSlot whose : {WorkerSlot{2}, WorkerSlot{1}}) {
    cluster.workers[0].pinned_ms = {{whose, 0.8}};
    const auto changes = plan();
    const bool moves = std::any_of(changes.begin(), changes.end(), [](const Change& change) {
      return change.kind == ChangeKind::Move && change.to == WorkerSlot{2};
    });
    EXPECT_EQ(moves, whose != WorkerSlot{2});
  }
}

// The most loaded worker has nothing to give, so the next one gives.
TEST(ABalancer, GivesANewWorkerSomethingFromTheNextWhoCarriesTooMuch) {
  Cluster cluster = of_five_regions({{.slot = WorkerSlot{0}, .overhead_ms = 4},
                                     {.slot = WorkerSlot{1}},
                                     {.slot = WorkerSlot{2}}});
  cluster.owners = {{RegionId{0}, WorkerSlot{0}},
                    {RegionId{1}, WorkerSlot{1}},
                    {RegionId{2}, WorkerSlot{1}},
                    {RegionId{3}, WorkerSlot{1}},
                    {RegionId{4}, WorkerSlot{1}}};
  put(cluster, {{0.2, 1}, {1}, {1}, {1}, {1}});
  for (const Change& change : cluster.plan()) {
    cluster.make(change);
  }
  EXPECT_GT(cluster.loads().at(WorkerSlot{2}), 0.9);
}

TEST(ABalancer, DoesNotCountWhatEndsWithWhoLeaves) {
  Cluster cluster = of(3, 1);
  cluster.workers[0] = {.slot = WorkerSlot{0}, .draining = true, .overhead_ms = 100};
  EXPECT_LT(cluster.settle(60), 60);
  EXPECT_LE(cluster.unevenness(), 1.16);
}

}  // namespace
}  // namespace perigee::directory
