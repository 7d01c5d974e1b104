#include "perigee/lab/attempt_meter.hpp"

#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

struct AnAttemptMeter : testing::Test {
  static constexpr Handle deck = 1, ship = 2;
  void note(std::uint32_t tick, Handle predicted, Handle became) {
    meter.note(Tick{tick}, predicted, became, figures);
  }
  AttemptMeter meter;
  PlayerFigures figures;
};

TEST_F(AnAttemptMeter, CountsNothingWhileBothSidesStay) {
  for (std::uint32_t i = 0; i < 100; ++i) note(i, deck, deck);
  EXPECT_EQ(figures.attempts, 0U);
}

TEST_F(AnAttemptMeter, CountsAPredictedChangeAsRight) {
  note(1, deck, deck);
  note(2, ship, ship);
  EXPECT_EQ(figures.attempts, 1U);
  EXPECT_EQ(figures.attempts_wrong, 0U);
}

TEST_F(AnAttemptMeter, CountsALateChangeOnceAsWrong) {
  note(1, deck, deck);
  note(2, ship, deck);
  note(3, ship, deck);
  note(4, ship, ship);
  EXPECT_EQ(figures.attempts, 1U);
  EXPECT_EQ(figures.attempts_wrong, 1U);
  note(2 + AttemptMeter::attempt_ticks + 1, deck, deck);
  EXPECT_EQ(figures.attempts, 2U) << "a later one is another attempt";
  EXPECT_EQ(figures.attempts_wrong, 1U);
}

}  // namespace
}  // namespace perigee::lab
