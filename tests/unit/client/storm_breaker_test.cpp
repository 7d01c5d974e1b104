#include "perigee/client/storm_breaker.hpp"

#include <gtest/gtest.h>

namespace perigee::client {
namespace {

constexpr Micros second_us = 1'000'000;

struct Sky {
  StormBreaker breaker;
  Micros now_us = 10 * second_us;

  void correct(double meters, CorrectionCause cause = CorrectionCause::Unknown) {
    breaker.on_correction(now_us, meters, cause);
  }
  void pass(Micros us) {
    for (const Micros end_us = now_us + us; now_us < end_us; now_us += 10'000) {
      breaker.advance(now_us);
    }
    breaker.advance(now_us);
  }
  void storm() {
    correct(1, CorrectionCause::InputLost);
    correct(1, CorrectionCause::HitAnimatedBody);
  }
};

// V10, K46
TEST(AStormBreaker, OpensAtTheThirdCorrectionOfOneCauseWithinASecond) {
  Sky sky;
  for (int i = 0; i < 2; ++i) {
    sky.correct(0.1, CorrectionCause::InputLate);
    sky.correct(0.1, CorrectionCause::StaleObject);
    sky.pass(400'000);
    EXPECT_FALSE(sky.breaker.open());
  }
  sky.correct(0.1, CorrectionCause::StaleObject);
  EXPECT_TRUE(sky.breaker.open());
  EXPECT_EQ(sky.breaker.storms(), 1U);
}

TEST(AStormBreaker, StaysShutForCorrectionsThatAreFarApart) {
  Sky sky;
  for (int i = 0; i < 100; ++i) {
    sky.correct(0.3);
    sky.pass(510'000);
  }
  EXPECT_FALSE(sky.breaker.open());
}

TEST(AStormBreaker, OpensForMoreThanAMetreWithinASecond) {
  Sky sky;
  sky.correct(0.6, CorrectionCause::InputLost);
  EXPECT_FALSE(sky.breaker.open());
  sky.correct(0.6, CorrectionCause::HitAnimatedBody);
  EXPECT_TRUE(sky.breaker.open());
}

// A door that was received too late: one misprediction, handled by smoothing.
TEST(AStormBreaker, DoesNotMindASingleDisplacementHoweverLarge) {
  Sky sky;
  for (int i = 0; i < 10; ++i) {
    sky.correct(4);
    sky.pass(2 * second_us);
    EXPECT_FALSE(sky.breaker.open());
  }
}

// K35: these are smoothed over their own time
TEST(AStormBreaker, DoesNotMindChangesOfParents) {
  Sky sky;
  for (int i = 0; i < 10; ++i) sky.correct(8, CorrectionCause::ParentSwitch);
  EXPECT_FALSE(sky.breaker.open());
}

// One change of course causes several corrections.
TEST(AStormBreaker, TakesWhatOneCauseDoesWithinAQuarterOfASecondForOne) {
  Sky sky;
  for (int i = 0; i < 10; ++i) {
    for (int k = 0; k < 4; ++k) {
      sky.correct(0.4, CorrectionCause::RotatingFrame);
      sky.pass(60'000);
    }
    sky.pass(800'000);
  }
  EXPECT_FALSE(sky.breaker.open());
  for (int k = 0; k < 12; ++k) {
    sky.correct(0.06, CorrectionCause::RotatingFrame);
    sky.pass(60'000);
  }
  EXPECT_TRUE(sky.breaker.open()) << "wrong for most of a second";
}

// K47: after two seconds without a storm in the shadow
TEST(AStormBreaker, ShutsAfterTwoSecondsWithoutAStorm) {
  Sky sky;
  sky.storm();
  sky.pass(1'500'000);
  sky.storm();  // the shadow is still wrong
  sky.pass(1'000'000);
  sky.correct(0.5);  // a single one that would be displayed
  sky.pass(900'000);
  EXPECT_TRUE(sky.breaker.open());
  sky.pass(200'000);
  EXPECT_FALSE(sky.breaker.open());
}

TEST(AStormBreaker, WaitsTwiceAsLongAfterEachRelapseUpToALimit) {
  Sky sky;
  Micros wait_us = 2 * second_us;
  for (int i = 0; i < 8; ++i) {
    sky.storm();
    sky.pass(wait_us - 50'000);
    EXPECT_TRUE(sky.breaker.open()) << i;
    sky.pass(100'000);
    EXPECT_FALSE(sky.breaker.open()) << i;
    wait_us = std::min<Micros>(2 * wait_us, 32 * second_us);
  }
  sky.pass(31 * second_us);
  sky.storm();
  sky.pass(2'100'000);
  EXPECT_FALSE(sky.breaker.open());
}

TEST(AStormBreaker, RemembersABoundedNumberOfCorrections) {
  Sky sky;
  for (int i = 0; i < 1000; ++i) sky.correct(1e9, static_cast<CorrectionCause>(i % 12));
  sky.pass(3 * second_us);
  EXPECT_FALSE(sky.breaker.open());
  EXPECT_EQ(sky.breaker.storms(), 1U);
}

}  // namespace
}  // namespace perigee::client
