#include "perigee/bots/senses.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

using SensesOnADeck = OnADeck;

TEST_F(SensesOnADeck, SeesDoorsAndLiftsNearIt) {
  spawn(door, door_row, {30, 0, 0});
  spawn(lift, lift_row, {0, 0, 45});
  look();
  ASSERT_EQ(senses.doors().size(), 1U);
  EXPECT_EQ(senses.doors()[0], door);
  EXPECT_TRUE(senses.lifts().empty()) << "too far";
  state.position = {0, 0, 10};
  now = now + (Senses::survey_ticks - 1);
  look();
  EXPECT_TRUE(senses.lifts().empty()) << "looks for them ten times a second";
  now = now + 1;
  look();
  EXPECT_EQ(senses.lifts().size(), 1U);
}

TEST_F(SensesOnADeck, KeepsThePlaceOfItsFirstLookAsHome) {
  state.position = {5, 0, 5};
  look();
  EXPECT_EQ(senses.home(), deck);
  EXPECT_EQ(senses.home_local(), Vec3{});
  EXPECT_EQ(senses.world(), (Vec3{5, 0, 5}));
}

TEST_F(SensesOnADeck, SeesOnlyShipsThatApproach) {
  spawn(ship, ship_row, {});
  sample(ship, {300, 0, 0}, {20, 0, 0});
  look();
  EXPECT_EQ(senses.ship(), no_entity);
  now = now + Senses::survey_ticks;
  sample(ship, {300, 0, 0}, {-20, 0, 0});
  look();
  EXPECT_EQ(senses.ship(), ship);
  now = now + 60;
  look();
  EXPECT_NEAR(senses.ship_motion(ship)->pose.position.x, 280, 1) << "extrapolated";
}

TEST_F(SensesOnADeck, NoticesThatItCameAboardOnce) {
  spawn(ship, ship_row, {});
  parent = ship;
  look();
  EXPECT_TRUE(senses.aboard());
  EXPECT_TRUE(senses.boarded());
  look();
  EXPECT_TRUE(senses.aboard());
  EXPECT_FALSE(senses.boarded());
}

TEST_F(SensesOnADeck, NoticesWhoIsInItsWay) {
  spawn(other, person_row, {});
  sample(other, {0, 0, 2});
  EXPECT_TRUE(senses.somebody_ahead(0)) << "along +z";
  EXPECT_FALSE(senses.somebody_ahead(pi));
  EXPECT_TRUE(senses.somebody_nearer({0, 0, 3}));
  EXPECT_FALSE(senses.somebody_nearer({0, 0, -1}));
  EXPECT_FALSE(senses.somebody_nearer({0, 0, 9})) << "too far for a queue";
}

}  // namespace
}  // namespace perigee::bots
