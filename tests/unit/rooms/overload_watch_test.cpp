#include "perigee/rooms/overload_watch.hpp"

#include <gtest/gtest.h>

namespace perigee::rooms {
namespace {

struct AnOverloadWatch : testing::Test {
  OverloadWatch watch;
  Micros now_us = 1'000'000;
  /// Ticks for a period and a little longer.
  void tick_for_a_period(Micros late_us) {
    for (int i = 0; i < 320; ++i) watch.on_tick(now_us += 16'667, late_us);
  }
};

TEST_F(AnOverloadWatch, JudgesAWholePeriod) {
  EXPECT_TRUE(watch.on_tick(now_us, 0)) << "the first tick begins the first period";
  EXPECT_FALSE(watch.on_tick(now_us + 4'999'999, 9'000));
  EXPECT_FALSE(watch.overloaded(now_us + 4'999'999));
  EXPECT_TRUE(watch.on_tick(now_us + 5'000'000, 9'000));
  EXPECT_FALSE(watch.overloaded(now_us + 5'000'000)) << "half of two";
  now_us += 5'000'000;
  tick_for_a_period(8'001);
  EXPECT_TRUE(watch.overloaded(now_us));
  tick_for_a_period(8'000);
  EXPECT_FALSE(watch.overloaded(now_us));
}

TEST_F(AnOverloadWatch, ForgetsWhenNothingTicks) {
  tick_for_a_period(9'000);
  ASSERT_TRUE(watch.overloaded(now_us));
  now_us += 2 * OverloadWatch::period_us;
  EXPECT_FALSE(watch.overloaded(now_us));
  EXPECT_TRUE(watch.on_tick(now_us, 0));
  EXPECT_FALSE(watch.overloaded(now_us)) << "nor do the late ticks before the pause count";
}

}  // namespace
}  // namespace perigee::rooms
