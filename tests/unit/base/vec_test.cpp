#include "perigee/base/vec.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perigee {
namespace {

TEST(SinCos, AgreesWithLibmOverManyTurns) {
  for (double angle = -50; angle < 50; angle += 0.0137) {
    EXPECT_NEAR(sin_cos(angle).sin, std::sin(angle), 1e-9);
    EXPECT_NEAR(sin_cos(angle).cos, std::cos(angle), 1e-9);
  }
}

TEST(ArcTangent, AgreesWithLibmInAllQuadrants) {
  for (double angle = -3.14; angle < 3.14; angle += 0.01) {
    EXPECT_NEAR(arc_tangent(std::sin(angle), std::cos(angle)), angle, 1e-7);
  }
}

TEST(Pose, RelativeIsTheInverseOfComposition) {
  const Pose frame{{10, -3, 7}, yaw_rotation(1.1)};
  const Pose child{{1, 2, 3}, yaw_rotation(-0.4)};
  const Pose back = relative(frame, frame * child);
  EXPECT_NEAR(distance(back.position, child.position), 0, 1e-12);
  EXPECT_NEAR(dot(back.rotation, child.rotation), 1, 1e-12);
}

TEST(Slerp, TurnsAtConstantSpeed) {
  const Quat a = yaw_rotation(0.2);
  const Quat b = yaw_rotation(1.8);
  const Quat middle = slerp(a, b, 0.25);
  EXPECT_NEAR(dot(middle, yaw_rotation(0.6)), 1, 1e-9);
}

TEST(RotationVector, IsAxisTimesAngle) {
  const Vec3 v = rotation_vector(yaw_rotation(0.7));
  EXPECT_NEAR(v.y, 0.7, 1e-6);
  EXPECT_NEAR(v.x, 0, 1e-12);
}

}  // namespace
}  // namespace perigee
