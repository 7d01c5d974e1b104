// The end of incarnations: successors, crash chains, and content without a successor.
#include "perigee/directory/failover_policy.hpp"

#include "components.hpp"

namespace perigee::directory {
namespace {

struct AnEnd : FailoverComponents {
  bool crash(WorkerSlot i) {
    return failover.confirm_death(now_us, {i, map.workers[i.index()].incarnation});
  }
  /// The process has restarted and registered: it has a new block, and nothing else.
  void restart(WorkerSlot i) {
    WorkerEntry wanted = map.workers[i.index()];
    wanted.handle_base.number += 8 * handles_per_worker;
    wanted.incarnation = wanted.incarnation.next();
    ASSERT_TRUE(std::holds_alternative<std::size_t>(
        members.admit(now_us, introduction_of(i.number, wanted.incarnation.number), wanted)));
  }
};

TEST_F(AnEnd, MakesTheStandbyTheSuccessor) {
  three_in_sync();
  const WorkerSlot successor = standby_of(0);
  const Epoch epoch = region(0).epoch, created = region(0).created_epoch;
  ASSERT_TRUE(crash(WorkerSlot{0}));
  EXPECT_FALSE(map.workers[0].alive);
  EXPECT_EQ(region(0).owner, successor);
  EXPECT_EQ(region(0).epoch, Epoch{epoch.number + 1});
  EXPECT_EQ(region(0).created_epoch, created) << "its content is not created anew";
  const FailoverRecord* record = map.failover_record(HandleBase{handles_per_worker});
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->successor, successor);
  EXPECT_EQ(record->crashes, 1U);
  EXPECT_TRUE(uncopied.contains(successor));
  EXPECT_EQ(reports.of(WorkerSlot{0}), nullptr);
  EXPECT_TRUE(members.worker(WorkerSlot{0}).incarnation_over);
  EXPECT_EQ(failover.takeovers(), 1U);
  EXPECT_FALSE(crash(WorkerSlot{0})) << "once";
}

TEST_F(AnEnd, HasNoSuccessorIfTheStandbyWasSilentToo) {
  three_in_sync();
  pass(together_us + 1);
  const std::uint64_t version = map.version;
  EXPECT_FALSE(crash(WorkerSlot{0}));
  EXPECT_EQ(map.version, version);
  beat(standby_of(0));
  EXPECT_TRUE(crash(WorkerSlot{0}));
}

TEST_F(AnEnd, ThatAnOperatorOrdersIsRefusedIfEntitiesWouldBeLost) {
  three_in_sync();
  map.workers[0].standby_in_sync = false;
  const auto refused = failover.end_by_order(now_us, WorkerSlot{0}, false);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("is not in sync yet"));
  EXPECT_TRUE(map.workers[0].alive);
  const auto forced = failover.end_by_order(now_us, WorkerSlot{0}, true);
  ASSERT_TRUE(forced.ok());
  EXPECT_EQ(*forced, std::nullopt);
  EXPECT_EQ(region(0).owner, std::nullopt);
  EXPECT_EQ(failover.deaths(), 1U);
}

TEST_F(AnEnd, ThatAnOperatorOrdersIsNoCrash) {
  three_in_sync();
  const WorkerSlot successor = standby_of(0);
  const auto ended = failover.end_by_order(now_us, WorkerSlot{0}, false);
  ASSERT_TRUE(ended.ok());
  EXPECT_EQ(*ended, successor);
  EXPECT_EQ(map.failover_records.front().crashes, 0U);
}

TEST_F(AnEnd, ByARestartLosesWhatNoStandbyHas) {
  three_in_sync();
  const WorkerSlot standby = standby_of(0);
  map.workers[0].standby_in_sync = false;
  failover.end_by_restart(now_us, WorkerSlot{0});
  EXPECT_EQ(region(0).owner, std::nullopt);
  EXPECT_TRUE(losses.undecided(RegionId{0}));
  failover.end_by_restart(now_us, standby);
  EXPECT_TRUE(region_of(standby).owner) << "its standby takes over";
}

TEST_F(AnEnd, SoonAfterATakeoverLeavesBehindWhatIsNotCopied) {
  three_in_sync();
  const WorkerSlot first = standby_of(0), second = standby_of(first);
  ASSERT_TRUE(crash(WorkerSlot{0}));
  ASSERT_EQ(region(0).owner, first);
  ASSERT_TRUE(crash(first));
  EXPECT_EQ(region_of(first).owner, second) << "it owned that before, and its standby has it";
  EXPECT_EQ(region(0).owner, std::nullopt);
  EXPECT_EQ(map.failover_record(HandleBase{handles_per_worker}), nullptr);
  EXPECT_EQ(failover.quarantined(), 1U);
}

TEST_F(AnEnd, OfTheThirdWorkerInACrashChainHasNoSuccessor) {
  three_in_sync();
  const WorkerSlot first = standby_of(0), second = standby_of(first);
  ASSERT_TRUE(crash(WorkerSlot{0}));
  restart(WorkerSlot{0});
  standbys.choose();
  for (const WorkerSlot i : {first, second}) report_in_sync(i);
  EXPECT_TRUE(map.failover_records.front().copied);
  ASSERT_TRUE(crash(first));
  EXPECT_EQ(failover.promotions_without_inputs(), 1U) << "its successor skips pending inputs";
  EXPECT_EQ(map.failover_record(HandleBase{handles_per_worker})->successor, second);
  standbys.choose();
  report_in_sync(second);
  ASSERT_TRUE(crash(second));
  EXPECT_EQ(failover.takeovers(), 2U);
  EXPECT_EQ(failover.quarantined(), 3U) << "with the two incarnations that it had taken over";
  for (const RegionEntry& each : map.regions) EXPECT_EQ(each.owner, std::nullopt);
}

TEST_F(AnEnd, LongAfterACrashBeginsAnotherChain) {
  three_in_sync();
  const WorkerSlot first = standby_of(0);
  ASSERT_TRUE(crash(WorkerSlot{0}));
  restart(WorkerSlot{0});
  for (Micros us = 0; us <= FailoverRecords::chain_us; us += one_second) {
    pass(one_second);
    for (const WorkerSlot i : worker_slots(3)) {
      members.heartbeat(now_us, {MemberKind::Worker, i.number, introduction_of(i.number).name, 7,
                                 members.worker(i).instance});
    }
  }
  standbys.choose();
  report_in_sync(first);
  ASSERT_TRUE(crash(first));
  EXPECT_EQ(map.failover_records.back().crashes, 1U);
  EXPECT_EQ(failover.promotions_without_inputs(), 0U);
}

TEST_F(AnEnd, OfSilentWorkersIsCountedWithOrWithoutASuccessor) {
  three_in_sync();
  pass(6 * one_second);
  const WorkerSlot standby = standby_of(0);
  beat(standby);
  failover.end_silent(now_us);
  EXPECT_EQ(failover.deaths(), 2U);
  EXPECT_EQ(failover.takeovers(), 1U);
  EXPECT_EQ(region(0).owner, standby);
}

TEST_F(AnEnd, IsForgottenWhenAnOperatorResolvesIt) {
  three_in_sync();
  EXPECT_FALSE(failover.resolve(HandleBlock{1}).ok()) << "that incarnation lives";
  ASSERT_TRUE(crash(WorkerSlot{0}));
  EXPECT_TRUE(failover.resolve(HandleBlock{1}).ok());
  EXPECT_TRUE(map.failover_records.empty());
  EXPECT_FALSE(failover.resolve(HandleBlock{1}).ok()) << "there is no record of it any more";
}

}  // namespace
}  // namespace perigee::directory
