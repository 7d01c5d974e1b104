// K48: a tick's budget, the causes of overruns, and the load that is shed.
#include "perigee/worker/tick/tick_budget.hpp"

#include <gtest/gtest.h>

namespace perigee::worker {
namespace {

constexpr Micros period_us = 16'667;

struct ATickBudget : testing::Test {
  TickBudget budget;

  static TickBudget::Spent spent(TickPhase phase, Micros us) {
    TickBudget::Spent out{};
    out.fill(100);
    out[static_cast<std::size_t>(phase)] = us;
    return out;
  }
  void run(std::uint32_t ticks, Micros publish_us) {
    for (std::uint32_t i = 0; i < ticks; ++i) {
      budget.on_tick(spent(TickPhase::Publish, publish_us), period_us);
    }
  }
  void run_windows(std::uint32_t windows, Micros publish_us) {
    run(windows * TickBudget::window_ticks, publish_us);
  }
};

TEST_F(ATickBudget, BlamesThePhaseThatTookMoreThanItsShare) {
  budget.on_tick(spent(TickPhase::Bodies, 11'000), period_us);
  EXPECT_EQ(budget.over(TickPhase::Bodies), 0U) << "11.6 of 12.5 ms";
  budget.on_tick(spent(TickPhase::Bodies, 12'000), period_us);
  EXPECT_EQ(budget.over(TickPhase::Bodies), 1U);
  EXPECT_EQ(budget.over(TickPhase::Publish), 0U);
}

TEST_F(ATickBudget, LetsWhatIsFarGiveWayStepByStep) {
  EXPECT_EQ(budget.least_stretch(), 1);
  for (const float stretch : {1.5F, 2.F, 3.F, 4.F, 4.F}) {
    run_windows(1, 14'000);
    EXPECT_EQ(budget.least_stretch(), stretch);
  }
}

TEST_F(ATickBudget, AsksForReliefOnceNothingMoreCanGiveWay) {
  EXPECT_EQ(budget.level(), OverloadLevel::None);
  for (int step = 0; step < 4; ++step) {
    run_windows(1, 14'000);
    EXPECT_EQ(budget.level(), OverloadLevel::Stretched);
  }
  run_windows(1, 14'000);
  EXPECT_EQ(budget.level(), OverloadLevel::Relief);
  run_windows(TickBudget::relieved_windows - 1, 1'000);
  EXPECT_EQ(budget.level(), OverloadLevel::Relief) << "it may come back at once";
  run_windows(1, 14'000);
  run_windows(TickBudget::relieved_windows, 1'000);
  EXPECT_EQ(budget.level(), OverloadLevel::Stretched);
  run_windows(4 * TickBudget::rest_windows, 1'000);
  EXPECT_EQ(budget.level(), OverloadLevel::None);
}

TEST_F(ATickBudget, TakesAHiccupForNone) {
  run(TickBudget::over_max, 30'000);
  run(TickBudget::window_ticks - TickBudget::over_max, 1'000);
  EXPECT_EQ(budget.step(), 0U);
}

TEST_F(ATickBudget, ComesBackAfterARest) {
  run_windows(2, 14'000);
  run_windows(TickBudget::rest_windows - 1, 1'000);
  EXPECT_EQ(budget.step(), 2U);
  run_windows(1, 1'000);
  EXPECT_EQ(budget.step(), 1U);
  run_windows(TickBudget::rest_windows, 1'000);
  EXPECT_EQ(budget.step(), 0U);
  run_windows(TickBudget::rest_windows, 1'000);
  EXPECT_EQ(budget.step(), 0U);
}

TEST_F(ATickBudget, RestsAnewAfterEachTickThatIsOver) {
  run_windows(1, 14'000);
  run_windows(TickBudget::rest_windows - 1, 1'000);
  run(1, 14'000);
  run_windows(TickBudget::rest_windows - 1, 1'000);
  EXPECT_EQ(budget.step(), 1U);
}

}  // namespace
}  // namespace perigee::worker
