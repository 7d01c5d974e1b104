// Crash chains: workers that die one after the other, each after it has taken over from the one
// before.
#include "standbys.hpp"

namespace perigee::directory {
namespace {

constexpr int workers = 5;

class ARowOfDeaths : public Standbys {
 protected:
  void SetUp() override {
    for (int i = 0; i < workers; ++i) join(i);
    pass(3);
    all_in_sync();
  }
  void pass(int seconds) {
    std::vector<int> living;
    for (const WorkerEntry& each : core.map().workers) {
      if (each.alive) living.push_back(each.slot.number);
    }
    Standbys::pass(seconds, living);
  }
  HandleBase block(WorkerSlot slot) { return worker(slot).handle_base; }
  /// Returns the successor; none: there is none.
  std::optional<WorkerSlot> die(WorkerSlot slot) {
    const HandleBase its = block(slot);
    EXPECT_TRUE(core.declare_dead(now_us, {slot, worker(slot).incarnation}));
    EXPECT_FALSE(worker(slot).alive);
    const FailoverRecord* failover_record = core.map().failover_record(its);
    return failover_record != nullptr ? std::optional(failover_record->successor) : std::nullopt;
  }
  /// A report made before the worker received the newest map.
  void report_late(WorkerSlot slot, std::uint64_t map_version) {
    WorkerReport report = report_of(slot.number);
    report.map_version = map_version;
    report.standby_word = worker(slot).standby_word;
    core.report(now_us, slot.number, report);
  }
};

TEST_F(ARowOfDeaths, EndsWithTheThirdWhichNobodyGoesOnWith) {
  const HandleBase first = block(WorkerSlot{0});
  const auto second_one = die(WorkerSlot{0});
  ASSERT_TRUE(second_one);
  EXPECT_EQ(core.map().failover_record(first)->crashes, 1U);
  EXPECT_FALSE(core.map().failover_record(first)->skip_pending_inputs());
  pass(2);
  const HandleBase second_block = block(*second_one);
  const auto third = die(*second_one);
  ASSERT_TRUE(third);
  for (const HandleBase incarnation : {first, second_block}) {
    ASSERT_NE(core.map().failover_record(incarnation), nullptr);
    EXPECT_EQ(core.map().failover_record(incarnation)->successor, *third);
    EXPECT_EQ(core.map().failover_record(incarnation)->crashes, 2U);
    EXPECT_TRUE(core.map().failover_record(incarnation)->skip_pending_inputs());
  }
  EXPECT_EQ(core.promotions_without_inputs(), 1U);
  pass(2);
  const auto regions = core.map().regions;
  const Incarnation former = core.map().workers[third->index()].incarnation;
  EXPECT_EQ(die(*third), std::nullopt);
  EXPECT_EQ(core.quarantined(), 3U) << "its own, and what it went on with";
  pass(1);
  EXPECT_TRUE(core.map().failover_records.empty());
  EXPECT_EQ(core.deaths(), 3U);
  for (const RegionEntry& was : regions) {
    const RegionEntry& is = *core.map().region(was.region);
    if (was.owner == *third) {
      EXPECT_EQ(is.created_epoch, is.epoch) << "its content is made anew";
      EXPECT_FALSE(is.from_checkpoint) << "beside what others have";
      ASSERT_TRUE(is.owner);
      EXPECT_TRUE(worker(*is.owner).alive);
    } else {
      EXPECT_EQ(is, was) << "others' stay as they are";
    }
  }
  EXPECT_FALSE(beat(third->number)) << "it shall begin another incarnation";
  join(third->number);
  EXPECT_EQ(worker(*third).incarnation, former.next());
}

TEST_F(ARowOfDeaths, IsForgottenAfterEightSeconds) {
  const auto second_one = die(WorkerSlot{0});
  pass(9);
  const HandleBase its = block(*second_one);
  const auto third = die(*second_one);
  ASSERT_TRUE(third);
  EXPECT_EQ(core.map().failover_record(its)->crashes, 1U);
  pass(4);
  ASSERT_TRUE(die(*third));
  EXPECT_EQ(core.map().failover_record(its)->crashes, 2U);
  pass(5);
  EXPECT_NE(die(core.map().failover_record(its)->successor), std::nullopt)
      << "more than that after the first of them";
  EXPECT_EQ(core.quarantined(), 0U);
}

TEST_F(ARowOfDeaths, IsOneOfSuccessorsAlone) {
  const auto successor = die(WorkerSlot{0});
  pass(2);
  WorkerSlot other{1};
  while (other == *successor || worker(other).standby == *successor)
    other = WorkerSlot::at(other.number + 1);
  const HandleBase its = block(other);
  ASSERT_TRUE(die(other));
  EXPECT_EQ(core.map().failover_record(its)->crashes, 1U);
}

TEST_F(ARowOfDeaths, DoesNotGrowByThoseThatEndInGoodOrder) {
  const HandleBase first = block(WorkerSlot{0});
  const auto second_one = die(WorkerSlot{0});
  pass(2);
  const auto third = core.kill(now_us, name(second_one->number), false);
  ASSERT_TRUE(third.ok() && *third);
  EXPECT_EQ(core.map().failover_record(first)->crashes, 1U) << "nor is it forgotten";
  pass(2);
  const std::uint64_t instance = core.saved().workers.at((*third)->index()).instance;
  ASSERT_TRUE(core.sign_off(now_us, MemberKind::Worker, (*third)->number, name((*third)->number),
                            cluster_id, instance));
  const FailoverRecord* failover_record = core.map().failover_record(first);
  ASSERT_NE(failover_record, nullptr);
  EXPECT_EQ(failover_record->crashes, 1U);
  pass(2);
  ASSERT_TRUE(die(failover_record->successor));
  EXPECT_EQ(core.map().failover_record(first)->crashes, 2U);
}

TEST_F(ARowOfDeaths, IsDistinguishedFromSilenceAndFromNewProcessesToo) {
  const HandleBase first = block(WorkerSlot{0});
  join(0, 2);
  ASSERT_NE(core.map().failover_record(first), nullptr);
  EXPECT_EQ(core.map().failover_record(first)->crashes, 1U);
  pass(1);
  const WorkerSlot successor = core.map().failover_record(first)->successor;
  std::vector<int> others;
  for (int i = 0; i < workers; ++i) {
    if (WorkerSlot::at(i) != successor) others.push_back(i);
  }
  Standbys::pass(6, others);
  EXPECT_FALSE(worker(successor).alive);
  ASSERT_NE(core.map().failover_record(first), nullptr);
  EXPECT_EQ(core.map().failover_record(first)->crashes, 2U);
}

// The successor presumably crashed because of the content that it took over. Its own standby does
// not have that content yet, but all of the successor's earlier content.
TEST_F(ARowOfDeaths, LeavesBehindWhatASuccessorDiesOfAtOnce) {
  const HandleBase first = block(WorkerSlot{0});
  const auto poisoned = regions_of(0);
  const std::uint64_t before = core.map().version;
  const auto successor = die(WorkerSlot{0});
  ASSERT_TRUE(successor);
  const WorkerSlot next = *worker(*successor).standby;
  ASSERT_TRUE(worker(*successor).standby_in_sync) << "with what was its own before";
  report_late(*successor, before);
  const HandleBase its = block(*successor);
  const auto own = core.map().regions;
  EXPECT_FALSE(core.kill(now_us, name(successor->number), false).ok())
      << "no operator loses that unawares";
  EXPECT_EQ(die(*successor), next);
  pass(1);
  EXPECT_EQ(core.map().failover_record(first), nullptr);
  EXPECT_EQ(core.map().failover_record(its)->crashes, 2U);
  EXPECT_EQ(core.quarantined(), 1U);
  for (const RegionEntry& was : own) {
    const RegionEntry& is = *core.map().region(was.region);
    const bool lost = std::count(poisoned.begin(), poisoned.end(), was.region) > 0;
    EXPECT_EQ(is.created_epoch, lost ? is.epoch : was.created_epoch) << was.region;
    if (!lost && was.owner == *successor) {
      EXPECT_EQ(is.owner, next);
    }
  }
}

TEST_F(ARowOfDeaths, TakesAlongWhatTheSuccessorsStandbyHas) {
  const HandleBase first = block(WorkerSlot{0});
  const auto successor = die(WorkerSlot{0});
  EXPECT_FALSE(core.map().failover_record(first)->copied);
  pass(1);
  EXPECT_TRUE(core.map().failover_record(first)->copied);
  const auto next = die(*successor);
  ASSERT_NE(core.map().failover_record(first), nullptr);
  EXPECT_EQ(core.map().failover_record(first)->successor, next);
  EXPECT_FALSE(core.map().failover_record(first)->copied) << "by that one's standby";
  EXPECT_EQ(core.quarantined(), 0U);
}

TEST_F(ARowOfDeaths, HasNoSuccessorWhileTheFirstOnesStandbyIsBeingFilled) {
  const auto successor = die(WorkerSlot{0});
  WorkerReport report = report_of(successor->number);
  report.in_sync_with.reset();
  core.report(now_us, successor->number, report);
  EXPECT_FALSE(core.declare_dead(now_us, {*successor, worker(*successor).incarnation}));
  EXPECT_TRUE(worker(*successor).alive);
}

// The store does not record which regions the successor took over.
TEST_F(ARowOfDeaths, HasNoSuccessorUnderAnotherDirectoryBeforeTheFirstHasReceivedItsMap) {
  const auto successor = die(WorkerSlot{0});
  const std::uint64_t before = core.map().version;
  core = Core(settings(), core.saved(), now_us);
  EXPECT_FALSE(worker(*successor).standby_in_sync);
  report_late(*successor, before);
  EXPECT_FALSE(worker(*successor).standby_in_sync);
  pass(1);
  EXPECT_TRUE(worker(*successor).standby_in_sync);
  EXPECT_TRUE(core.map().failover_records.front().copied);
}

}  // namespace
}  // namespace perigee::directory
