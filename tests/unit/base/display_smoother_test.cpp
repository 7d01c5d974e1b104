#include "perigee/base/display_smoother.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "perigee/base/counts.hpp"

namespace perigee {
namespace {

// The two published rules, in one dimension, one call per frame.
struct Published {
  bool fading;
  double x = 0, display_x = 0, timer = 0;
  bool error = false;

  void server_moves_it(double offset) {
    x += offset;
    error = true;
    timer = 0;
  }
  void frame(double dt) {
    if (!error) {
      display_x = x;
      return;
    }
    const double weight = fading ? std::max(0.0, 0.75 - timer) : 0.65;
    display_x = display_x * weight + x * (1.0 - weight);
    timer += dt;
    if (fading ? std::abs(display_x - x) < 0.00001 : timer > 0.25) error = false;
  }
};

void expect_as_published(Smoothing smoothing, double dt_s) {
  Published published{smoothing == Smoothing::FadingWeight};
  DisplaySmoother smoother(smoothing);
  for (int frame = 0; frame < 400; ++frame) {
    SCOPED_TRACE(frame);
    published.x += 5 * dt_s;  // the avatar walks
    for (const auto& [when, offset] : {std::pair{20, 0.5}, {25, -0.2}, {200, 3.0}}) {
      if (frame != when) continue;
      published.server_moves_it(offset);
      smoother.add_error({-offset, 0, 0});
    }
    published.frame(dt_s);
    smoother.advance(dt_s, {published.x, 0, 0});
    ASSERT_NEAR(published.x + smoother.offset().x, published.display_x, 1e-9);
    ASSERT_EQ(smoother.active(), published.error);
  }
}

TEST(TheConstantWeight, IsE5ToTheLetterAtAnyFrameRate) {
  for (const double fps : {30.0, 60.0, 144.0}) {
    expect_as_published(Smoothing::ConstantWeight, 1 / fps);
  }
}

TEST(TheFadingWeight, IsE6ToTheLetterAtAnyFrameRate) {
  for (const double fps : {30.0, 60.0, 144.0}) {
    expect_as_published(Smoothing::FadingWeight, 1 / fps);
  }
}

// E5: the golden trace of an error of one metre on an object at rest, at 20 frames per second.
TEST(TheConstantWeight, FollowsItsGoldenTrace) {
  DisplaySmoother smoother(Smoothing::ConstantWeight);
  smoother.advance(0.05, {});
  smoother.add_error({1, 0, 0});
  for (const double left :
       {0.65, 0.4225, 0.274625, 0.17850625, 0.1160290625, 0.075418890625, 0.0}) {
    smoother.advance(0.05, {-1, 0, 0});
    EXPECT_NEAR(smoother.offset().x, left, 1e-12);
  }
  EXPECT_FALSE(smoother.active());
}

// E6: the same for the other rule.
TEST(TheFadingWeight, FollowsItsGoldenTrace) {
  DisplaySmoother smoother(Smoothing::FadingWeight);
  smoother.advance(0.05, {});
  smoother.add_error({1, 0, 0});
  double left = 1;
  for (const double weight : {0.75, 0.70, 0.65, 0.60, 0.55, 0.50, 0.45, 0.40, 0.35, 0.30}) {
    left *= weight;
    smoother.advance(0.05, {-1, 0, 0});
    EXPECT_NEAR(smoother.offset().x, left, 1e-12);
  }
}

// E8: the known flaw of the constant weight: a metre and a centimetre take equally long.
TEST(TheConstantWeight, TakesAsLongForSmallErrorsAsForLargeOnes) {
  for (const double error_m : {0.01, 1.0}) {
    DisplaySmoother smoother(Smoothing::ConstantWeight);
    smoother.add_error({error_m, 0, 0});
    int frames = 0;
    for (; smoother.active(); ++frames) smoother.advance(1.0 / 64, {});
    EXPECT_EQ(frames, 17);
  }
}

// K32
TEST(TheExponential, HalvesEveryTenthOfASecondAtAnyFrameRate) {
  for (const double fps : {10.0, 30.0, 120.0, 1000.0}) {
    SCOPED_TRACE(fps);
    DisplaySmoother smoother(Smoothing::Exponential);
    smoother.add_error({1, 0, 0});
    for (int i = 0; i < static_cast<int>(fps / 5); ++i) smoother.advance(1 / fps, {9, 9, 9});
    EXPECT_NEAR(smoother.offset().x, 0.25, 1e-5);
  }
}

TEST(NoSmoothing, ShowsTheTruthAtOnce) {
  DisplaySmoother smoother(Smoothing::None);
  smoother.add_error({1, 0, 0});
  EXPECT_EQ(smoother.offset(), Vec3{});
  EXPECT_FALSE(smoother.active());
}

// E4, E8: with every rule, an error does not move the display at once, and the display ends at the
// truth.
TEST(EverySmoothing, StartsWhereTheEyeIsAndEndsAtTheTruth) {
  for (std::size_t i = 1; i < enum_count<Smoothing>; ++i) {
    const auto smoothing = static_cast<Smoothing>(i);
    SCOPED_TRACE(i);
    DisplaySmoother smoother(smoothing);
    smoother.advance(1.0 / 60, {5, 0, 0});
    smoother.add_error({0.3, -0.1, 0});
    EXPECT_NEAR(distance(smoother.offset(), {0.3, -0.1, 0}), 0, 1e-12);
    EXPECT_TRUE(smoother.active());
    for (int frame = 0; frame < 120; ++frame) smoother.advance(1.0 / 60, {4.7, 0.1, 0});
    EXPECT_EQ(smoother.offset(), Vec3{});
    EXPECT_FALSE(smoother.active());
  }
}

// E9: switched while an error is being blended out
TEST(ADisplaySmoother, GoesOnFromWhereItIsUnderAnotherRule) {
  for (std::size_t from = 1; from < enum_count<Smoothing>; ++from) {
    for (std::size_t to = 1; to < enum_count<Smoothing>; ++to) {
      DisplaySmoother smoother(static_cast<Smoothing>(from));
      smoother.add_error({1, 0, 0});
      smoother.advance(0.05, {});
      const double left = smoother.offset().x;
      smoother.choose(static_cast<Smoothing>(to));
      EXPECT_NEAR(smoother.offset().x, left, 1e-12);
    }
  }
}

// K35: the rest of an error turns with its frame of reference.
TEST(EverySmoothing, TurnsWithItsFrame) {
  const Quat quarter = yaw_rotation(pi / 2);
  for (std::size_t i = 1; i < enum_count<Smoothing>; ++i) {
    DisplaySmoother smoother(static_cast<Smoothing>(i));
    smoother.add_error({1, 0, 0});
    smoother.advance(0.02, {});
    const Vec3 left = smoother.offset();
    smoother.turn(quarter);
    EXPECT_LT(distance(smoother.offset(), rotate(quarter, left)), 1e-12);
    smoother.advance(0.02, {300, 0, 0});  // a jump by a change of frame does not count as motion
    EXPECT_LT(length(smoother.offset()), 1);
  }
}

}  // namespace
}  // namespace perigee
