/// The parts that an explanation replaces, their order, and the result when no replacement helps.
/// The causes in a whole cluster: tests/system/causes_test.cpp. (metric M9 of the lab)
#include "perigee/replay/counterfactual.hpp"

#include <gtest/gtest.h>

#include "unit/replay/walker.hpp"

namespace perigee::replay {
namespace {

struct AnInquest : testing::Test {
  Walker walker;
  Chain predicted = walker.ticks(20);
  Chain became = walker.ticks(20);
  ThingKind wall_is = ThingKind::Static;
  bool wall_is_known = true;
  std::optional<Vec3> believed;

  Explanation ask() {
    walker.play(predicted);
    walker.play(became);
    const Disagreement between{predicted, believed.value_or(predicted.back().after.position), deck,
                               became};
    return explain(walker.game, walker.params, between,
                   {.kind_of = [&](Handle id) { return id == wall ? wall_is : ThingKind::Static; },
                    .known = [&](Handle id) { return id != wall || wall_is_known; },
                    .motion_at_end = [](Handle) { return Motion{}; }});
  }
};

TEST_F(AnInquest, NamesTheFirstInputThatWasNotConsumed) {
  for (std::size_t i = 7; i < became.size(); ++i) {
    became[i].guessed = true;
    became[i].input.forward = 0;
  }
  const Explanation found = ask();
  EXPECT_EQ(found.cause, CorrectionCause::InputLost);
  EXPECT_EQ(found.since, Tick{107});
  EXPECT_GT(found.error_m, 0.05);
  EXPECT_EQ(found.left_m, 0) << "the same bits, once the inputs are the same";
}

TEST_F(AnInquest, NamesAnObstacleThatWasNotReceived) {
  wall_is_known = false;
  for (std::size_t i = 3; i < became.size(); ++i) walker.add_wall(became[i], 1.2);
  EXPECT_EQ(ask().cause, CorrectionCause::NotStreamed);
}

TEST_F(AnInquest, NamesAnObstacleThatWasKnownElsewhere) {
  for (world::StepRecord& record : predicted) walker.add_wall(record, 1.6);
  for (world::StepRecord& record : became) walker.add_wall(record, 1.2);
  wall_is = ThingKind::Timeline;
  EXPECT_EQ(ask().cause, CorrectionCause::StaleObject);
  wall_is = ThingKind::Body;
  EXPECT_EQ(ask().cause, CorrectionCause::HitAnimatedBody);
  wall_is = ThingKind::Chained;
  EXPECT_EQ(ask().cause, CorrectionCause::Constraint);
}

// V11: the cells in reach belong to a tick as much as the doors do
TEST_F(AnInquest, NamesGroundThatWasDugOtherwise) {
  for (world::StepRecord& record : predicted) walker.add_ground(record, 100);
  for (world::StepRecord& record : became) walker.add_ground(record, 1);
  const Explanation found = ask();
  EXPECT_EQ(found.cause, CorrectionCause::StaleObject);
  EXPECT_GT(found.error_m, 0.05);
  EXPECT_EQ(found.left_m, 0);
}

TEST_F(AnInquest, NamesTheParentThatMovedOtherwise) {
  for (Chain* chain : {&predicted, &became}) {
    for (world::StepRecord& record : *chain) record.frame.inertia = world::Inertia::Full;
    (*chain)[3].input.samples.push_back({.pressed = button_jump});
  }
  became[8].frame.acceleration = {300, 0, 0};
  EXPECT_EQ(ask().cause, CorrectionCause::RotatingFrame);
}

// On another path because of another input, the actor meets a wall that the client knew but had not
// needed.
TEST_F(AnInquest, DoesNotBlameWhatWasOutOfReach) {
  for (std::size_t i = 2; i < became.size(); ++i) became[i].input.yaw = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) predicted[i].input.held = button_run;
  for (world::StepRecord& record : became) walker.add_wall(record, -8);
  EXPECT_EQ(ask().cause, CorrectionCause::InputLost);
}

TEST_F(AnInquest, SaysResidualOfABeliefThatNothingLedTo) {
  walker.play(predicted);
  believed = predicted.back().after.position + Vec3{0.5, 0, 0};
  EXPECT_EQ(ask().cause, CorrectionCause::Residual);
}

TEST_F(AnInquest, SaysUnknownOfDifferentTicks) {
  became.pop_back();
  EXPECT_EQ(ask().cause, CorrectionCause::Unknown);
}

}  // namespace
}  // namespace perigee::replay
