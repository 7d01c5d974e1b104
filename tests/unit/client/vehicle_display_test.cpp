// Display of a steered body, without its prediction.
#include "perigee/client/vehicle_display.hpp"

#include <gtest/gtest.h>

#include "perigee/base/smoother.hpp"
#include "track_records.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::client {
namespace {

constexpr Handle body = 12, other = 13;
constexpr double dt_s = 1 / 60.0;

struct AVehicleDisplay : testing::Test {
  AVehicleDisplay() {
    store.spawn({.handle = body, .type = test::barge_row}, 1);
    store.record({}, test::straight(body, Tick{1000}, {-9, 0, 0}), 1);
    now.body = body;
    now.predicted = true;
  }
  double frame() {
    display.advance(dt_s, now, at);
    return x();
  }
  double x() const { return display.shown(now, at).value().pose.position.x; }

  test::Yard game{{.barge = true}};
  EntityStore store{game.types()};
  VehicleDisplay display{store, Smoothing::Quintic};
  SteeredBody now;
  ViewPoint at{Tick{1000}, 0};
};

TEST_F(AVehicleDisplay, ShowsNothingBeforeABodyIsSteered) {
  display.advance(dt_s, {}, at);
  EXPECT_FALSE(display.shown({}, at));
  EXPECT_EQ(display.shown_body(), no_entity);
}

TEST_F(AVehicleDisplay, BlendsFromTheServersStateToThePrediction) {
  const double first = frame();
  EXPECT_NEAR(first, -9, 0.1) << "as it was rendered before";
  double last = first;
  for (int i = 0; i < 120; ++i) {
    EXPECT_LT(std::abs(frame() - last), 1);
    last = x();
  }
  EXPECT_NEAR(last, 0, 1e-9);
}

TEST_F(AVehicleDisplay, BlendsACorrection) {
  for (int i = 0; i < 120; ++i) frame();
  display.blend(other, {{3, 0, 0}, {}}, {});
  EXPECT_FALSE(display.smoothing()) << "of another body";
  display.blend(body, {{0.4, 0, 0}, {}}, {});
  EXPECT_TRUE(display.smoothing());
  EXPECT_NEAR(x(), 0.4, 1e-9) << "the displayed pose stays";
  for (int i = 0; i < 60; ++i) frame();
  EXPECT_NEAR(x(), 0, 1e-9);
}

TEST_F(AVehicleDisplay, GoesOnUntilTheServersStateIsReached) {
  for (int i = 0; i < 120; ++i) frame();
  now = {};
  EXPECT_NEAR(frame(), 0, 0.1);
  EXPECT_EQ(display.shown_body(), body) << "the player has left the controls";
  for (int i = 0; i < 120 && display.shown_body() == body; ++i) display.advance(dt_s, now, at);
  EXPECT_EQ(display.shown_body(), no_entity);
}

TEST_F(AVehicleDisplay, KeepsThePlaceInAnotherFrame) {
  for (int i = 0; i < 120; ++i) frame();
  store.spawn({.handle = other, .type = test::barge_row}, 1);
  store.record({}, test::straight(other, Tick{1000}, {100, 0, 0}), 1);
  now.frame = other;
  now.pose.position = {-100, 0, 0};  // the same place
  EXPECT_NEAR(frame(), 0, 0.01);
}

}  // namespace
}  // namespace perigee::client
