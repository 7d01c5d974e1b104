// Standbys: the worker that holds the replica of another one, and whether it is in sync.
#include "perigee/directory/standby_assignment.hpp"

#include <set>

#include "components.hpp"

namespace perigee::directory {
namespace {

using AStandby = FailoverComponents;

TEST_F(AStandby, IsEachWorkersOwn) {
  three_in_sync();
  std::set<WorkerSlot> standbys_of_all;
  for (const WorkerEntry& worker : map.workers) {
    EXPECT_NE(worker.standby, worker.slot);
    EXPECT_TRUE(worker.standby_in_sync);
    standbys_of_all.insert(*worker.standby);
  }
  EXPECT_EQ(standbys_of_all.size(), 3U);
}

TEST_F(AStandby, IsReplacedOnlyIfItMustBe) {
  three_in_sync();
  const ClusterMap before = map;
  standbys.choose();
  EXPECT_EQ(map, before);
  const WorkerSlot standby = standby_of(0);
  members.end_worker(standby);
  standbys.choose();
  EXPECT_NE(standby_of(0), standby);
  EXPECT_FALSE(map.workers[0].standby_in_sync);
}

TEST_F(AStandby, ThatNeverGetsInSyncIsAvoidedForAWhile) {
  three_in_sync();
  const WorkerSlot standby = standby_of(0);
  report(0, {.entities = 10});
  standbys.note_report(WorkerSlot{0}, *reports.of(WorkerSlot{0}));
  ASSERT_FALSE(map.workers[0].standby_in_sync);
  for (Micros us = 0; us < StandbyAssignment::copy_us_max; us += one_second) {
    standbys.choose();
    EXPECT_EQ(standby_of(0), standby);
    pass(one_second);
  }
  standbys.choose();
  EXPECT_NE(standby_of(0), standby);
}

TEST_F(AStandby, IsNotReplacedForEvennessWhileItsOwnerHasTheOnlyCopyOfATakeover) {
  three_in_sync();
  map.workers[0].standby = WorkerSlot{2};
  map.workers[1].standby = WorkerSlot{2};
  map.workers[2].standby = WorkerSlot{1};
  for (const WorkerSlot i : {WorkerSlot{0}, WorkerSlot{1}}) uncopied.note(i, map.version, {});
  standbys.choose();
  EXPECT_EQ(standby_of(0), WorkerSlot{2});
  EXPECT_EQ(standby_of(1), WorkerSlot{2});
  uncopied.forget(WorkerSlot{1});
  standbys.choose();
  EXPECT_EQ(standby_of(1), WorkerSlot{0}) << "worker 2 has two replicas, worker 0 none";
}

TEST_F(AStandby, ThatEndedHoldsNoReplicas) {
  three_in_sync();
  const WorkerSlot standby = standby_of(0);
  standbys.release(standby);
  EXPECT_EQ(map.workers[standby.index()].standby, std::nullopt);
  EXPECT_EQ(map.workers[0].standby, std::nullopt);
  EXPECT_FALSE(map.workers[0].standby_in_sync);
}

TEST_F(AStandby, IsInSyncWithOneClusterIdOnly) {
  three_in_sync();
  map.workers[standby_of(0).index()].incarnation =
      map.workers[standby_of(0).index()].incarnation.next();
  report(0, {.entities = 10, .in_sync_with = WorkerIncarnation{standby_of(0), Incarnation{1}}});
  standbys.note_report(WorkerSlot{0}, *reports.of(WorkerSlot{0}));
  EXPECT_FALSE(map.workers[0].standby_in_sync);
}

TEST_F(AStandby, OfARestoredSuccessorIsInSyncOnceTheSuccessorKnowsTheMap) {
  three_in_sync();
  map.failover_records.push_back({.handle_base = HandleBase{77},
                                  .successor = WorkerSlot{0},
                                  .successor_handle_base = map.workers[0].handle_base,
                                  .epoch = Epoch{2}});
  standbys.note_restored();
  EXPECT_FALSE(map.workers[0].standby_in_sync) << "a map that was saved before the takeover";
  WorkerReport old = *reports.of(WorkerSlot{0});
  old.map_version = map.version - 1;
  standbys.note_report(WorkerSlot{0}, old);
  EXPECT_FALSE(map.workers[0].standby_in_sync);
  report_in_sync(WorkerSlot{0});
  EXPECT_TRUE(map.workers[0].standby_in_sync);
  EXPECT_TRUE(map.failover_records.front().copied);
}

TEST_F(AStandby, ItsSuspicionCountsUnlessTheDirectoryStoodStill) {
  three_in_sync();
  const WorkerSlot standby = standby_of(0);
  WorkerReport report = *reports.of(standby);
  report.suspects = {{WorkerSlot{0}, map.workers[0].incarnation}};
  EXPECT_EQ(standbys.suspects(standby.number, report).size(), 1U);
  EXPECT_TRUE(standbys.suspects(standby_of(standby).number, report).empty()) << "another worker's";
  pass(2 * one_second);
  EXPECT_TRUE(standbys.suspects(standby.number, report).empty());
  for (int i = 0; i < 5; ++i) pass(one_second);
  EXPECT_EQ(standbys.suspects(standby.number, report).size(), 1U);
}

}  // namespace
}  // namespace perigee::directory
