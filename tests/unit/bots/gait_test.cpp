#include "perigee/bots/gait.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

using GaitOnADeck = OnADeck;

TEST_F(GaitOnADeck, TurnsAtOnceAndThenFromTimeToTime) {
  EXPECT_TRUE(gait.turn_if_due());
  const double first = gait.heading_rad();
  EXPECT_FALSE(gait.turn_if_due());
  EXPECT_EQ(gait.heading_rad(), first);
  input_after(2 * 60);
  EXPECT_TRUE(gait.turn_if_due());
  EXPECT_NE(gait.heading_rad(), first);
}

TEST_F(GaitOnADeck, TurnsWhenItIsToldTo) {
  gait.turn_at(now + 3);
  EXPECT_FALSE(gait.turn_if_due());
  input_after(3);
  EXPECT_TRUE(gait.turn_if_due());
}

TEST_F(GaitOnADeck, WalksToAPlaceAndPastOthers) {
  const auto walk = [this](PlayerInput& input) { gait.walk_to({5, 0, 0}, input); };
  PlayerInput input = input_after(1);
  walk(input);
  EXPECT_EQ(input.forward, 0) << "turns round first";
  input = after_its_turn(walk);
  EXPECT_NEAR(input.yaw, 65536 / 4, slack);
  EXPECT_EQ(input.forward, 127);
  spawn(other, person_row, {});
  sample(other, {2, 0, 0});
  input = after_its_turn(walk);
  EXPECT_GT(input.yaw, 65536 / 4 + 2 * slack);
}

TEST_F(GaitOnADeck, GivesUpAfterASecondBehindAnObstacle) {
  state.flags = actor_blocked;
  look();
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(gait.gives_up());
  EXPECT_TRUE(gait.gives_up());
  EXPECT_FALSE(gait.gives_up()) << "the count begins anew";
}

}  // namespace
}  // namespace perigee::bots
