#include "perigee/worker/tick/tick_plan.hpp"

#include <gtest/gtest.h>

namespace perigee::worker {
namespace {

constexpr WorldTime world{.base = {.wall_us = 1'000'000'007, .tick = Tick{500}}};
constexpr Micros start_us(std::uint32_t tick) { return tick_start_us(world, Tick{tick}); }
TickPlan plan(Micros directory_us, std::uint32_t next) {
  return plan_ticks(world, directory_us, Tick{next}, 4);
}

TEST(ATickPlan, RunsNothingBeforeTheTickIsDue) {
  EXPECT_EQ(plan(start_us(600) - 2, 600), (TickPlan{0, 0}));
  EXPECT_EQ(plan(start_us(530), 600), (TickPlan{0, 0}));
}

TEST(ATickPlan, RunsEveryTickExactlyAtItsStart) {
  for (std::uint32_t tick = 500; tick < 500 + 60 * 60 * 60; ++tick) {
    ASSERT_EQ(plan(start_us(tick), tick), (TickPlan{1, 0})) << tick;
    ASSERT_EQ(plan(start_us(tick) - 2, tick), (TickPlan{0, 0})) << tick << ", rounded by 1 us";
  }
}

// K48
TEST(ATickPlan, CatchesUpAFewAtATimeAndSkipsNone) {
  EXPECT_EQ(plan(start_us(602), 600), (TickPlan{3, 0}));
  EXPECT_EQ(plan(start_us(609), 600), (TickPlan{4, 6}));
  EXPECT_EQ(plan(start_us(609), 604), (TickPlan{4, 2}));
  EXPECT_EQ(plan(start_us(609), 608), (TickPlan{2, 0}));
}

TEST(ATickPlan, WaitsWhenTheClockWentBack) {
  EXPECT_EQ(plan(world.base.wall_us - 5'000'000, 600), (TickPlan{0, 0}));
}

TEST(ATickPlan, GoesOnAcrossTheWrapOfTicks) {
  const WorldTime late{.base = {.wall_us = 7, .tick = Tick{0xffff'fff0}}};
  const Micros now_us = tick_start_us(late, Tick{2});
  EXPECT_EQ(plan_ticks(late, now_us, Tick{0xffff'ffff}, 4), (TickPlan{4, 0}));
}

}  // namespace
}  // namespace perigee::worker
