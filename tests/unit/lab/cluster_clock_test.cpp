#include "perigee/lab/cluster_clock.hpp"

#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

TEST(AClusterClock, FollowsTheQueue) {
  EventQueue queue;
  const ClusterClock clock(queue);
  const Micros unix_us = clock.unix_us();
  const std::uint64_t unix_s = clock.unix_s();
  queue.run_until(2'500'000);
  EXPECT_EQ(clock.now_us(), 2'500'000);
  EXPECT_EQ(clock.unix_us(), unix_us + 2'500'000);
  EXPECT_EQ(clock.unix_s(), unix_s + 2) << "whole seconds";
}

TEST(AClusterClock, IsTheSameInEveryCluster) {
  EventQueue one;
  EventQueue other;
  EXPECT_EQ(ClusterClock(one).unix_us(), ClusterClock(other).unix_us());
}

}  // namespace
}  // namespace perigee::lab
