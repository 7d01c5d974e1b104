#include "perigee/bots/rover.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct RoverInSpace : OnADeck {
  RoverInSpace() {
    parent = no_entity;
    state.flags = actor_jetpack;
  }
  Rover rover{{senses, random, activity, look_around, deeds}};
};

TEST_F(RoverInSpace, FliesToABodyInSight) {
  spawn(ship, ship_row, {});
  sample(ship, {0, 0, 50});
  look();
  rover.begin();
  EXPECT_EQ(activity.mode(), Mode::Rove);
  PlayerInput input = input_after(1);
  rover.rove(input);
  EXPECT_GT(input.forward, 60);
  EXPECT_EQ(deeds.flights, 1U);
}

TEST_F(RoverInSpace, LooksForAnotherBodyIfThereIsNone) {
  spawn(ship, ship_row, {});
  sample(ship, {0, 0, 90});
  look();
  rover.begin();
  EXPECT_EQ(deeds.flights, 0U) << "too far";
  PlayerInput input = input_after(1);
  rover.rove(input);
  EXPECT_TRUE(activity.over());
}

TEST_F(RoverInSpace, DoesNotFlyToABodyThatRidesOnAnother) {
  spawn(ship, ship_row, {});
  ASSERT_TRUE(store.record({.parent = deck}, test::straight(ship, now, {0, 0, 50}, {}), 1));
  look();
  rover.begin();
  EXPECT_EQ(deeds.flights, 0U);
}

TEST_F(RoverInSpace, StartsItsJetpackFirst) {
  state.flags = 0;
  PlayerInput input = input_after(1);
  rover.rove(input);
  ASSERT_EQ(input.samples.size(), 1U);
  EXPECT_EQ(input.samples[0].pressed, button_jetpack);
}

}  // namespace
}  // namespace perigee::bots
