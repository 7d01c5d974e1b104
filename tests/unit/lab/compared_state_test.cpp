#include "perigee/lab/compared_state.hpp"

#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

TEST(AComparedState, IsInTheWorldIfTheAvatarSteersItsParent) {
  world::StepRecord record{};
  record.parent = 7;
  record.after.position = {1, 2, 3};
  const Pose ship{.position = {100, 0, 0}};
  EXPECT_EQ(compared_state(record, &ship, 0).position, (Vec3{1, 2, 3}));
  record.after.flags = actor_at_controls;
  const ComparedState steering = compared_state(record, &ship, 0);
  EXPECT_TRUE(steering.steers);
  EXPECT_EQ(steering.position, (Vec3{101, 2, 3}));
  EXPECT_FALSE(compared_state(record, nullptr, 0).steers);
}

TEST(AComparedState, IsComparableWithTheSameParentAndEpoch) {
  const ComparedState state{.parent = 7, .position = {1, 0, 0}, .reset_epoch = 2};
  EXPECT_TRUE(state.comparable({.parent = 7, .reset_epoch = 2}));
  EXPECT_FALSE(state.comparable({.parent = 8, .reset_epoch = 2}));
  EXPECT_FALSE(state.comparable({.parent = 7, .reset_epoch = 3}));
  EXPECT_FALSE(state.comparable({.parent = 7, .steers = true, .reset_epoch = 2}));
}

}  // namespace
}  // namespace perigee::lab
