/// A heightfield holds an actor back at any speed, and takes it along if it moves.
#include <gtest/gtest.h>

#include <limits>

#include "heightfields.hpp"
#include "long_run.hpp"

namespace perigee::world {
namespace {

/// Walls of 8 m around a yard of 12 m, as steep as the grid allows.
double walled_yard(double x, double z) {
  return std::abs(x) > 6.01 || std::abs(z) > 6.01 ? 8 : 0.2 * sin_cos(x).sin * sin_cos(z).cos;
}

TEST(ACollisionWithAHeightfield, IsNeverATunnel) {
  const int each = long_run() ? 2'500 : 60;
  for (const double side_m : {0.25, 2.0}) {
    for (const Diagonals diagonals : {Diagonals::Falling, Diagonals::Alternating}) {
      const HeightfieldPtr field =
          field_of(static_cast<int>(40 / side_m), side_m, walled_yard, diagonals);
      for (int i = 0; i < each; ++i) {
        Random random(static_cast<std::uint64_t>(i) + 4'000);
        const double speed = i % 2 == 0 ? 1'000 : random.between(5, 1'000);
        const Pose pose{{random.between(-3, 3), random.between(-3, 3), 0},
                        yaw_rotation(random.between(-3, 3)) * roll(random.between(-0.4, 0.4))};
        Scene scene = on_field(field, pose);
        scene.frame = {};
        scene.state.position =
            transform(pose, {random.between(-4, 4), random.between(1.5, 3), random.between(-4, 4)});
        const Vec3 way{random.between(-1, 1), random.between(-1, 0), random.between(-1, 1)};
        scene.state.velocity = to_float(rotate(pose.rotation, normalized(way) * speed));
        for (int tick = 0; tick < 4; ++tick) {
          scene.step();
          const Vec3 seen = inverse_transform(pose, scene.state.position);
          if (std::abs(seen.x) > 19 || std::abs(seen.z) > 19 || seen.y > 40) break;  // flew away
          ASSERT_TRUE(field->cast_ray(seen, {0, -1, 0}, 100))
              << "below it: " << speed << " m/s, seed " << i << ", tick " << tick;
          // Some gentle corners are touched late at 1,000 m/s, on the same mesh by as much.
          ASSERT_LT(depth_in_meshes_m(scene), 0.03) << speed << " m/s, seed " << i;
        }
      }
    }
  }
}

TEST(ACollisionWithAHeightfield, KeepsAThrownActorAboveHills) {
  Scene scene = on_field(field_of(160, 0.5, hills));
  scene.state.position = {0, 5, 0};
  Random random(21);
  const int ticks = long_run() ? 500'000 : 12'000;
  for (int tick = 0; tick < ticks; ++tick) {
    wander(scene.input, random);
    if (tick % 50 == 49) {
      const Vec3 way{random.between(-1, 1), random.between(-1, 0.2), random.between(-1, 1)};
      scene.state.velocity = to_float(normalized(way) * 1'000);
    }
    scene.step();
    const Vec3& at = scene.state.position;
    if (std::abs(at.x) > 36 || std::abs(at.z) > 36 || at.y > 30) {
      scene.state = {};
      scene.state.position = {random.between(-5, 5), 5, random.between(-1, 5)};
      continue;
    }
    ASSERT_GT(at.y, -2.5) << "tick " << tick;
    if (tick % 16 == 0) {
      ASSERT_LT(depth_in_meshes_m(scene), 0.001) << "tick " << tick;
    }
  }
  EXPECT_EQ(scene.report.overflows, 0);
}

TEST(ACollisionWithAHeightfield, OfALiftKeepsTheActorOnIt) {
  const HeightfieldPtr plate = field_of(8, 0.75);
  for (const double speed : {-20.0, -2.0, 2.0, 20.0}) {
    Scene scene = on_field(plate);
    scene.step(5);
    for (int tick = 1; tick <= 120; ++tick) {
      scene.move_neighbour(0, {{0, tick * speed / 60, 0}, {}});
      scene.step();
      ASSERT_TRUE(scene.grounded()) << speed << " m/s, tick " << tick;
      ASSERT_NEAR(scene.state.position.y - tick * speed / 60, 0.91, 0.002) << speed;
    }
  }
}

TEST(ACollisionWithAHeightfield, OfAMovingSlopeTakesTheActorAlong) {
  const HeightfieldPtr cliff =
      field_of(48, 0.25, [](double x, double) { return x > -3.1 ? 0 : 6; });
  for (const double speed : {5.0, 50.0, 200.0}) {
    for (int i = 0; i < (long_run() ? 300 : 15); ++i) {
      Random random(static_cast<std::uint64_t>(i));
      Scene scene;
      double x = random.between(-8, -6);
      add_field(scene, 9, cliff, {{x, -0.1, 0}, {}});
      for (int tick = 0; tick < 40; ++tick) {
        x += speed / 60;
        scene.move_neighbour(1, {{x, -0.1, 0}, {}});
        scene.step();
        ASSERT_GT(scene.state.position.x - x, -3.2) << speed << " m/s, seed " << i;
        ASSERT_LT(depth_in_meshes_m(scene), 0.001) << speed << " m/s, seed " << i;
        ASSERT_FALSE(scene.report.crushed);
      }
    }
  }
}

TEST(ACollisionWithAHeightfield, EndsAtAnySpeed) {
  for (const float speed : {1e5F, 1e12F, 3e38F, std::numeric_limits<float>::infinity()}) {
    Scene scene = on_field(field_of(40, 0.5, walled_yard));
    scene.state.position = {0, 3, 0};
    scene.frame = {};
    scene.state.velocity = {speed, 0, 0};
    scene.step(2);
    if (speed > 1e9F) continue;  // beyond every limit of a state: it only has to end
    EXPECT_GT(scene.state.position.y, 0.5) << speed;
  }
}

TEST(ACollisionWithAHeightfield, DoesNotHappenFromBelow) {
  Scene scene = on_field(field_of(20, 0.5));
  scene.state.position = {0, -3, 0};
  scene.state.velocity = {0, 15, 0};
  scene.step(30);
  EXPECT_GT(scene.state.position.y, 1) << "it rises through the ground";
  scene.step(210);
  EXPECT_TRUE(scene.grounded()) << "and lands on it";
}

}  // namespace
}  // namespace perigee::world
