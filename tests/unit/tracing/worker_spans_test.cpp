#include "perigee/tracing/worker_spans.hpp"

#include <gtest/gtest.h>

#include "a_map.hpp"
#include "spans_collected.hpp"

namespace perigee::tracing {
namespace {

constexpr WorkerSlot self{1};

struct SpansOfAWorker : testing::Test, SpansCollected {
  SpansOfAWorker() { spans_of.on_map(1'000, self, map); }
  void adopt(Micros now_us) { spans_of.on_map(now_us, self, map); }
  WorkerReport report(std::uint32_t entities) const {
    WorkerReport out{.map_version = map.version, .entities = entities};
    if (entities > 0) out.regions = {{RegionId{1}, entities}};
    return out;
  }
  void step(Micros now_us, MigrationStep step, std::uint32_t attempt = 4) {
    spans_of.on_migration(now_us, step, 123, attempt, WorkerSlot{2});
  }
  ClusterMap map = a_map();
  WorkerSpans spans_of{emit()};
};

TEST_F(SpansOfAWorker, HaveATakeoverUpToItsFirstTick) {
  spans_of.on_tick(1'500);
  fail_over(map, 0, 1);
  adopt(2'000);
  EXPECT_TRUE(spans.empty());
  spans_of.on_tick(3'000);
  spans_of.on_tick(4'000);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "failover.take_over");
  EXPECT_EQ(spans[0].trace, trace_of_failover(77, HandleBase{1'000}));
  EXPECT_EQ(spans[0].parent, root_of(spans[0].trace)) << "of the directory's span";
  EXPECT_EQ(spans[0].start_us, 2'000);
  EXPECT_EQ(spans[0].end_us, 3'000);
}

TEST_F(SpansOfAWorker, HaveASuspicionUpToTheMapThatConfirmsIt) {
  WorkerReport suspicious = report(5);
  suspicious.suspects = {{WorkerSlot{0}, Incarnation{1}}};
  spans_of.on_report(2'000, suspicious);
  spans_of.on_report(2'500, suspicious);
  fail_over(map, 0, 2);
  adopt(3'000);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "failover.suspicion");
  EXPECT_EQ(spans[0].start_us, 2'000);
  EXPECT_EQ(spans[0].end_us, 3'000);
}

TEST_F(SpansOfAWorker, ForgetASuspicionThatWasRefuted) {
  WorkerReport suspicious = report(5);
  suspicious.suspects = {{WorkerSlot{0}, Incarnation{1}}};
  spans_of.on_report(2'000, suspicious);
  spans_of.on_report(2'500, report(5));
  fail_over(map, 0, 2);
  adopt(3'000);
  EXPECT_TRUE(spans.empty());
}

TEST_F(SpansOfAWorker, HaveALeftRegionUpToTheReportWithoutIt) {
  move_region(map, 1, 0);
  WorkerReport old = report(0);
  old.map_version = 1;
  adopt(2'000);
  spans_of.on_report(2'100, old);
  spans_of.on_report(3'000, report(7));
  EXPECT_TRUE(spans.empty());
  spans_of.on_report(4'000, report(0));
  spans_of.on_report(5'000, report(0));
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "region.leave");
  EXPECT_EQ(spans[0].trace, trace_of_region(77, RegionId{1}, Epoch{2}));
  EXPECT_EQ(spans[0].end_us, 4'000);
  EXPECT_TRUE(spans[0].error.empty());
}

TEST_F(SpansOfAWorker, SayThatARegionIsNotLeftForLong) {
  move_region(map, 1, 0);
  adopt(2'000);
  spans_of.on_report(2'000 + WorkerSpans::region_us_max, report(7));
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_FALSE(spans[0].error.empty());
  EXPECT_EQ(std::get<std::int64_t>(attribute_of(spans[0], "perigee.entities_left")->value), 7);
}

TEST_F(SpansOfAWorker, HaveADrainUntilNothingIsLeft) {
  map.workers[1].draining = true;
  ++map.version;
  adopt(2'000);
  move_region(map, 1, 0);
  adopt(2'500);
  spans_of.on_report(3'000, report(4));
  EXPECT_EQ(find("drain.leave"), nullptr);
  spans_of.on_report(4'000, report(0));
  const Span* drain = find("drain.leave");
  ASSERT_NE(drain, nullptr);
  EXPECT_EQ(drain->start_us, 2'000);
  EXPECT_EQ(drain->trace, trace_of_drain(77, HandleBase{2'000}));
}

TEST_F(SpansOfAWorker, HaveNoDrainThatWasTakenBack) {
  map.workers[1].draining = true;
  ++map.version;
  adopt(2'000);
  map.workers[1].draining = false;
  move_region(map, 1, 0);
  adopt(2'500);
  spans_of.on_report(4'000, report(0));
  EXPECT_EQ(find("drain.leave"), nullptr);
}

TEST_F(SpansOfAWorker, HaveAMigrationAtItsSender) {
  step(2'000, MigrationStep::Offered);
  step(2'100, MigrationStep::Offered);
  step(2'500, MigrationStep::Left);
  step(2'600, MigrationStep::Left);
  step(3'000, MigrationStep::Settled);
  step(3'100, MigrationStep::Settled);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "migration");
  EXPECT_EQ(spans[0].trace, trace_of_migration(77, 123, 4));
  EXPECT_EQ(spans[0].start_us, 2'000);
  EXPECT_EQ(spans[0].end_us, 3'000);
  ASSERT_EQ(spans[0].events.size(), 1U);
  EXPECT_EQ(spans[0].events[0].at_us, 2'500);
  EXPECT_TRUE(spans[0].frequent);
}

TEST_F(SpansOfAWorker, HaveAMigrationAtItsReceiverInTheSameTrace) {
  step(2'000, MigrationStep::Promised);
  step(2'900, MigrationStep::Received);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].name, "migration.receive");
  EXPECT_EQ(spans[0].trace, trace_of_migration(77, 123, 4));
  EXPECT_EQ(spans[0].parent, root_of(spans[0].trace));
}

TEST_F(SpansOfAWorker, HaveTheRefusalOfAMigrationAsAnError) {
  step(2'000, MigrationStep::Offered);
  step(2'900, MigrationStep::Refused);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_FALSE(spans[0].error.empty());
}

TEST_F(SpansOfAWorker, HaveOneAttemptOfAGroupAtATime) {
  step(2'000, MigrationStep::Offered, 4);
  step(3'000, MigrationStep::Offered, 5);
  step(3'500, MigrationStep::Settled, 4);
  EXPECT_TRUE(spans.empty()) << "that attempt was given up";
  step(3'900, MigrationStep::Settled, 5);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].start_us, 3'000);
}

TEST_F(SpansOfAWorker, BoundMigrationsThatNeverEnd) {
  const auto offer = [&](Micros now_us, std::uint32_t group) {
    spans_of.on_migration(now_us, MigrationStep::Offered, group, 1, WorkerSlot{0});
  };
  for (std::uint32_t group = 0; group < 2 * WorkerSpans::migrations_max; ++group)
    offer(2'000, group);
  offer(2'000, 1'000'000);
  spans_of.on_migration(3'000, MigrationStep::Settled, 1'000'000, 1, WorkerSlot{0});
  EXPECT_TRUE(spans.empty());
  spans_of.on_report(3'000 + WorkerSpans::migration_us_max, report(5));
  offer(9'000'000, 1'000'000);
  spans_of.on_migration(9'000'100, MigrationStep::Settled, 1'000'000, 1, WorkerSlot{0});
  EXPECT_EQ(spans.size(), 1U) << "the old ones are forgotten";
}

TEST_F(SpansOfAWorker, BeginAnewInAnotherCluster) {
  map.cluster_id = 78;
  map.version = 9;
  map.workers[0].alive = false;
  map.regions[0].owner = self;
  adopt(2'000);
  spans_of.on_tick(3'000);
  EXPECT_TRUE(spans.empty());
}

}  // namespace
}  // namespace perigee::tracing
