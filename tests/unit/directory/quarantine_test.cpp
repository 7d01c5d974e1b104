// Crash chains: workers that die one after the other, each after it has taken over from the one
// before.
#include "buddies.hpp"

namespace perigee::directory {
namespace {

constexpr int workers = 5;

class ARowOfDeaths : public Buddies {
 protected:
  void SetUp() override {
    for (int i = 0; i < workers; ++i) join(i);
    pass(3);
    all_in_sync();
  }
  void pass(int seconds) {
    std::vector<int> living;
    for (const WorkerEntry& each : core.map().workers) {
      if (each.alive) living.push_back(each.slot);
    }
    Buddies::pass(seconds, living);
  }
  std::uint32_t block(WorkerSlot slot) { return worker(slot).handle_base; }
  /// Returns the successor; none: there is none.
  std::optional<WorkerSlot> die(WorkerSlot slot) {
    const std::uint32_t its = block(slot);
    EXPECT_TRUE(core.bury(now_us, {slot, worker(slot).life}));
    EXPECT_FALSE(worker(slot).alive);
    const Bequest* bequest = core.map().bequest(its);
    return bequest != nullptr ? std::optional(bequest->heir) : std::nullopt;
  }
  /// A report made before the worker received the newest map.
  void report_late(WorkerSlot slot, std::uint64_t map_version) {
    WorkerReport report = report_of(slot);
    report.map_version = map_version;
    report.buddy_word = worker(slot).buddy_word;
    core.report(now_us, slot, report);
  }
};

TEST_F(ARowOfDeaths, EndsWithTheThirdWhichNobodyGoesOnWith) {
  const std::uint32_t first = block(0);
  const auto second_one = die(0);
  ASSERT_TRUE(second_one);
  EXPECT_EQ(core.map().bequest(first)->crashes, 1U);
  EXPECT_FALSE(core.map().bequest(first)->careful());
  pass(2);
  const std::uint32_t second_block = block(*second_one);
  const auto third = die(*second_one);
  ASSERT_TRUE(third);
  for (const std::uint32_t life : {first, second_block}) {
    ASSERT_NE(core.map().bequest(life), nullptr);
    EXPECT_EQ(core.map().bequest(life)->heir, *third);
    EXPECT_EQ(core.map().bequest(life)->crashes, 2U);
    EXPECT_TRUE(core.map().bequest(life)->careful());
  }
  EXPECT_EQ(core.careful(), 1U);
  pass(2);
  const auto regions = core.map().regions;
  const std::uint32_t version = core.map().workers[*third].life;
  EXPECT_EQ(die(*third), std::nullopt);
  EXPECT_EQ(core.quarantined(), 3U) << "its own, and what it went on with";
  pass(1);
  EXPECT_TRUE(core.map().bequests.empty());
  EXPECT_EQ(core.deaths(), 3U);
  for (const RegionEntry& was : regions) {
    const RegionEntry& is = *core.map().region(was.region);
    if (was.owner == *third) {
      EXPECT_EQ(is.born, is.epoch) << "its content is made anew";
      EXPECT_FALSE(is.from_cut) << "beside what others have";
      ASSERT_TRUE(is.owner);
      EXPECT_TRUE(worker(*is.owner).alive);
    } else {
      EXPECT_EQ(is, was) << "others' stay as they are";
    }
  }
  EXPECT_FALSE(beat(*third)) << "it shall begin another life";
  join(*third);
  EXPECT_EQ(worker(*third).life, version + 1);
}

TEST_F(ARowOfDeaths, IsForgottenAfterEightSeconds) {
  const auto second_one = die(0);
  pass(9);
  const std::uint32_t its = block(*second_one);
  const auto third = die(*second_one);
  ASSERT_TRUE(third);
  EXPECT_EQ(core.map().bequest(its)->crashes, 1U);
  pass(4);
  ASSERT_TRUE(die(*third));
  EXPECT_EQ(core.map().bequest(its)->crashes, 2U);
  pass(5);
  EXPECT_NE(die(core.map().bequest(its)->heir), std::nullopt)
      << "more than that after the first of them";
  EXPECT_EQ(core.quarantined(), 0U);
}

TEST_F(ARowOfDeaths, IsOneOfHeirsAlone) {
  const auto heir = die(0);
  pass(2);
  WorkerSlot other = 1;
  while (other == *heir || worker(other).buddy == *heir) ++other;
  const std::uint32_t its = block(other);
  ASSERT_TRUE(die(other));
  EXPECT_EQ(core.map().bequest(its)->crashes, 1U);
}

TEST_F(ARowOfDeaths, DoesNotGrowByThoseThatEndInGoodOrder) {
  const std::uint32_t first = block(0);
  const auto second_one = die(0);
  pass(2);
  const auto third = core.kill(now_us, name(*second_one), false);
  ASSERT_TRUE(third.ok() && *third);
  EXPECT_EQ(core.map().bequest(first)->crashes, 1U) << "nor is it forgotten";
  pass(2);
  const std::uint64_t instance = core.saved().workers.at(**third).instance;
  ASSERT_TRUE(
      core.sign_off(now_us, MemberKind::Worker, **third, name(**third), incarnation, instance));
  const Bequest* bequest = core.map().bequest(first);
  ASSERT_NE(bequest, nullptr);
  EXPECT_EQ(bequest->crashes, 1U);
  pass(2);
  ASSERT_TRUE(die(bequest->heir));
  EXPECT_EQ(core.map().bequest(first)->crashes, 2U);
}

TEST_F(ARowOfDeaths, IsToldFromSilenceAndFromNewProcessesToo) {
  const std::uint32_t first = block(0);
  join(0, 2);
  ASSERT_NE(core.map().bequest(first), nullptr);
  EXPECT_EQ(core.map().bequest(first)->crashes, 1U);
  pass(1);
  const WorkerSlot heir = core.map().bequest(first)->heir;
  std::vector<int> others;
  for (int i = 0; i < workers; ++i) {
    if (i != heir) others.push_back(i);
  }
  Buddies::pass(6, others);
  EXPECT_FALSE(worker(heir).alive);
  ASSERT_NE(core.map().bequest(first), nullptr);
  EXPECT_EQ(core.map().bequest(first)->crashes, 2U);
}

// The successor presumably crashed because of the content that it took over. Its own standby does
// not have that content yet, but all of the successor's earlier content.
TEST_F(ARowOfDeaths, LeavesBehindWhatAnHeirDiesOfAtOnce) {
  const std::uint32_t first = block(0);
  const auto poisoned = regions_of(0);
  const std::uint64_t before = core.map().version;
  const auto heir = die(0);
  ASSERT_TRUE(heir);
  const WorkerSlot next = *worker(*heir).buddy;
  ASSERT_TRUE(worker(*heir).buddy_in_sync) << "with what was its own before";
  report_late(*heir, before);
  const std::uint32_t its = block(*heir);
  const auto own = core.map().regions;
  EXPECT_FALSE(core.kill(now_us, name(*heir), false).ok()) << "no operator loses that unawares";
  EXPECT_EQ(die(*heir), next);
  pass(1);
  EXPECT_EQ(core.map().bequest(first), nullptr);
  EXPECT_EQ(core.map().bequest(its)->crashes, 2U);
  EXPECT_EQ(core.quarantined(), 1U);
  for (const RegionEntry& was : own) {
    const RegionEntry& is = *core.map().region(was.region);
    const bool lost = std::count(poisoned.begin(), poisoned.end(), was.region) > 0;
    EXPECT_EQ(is.born, lost ? is.epoch : was.born) << was.region;
    if (!lost && was.owner == *heir) {
      EXPECT_EQ(is.owner, next);
    }
  }
}

TEST_F(ARowOfDeaths, TakesAlongWhatTheHeirsBuddyHas) {
  const std::uint32_t first = block(0);
  const auto heir = die(0);
  EXPECT_FALSE(core.map().bequest(first)->copied);
  pass(1);
  EXPECT_TRUE(core.map().bequest(first)->copied);
  const auto next = die(*heir);
  ASSERT_NE(core.map().bequest(first), nullptr);
  EXPECT_EQ(core.map().bequest(first)->heir, next);
  EXPECT_FALSE(core.map().bequest(first)->copied) << "by that one's buddy";
  EXPECT_EQ(core.quarantined(), 0U);
}

TEST_F(ARowOfDeaths, HasNoHeirWhileTheFirstOnesBuddyIsBeingTold) {
  const auto heir = die(0);
  WorkerReport report = report_of(*heir);
  report.in_sync_with.reset();
  core.report(now_us, *heir, report);
  EXPECT_FALSE(core.bury(now_us, {*heir, worker(*heir).life}));
  EXPECT_TRUE(worker(*heir).alive);
}

// The store does not record which regions the successor took over.
TEST_F(ARowOfDeaths, HasNoHeirUnderAnotherDirectoryBeforeTheFirstHasHeardOfIt) {
  const auto heir = die(0);
  const std::uint64_t before = core.map().version;
  core = Core(settings(), core.saved(), now_us);
  EXPECT_FALSE(worker(*heir).buddy_in_sync);
  report_late(*heir, before);
  EXPECT_FALSE(worker(*heir).buddy_in_sync);
  pass(1);
  EXPECT_TRUE(worker(*heir).buddy_in_sync);
  EXPECT_TRUE(core.map().bequests.front().copied);
}

}  // namespace
}  // namespace perigee::directory
