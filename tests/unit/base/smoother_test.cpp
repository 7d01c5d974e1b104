#include "perigee/base/smoother.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace perigee {
namespace {

// E4: without an error the display is the true state.
TEST(AQuinticSmoother, ShowsTheTrueStateWithoutAnError) {
  QuinticSmoother smoother;
  smoother.advance(1);
  EXPECT_EQ(smoother.offset(), Vec3{});
  EXPECT_FALSE(smoother.active());
}

// E7: only an offset, without regard to obstacles
TEST(AQuinticSmoother, StartsWhereTheEyeIsAndEndsAtTheTruth) {
  QuinticSmoother smoother;
  smoother.add_error({0.3, 0, 0});
  EXPECT_NEAR(smoother.offset().x, 0.3, 1e-12);
  EXPECT_TRUE(smoother.active());
  smoother.advance(QuinticSmoother::small_seconds);
  EXPECT_EQ(smoother.offset(), Vec3{});
}

// M5: 10 % is reached within 300 ms for errors up to 0.5 m.
TEST(AQuinticSmoother, IsNearlyDoneWellBeforeItsEnd) {
  QuinticSmoother smoother;
  smoother.add_error({0.5, 0, 0});
  smoother.advance(0.25);
  EXPECT_LT(smoother.offset().x, 0.05);
}

// E8: a new error half-way must not show as a jump of position or of speed.
TEST(AQuinticSmoother, StaysSmoothWhenANewErrorArrivesHalfWay) {
  QuinticSmoother smoother;
  const double dt = 1e-4;
  double previous = 0;
  double previous_speed = 0;
  double jump_max = 0;
  double speed_jump_max = 0;
  // The true position jumps at t = 0.05 and 0.15; display = true + offset must not.
  double truth = 0;
  for (int i = 0; i < 8000; ++i) {
    if (i == 500 || i == 1500) {
      truth += 0.2;
      smoother.add_error({-0.2, 0, 0});
    }
    const double display = truth + smoother.offset().x;
    const double speed = (display - previous) / dt;
    if (i > 1) {
      jump_max = std::max(jump_max, std::abs(display - previous));
      speed_jump_max = std::max(speed_jump_max, std::abs(speed - previous_speed));
    }
    previous = display;
    previous_speed = speed;
    smoother.advance(dt);
  }
  EXPECT_LT(jump_max, 0.001);
  EXPECT_LT(speed_jump_max, 0.05);
  EXPECT_NEAR(truth + smoother.offset().x, 0.4, 1e-12);
}

// K35: metres at a parent switch are blended over a time of their own.
TEST(ParentSwitchSeconds, KeepsThePeakSpeedBelowTwelveMetresASecond) {
  EXPECT_DOUBLE_EQ(parent_switch_seconds(0.1), 0.3);
  EXPECT_DOUBLE_EQ(parent_switch_seconds(8), 1.25);
  EXPECT_DOUBLE_EQ(parent_switch_seconds(100), 2.0);
  QuinticSmoother smoother;
  smoother.add_error({8, 0, 0}, parent_switch_seconds(8));
  double fastest = 0;
  double previous = smoother.offset().x;
  for (int i = 0; i < 1300; ++i) {
    smoother.advance(0.001);
    fastest = std::max(fastest, (previous - smoother.offset().x) / 0.001);
    previous = smoother.offset().x;
  }
  EXPECT_LE(fastest, 12.01);
}

}  // namespace
}  // namespace perigee
