#include "perigee/worker/tick/tick_times.hpp"

#include <gtest/gtest.h>

namespace perigee::worker {
namespace {

constexpr Micros tick_us = 16'667;

TEST(TickTimes, OfPhasesAndOfTheTickAreMeasuredWithBothClocks) {
  TickTimes times;
  times.begin_tick({1'000, 100});
  const TickClocks first = times.end_phase({1'300, 150}, TickPhase{0});
  EXPECT_EQ(first.wall_us, 300);
  EXPECT_EQ(first.cpu_us, 50);
  times.end_phase({1'900, 350}, TickPhase{1});
  const TickClocks tick = times.end_tick({2'000, 400}, 7, tick_us);
  EXPECT_EQ(tick.wall_us, 1'000);
  EXPECT_EQ(tick.cpu_us, 300);
  EXPECT_EQ(times.spent_us()[0], 50);
  EXPECT_EQ(times.spent_us()[1], 200);
  EXPECT_EQ(times.wall().quantile_us(0.5), 1'000);
  EXPECT_EQ(times.cpu().quantile_us(0.5), 300);
}

TEST(TickTimes, OfAnIntervalAreThoseFromItsFirstTickToTheReport) {
  TickTimes times;
  times.begin_tick({1'000, 0});
  times.end_tick({2'000, 900}, 0, tick_us);
  times.begin_tick({17'000, 1'000});
  times.end_tick({18'000, 1'900}, 0, tick_us);
  const auto pace = times.end_interval({33'000, 2'000});
  EXPECT_DOUBLE_EQ(pace.load_ms, 1.0) << "work between the ticks counts, too";
  EXPECT_DOUBLE_EQ(pace.pace_ms, 16.0);
  EXPECT_DOUBLE_EQ(times.end_interval({50'000, 3'000}).load_ms, 0) << "no tick since";
}

TEST(TickTimes, CountTicksThatAreLongerThanThePeriodAndThatBeginLate) {
  TickTimes times;
  times.begin_tick({0, 0});
  times.end_tick({tick_us + 1, 100}, tick_us + 1, tick_us);
  EXPECT_EQ(times.wall().overruns(), 1U);
  EXPECT_EQ(times.wall().late_starts(), 1U);
  EXPECT_EQ(times.cpu().overruns(), 0U);
}

}  // namespace
}  // namespace perigee::worker
