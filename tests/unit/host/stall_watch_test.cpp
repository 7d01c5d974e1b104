#include "perigee/host/stall_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "perigee/host/loop.hpp"

namespace perigee::host {
namespace {

using namespace std::chrono_literals;

/// Every sleep ends a little late: with a minimum of zero, each counts as a stall.
TEST(AStallWatch, CountsOnlyWhatLiesBetweenTheTwoTimes) {
  const Micros began_us = Loop::clock_us();
  StallWatch watch(0);
  for (int i = 0; i < 2'000 && watch.longest_us() == 0; ++i) std::this_thread::sleep_for(10ms);
  const Micros now_us = Loop::clock_us();
  ASSERT_GT(watch.longest_us(), 0);
  EXPECT_GE(watch.stalled_us(began_us, now_us), watch.longest_us());
  EXPECT_LT(watch.stalled_us(began_us, now_us), now_us - began_us);
  EXPECT_EQ(watch.stalled_us(began_us - 1'000'000, began_us), 0);
}

TEST(AStallWatch, LeavesOutWhatIsShorterThanTheShortest) {
  const Micros began_us = Loop::clock_us();
  StallWatch watch(3'600'000'000);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(watch.longest_us(), 0);
  EXPECT_EQ(watch.stalled_us(began_us, Loop::clock_us()), 0);
}

}  // namespace
}  // namespace perigee::host
