#include "perigee/lab/present.hpp"

#include <gtest/gtest.h>

#include "unit/worker/yard.hpp"

namespace perigee::lab {
namespace {

struct APresent : testing::Test {
  APresent() {
    spawn(deck, {0, 0, 0});
    spawn(other_deck, {10, 0, 0});
  }
  void spawn(Handle handle, const Vec3& at) {
    SpawnEvent event{handle, handle * 3ULL, test::deck_row};
    event.pose.position = at;
    ASSERT_TRUE(store.spawn(event, 1));
  }
  static constexpr Handle deck = 1, other_deck = 2, ship = 3;
  test::Yard game;
  client::EntityStore store{game.types()};
  Present before{.running = true, .parent = deck, .next = Tick{100}};
};

TEST_F(APresent, IsDisplacedInItsParentsFrame) {
  Present after = before;
  after.state.position = {0, 0, 0.5};
  EXPECT_EQ(displacement(before, after, store).avatar_m, 0.5);
  after.parent = other_deck;
  after.state.position = {-10, 0, 0.5};
  EXPECT_NEAR(displacement(before, after, store).avatar_m, 0.5, 1e-9) << "the same place";
  after.parent = 99;
  EXPECT_EQ(displacement(before, after, store).avatar_m, 0) << "an unknown parent";
}

TEST_F(APresent, MeasuresTheVehicleThatIsSteeredAllAlong) {
  before.steered = ship;
  before.steered_frame = deck;
  before.steered_at = {20, 0, 0};
  Present after = before;
  after.steered_at = {20, 0, 2};
  EXPECT_EQ(displacement(before, after, store).steered_m, 2);
  after.steered_frame = other_deck;
  after.steered_at = {10, 0, 2};
  EXPECT_NEAR(displacement(before, after, store).steered_m, 2, 1e-9);
  after.steered = no_entity;
  EXPECT_EQ(displacement(before, after, store).steered_m, 0);
}

TEST_F(APresent, IsOfThePrediction) {
  const client::Prediction prediction(store, game);
  EXPECT_FALSE(present_of(prediction).running);
  EXPECT_EQ(present_of(prediction).steered, no_entity);
}

}  // namespace
}  // namespace perigee::lab
