/// Hulls hold actors back like boxes, and push them out of themselves.
#include <gtest/gtest.h>

#include "hulls.hpp"
#include "long_run.hpp"
#include "meshes.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::world {
namespace {

constexpr double deep_m = 0.001;

TEST(ACollisionWithAHull, IsNeverATunnel) {
  for (const double thickness : {0.2, 0.02}) {
    for (int i = 0, each = long_run() ? 5'000 : 300; i < each; ++i) {
      Random random(static_cast<std::uint64_t>(i));
      const double speed = i % 2 == 0 ? 1'000 : random.between(5, 1'000);
      SolidScene scene;
      const Pose wall{{5, 0, 0}, roll(random.between(-0.3, 0.3))};
      scene.add(hull, {box_at({}, {thickness / 2, 300, 300})}, wall);
      scene.solid.frame = {};
      scene.solid.state.position = {random.between(-15, 0), random.between(-1, 1), 0};
      scene.solid.state.velocity = to_float({speed, 0, speed * random.between(-0.3, 0.3)});
      for (int tick = 0; tick < 30; ++tick) {
        scene.solid.step();
        ASSERT_LT(inverse_transform(wall, scene.solid.state.position).x, -0.39)
            << speed << " m/s, seed " << i;
        ASSERT_LT(scene.depth_m(), deep_m) << speed << " m/s, seed " << i;
      }
    }
  }
}

TEST(ACollisionWithAHull, EndsOutsideFromEightDepths) {
  const Box block = box_at({0, 1, 0}, {1.5, 1, 1});
  const double depths[] = {0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99};
  for (const double depth : depths) {
    for (int side = 0; side < 4; ++side) {
      for (const double turn : {0.0, 0.6}) {
        SolidScene scene;
        const Pose pose{{0, 0, 0}, yaw_rotation(turn)};
        scene.add(hull, {block}, pose);
        scene.add(9, {floor_box()});
        const double x = (1 - depth) * (side % 2 == 0 ? 1.5 : -1.5);
        const double z = (1 - depth) * (side < 2 ? 0.9 : -0.9);
        scene.solid.state.position = transform(pose, {x, 0.91, z});
        int ticks = 0;
        while (ticks < 10 && scene.depth_m() > deep_m) {
          scene.solid.step();
          ++ticks;
        }
        EXPECT_LE(ticks, 3) << depth << " of the way to the middle, side " << side;
        EXPECT_LT(scene.depth_m(), deep_m) << depth << ", side " << side;
        scene.solid.step(30);
        EXPECT_LT(scene.depth_m(), deep_m) << depth << ", side " << side;
        EXPECT_TRUE(scene.solid.grounded());
      }
    }
  }
}

/// Ticks until the actor is in no hull, at most `most`.
int ticks_until_outside(SolidScene& scene, int most) {
  int ticks = 0;
  while (ticks < most && scene.depth_m() > deep_m) {
    scene.solid.step();
    ++ticks;
  }
  return ticks;
}

TEST(ACollisionWithAHull, EndsOutsideWhenTheNearestFaceIsBlocked) {
  for (int i = 0; i < 200; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    SolidScene scene;  // a rock on the floor, and a player at the height of a player's feet in it
    scene.add(hull, {floor_box()});
    scene.add(9, {box_at({0, 1.5, 0}, {5, 1.5, 5})}, {{}, yaw_rotation(i == 0 ? 0 : i)});
    scene.solid.state.position = {0, 0.91, 0};
    if (i > 0) scene.solid.state.position += {random.between(-3, 3), 0, random.between(-3, 3)};
    EXPECT_LE(ticks_until_outside(scene, 60), 3) << i;
    scene.solid.step(60);
    EXPECT_LT(scene.depth_m(), deep_m) << i;
    EXPECT_TRUE(scene.solid.grounded()) << i;
  }
}

TEST(ACollisionWithAHull, EndsOutsideInACornerOfWalls) {
  for (const bool mirrored : {false, true}) {
    const double side = mirrored ? -1 : 1;
    SolidScene scene;
    scene.add(hull, {floor_box()});
    scene.add(8, {box_at({side * 2.2, 3, 0}, {0.2, 3, 20}), box_at({0, 3, 2.2}, {20, 3, 0.2})});
    scene.add(9, {box_at({0, 1.5, 0}, {2, 1.5, 2})});
    scene.solid.state.position = {side * 1.4, 0.92, 1.3};
    EXPECT_LE(ticks_until_outside(scene, 60), 3);
    scene.solid.step(60);
    EXPECT_LT(scene.depth_m(), deep_m);
  }
}

TEST(ACollisionWithAHull, EndsOutsideOfHullsThatMeetAtTheirFaces) {
  for (const bool of_one : {true, false}) {
    for (int i = 0; i < 200; ++i) {
      Random random(static_cast<std::uint64_t>(i));
      SolidScene scene;
      scene.add(hull, {floor_box()});
      const Pose pose{{}, yaw_rotation(i % 2 == 0 ? 0 : i)};
      if (of_one) {
        scene.add(9, {box_at({-3, 1.5, 0}, {3, 1.5, 4}), box_at({3, 1.5, 0}, {3, 1.5, 4})}, pose);
      } else {  // two entities of one type
        const Box block = box_at({0, 1.5, 0}, {3, 1.5, 4});
        scene.add(9, {block}, pose * Pose{{-3, 0, 0}, {}});
        scene.add(10, {block}, pose * Pose{{3, 0, 0}, {}});
        scene.solid.neighbours[2].shape = scene.solid.neighbours[1].shape;
      }
      scene.solid.state.position =
          transform(pose, {i < 20 ? 0 : random.between(-0.3, 0.3), random.between(0.92, 2.5),
                           random.between(-3, 3)});
      EXPECT_LE(ticks_until_outside(scene, 60), 5) << i << (of_one ? " of one" : " of two");
      scene.solid.step(60);
      EXPECT_LT(scene.depth_m(), deep_m) << i;
      EXPECT_TRUE(scene.solid.grounded()) << i;
    }
  }
}

TEST(ACollisionWithAHull, TakesAnActorAlongIfTheHullMoves) {
  for (const double speed : {5.0, 50.0, 200.0}) {
    for (const double turning : {0.0, 2.0}) {
      for (int i = 0; i < 20; ++i) {
        Random random(static_cast<std::uint64_t>(i));
        SolidScene scene;
        scene.add(hull, {floor_box()});
        scene.add(9, {box_at({0, 1.5, 0}, {0.1, 1.5, 6})}, {{random.between(-12, -8), 0, 0}, {}});
        double x = scene.solid.neighbours[1].pose.position.x;
        for (int tick = 0; tick < 40; ++tick) {
          x += speed / 60;
          scene.move_neighbour(1, {{x, 0, 0}, yaw_rotation(turning * tick / 60)});
          scene.solid.step();
          const Vec3 seen =
              inverse_transform(scene.solid.neighbours[1].pose, scene.solid.state.position);
          ASSERT_GT(seen.x, 0.4) << speed << " m/s, turning " << turning << ", seed " << i;
          ASSERT_LT(scene.depth_m(), deep_m) << speed << " m/s, seed " << i;
        }
      }
    }
  }
}

TEST(ACollisionWithAHull, StandsOnALiftAndClimbsStairs) {
  SolidScene lift;
  lift.add(hull, {box_at({0, -0.2, 0}, {3, 0.2, 3})});
  for (int tick = 1; tick <= 120; ++tick) {
    lift.move_neighbour(0, {{0, 4 * tick / 60.0, 0}, {}});
    lift.solid.step();
    ASSERT_TRUE(lift.solid.grounded()) << tick;
  }
  EXPECT_NEAR(lift.solid.state.position.y, 8 + 0.91, 0.02);
  for (const double height : {0.10, 0.20, 0.30, 0.35, 0.40}) {
    SolidScene stairs;
    stairs.add(hull, {floor_box()});
    std::vector<Box> steps;
    for (int i = 0; i < 5; ++i) {
      const double top = height * (i + 1);
      steps.push_back(box_at({2.5 + i, top / 2, 0}, {0.5, top / 2, 3}));
    }
    stairs.add(9, steps);
    stairs.solid.walk_along_x();
    double highest = 0;
    for (int tick = 0; tick < 150; ++tick) {
      stairs.solid.step();
      highest = std::max(highest, stairs.solid.state.position.y - 0.91);
      ASSERT_LT(stairs.depth_m(), deep_m) << height;
    }
    EXPECT_NEAR(highest, height < 0.36 ? 5 * height : 0, 0.03) << height;
  }
}

TEST(ACollisionWithAHull, WalksAsOnBoxes) {
  Random random(3);
  SolidScene scene;
  scene.add(hull, hut({0, 0, 0}, 0.3));
  scene.add(9, {floor_box()}, {{0, -0.3, 0}, {}});
  scene.solid.state.position = {0, 2, 7};
  for (int tick = 0, ticks = long_run() ? 200'000 : 6'000; tick < ticks; ++tick) {
    wander(scene.solid.input, random);
    scene.solid.step();
    ASSERT_LT(scene.depth_m(), deep_m) << "tick " << tick;
    const Vec3& at = scene.solid.state.position;
    ASSERT_GT(at.y, 0.5) << "tick " << tick;
    if (std::abs(at.x) > 20 || std::abs(at.z) > 20) {
      scene.solid.state = {};
      scene.solid.state.position = {0, 2, 7};
    }
  }
}

/// A field of turned hulls, of which some move.
struct Rocks {
  ActorParams params;
  std::vector<ShapePtr> shapes;

  Rocks() {
    shapes.push_back(solid_shape({floor_box(30)}));
    Random random(8);
    for (int i = 0; i < 12; ++i) {
      std::vector<Vec3f> points;
      for (int k = 0; k < 14; ++k) {
        const Vec3 way{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        points.push_back(to_float(multiply(normalized(way), {1.5, 0.6, 1.1})));
      }
      shapes.push_back(make_shape({}, nullptr, {hull_of(points)}));
    }
  }
  Pose pose_of(std::size_t i, Tick tick) const {
    if (i == 0) return {};
    const double angle = static_cast<double>(i) * 0.5;
    const SinCos at = sin_cos(angle);
    const double sway = i % 3 == 0 ? sin_cos(tick.count * 0.02).sin : 0;
    return {{9 * at.sin, 0.2 + 0.4 * sway, 9 * at.cos},
            yaw_rotation(angle + (i % 4 == 0 ? tick.count * 0.01 : 0))};
  }
  StepRecord record(Tick tick, const PlayerInput& input) const {
    StepRecord out{.tick = tick, .parent = hull, .input = input};
    out.frame.gravity = unbounded_gravity({0, -9.81, 0});
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      insert_by_id(out.neighbours,
                   make_neighbour(static_cast<Handle>(10 + i), NeighbourKind::Solid, *shapes[i],
                                  pose_of(i, tick), pose_of(i, tick + 1)));
    }
    return out;
  }
};

std::uint64_t walked_among(const Rocks& rocks, int ticks, std::vector<StepRecord>* records) {
  Random random(17);
  PlayerInput input;
  ActorState state{.position = {0, 1, 0}};
  StateHash all;
  for (int tick = 0; tick < ticks; ++tick) {
    wander(input, random);
    const Vec3& at = state.position;
    if (std::abs(at.x) > 16 || std::abs(at.z) > 16 || at.y < -3) state = {.position = {0, 3, 0}};
    if (tick % 97 == 96) state.velocity = to_float({random.between(-300, 300), 20, 150});
    StepRecord record = rocks.record(input.tick, input);
    state = replay_step(rocks.params, record, state);
    if (records != nullptr) records->push_back(record);
    add_to(all, state);
    ++input.tick;
    input.samples.clear();
  }
  return all.value();
}

TEST(AReplayAmongHulls, IsBitExact) {
  const Rocks rocks;
  std::vector<StepRecord> records;
  const std::uint64_t first = walked_among(rocks, 4'000, &records);
  const Rocks again;
  EXPECT_EQ(walked_among(again, 4'000, nullptr), first);
  for (StepRecord& record : records) {
    const ActorState after = record.after;
    const std::uint64_t digest = record.report.contact_digest;
    ASSERT_EQ(replay_step(rocks.params, record, record.before), after);
    ASSERT_EQ(record.report.contact_digest, digest);
  }
}

}  // namespace
}  // namespace perigee::world
