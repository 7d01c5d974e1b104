// A worker's reports to the directory.
#include "pair.hpp"

namespace perigee::worker {
namespace {

double sum_ms(const WorkerReport& report) {
  double out = 0;
  for (const CellCost& cost : report.cells) out += cost.ms;
  return out;
}

double ms_at(const WorkerReport& report, const Vec3& at) {
  for (const CellCost& cost : report.cells) {
    if (cost.cell == cost_cell_at(at)) return cost.ms;
  }
  return 0;
}

TEST(AReport, SharesWhatWasMeasuredAmongTheCellsOfItsOwnThings) {
  Bench bench({.barge = true, .barge_at = {600, 20, 0}}, two_worker_map());
  bench.join();
  bench.stand(3);
  const WorkerReport report = bench.core->report(2.5);
  EXPECT_TRUE(plausible(report));
  EXPECT_EQ(report.map_version, bench.map.version);
  EXPECT_EQ(report.players, 1U);
  EXPECT_EQ(report.load_ms, 2.5);
  EXPECT_NEAR(sum_ms(report), 2.5, 1e-9);
  const double here = ms_at(report, bench.core->player_of(100)->state.position);
  const double barge = ms_at(report, {600, 20, 0});
  EXPECT_GT(barge, 0.1);
  EXPECT_GT(here, 3 * barge) << "a player costs more than a body in flight";
  ASSERT_EQ(report.regions.size(), 1U);
  EXPECT_EQ(report.regions[0].region, RegionId{0});
  EXPECT_EQ(report.regions[0].entities, report.entities);
  EXPECT_EQ(report.handle_blocks, std::vector<HandleBlock>{HandleBlock{0}}) << "1000 / 100000";
}

// Moving entities of other workers near ours, and observing players of other workers.
TEST(AReport, SaysWhatStaysWhateverIsGivenAway) {
  Border both(yard_at_the_border({15, person_m, 0}), yard_at_the_border({25, person_m, 0}));
  both.here.join(0);
  both.step(60);
  const auto overhead_ms = [&] {
    for (int i = 0; i < 20; ++i) both.here.core->report(2);  // the estimate is smoothed
    const WorkerReport report = both.here.core->report(2);
    EXPECT_NEAR(sum_ms(report) + report.overhead_ms, 2, 1e-3);
    return report.overhead_ms;
  };
  EXPECT_EQ(overhead_ms(), 0);
  both.there.join(1, 1);
  both.step(60);
  const double with_ghost = overhead_ms();
  EXPECT_GT(with_ghost, 0.1);
  Core& core = *both.here.core;
  const ObserverRecord record{
      make_session(GatewaySlot{0}, 1, 9), core.next_tick() + 6, {}, {}, 3000, 1};
  core.on_fabric(both.here.now_fine(), neighbour_address,
                 both.here.datagram(record, FabricSender::Worker, 1));
  EXPECT_GT(overhead_ms(), 2 * with_ghost) << "an observer costs more than a ghost";
}

// All replicas of a worker move here, including those far from our own entities.
TEST(AReport, SaysApartWhatThoseHaveWhoseStandbyItIs) {
  const test::YardOptions far{.barge = true, .barge_at = {-600, 20, 0}};
  for (const bool standbys : {false, true}) {
    Pair both(far, {}, {}, standbys);
    both.here.join();
    both.pass(60);
    for (int i = 0; i < 20; ++i) both.there.core->report(2);  // the estimate is smoothed
    const WorkerReport report = both.there.core->report(2);
    EXPECT_TRUE(plausible(report));
    EXPECT_EQ(report.copies_ms > 0, standbys);
  }
}

TEST(AReport, NamesWhatTheLargestThingCostsThatNoCutDivides) {
  Bench empty({}, two_worker_map());
  empty.join();
  empty.stand(3);
  EXPECT_EQ(empty.core->report(2.5).largest_island_ms, 0)
      << "people on the ground go their own ways";
  Bench bench({.barge = true, .barge_at = {600, 20, 0}}, two_worker_map());
  bench.join();
  bench.stand(3);
  const WorkerReport report = bench.core->report(2.5);
  EXPECT_NEAR(report.largest_island_ms, ms_at(report, {600, 20, 0}), 1e-9);
}

TEST(AReport, NamesWhatLiesInOthersRegions) {
  Bench bench({.barge = true, .barge_at = {600, 20, 0}}, two_worker_map());
  bench.join();
  bench.stand(2);
  bench.map.regions[0].high.x = bench.map.regions[1].low.x = 500;
  ++bench.map.version;
  bench.core->on_map(bench.map, Bench::start);
  const WorkerReport report = bench.core->report(1);
  EXPECT_EQ(report.map_version, bench.map.version);
  ASSERT_EQ(report.regions.size(), 2U);
  EXPECT_EQ(report.regions[1], (RegionThings{RegionId{1}, 1})) << "the barge";
}

TEST(AReport, FollowsTheLoadOverAFewSeconds) {
  Bench bench;
  bench.join();
  bench.stand(2);
  EXPECT_NEAR(sum_ms(bench.core->report(1)), 1, 1e-9);
  EXPECT_LT(sum_ms(bench.core->report(2)), 1.5) << "one second may be noise";
  for (int i = 0; i < 10; ++i) bench.core->report(2);
  EXPECT_NEAR(sum_ms(bench.core->report(2)), 2, 0.02);
}

TEST(AReport, OfAWorkerWithoutAWorldSaysWhichMapItKnows) {
  ClusterMap map = one_worker_map();
  map.regions[0].owner.reset();
  Bench bench({}, map);
  const WorkerReport report = bench.core->report(0);
  EXPECT_EQ(report,
            (WorkerReport{.incarnation = map.workers[0].incarnation, .map_version = map.version}));
}

}  // namespace
}  // namespace perigee::worker
