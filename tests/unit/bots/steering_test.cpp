#include "perigee/bots/steering.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

using SteeringOnADeck = OnADeck;

TEST_F(SteeringOnADeck, ThrustsTowardsItsTarget) {
  PlayerInput input;
  steer(senses, look_around, {0, 0, 50}, {}, 20, input);
  EXPECT_EQ(input.forward, 127);
  EXPECT_EQ(input.right, 0);
  steer(senses, look_around, {50, 0, 0}, {}, 20, input);
  EXPECT_EQ(input.right, -127) << "right is -x";
  input = after_its_turn(
      [this](PlayerInput& to) { steer(senses, look_around, {50, 0, 0}, {}, 20, to); });
  EXPECT_NEAR(input.yaw, 65536 / 4, slack);
  EXPECT_GT(input.forward, 120) << "the same way, which is ahead by now";
}

TEST_F(SteeringOnADeck, BrakesBeforeItsTarget) {
  state.velocity = {0, 0, 20};
  look();
  PlayerInput input;
  steer(senses, look_around, {0, 0, 5}, {}, 20, input);
  EXPECT_LT(input.forward, 0);
}

}  // namespace
}  // namespace perigee::bots
