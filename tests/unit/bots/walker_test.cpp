#include "perigee/bots/walker.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct WalkerOnADeck : OnADeck {
  Walker walker{{senses, random, activity, gait, deeds}};
};

TEST_F(WalkerOnADeck, WalksAndJumpsOnTheGroundOnly) {
  activity.begin(Mode::Walk, 3'600);
  for (int i = 0; i < 3'000; ++i) {
    PlayerInput input = input_after(1);
    walker.walk(input);
    EXPECT_EQ(input.forward, 127);
  }
  EXPECT_EQ(deeds.jumps, 0U);
  state.flags = actor_grounded;
  for (int i = 0; i < 3'000; ++i) {
    PlayerInput input = input_after(1);
    walker.walk(input);
  }
  EXPECT_GT(deeds.jumps, 0U);
}

TEST_F(WalkerOnADeck, TurnsBackAtTheEndOfItsLeash) {
  state.position = {0, 0, 61};
  const PlayerInput input = after_its_turn([this](PlayerInput& to) {
    walker.walk(to);
    gait.turn_at(now + 60);
  });
  EXPECT_NEAR(input.yaw, 65536 / 2, slack);
}

TEST_F(WalkerOnADeck, FliesHomeIfItCannotWalk) {
  state.flags = actor_jetpack;
  PlayerInput input = input_after(1);
  walker.walk(input);
  EXPECT_EQ(activity.mode(), Mode::Home);
  EXPECT_EQ(input.forward, 0);
}

TEST_F(WalkerOnADeck, DropsOntoTheDeckOfAShip) {
  spawn(ship, ship_row, {});
  parent = ship;
  state.flags = actor_jetpack;
  state.position = {0, 20, 0};
  activity.begin(Mode::Aboard, 10);
  PlayerInput input = input_after(1);
  walker.walk(input);
  EXPECT_LT(input.up, 0);
  EXPECT_TRUE(input.samples.empty());
  state.position = {0, 2, 0};
  input = input_after(1);
  walker.walk(input);
  ASSERT_EQ(input.samples.size(), 1U);
  EXPECT_EQ(input.samples[0].pressed, button_jetpack);
}

}  // namespace
}  // namespace perigee::bots
