/// The ferries' race-track.
#include "perigee/skiff/course.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perigee::skiff {
namespace {

constexpr double dt = seconds_per_tick;

TEST(Course, EveryTickFollowsFromTheOneBeforeAllRoundTheLap) {
  const Course course({}, {{790, 0, 0}, {}});
  for (std::uint32_t i = 0; i < course.lap_ticks() + 10; ++i) {
    const Motion here = course.at(Tick{i});
    const Motion next = course.at(Tick{i + 1});
    ASSERT_LT(distance(here.pose.position + next.velocity * dt, next.pose.position), 1e-6) << i;
    const Quat turned = small_rotation(next.angular_velocity * dt) * here.pose.rotation;
    ASSERT_NEAR(std::abs(dot(turned, next.pose.rotation)), 1, 1e-12) << i;
    ASSERT_NEAR(length(next.velocity), 50, 1e-9);
    ASSERT_LT(distance(rotate(next.pose.rotation, {0, 0, 50}), next.velocity), 1e-6) << i;
  }
}

TEST(Course, SlewsItsYawRateAndStaysBelowTheThrustLimit) {
  const CourseTunables tunables;
  const Course course(tunables, {});
  double rate_max = 0;
  for (std::uint32_t i = 0; i < course.lap_ticks(); ++i) {
    const Motion here = course.at(Tick{i});
    const Motion next = course.at(Tick{i + 1});
    const double slew = (next.angular_velocity.y - here.angular_velocity.y) / dt;
    ASSERT_LE(std::abs(slew), tunables.yaw_slew_rad_s2 + 1e-9);
    ASSERT_LT(length(next.velocity - here.velocity) / dt, 10);
    rate_max = std::max(rate_max, next.angular_velocity.y);
  }
  EXPECT_NEAR(rate_max * 180 / pi, 9.5, 0.1);
}

TEST(Course, HasTheStraightsAndArcsOfThePage) {
  const Course course({}, {{790, 0, 0}, {}});
  Vec3 low{1e9, 0, 1e9};
  Vec3 high{-1e9, 0, -1e9};
  for (std::uint32_t i = 0; i < course.lap_ticks(); ++i) {
    const Vec3 p = course.at(Tick{i}).pose.position;
    low = {std::min(low.x, p.x), 0, std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), 0, std::max(high.z, p.z)};
  }
  EXPECT_NEAR(low.x, 790, 0.01);
  EXPECT_NEAR(high.x, 1390, 3);
  EXPECT_NEAR(high.z - low.z, 2600, 40);
  EXPECT_NEAR(course.lap_ticks() * dt * 50, 2 * 2000 + 2 * pi * 300, 100);
  // twenty seconds before it reaches the station
  EXPECT_NEAR(course.at(Tick{1200}).pose.position.z, 0, 1);
}

}  // namespace
}  // namespace perigee::skiff
