#include "perigee/bots/lift_rider.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct LiftRiderOnADeck : OnADeck {
  LiftRiderOnADeck() {
    spawn(lift, lift_row, {0, 0, 10});
    look();
    rider.begin();
  }
  LiftRider rider{{senses, random, activity, gait, deeds}};
};

TEST_F(LiftRiderOnADeck, WalksOntoTheLiftAndStartsItOnce) {
  EXPECT_EQ(activity.mode(), Mode::Ride);
  PlayerInput input = input_after(1);
  rider.ride(input);
  EXPECT_EQ(input.forward, 127);
  EXPECT_EQ(deeds.rides, 0U);
  state.position = {0, 0, 9.5};
  state.ground = lift;
  for (int i = 0; i < 10; ++i) {
    input = input_after(1);
    rider.ride(input);
    EXPECT_EQ(input.samples.size(), i == 0 ? 1U : 0U);
    EXPECT_EQ(input.forward, 0);
  }
  EXPECT_EQ(deeds.rides, 1U);
}

TEST_F(LiftRiderOnADeck, FliesHomeIfTheLiftIsGone) {
  store.despawn(lift);
  PlayerInput input = input_after(1);
  rider.ride(input);
  EXPECT_EQ(activity.mode(), Mode::Home);
}

}  // namespace
}  // namespace perigee::bots
