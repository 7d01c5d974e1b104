#include "perigee/bots/look.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "perigee/base/vec.hpp"

namespace perigee::bots {
namespace {

constexpr double degree = pi / 180;

TEST(ALook, TurnsWithinHalfASecondAndWithoutJerks) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Look look(seed);
    Random random(seed);
    const double to = random.between(-pi, pi);
    look.face({to, 0});
    int ticks = 0;
    double before = 0, speed = 0;
    do {
      look.advance();
      ++ticks;
      const double next = turn_between(before, look.now().yaw_rad);
      EXPECT_LT(std::abs(next), 15 * degree) << seed;
      EXPECT_LT(std::abs(next - speed), 7 * degree) << seed;
      speed = next;
      before = look.now().yaw_rad;
    } while (look.turning());
    EXPECT_LE(ticks, Look::turn_ticks_max) << seed;
    EXPECT_LE(look.off_rad(), Look::slack_rad + 1e-9) << seed;
  }
}

TEST(ALook, WandersAboutItsDirection) {
  Look look(1);
  look.face({1, 0});
  double way_rad = 0;
  for (int i = 0; i < 3'600; ++i) {
    const double before = look.now().yaw_rad;
    look.advance();
    if (i < Look::turn_ticks_max) continue;
    way_rad += std::abs(turn_between(before, look.now().yaw_rad));
    EXPECT_LT(look.off_rad(), 15 * degree);
  }
  EXPECT_GT(way_rad, 60 * 4 * degree);
  EXPECT_LT(way_rad, 60 * 20 * degree);
}

TEST(ALook, EndsAnAimExactlyAtAMovingTarget) {
  Look look(2);
  const auto target = [](int tick) { return Direction{3 + 0.01 * tick, 0.2}; };
  int tick = 0;
  do {
    look.aim(target(tick));
    look.advance();
    ++tick;
  } while (!look.aimed());
  EXPECT_LE(tick, Look::turn_ticks_max);
  EXPECT_NEAR(turn_between(look.now().yaw_rad, target(tick - 1).yaw_rad), 0, 1e-9);
  EXPECT_NEAR(look.now().pitch_rad, 0.2, 1e-9);
  look.advance();
  EXPECT_FALSE(look.aimed());
}

TEST(ALook, GivesUpAnAimThatIsNotRepeated) {
  Look look(3);
  look.aim({2, 0});
  look.advance();
  for (int i = 0; i < 60; ++i) {
    look.advance();
    EXPECT_FALSE(look.aimed());
  }
  EXPECT_LT(std::abs(look.now().yaw_rad), 15 * degree);
}

}  // namespace
}  // namespace perigee::bots
