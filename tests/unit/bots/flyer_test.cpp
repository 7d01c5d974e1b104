#include "perigee/bots/flyer.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct FlyerOnADeck : OnADeck {
  Flyer flyer{{senses, activity, gait}, 200};
};

TEST_F(FlyerOnADeck, StartsItsJetpackFirst) {
  PlayerInput input = input_after(1);
  flyer.fly(input);
  ASSERT_EQ(input.samples.size(), 1U);
  EXPECT_EQ(input.samples[0].pressed, button_jetpack);
  state.flags = actor_jetpack;
  input = input_after(1);
  flyer.fly(input);
  EXPECT_TRUE(input.samples.empty());
  EXPECT_GT(input.up, 0);
}

TEST_F(FlyerOnADeck, LandsAtHome) {
  state.flags = actor_jetpack;
  state.position = {0, 40, 0};
  PlayerInput input = input_after(1);
  flyer.go_home(input);
  EXPECT_LT(input.up, 0);
  EXPECT_TRUE(input.samples.empty());
  state.position = {0, 6, 0};
  input = input_after(1);
  flyer.go_home(input);
  EXPECT_EQ(input.samples.size(), 1U) << "switches the jetpack off";
  state.flags = actor_grounded;
  input = input_after(1);
  flyer.go_home(input);
  EXPECT_EQ(activity.mode(), Mode::Walk);
}

TEST_F(FlyerOnADeck, EndsItsVoyageBeyondTheMiddle) {
  activity.begin(Mode::Voyage, 60);
  state.flags = actor_jetpack;
  state.position = {0, 40, 0};
  PlayerInput input = input_after(1);
  flyer.voyage(input);
  EXPECT_EQ(activity.mode(), Mode::Voyage);
  EXPECT_NE(input.right, 0);
  state.position = {-200, 40, 0};
  input = input_after(1);
  flyer.voyage(input);
  EXPECT_EQ(activity.mode(), Mode::Home);
}

}  // namespace
}  // namespace perigee::bots
