/// Obstacles hold an actor back: no tunnelling, no sinking in, no sticking.
#include <gtest/gtest.h>

#include "sanitized.hpp"
#include "scene.hpp"

namespace perigee::world {
namespace {

constexpr double allowed_m = 0.001;

TEST(ActorCollision, NoWallIsPassedAtAnySpeed) {
  for (const double thickness : {0.2, 0.02}) {
    for (const double speed : {10.0, 50.0, 200.0, 1000.0}) {
      for (int i = 0; i < 50; ++i) {
        Random random(static_cast<std::uint64_t>(i));
        const Pose wall{{5, 0, 0}, roll(random.between(-0.3, 0.3))};
        Scene scene({box_at(wall.position, {thickness / 2, 500, 500}, wall.rotation)});
        scene.frame = {};
        scene.state.position = {random.between(-15, 0), random.between(-1, 1), 0};
        scene.state.velocity = to_float({speed, 0, speed * random.between(-0.3, 0.3)});
        for (int tick = 0; tick < 120; ++tick) {
          scene.step();
          ASSERT_LT(inverse_transform(wall, scene.state.position).x, -0.4)
              << speed << " m/s, seed " << i;
          ASSERT_LT(penetration_m(scene), allowed_m) << speed << " m/s, seed " << i;
        }
      }
    }
  }
}

TEST(ActorCollision, AMovingWallTakesAStandingActorAlong) {
  for (const double speed : {5.0, 50.0, 200.0}) {
    for (const double turning : {0.0, 2.0}) {
      for (int i = 0; i < 20; ++i) {
        Random random(static_cast<std::uint64_t>(i));
        Scene scene;
        scene.add(9, {box_at({0, 1.5, 0}, {0.1, 1.5, 6})}, {{random.between(-12, -8), 0, 0}, {}});
        double x = scene.neighbours[1].pose.position.x;
        for (int tick = 0; tick < 40; ++tick) {
          x += speed / 60;
          scene.move_neighbour(1, {{x, 0, 0}, yaw_rotation(turning * tick / 60)});
          scene.step();
          const Vec3 seen = inverse_transform(scene.neighbours[1].pose, scene.state.position);
          ASSERT_GT(seen.x, 0.4) << speed << " m/s, turning " << turning << ", seed " << i;
          ASSERT_LT(penetration_m(scene), allowed_m) << speed << " m/s, seed " << i;
        }
      }
    }
  }
}

TEST(ActorCollision, AWallThatMovesPushesNobodyThroughAnother) {
  Scene scene({floor_box(), box_at({3, 2, 0}, {0.1, 2, 20})});
  scene.add(9, {box_at({0, 1.5, 0}, {0.1, 1.5, 6})}, {{-2, 0, 0}, {}});
  for (int tick = 0; tick < 60; ++tick) {
    scene.move_neighbour(1, {{-2 + tick * 0.1, 0, 0}, {}});
    scene.step();
    ASSERT_LT(scene.state.position.x, 2.9);
  }
}

TEST(ActorCollision, AClosingDoorPutsWhoStandsInItOnOneSide) {
  for (int i = 0; i < 40; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    Scene scene({floor_box(), box_at({0, 1.5, -6}, {0.15, 1.5, 5}),
                 box_at({0, 1.5, 6}, {0.15, 1.5, 5}), box_at({0, 3.5, 0}, {0.15, 0.5, 1})});
    scene.add(9, {box_at({}, {0.1, 1.5, 1})}, {{0, 1.5, 2}, {}});
    scene.state.position = {random.between(-0.3, 0.3), 0.91, random.between(-0.5, 0.5)};
    for (int tick = 1; tick <= 60; ++tick) {
      scene.move_neighbour(1, {{0, 1.5, std::max(0.0, 2 - tick / 15.0)}, {}});
      scene.step();
    }
    EXPECT_LT(penetration_m(scene), allowed_m) << "seed " << i;
    EXPECT_GT(std::abs(scene.state.position.x), 0.49) << "seed " << i;
    EXPECT_LT(std::abs(scene.state.position.x), 2) << "seed " << i;
    EXPECT_TRUE(scene.grounded()) << "seed " << i;
  }
}

TEST(ActorCollision, ALiftNeverPressesAnybodyThroughTheCeiling) {
  Scene scene({box_at({0, 5, 0}, {5, 0.1, 5})});
  scene.add(9, {box_at({0, -0.2, 0}, {3, 0.2, 3})});
  scene.step(5);
  for (int tick = 1; tick <= 200; ++tick) {
    scene.move_neighbour(1, {{0, tick * 2 / 60.0, 0}, {}});
    scene.step();
    ASSERT_LT(scene.state.position.y, 4.05) << tick;
  }
}

TEST(ActorCollision, AWedgeHoldsStillAndLetsGo) {
  for (const double angle : {90.0, 60.0, 30.0, 10.0}) {
    const double half = degrees(angle) / 2;
    // two walls that meet at x = 6 and open towards -x
    Scene scene({floor_box(),
                 box_at({6 - 5 * std::cos(half), 1.5, 5 * std::sin(half) + 0.1}, {5, 1.5, 0.1},
                        yaw_rotation(half)),
                 box_at({6 - 5 * std::cos(half), 1.5, -5 * std::sin(half) - 0.1}, {5, 1.5, 0.1},
                        yaw_rotation(-half))});
    scene.state.position.x = -6;
    scene.walk_along_x();
    scene.step(400);
    for (int tick = 0; tick < 600; ++tick) {
      const Vec3 before = scene.state.position;
      scene.step();
      ASSERT_EQ(scene.state.position, before) << angle << " degrees, tick " << tick;
    }
    const double stuck_at = scene.state.position.x;
    EXPECT_GT(stuck_at, -6);
    scene.input.forward = -127;
    scene.step(30);
    EXPECT_LT(scene.state.position.x, stuck_at - 1) << angle << " degrees";
  }
}

TEST(ActorCollision, WhoSpawnsInsideABoxGetsOut) {
  for (int i = 0; i < 500; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    const Quat turn = normalized(Quat{random.between(-1, 1), random.between(-1, 1),
                                      random.between(-1, 1), random.between(-1, 1)});
    Scene scene({box_at(
        {}, {random.between(0.2, 2), random.between(0.2, 2), random.between(0.2, 2)}, turn)});
    scene.frame = {};
    scene.state.position = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    scene.step(10);
    EXPECT_LT(penetration_m(scene), allowed_m) << "seed " << i;
  }
}

TEST(ActorCollision, AWalkThroughAHutNeverLeavesItsWallsOrSinksIn) {
  Scene scene(hut({}, 0.2));
  scene.shapes.clear();
  std::vector<Box> boxes = hut({}, 0);
  boxes.push_back(box_at({0, 1.5, 5}, {1, 1.5, 0.1}));  // shut door
  boxes.push_back(box_at({0, 4.2, 0}, {5.2, 0.1, 5.2}));
  boxes.push_back(box_at({0, 3.5, 5}, {5.2, 0.7, 0.1}));
  boxes.push_back(box_at({0, 3.5, -5}, {5.2, 0.7, 0.1}));
  boxes.push_back(box_at({5, 3.5, 0}, {0.1, 0.7, 5.2}));
  boxes.push_back(box_at({-5, 3.5, 0}, {0.1, 0.7, 5.2}));
  scene.neighbours.clear();
  scene.add(hull, boxes);
  Random random(11);
  int still = 0;
  int longest_still = 0;
  const int ticks = shortened() ? 9'000 : 36'000;
  for (int tick = 0; tick < ticks; ++tick) {
    wander(scene.input, random);
    const Vec3 before = scene.state.position;
    scene.step();
    still = distance(before, scene.state.position) < 1e-4 ? still + 1 : 0;
    longest_still = std::max(longest_still, still);
    ASSERT_LT(penetration_m(scene), 0.02) << tick;
    ASSERT_LT(std::abs(scene.state.position.x), 4.9) << tick;
    ASSERT_LT(std::abs(scene.state.position.z), 4.9) << tick;
    ASSERT_GT(scene.state.position.y, 0.8) << tick;
    ASSERT_LT(scene.state.position.y, 3.3) << tick;
  }
  EXPECT_LT(longest_still, 90);
  EXPECT_EQ(scene.report.overflows, 0);
}

TEST(ActorCollision, ActorsPushEachOtherSoftlyAndNeverCarry) {
  Scene scene;
  const ShapePtr other = actor_shape(scene.params);
  const Pose beside{{0.3, 0.91, 0}, {}};
  scene.neighbours.push_back(make_neighbour(9, NeighbourKind::Actor, *other, beside, beside));
  scene.step(120);
  EXPECT_LT(scene.state.position.x, -0.45);
  EXPECT_GT(scene.state.position.x, -0.55);
  EXPECT_NEAR(scene.state.position.y, 0.91, 1e-3);

  scene.state = {};
  scene.state.position = {0.31, 3.5, 0};  // falls onto the other actor's head
  scene.step(90);
  EXPECT_TRUE(scene.grounded());
  EXPECT_EQ(scene.state.ground, hull);
}

TEST(ActorCollision, TouchesAreReportedSortedAndDigested) {
  Scene scene({floor_box()});
  scene.add(9, {box_at({1, 1, 0}, {0.1, 1, 5})});
  scene.walk_along_x();
  scene.step(2);
  const std::uint64_t free = scene.report.contact_digest;
  scene.step(60);
  ASSERT_EQ(scene.report.contacts.size(), 2U);
  EXPECT_EQ(scene.report.contacts[0].id, hull);
  EXPECT_EQ(scene.report.contacts[1].id, 9U);
  EXPECT_NEAR(scene.report.contacts[1].normal.x, -1, 1e-6);
  EXPECT_GT(scene.report.contacts[1].closing_m_s, 0.1);
  EXPECT_NE(scene.report.contact_digest, free);
  EXPECT_NE(scene.state.flags & actor_blocked, 0);
}

}  // namespace
}  // namespace perigee::world
