#include "perigee/tracing/map_events.hpp"

#include <gtest/gtest.h>

#include "a_map.hpp"

namespace perigee::tracing {
namespace {

const ClusterMap before = a_map();

TEST(MapEvents, AreNoneWithoutAChangeOfOwners) {
  ClusterMap after = before;
  after.version += 1;
  after.regions[0].high = {1, 2, 3};
  after.workers[1].standby = WorkerSlot{0};
  EXPECT_TRUE(events_between(before, after).empty());
}

TEST(MapEvents, HaveAMovedRegionWithItsEpoch) {
  ClusterMap after = before;
  move_region(after, 0, 2);
  const auto events = events_between(before, after);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, MapEventKind::RegionMove);
  EXPECT_EQ(events[0].worker, WorkerSlot{0});
  EXPECT_EQ(events[0].to, WorkerSlot{2});
  EXPECT_EQ(events[0].trace, trace_of_region(77, RegionId{0}, Epoch{2}));
}

TEST(MapEvents, HaveAFailoverOnceAndNotTheMovesOfItsRegions) {
  ClusterMap after = before;
  fail_over(after, 0, 1);
  const auto events = events_between(before, after);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, MapEventKind::Failover);
  EXPECT_EQ(events[0].worker, WorkerSlot{0});
  EXPECT_EQ(events[0].to, WorkerSlot{1});
  EXPECT_EQ(events[0].trace, trace_of_failover(77, HandleBase{1'000}));
  EXPECT_TRUE(events_between(after, after).empty());
}

TEST(MapEvents, HaveAFailoverOfAWorkerThatIsBackAlready) {
  ClusterMap after = before;
  fail_over(after, 0, 1);
  after.workers[0].alive = true;
  after.workers[0].handle_base = HandleBase{9'000};
  after.workers[0].incarnation = Incarnation{2};
  const auto events = events_between(before, after);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].trace, trace_of_failover(77, HandleBase{1'000})) << "of the one that ended";
}

TEST(MapEvents, HaveALossOnlyIfRegionsAreLost) {
  ClusterMap after = before;
  after.workers[2].alive = false;
  EXPECT_TRUE(events_between(before, after).empty()) << "it owned nothing";
  after.workers[0].alive = false;
  after.regions[0].owner = WorkerSlot{1};
  const auto events = events_between(before, after);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, MapEventKind::Loss);
  EXPECT_EQ(events[0].to, std::nullopt);
}

TEST(MapEvents, HaveTheBeginningOfADrain) {
  ClusterMap after = before;
  after.workers[1].draining = true;
  const auto events = events_between(before, after);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, MapEventKind::Drain);
  EXPECT_EQ(events[0].trace, trace_of_drain(77, HandleBase{2'000}));
  EXPECT_TRUE(events_between(after, before).empty()) << "an undrain is quick";
}

TEST(TraceIds, DifferByWhatTheyAreOfAndAreTheSameEverywhere) {
  const TraceId failover = trace_of_failover(77, HandleBase{1'000});
  EXPECT_EQ(failover, trace_of_failover(77, HandleBase{1'000}));
  EXPECT_NE(failover, trace_of_failover(78, HandleBase{1'000}));
  EXPECT_NE(failover, trace_of_drain(77, HandleBase{1'000}));
  EXPECT_NE(trace_of_session(5), trace_of_refusal(5));
  EXPECT_NE(trace_of_region(77, RegionId{1}, Epoch{2}), trace_of_region(77, RegionId{2}, Epoch{1}));
  EXPECT_EQ(root_of(failover), root_of(trace_of_failover(77, HandleBase{1'000})));
  EXPECT_NE(root_of(failover), root_of(trace_of_session(5)));
}

}  // namespace
}  // namespace perigee::tracing
