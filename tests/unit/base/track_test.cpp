#include "perigee/base/track.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

Track moving(TrackCurve curve, const Vec3& velocity, const Vec3& acceleration = {}) {
  return {.tick = Tick{100},
          .curve = curve,
          .turn = TrackTurn::Full,
          .position = {1, 2, 3},
          .velocity = velocity,
          .acceleration = acceleration};
}

TEST(ATrack, StaysWhereItIsWhenStill) {
  const TrackPoint point = point_at(moving(TrackCurve::Still, {7, 0, 0}, {1, 1, 1}), 600);
  EXPECT_EQ(point.pose.position, (Vec3{1, 2, 3}));
  EXPECT_EQ(point.velocity, Vec3{});
}

TEST(ATrack, RunsStraightAndBackwards) {
  const Track track = moving(TrackCurve::Straight, {60, 0, -6}, {9, 9, 9});
  EXPECT_LT(distance(point_at(track, 10).pose.position, {11, 2, 2}), 1e-12);
  EXPECT_LT(distance(point_at(track, -10).pose.position, {-9, 2, 4}), 1e-12);
  EXPECT_EQ(point_at(track, 10).velocity, (Vec3{60, 0, -6}));
}

TEST(ATrack, FallsOnAParabola) {
  const TrackPoint point = point_at(moving(TrackCurve::Parabola, {0, 10, 0}, {0, -10, 0}), 120);
  EXPECT_LT(distance(point.pose.position, {1, 2, 3}), 1e-12);
  EXPECT_LT(distance(point.velocity, {0, -10, 0}), 1e-12);
}

// A carousel of 20 m at 0.5 rad/s: after whole turns it is where it was.
TEST(ATrack, ComesBackOnACircle) {
  constexpr double radius_m = 20, rad_s = 0.5;
  const Track track =
      moving(TrackCurve::Circle, {0, 0, radius_m * rad_s}, {-radius_m * rad_s * rad_s, 0, 0});
  const Vec3 center = track.position - Vec3{radius_m, 0, 0};
  const double turn_ticks = 2 * pi / rad_s / seconds_per_tick;
  for (const double turns : {-0.25, 0.1, 0.5, 1.0, 40.0}) {
    const TrackPoint point = point_at(track, turns * turn_ticks);
    EXPECT_NEAR(distance(point.pose.position, center), radius_m, 1e-7) << turns;
    EXPECT_NEAR(length(point.velocity), radius_m * rad_s, 1e-7) << turns;
    EXPECT_NEAR(dot(point.velocity, point.pose.position - center), 0, 1e-6) << turns;
  }
  EXPECT_LT(distance(point_at(track, turn_ticks).pose.position, track.position), 1e-7);
  EXPECT_LT(distance(point_at(track, turn_ticks / 2).pose.position, center - Vec3{radius_m, 0, 0}),
            1e-7);
}

TEST(ATrack, TurnsAroundItself) {
  Track track = moving(TrackCurve::Still, {});
  track.rotation = yaw_rotation(0.3);
  track.angular_velocity = {0, 2, 0};
  const Quat after = point_at(track, 90).pose.rotation;  // 1.5 s
  EXPECT_NEAR(std::abs(dot(after, yaw_rotation(0.3 + 3))), 1, 1e-9);
  track.turn = TrackTurn::Yaw;
  EXPECT_EQ(point_at(track, 90).pose.rotation, track.rotation) << "a heading is constant";
}

// As a world slows a body, tick by tick.
TEST(ATrack, SpinsLessAndLess) {
  Track track = moving(TrackCurve::Still, {});
  track.angular_velocity = {0.3, 2, -0.4};
  track.spin_damping_per_s = 0.5;
  Vec3 spin = track.angular_velocity;
  Quat stepped;
  for (int tick = 1; tick <= 600; ++tick) {
    spin *= 1 - track.spin_damping_per_s * seconds_per_tick;
    stepped = small_rotation(spin * seconds_per_tick) * stepped;
    const Quat told = point_at(track, tick).pose.rotation;
    ASSERT_NEAR(std::abs(dot(told, stepped)), 1, 1e-12) << tick;
  }
  const Quat before = point_at(track, -1).pose.rotation;
  EXPECT_NEAR(
      std::abs(dot(rotation_by(track.angular_velocity * seconds_per_tick) * before, Quat{})), 1,
      1e-12);
  track.spin_damping_per_s = spin_damping_max_per_s;
  EXPECT_TRUE(std::isfinite(point_at(track, 1e9).pose.rotation.w));
}

TEST(ATrack, SpinsFasterAndFaster) {
  Track track = moving(TrackCurve::Straight, {});
  track.angular_velocity = {0, 0.5, 0};
  track.angular_acceleration = {0, 2, 0};
  const Quat after = point_at(track, 60).pose.rotation;
  EXPECT_NEAR(std::abs(dot(after, yaw_rotation(0.5 + 1))), 1, 1e-9);
  const Quat before = point_at(track, -60).pose.rotation;
  EXPECT_NEAR(std::abs(dot(before, yaw_rotation(-0.5 + 1))), 1, 1e-9);
  track.angular_acceleration = {3e4, 3e4, 3e4};
  const Quat absurd = point_at(track, 60.0 * (1 << 20)).pose.rotation;
  EXPECT_NEAR(dot(absurd, absurd), 1, 1e-6);
}

TEST(ATrack, OfACircleWithoutSpeedOrBendIsStraight) {
  const Track slow = moving(TrackCurve::Circle, {}, {1, 0, 0});
  EXPECT_TRUE(std::isfinite(point_at(slow, 1000).pose.position.x));
  const Track along = moving(TrackCurve::Circle, {3, 0, 0}, {});
  EXPECT_LT(distance(point_at(along, 60).pose.position, {4, 2, 3}), 1e-9);
}

TEST(ARotation, ByAVectorIsTheSumOfItsSteps) {
  const Vec3 way{0.3, -1.1, 2.5};
  Quat stepped;
  for (int i = 0; i < 1000; ++i) stepped = small_rotation(way / 1000) * stepped;
  EXPECT_NEAR(std::abs(dot(stepped, rotation_by(way))), 1, 1e-12);
  EXPECT_NEAR(std::abs(dot(rotation_by({0, 2 * pi, 0}), Quat{})), 1, 1e-12);
}

}  // namespace
}  // namespace perigee
