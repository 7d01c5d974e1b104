/// Triangles hold an actor back at any speed, from their fronts only; moving ones take it along.
#include <gtest/gtest.h>

#include <limits>

#include "long_run.hpp"
#include "meshes.hpp"

namespace perigee::world {
namespace {

constexpr double depth_allowed_m = 0.001;

/// A wall in the plane x = 0 with its front towards -x; thick: a closed block behind it.
MeshPtr wall(double side_m, bool thick) {
  constexpr double half = 8;
  MeshSource out;
  if (thick) {
    add_block(out, {0, -half, -half}, {0.2, half, half}, static_cast<int>(2 * half / side_m));
    return mesh_of(out);
  }
  for (double y = -half; y < half; y += side_m) {
    for (double z = -half; z < half; z += side_m) {
      add_quad(out, {0, y, z}, {0, y, z + side_m}, {0, y + side_m, z + side_m}, {0, y + side_m, z});
    }
  }
  return mesh_of(out);
}

TEST(ACollisionWithAMesh, IsNeverATunnel) {
  const int each = long_run() ? 2'500 : 60;
  for (const bool thick : {false, true}) {
    for (const double side : {0.5, 8.0}) {
      const MeshPtr mesh = wall(side, thick);
      for (int i = 0; i < each; ++i) {
        Random random(static_cast<std::uint64_t>(i) + 1'000);
        const double speed = i % 2 == 0 ? 1'000 : random.between(5, 1'000);
        Scene scene(nothing);
        const Pose pose{{random.between(-3, 3), 0, 0}, roll(random.between(-0.5, 0.5))};
        add_mesh(scene, hull, mesh, pose);
        scene.frame = {};
        scene.state.position =
            transform(pose, {random.between(-18, -1), random.between(-2, 2), 0.3});
        const Vec3 way =
            rotate(pose.rotation, {1, random.between(-0.2, 0.2), random.between(-0.2, 0.2)});
        scene.state.velocity = to_float(way * speed);
        for (int tick = 0; tick < 4; ++tick) {
          scene.step();
          const Vec3 seen = inverse_transform(pose, scene.state.position);
          if (std::abs(seen.y) > 7 || std::abs(seen.z) > 7) break;  // slid off, to the side
          ASSERT_LT(seen.x, -0.39) << speed << " m/s, seed " << i << ", tick " << tick;
          ASSERT_LT(depth_in_meshes_m(scene), depth_allowed_m) << speed << " m/s, seed " << i;
        }
      }
    }
  }
}

TEST(ACollisionWithAMesh, KeepsAThrownActorAboveHillsAndInsideABuilding) {
  MeshSource building = floor_of(40, 0.5);
  for (int i = 0; i < 4; ++i) add_block(building, {i * 3.0 - 6, 0, -4}, {i * 3.0 - 5, 3, -2}, 3);
  const std::pair<MeshPtr, double> levels[] = {{mesh_of(floor_of(160, 0.5, hills, 0.3)), -3},
                                               {mesh_of(building), 0}};
  for (const auto& [mesh, floor_m] : levels) {
    Scene scene(nothing);
    add_mesh(scene, hull, mesh);
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
      const double edge = mesh == levels[0].first ? 36 : 9;
      if (std::abs(at.x) > edge || std::abs(at.z) > edge || at.y > 30) {
        scene.state = {};
        scene.state.position = {random.between(-5, 5), 5, random.between(-1, 5)};
        continue;
      }
      ASSERT_GT(at.y, floor_m + 0.5) << "tick " << tick;
      if (tick % 16 == 0) {
        ASSERT_LT(depth_in_meshes_m(scene), depth_allowed_m) << "tick " << tick;
      }
    }
    EXPECT_EQ(scene.report.overflows, 0);
  }
}

TEST(ACollisionWithAMesh, OfAMovingWallTakesTheActorAlong) {
  MeshSource block;
  add_block(block, {-0.1, 0, -6}, {0.1, 3, 6}, 6);
  const MeshPtr sheet = [] {
    MeshSource out;
    add_quad(out, {0, 0, -6}, {0, 3, -6}, {0, 3, 6}, {0, 0, 6});
    return mesh_of(out);
  }();
  for (const MeshPtr& mesh : {mesh_of(block), sheet}) {
    for (const double speed : {5.0, 50.0, 200.0}) {
      for (const double turning : {0.0, 2.0}) {
        for (int i = 0; i < (long_run() ? 300 : 15); ++i) {
          Random random(static_cast<std::uint64_t>(i));
          Scene scene;
          add_mesh(scene, 9, mesh, {{random.between(-12, -8), 0, 0}, {}});
          double x = scene.neighbours[1].pose.position.x;
          for (int tick = 0; tick < 40; ++tick) {
            x += speed / 60;
            scene.move_neighbour(1, {{x, 0, 0}, yaw_rotation(turning * tick / 60)});
            scene.step();
            const Vec3 seen = inverse_transform(scene.neighbours[1].pose, scene.state.position);
            ASSERT_GT(seen.x, 0.39) << speed << " m/s, turning " << turning << ", seed " << i;
            ASSERT_LT(depth_in_meshes_m(scene), depth_allowed_m) << speed << " m/s, seed " << i;
            ASSERT_FALSE(scene.report.crushed);
          }
        }
      }
    }
  }
}

TEST(ACollisionWithAMesh, OfALiftKeepsTheActorOnIt) {
  MeshSource source;
  add_block(source, {-3, -0.4, -3}, {3, 0, 3}, 4);
  for (const double speed : {-20.0, -2.0, 2.0, 20.0}) {
    Scene scene(nothing);
    add_mesh(scene, 9, mesh_of(source));
    scene.step(5);
    for (int tick = 1; tick <= 120; ++tick) {
      scene.move_neighbour(0, {{0, tick * speed / 60, 0}, {}});
      scene.step();
      ASSERT_TRUE(scene.grounded()) << speed << " m/s, tick " << tick;
      ASSERT_NEAR(scene.state.position.y - tick * speed / 60, 0.91, 0.002) << speed;
    }
  }
}

TEST(ACollisionWithAMesh, ThatLeavesNoRoomIsReportedAsACrush) {
  MeshSource press;
  add_block(press, {-3, 0, -3}, {3, 1, 3}, 2);
  Scene scene(nothing);
  add_mesh(scene, hull, mesh_of(floor_of(10, 1)));
  add_mesh(scene, 9, mesh_of(press), {{0, 3, 0}, {}});
  scene.step(5);
  bool crushed = false;
  for (int tick = 1; tick <= 120 && !crushed; ++tick) {
    scene.move_neighbour(1, {{0, 3 - tick / 30.0, 0}, {}});
    scene.step();
    crushed = scene.report.crushed;
    EXPECT_EQ(crushed, scene.neighbours[1].pose.position.y < scene.state.position.y);
    ASSERT_GT(scene.state.position.y, 0.5) << "pressed through the floor";
  }
  EXPECT_TRUE(crushed);
}

TEST(ACollisionWithAMesh, WithWhoStartsInItEndsAtItsFront) {
  const MeshPtr mesh = mesh_of(floor_of(20, 0.5));
  for (const double depth : {0.0, 0.005, 0.05, 0.2, 0.4, 0.6, 0.8, 0.899}) {
    for (const double tilt : {0.0, 30.0, 90.0}) {
      const Pose pose{{}, roll(degrees(tilt))};
      Scene scene(nothing);
      scene.frame = {};
      add_mesh(scene, hull, mesh, pose);
      const Vec3 normal = rotate(pose.rotation, {0, 1, 0});
      const double support = 0.4 + 0.5 * std::abs(normal.y);
      const double height = std::max(support - depth, 0.001);
      scene.state.position = normal * height + rotate(pose.rotation, {0.01, 0, 0.03});
      scene.step(10);
      EXPECT_LT(depth_in_meshes_m(scene), depth_allowed_m) << depth << ", " << tilt;
      EXPECT_GT(dot(normal, scene.state.position), support - depth_allowed_m)
          << depth << ", " << tilt;
    }
  }
}

TEST(ACollisionWithAMesh, EndsAtAnySpeed) {
  for (const float speed : {1e5F, 1e12F, 3e38F, std::numeric_limits<float>::infinity()}) {
    Scene scene(nothing);
    scene.frame = {};
    add_mesh(scene, hull, wall(4, true), {{30, 0, 0}, {}});
    scene.state.velocity = {speed, 0, 0};
    scene.step(2);
    if (speed > 1e9F) continue;  // beyond every limit of a state: it only has to end
    EXPECT_LT(scene.state.position.x, 30 - 0.39) << speed;
  }
}

TEST(ACollisionWithAMesh, DoesNotHappenFromBehind) {
  Scene scene(nothing);
  add_mesh(scene, hull, mesh_of(floor_of(20, 0.5)));
  scene.state.position = {0, -3, 0};
  scene.state.velocity = {0, 15, 0};
  scene.step(30);
  EXPECT_GT(scene.state.position.y, 1) << "it rises through the floor";
  scene.step(210);
  EXPECT_TRUE(scene.grounded()) << "and lands on it";
}

TEST(ACollisionWithAMesh, HappensFromBothSidesOfAFence) {
  MeshSource fence;
  add_quad(fence, {0, 0, -6}, {0, 2, -6}, {0, 2, 6}, {0, 0, 6});
  fence.two_sided = true;
  const MeshPtr mesh = mesh_of(fence);
  for (const double from : {-2.0, 2.0}) {
    Scene scene;
    add_mesh(scene, 9, mesh);
    scene.state.position.x = from;
    scene.walk_along_x();
    if (from > 0) scene.input.forward = -127;
    scene.step(120);
    EXPECT_NEAR(scene.state.position.x, from > 0 ? 0.41 : -0.41, 0.001);
  }
}

}  // namespace
}  // namespace perigee::world
