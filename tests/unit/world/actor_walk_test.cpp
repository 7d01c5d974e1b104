/// Walking, climbing, jumping and flying, as described on the example game's page.
#include <gtest/gtest.h>

#include "scene.hpp"

namespace perigee::world {
namespace {

std::vector<Box> stairs(double rise, double run, double yaw) {
  std::vector<Box> boxes{floor_box()};
  const Quat turn = yaw_rotation(yaw);
  for (int i = 0; i < 10; ++i) {
    const double height = rise * (i + 1);
    boxes.push_back(
        box_at(rotate(turn, {3 + run * i + 10, height / 2, 0}), {10, height / 2, 20}, turn));
  }
  return boxes;
}

TEST(ActorWalk, ReachesWalkingAndRunningSpeed) {
  Scene scene;
  scene.walk_along_x();
  scene.step(60);
  EXPECT_FLOAT_EQ(scene.state.velocity.x, 5);
  scene.input.held = button_run;
  scene.step(60);
  EXPECT_FLOAT_EQ(scene.state.velocity.x, 10);
  const double before = scene.state.position.x;
  scene.step(60);
  EXPECT_NEAR(scene.state.position.x - before, 10, 1e-6);
  scene.input.forward = 0;
  scene.step(30);
  EXPECT_EQ(scene.state.velocity, Vec3f{});
}

TEST(ActorWalk, LookTurnsTheControls) {
  Scene scene;
  scene.input.right = 127;  // facing +z, the right hand is towards -x
  scene.step(30);
  EXPECT_LT(scene.state.velocity.x, -4.9F);
  EXPECT_NEAR(scene.state.velocity.z, 0, 1e-6);
}

TEST(ActorWalk, ClimbsAndDescendsStairsWithoutLeavingTheGround) {
  for (const double rise : {0.1, 0.2, 0.3}) {
    for (const double yaw : {0.0, 35.0}) {
      for (const bool run : {false, true}) {
        Scene scene(stairs(rise, 0.3, degrees(yaw)));
        scene.walk_along_x();
        scene.input.held = run ? button_run : 0;
        scene.step(1);
        for (int tick = 0; tick < 300 && scene.state.position.x < 9; ++tick) {
          scene.step();
          ASSERT_TRUE(scene.grounded()) << rise << " up, tick " << tick;
        }
        EXPECT_NEAR(scene.state.position.y, 10 * rise + 0.91, 0.02) << rise << ' ' << yaw;
        scene.input.forward = -127;
        for (int tick = 0; tick < 300 && scene.state.position.x > 0; ++tick) {
          scene.step();
          ASSERT_TRUE(scene.grounded()) << rise << " down, tick " << tick;
        }
        EXPECT_NEAR(scene.state.position.y, 0.91, 0.02) << rise << ' ' << yaw;
      }
    }
  }
}

TEST(ActorWalk, ClimbsAStepFromStandstill) {
  Scene scene(stairs(0.3, 5, 0));
  scene.state.position.x = 2.59;  // touching the first step
  scene.step(10);
  scene.walk_along_x();
  scene.step(40);
  EXPECT_GT(scene.state.position.x, 4);
  EXPECT_NEAR(scene.state.position.y, 1.21, 0.02);
}

TEST(ActorWalk, AHighLedgeIsAWall) {
  Scene scene(stairs(0.7, 5, 0));
  scene.walk_along_x();
  scene.step(200);
  EXPECT_LT(scene.state.position.x, 2.61);
  EXPECT_NEAR(scene.state.position.y, 0.91, 0.01);
}

TEST(ActorWalk, StandsOnSlopesUpToTheLimitAndSlidesBeyond) {
  for (const double angle : {20.0, 40.0, 49.0}) {
    Scene scene({box_at({}, {40, 0.5, 40}, roll(degrees(angle)))});
    scene.state.position = {0, 2.5, 0};
    scene.step(120);
    ASSERT_TRUE(scene.grounded()) << angle;
    const Vec3 before = scene.state.position;
    scene.step(120);
    EXPECT_EQ(scene.state.position, before) << angle;
  }
  Scene steep({box_at({}, {40, 0.5, 40}, roll(degrees(52)))});
  steep.state.position = {0, 2.5, 0};
  steep.step(180);
  EXPECT_FALSE(steep.grounded());
  EXPECT_LT(steep.state.position.x, -5);
}

TEST(ActorWalk, GoesUphillAtASlopesPaceAndStaysOnTheGroundDownhill) {
  Scene scene({box_at({}, {60, 0.5, 40}, roll(degrees(40)))});
  scene.state.position = {0, 2.5, 0};
  scene.step(60);
  scene.walk_along_x();
  scene.step(30);
  const double start = scene.state.position.x;
  scene.step(60);
  EXPECT_GT(scene.state.position.x - start, 3.5);  // 5 m/s along 40 degrees
  scene.input.forward = -127;
  for (int tick = 0; tick < 120; ++tick) {
    scene.step();
    ASSERT_TRUE(scene.grounded()) << tick;
  }
}

TEST(ActorWalk, JumpsOnceFromTheGroundAndWithinCoyoteTime) {
  Scene scene({box_at({-10, -0.5, 0}, {10, 0.5, 10})});  // an edge at x = 0
  scene.state.position.x = -3;
  scene.step(5);
  scene.press(button_jump);
  scene.step();
  EXPECT_GT(scene.state.velocity.y, 4.5F);
  scene.press(button_jump);
  scene.step(10);
  double top = 0;
  for (int i = 0; i < 60; ++i) {
    scene.step();
    top = std::max(top, scene.state.position.y);
  }
  EXPECT_LT(top, 0.91 + 1.3);
  EXPECT_TRUE(scene.grounded());

  scene.walk_along_x();
  while (scene.grounded()) scene.step();
  scene.step(3);
  scene.press(button_jump);
  scene.step();
  EXPECT_GT(scene.state.velocity.y, 4.5F);
}

TEST(ActorWalk, TooLateForCoyoteTimeIsNoJump) {
  Scene scene({box_at({-10, -0.5, 0}, {10, 0.5, 10})});
  scene.state.position.x = -1;
  scene.walk_along_x();
  scene.step(2);
  while (scene.grounded()) scene.step();
  scene.step(8);
  scene.press(button_jump);
  scene.step();
  EXPECT_LT(scene.state.velocity.y, 0.0F);
}

TEST(ActorWalk, RidesALiftAndATurntable) {
  Scene scene(nothing);
  scene.add(9, {box_at({0, -0.5, 0}, {8, 0.5, 8})});
  scene.state.position = {4, 0.91, 0};
  scene.step(2);
  Vec3 boarded;
  for (int tick = 1; tick <= 60; ++tick) {
    scene.move_neighbour(0, {{0, tick * 2.0 / 60, 0}, yaw_rotation(degrees(30) * tick / 60)});
    scene.step();
    ASSERT_TRUE(scene.grounded());
    const Vec3 seen = inverse_transform(scene.neighbours[0].pose, scene.state.position);
    if (tick == 10) boarded = seen;  // its velocity has adapted to the floor
    if (tick > 10) {
      ASSERT_LT(distance(seen, boarded), 1e-3) << tick;
    }
  }
  EXPECT_NEAR(scene.state.velocity.y, 2, 1e-3);
}

TEST(ActorFlight, TheJetpackSteersAlongTheLookAndStopsAtItsLimit) {
  Scene scene(nothing);
  scene.frame = {};
  scene.press(button_jetpack);
  scene.input.forward = 127;
  scene.input.pitch = 8192;  // 45 degrees up
  scene.step(60);
  EXPECT_NEAR(length(to_double(scene.state.velocity)), 15, 0.01);
  EXPECT_NEAR(scene.state.velocity.y, scene.state.velocity.z, 0.01);
  scene.step(600);
  EXPECT_NEAR(length(to_double(scene.state.velocity)), 60, 0.01);
}

TEST(ActorFlight, DampersBrakeWhatIsNotSteeredAndHoverUnderGravity) {
  Scene scene(nothing);
  scene.state.flags = actor_jetpack;
  scene.state.velocity = {20, 3, 0};
  scene.input.held = button_dampers;
  scene.input.forward = 127;
  scene.step(240);
  EXPECT_NEAR(scene.state.velocity.x, 0, 1e-3);
  EXPECT_NEAR(scene.state.velocity.y, 0, 1e-3);
  EXPECT_GT(scene.state.velocity.z, 25);
}

TEST(ActorFlight, GravityEndsWithItsBox) {
  Scene scene(nothing);
  scene.frame.gravity.inside = {{-5, 0, -5}, {5, 10, 5}};
  scene.state.position = {0, 9, 0};
  scene.step(300);
  const float speed = scene.state.velocity.y;
  EXPECT_NEAR(speed, -std::sqrt(2 * 9.81 * 9), 0.3);
  scene.step(60);
  EXPECT_EQ(scene.state.velocity.y, speed);
}

// K46
TEST(ActorFlight, AFreeBodyKeepsItsStraightLineSeenFromATurningDeck) {
  // 25 deg/s at 90 m from the axis: the deck moves at 39 m/s there, and the body is released
  const Vec3 spin{0, degrees(25), 0};
  Scene scene(nothing);
  scene.frame = {.angular_velocity = spin, .inertia = Inertia::Full};
  scene.state.position = {90, 0, 0};
  const Vec3 world_velocity{3, 1, -2};
  scene.state.velocity = to_float(world_velocity - cross(spin, scene.state.position));
  const Vec3 exact_velocity = to_double(scene.state.velocity) + cross(spin, scene.state.position);
  for (int tick = 1; tick <= 600; ++tick) {
    scene.step();
    const Vec3 world = rotate(yaw_rotation(spin.y * tick / 60), scene.state.position);
    const Vec3 expected = Vec3{90, 0, 0} + exact_velocity * (tick / 60.0);
    ASSERT_LT(distance(world, expected), 0.001) << tick;
  }
}

TEST(ActorFlight, AnAcceleratingDeckLeavesAFreeBodyBehindOnlyWithFullInertia) {
  for (const Inertia inertia : {Inertia::None, Inertia::Full}) {
    Scene scene(nothing);
    scene.frame = {.acceleration = {6, 0, 0}, .inertia = inertia};
    scene.step(60);
    EXPECT_NEAR(scene.state.velocity.x, inertia == Inertia::Full ? -6 : 0, 1e-4);
  }
}

TEST(ActorFlight, ADeckThatFallsAwayLetsGo) {
  Scene scene;
  scene.frame.inertia = Inertia::Full;
  scene.step(10);
  ASSERT_TRUE(scene.grounded());
  scene.frame.acceleration = {0, -12, 0};
  scene.step(30);
  EXPECT_FALSE(scene.grounded());
  EXPECT_GT(scene.state.position.y, 1.0);
}

}  // namespace
}  // namespace perigee::world
