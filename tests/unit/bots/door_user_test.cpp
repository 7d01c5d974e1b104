#include "perigee/bots/door_user.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct DoorUserOnADeck : OnADeck {
  DoorUserOnADeck() {
    spawn(door, door_row, {10, 0, 0});
    look();
    user.begin();
  }
  DoorUser user{{senses, random, activity, gait, deeds}};
};

TEST_F(DoorUserOnADeck, WalksToTheFrontAndOpensAShutDoorOnce) {
  EXPECT_EQ(activity.mode(), Mode::Door);
  PlayerInput input = after_its_turn([this](PlayerInput& to) { user.pass(to); });
  EXPECT_EQ(input.forward, 127);
  state.position = {8.5, 0, 0};
  for (int i = 0; i < 30; ++i) {
    input = input_after(1);
    user.pass(input);
    EXPECT_EQ(input.samples.size(), i == 0 ? 1U : 0U);
  }
  EXPECT_EQ(deeds.doors, 1U);
}

TEST_F(DoorUserOnADeck, WalksThroughAnOpenDoor) {
  store.timeline({door, now, 1, 1});
  state.position = {8.5, 0, 0};
  PlayerInput input = input_after(60);
  user.pass(input);
  EXPECT_EQ(input.forward, 0) << "sees that it is open";
  input = after_its_turn([this](PlayerInput& to) { user.pass(to); });
  EXPECT_NEAR(input.yaw, 65536 / 4, slack);
  EXPECT_EQ(activity.mode(), Mode::Door);
  state.position = {12.6, 0, 0};
  input = input_after(1);
  user.pass(input);
  EXPECT_EQ(activity.mode(), Mode::Walk);
}

TEST_F(DoorUserOnADeck, LetsTheNearerOneGoFirst) {
  spawn(other, person_row, {});
  sample(other, {9, 0, 0});
  state.position = {7, 0, 0};
  PlayerInput input = input_after(1);
  user.pass(input);
  EXPECT_EQ(input.forward, 0);
}

TEST_F(DoorUserOnADeck, GivesUpIfTheDoorIsGone) {
  store.despawn(door);
  PlayerInput input = input_after(1);
  user.pass(input);
  EXPECT_EQ(activity.mode(), Mode::Walk);
}

}  // namespace
}  // namespace perigee::bots
