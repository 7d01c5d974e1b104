// The rate of world time: chosen by load or by an operator, and without a jump of time.
#include "perigee/directory/dilation.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "perigee/directory/core.hpp"

namespace perigee::directory {
namespace {

constexpr Micros second_us = 1'000'000;
constexpr double period_ms = 1e3 / 60;

class ADilation : public testing::Test {
 protected:
  /// In steps of a quarter second_us, as the directory calls it; a chosen rate applies at once.
  void pass(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 4); ++i) {
      now_us += second_us / 4;
      if (const auto chosen = dilation.choose(now_us, percent, period_ms, workers)) {
        percent = *chosen;
        ++changes;
      }
    }
  }
  Micros now_us = 5 * second_us;
  std::uint32_t percent = 100;
  int changes = 0;
  std::vector<Strain> workers{{.load_ms = 5}, {.load_ms = 5}};
  Dilation dilation{DilationSettings{}};
};

TEST_F(ADilation, LeavesTimeAloneWhileTheMostLoadedWorkerKeepsUp) {
  workers[1].load_ms = 0.89 * period_ms;
  pass(60);
  EXPECT_EQ(changes, 0);
}

TEST_F(ADilation, GivesTheMostLoadedWorkerTimeForItsTicks) {
  for (const double load : {1.0, 1.2, 1.5, 1.7}) {
    percent = 100;
    workers[0] = {.load_ms = load * period_ms, .level = OverloadLevel::Relief};
    pass(4);
    EXPECT_LE(load * percent / 100, 0.9);
    EXPECT_GE(load * (percent + Dilation::percent_step) / 100, 0.9) << "and no slower than needed";
  }
}

TEST_F(ADilation, IsNeverSlowerThanHalf) {
  workers[0] = {.load_ms = 100 * period_ms, .late_ms = 1e6, .level = OverloadLevel::Relief};
  pass(60);
  EXPECT_EQ(percent, 50U);
}

TEST_F(ADilation, LetsOthersTryFirst) {
  workers[0] = {.load_ms = 1.2 * period_ms, .level = OverloadLevel::Relief, .in_motion = true};
  pass(9);
  EXPECT_EQ(changes, 0) << "a region is on its way";
  workers[0].in_motion = false;
  pass(0.25);
  EXPECT_EQ(percent, 75U) << "nothing came of it";
}

TEST_F(ADilation, LetsTheWorkerDoWhatItCanFirst) {
  workers[0] = {.load_ms = 1.2 * period_ms, .level = OverloadLevel::Stretched};
  pass(9);
  EXPECT_EQ(changes, 0);
  pass(2);
  EXPECT_EQ(percent, 75U) << "no longer than so long";
}

TEST_F(ADilation, DoesNotWaitForWhoIsLate) {
  workers[0] = {
      .load_ms = 1.2 * period_ms, .late_ms = 150, .level = OverloadLevel::None, .in_motion = true};
  pass(0.25);
  EXPECT_EQ(percent, 65U) << "with time to catch up";
}

// A tick of 8 ms takes 22 ms of wall time: the machine has no processor for it.
TEST_F(ADilation, WaitsForWhoDoesNotGetTheProcessor) {
  workers[0] = {.load_ms = 8, .late_ms = 150, .pace_ms = 22, .in_motion = true};
  pass(2.75);
  EXPECT_EQ(changes, 0) << "it may have stood still for a moment";
  pass(1);
  EXPECT_EQ(percent, 60U) << "with time to catch up, and nothing else helps it";
  workers[0].late_ms = 50;
  pass(9);
  EXPECT_EQ(percent, 60U) << "nobody knows what it would get at a faster pace";
  pass(1.25);
  EXPECT_EQ(percent, 70U);
  pass(60);
  EXPECT_EQ(percent, 100U);
  workers[0] = {.load_ms = 1.2 * period_ms, .level = OverloadLevel::Relief};
  pass(4);
  workers[0] = {.load_ms = 5};
  pass(4.5);
  EXPECT_EQ(percent, 85U) << "that was another time";
}

TEST_F(ADilation, LeavesAloneWhoCatchesUp) {
  for (int i = 0; i < 10; ++i) {
    workers[0] = {.load_ms = 8, .late_ms = 400, .pace_ms = 27};  // it stalled
    pass(1);
    workers[0].pace_ms = 12;
    pass(1);
  }
  EXPECT_EQ(changes, 0);
}

TEST_F(ADilation, GetsNoFasterWhileSomebodyIsLate) {
  workers[0] = {.load_ms = 8, .late_ms = 1'000, .pace_ms = 22};
  pass(60);
  EXPECT_EQ(percent, 60U);
  EXPECT_EQ(changes, 1);
}

TEST_F(ADilation, ForgetsAStrainThatPassed) {
  for (int i = 0; i < 20; ++i) {
    workers[0] = {.load_ms = 1.2 * period_ms, .level = OverloadLevel::Relief};
    pass(2.5);
    workers[0] = {.load_ms = 5};
    pass(0.5);
  }
  EXPECT_EQ(changes, 0);
}

TEST_F(ADilation, GoesBackStepByStepAndStaysThere) {
  workers[0] = {.load_ms = 1.7 * period_ms, .level = OverloadLevel::Relief};
  pass(4);
  ASSERT_EQ(percent, 50U);
  workers[0].load_ms = 5;
  pass(4);
  EXPECT_EQ(percent, 50U);
  pass(1);
  EXPECT_EQ(percent, 60U);
  pass(30);
  EXPECT_EQ(percent, 100U);
  const int all = changes;
  pass(60);
  EXPECT_EQ(changes, all);
}

// Within the band between both thresholds nothing changes.
TEST_F(ADilation, DoesNotSwing) {
  workers[0] = {.load_ms = 1.4 * period_ms, .level = OverloadLevel::Relief};
  pass(4);
  ASSERT_EQ(percent, 60U);
  const int all = changes;
  for (int i = 0; i < 100; ++i) {
    workers[0].load_ms = (i % 2 == 0 ? 1.49 : 1.26) * period_ms;
    pass(1);
  }
  EXPECT_EQ(changes, all);
}

class ADirectorysTime : public testing::Test {
 protected:
  ADirectorysTime() {
    CoreSettings settings;
    settings.workers = 1;
    core.emplace(settings, 7U, now_us);
    const auto admission = core->register_worker(
        now_us, {"sim-0", Address::v4(127, 0, 0, 1, 40'040), Address::v4(127, 0, 0, 1, 40'020)});
    EXPECT_TRUE(std::holds_alternative<Grant>(admission));
  }
  /// In steps of a quarter second; the worker reports once a second.
  void pass(double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 4); ++i) {
      now_us += second_us / 4;
      ASSERT_TRUE(core->heartbeat(now_us, MemberKind::Worker, 0, "sim-0", 7, 0));
      report.map_version = core->map().version;
      core->report(now_us, 0, report);
      const WorldTime before = core->map().time;
      core->advance(now_us);
      const WorldTime& after = core->map().time;
      // Decisions do not change the current time or the next half second.
      ASSERT_EQ(tick_at(before, now_us), tick_at(after, now_us));
      ASSERT_EQ(tick_at(before, now_us + second_us / 2), tick_at(after, now_us + second_us / 2));
      if (after == before) continue;
      EXPECT_GE(after.change->wall_us - now_us, second_us / 2) << "all members receive it before";
      announced_us.push_back(now_us);
    }
  }
  Micros now_us = 1'700'000'000 * second_us;
  std::optional<Core> core;
  WorkerReport report{.incarnation = Incarnation{1}, .load_ms = 3};
  std::vector<Micros> announced_us;
};

TEST_F(ADirectorysTime, SlowsDownForAnOverloadedWorkerAndComesBack) {
  report.load_ms = 1.5 * period_ms;
  report.level = OverloadLevel::Relief;
  pass(6);
  EXPECT_EQ(core->percent(), 60U);
  const Micros first_us = tick_start_us(core->map().time, Tick{10'000});
  EXPECT_EQ((tick_start_us(core->map().time, Tick{10'036}) - first_us + 2) / 10, 100'000);
  report.load_ms = 3;
  pass(40);
  EXPECT_EQ(core->percent(), 100U);
  for (std::size_t i = 1; i < announced_us.size(); ++i) {
    EXPECT_GE(announced_us[i] - announced_us[i - 1], 2 * second_us);
  }
  EXPECT_EQ(core->rate_changes(), announced_us.size());
}

TEST_F(ADirectorysTime, PassesAsAnOperatorOrders) {
  EXPECT_FALSE(core->set_rate(now_us, 49).ok());
  EXPECT_FALSE(core->set_rate(now_us, 101).ok());
  ASSERT_TRUE(core->set_rate(now_us, 50).ok());
  pass(30);
  EXPECT_EQ(core->percent(), 50U) << "whatever the load says";
  ASSERT_TRUE(core->set_rate(now_us, std::nullopt).ok());
  pass(60);
  EXPECT_EQ(core->percent(), 100U);
}

TEST_F(ADirectorysTime, IsTheSameAfterARestart) {
  ASSERT_TRUE(core->set_rate(now_us, 50).ok());
  const Saved saved = core->saved();
  CoreSettings settings;
  ASSERT_TRUE(Core::check(settings, saved).ok());
  for (const Micros later_us : {second_us / 2, 20 * second_us}) {
    Core again(settings, saved, now_us + later_us);
    EXPECT_EQ(again.map().time, core->map().time);
    again.advance(now_us + later_us);
    EXPECT_EQ(again.percent(), 50U);
  }
  Saved broken = saved;
  broken.rate_percent = 200;
  EXPECT_FALSE(Core::check(settings, broken).ok());
}

TEST_F(ADirectorysTime, KeepsGoingForYearsAtAnyRate) {
  ASSERT_TRUE(core->set_rate(now_us, 73).ok());
  pass(4);
  const WorldTime first = core->map().time;
  const Micros start_us = first.change->wall_us;
  for (int days = 0; days < 300; days += 10) {
    now_us += 10 * 86'400 * second_us;
    core->advance(now_us);
    EXPECT_LT(now_us - core->map().time.base.wall_us, 111 * 86'400 * second_us);
    EXPECT_EQ(tick_at(core->map().time, now_us), tick_at(first, now_us)) << days;
    const Tick next = tick_at(first, now_us) + 1;
    EXPECT_EQ(tick_start_us(core->map().time, next), tick_start_us(first, next)) << days;
  }
  EXPECT_NE(core->map().time.base.wall_us, start_us);
}

}  // namespace
}  // namespace perigee::directory
