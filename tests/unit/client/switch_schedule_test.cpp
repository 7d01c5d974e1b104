// Announced parent switches, without a prediction.
#include "perigee/client/switch_schedule.hpp"

#include <gtest/gtest.h>

namespace perigee::client {
namespace {

constexpr Tick base{1000};
constexpr Handle deck = 1, barge = 2, car = 3;

struct ASwitchSchedule : testing::Test {
  ASwitchSchedule() { switches.settle(deck, base); }
  void announce(std::int32_t after, Handle parent, VehicleChange vehicle = VehicleChange::None) {
    ParentSwitchEvent event;
    event.parent = parent;
    event.effect = base + after;
    event.vehicle = vehicle;
    switches.add(event);
  }
  SwitchSchedule switches;
};

TEST_F(ASwitchSchedule, HasTheFinalParentUntilASwitchTakesEffect) {
  announce(10, barge);
  EXPECT_EQ(switches.parent_at(base), deck);
  EXPECT_EQ(switches.parent_at(base + 9), deck);
  EXPECT_EQ(switches.parent_at(base + 10), barge);
  EXPECT_FALSE(switches.any_before(base + 10));
  EXPECT_TRUE(switches.any_before(base + 11));
}

TEST_F(ASwitchSchedule, OrdersSwitchesByEffect) {
  announce(10, barge);
  announce(5, car);
  EXPECT_EQ(switches.parent_at(base + 7), car);
  EXPECT_EQ(switches.parent_at(base + 10), barge);
}

TEST_F(ASwitchSchedule, IgnoresASwitchThatAFinalStateIncludes) {
  announce(-1, barge);
  EXPECT_EQ(switches.parent_at(base), deck);
  announce(0, barge);
  EXPECT_EQ(switches.parent_at(base), barge);
}

TEST_F(ASwitchSchedule, ForgetsSwitchesThatHaveBecomeFinal) {
  announce(2, barge);
  announce(6, car);
  switches.settle(barge, base + 4);
  EXPECT_EQ(switches.base_parent(), barge);
  EXPECT_EQ(switches.base_tick(), base + 4);
  EXPECT_FALSE(switches.any_before(base + 5));
  EXPECT_EQ(switches.parent_at(base + 6), car);
  switches.clear();
  EXPECT_EQ(switches.parent_at(base + 6), barge);
}

TEST_F(ASwitchSchedule, DropsTheOldestIfItIsFull) {
  for (int i = 0; i <= static_cast<int>(SwitchSchedule::switches_max); ++i) {
    announce(10 * (i + 1), static_cast<Handle>(10 + i));
  }
  EXPECT_EQ(switches.parent_at(base + 15), deck);
  EXPECT_EQ(switches.parent_at(base + 25), 11U);
  EXPECT_EQ(switches.parent_at(base + 95), 18U);
}

TEST_F(ASwitchSchedule, ChangesTheControlsInOneTick) {
  announce(3, deck, VehicleChange::Take);
  EXPECT_EQ(switches.vehicle_change_at(base + 2), VehicleChange::None);
  EXPECT_EQ(switches.vehicle_change_at(base + 3), VehicleChange::Take);
  EXPECT_EQ(switches.vehicle_change_at(base + 4), VehicleChange::None);
}

}  // namespace
}  // namespace perigee::client
