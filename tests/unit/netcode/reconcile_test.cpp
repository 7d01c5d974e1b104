#include "perigee/netcode/reconcile.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

using ShiftHistory = TickRing<PredictedPosition, 16>;

// K24-K26, the talk's table: forward, right, forward from (0,0) predicts (0,1), (1,1), (1,2). The
// server met an obstacle: acknowledging the second input it says (0,1). The difference is (-1,0)
// (the talk's text says (0,-1); its table holds), so the history becomes (0,1), (0,1), (0,2), and
// the third acknowledgement matches.
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

TEST(ShiftReconciler, AnswersNothingForAForgottenTick) {
  ShiftHistory history;
  EXPECT_FALSE(shift_from(history, Tick{9}, Vec3{}, Tick{10}));
}

struct Step {
  int input = 0;
  int after = 0;
};

// E2, E3: set the server's state, then all newer inputs again.
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
