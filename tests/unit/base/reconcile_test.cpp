#include "perigee/base/reconcile.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

using ShiftHistory = TickRing<PredictedPosition, 16>;

// K24-K26, the talk's table: forward, right, forward from (0,0) predicts (0,1), (1,1), (1,2). The
// server met an obstacle: its acknowledgement of the second input has (0,1). The difference is
// (-1,0) (the talk's text says (0,-1); its table is right), so the history becomes (0,1), (0,1),
// (0,2), and the third acknowledgement matches.
TEST(ShiftReconciler, FollowsTheGoldenTraceK26) {
  ShiftHistory history;
  history.claim(Tick{1}).after = {0, 1, 0};
  history.claim(Tick{2}).after = {1, 1, 0};
  history.claim(Tick{3}).after = {1, 2, 0};
  const auto delta = shift_from(history, Tick{2}, Vec3{0, 1, 0}, Tick{3});
  ASSERT_TRUE(delta);
  EXPECT_EQ(*delta, (Vec3{-1, 0, 0}));
  EXPECT_EQ(history.find(Tick{1})->after, (Vec3{0, 1, 0}));
  EXPECT_EQ(history.find(Tick{2})->after, (Vec3{0, 1, 0}));
  EXPECT_EQ(history.find(Tick{3})->after, (Vec3{0, 2, 0}));
  EXPECT_EQ(*shift_from(history, Tick{3}, Vec3{0, 2, 0}, Tick{3}), Vec3{});  // matches now
}

// The vector that Mirror publishes for its history correction (PredictionTests.CorrectHistory): an
// object predicted at 0, 1, 2 and 3 m at these seconds gets the state 1.6 m for t = 1.5 s, where
// 1.5 was predicted. Earlier states stay; 2 and 3 become 2.1 and 3.1. Here with two ticks per
// second.
TEST(ShiftReconciler, CorrectsHistoryAsMirrorDoes) {
  ShiftHistory history;
  for (std::uint32_t t = 0; t <= 6; ++t) history.claim(Tick{t}).after = {0.5 * t, 0, 0};
  ASSERT_TRUE(shift_from(history, Tick{3}, Vec3{1.6, 0, 0}, Tick{6}));
  EXPECT_EQ(history.find(Tick{0})->after.x, 0);
  EXPECT_EQ(history.find(Tick{2})->after.x, 1);
  EXPECT_DOUBLE_EQ(history.find(Tick{3})->after.x, 1.6);
  EXPECT_DOUBLE_EQ(history.find(Tick{4})->after.x, 2.1);
  EXPECT_DOUBLE_EQ(history.find(Tick{6})->after.x, 3.1);
}

TEST(ShiftReconciler, AnswersNothingForAForgottenTick) {
  ShiftHistory history;
  EXPECT_FALSE(shift_from(history, Tick{9}, Vec3{}, Tick{10}));
}

struct Step {
  int input = 0;
  int after = 0;
};

// E2, E3: take the server's state, then apply all newer inputs again.
TEST(ReplayReconciler, StepsAllNewerInputsFromTheServersState) {
  TickRing<Step, 16> history;
  int state = 0;
  for (std::uint32_t t = 1; t <= 5; ++t) {
    state += static_cast<int>(t);
    history.claim(Tick{t}) = {static_cast<int>(t), state};
  }
  const auto stepped = replay_from(history, Tick{2}, 100, Tick{5}, [](Step& step, int before) {
    step.after = before + step.input;
    return true;
  });
  EXPECT_EQ(stepped, 3U);
  EXPECT_EQ(history.find(Tick{2})->after, 100);
  EXPECT_EQ(history.find(Tick{5})->after, 112);
}

TEST(ReplayReconciler, StopsAtAGap) {
  TickRing<Step, 16> history;
  history.claim(Tick{1}) = {1, 1};
  history.claim(Tick{3}) = {3, 3};
  EXPECT_EQ(replay_from(history, Tick{1}, 5, Tick{3}, [](Step&, int) { return true; }), 0U);
}

}  // namespace
}  // namespace perigee
