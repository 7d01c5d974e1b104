/// Walking on triangles is like walking on boxes: no seam is felt, and the limits are the same.
#include <gtest/gtest.h>

#include "meshes.hpp"

namespace perigee::world {
namespace {

Scene on_mesh(const MeshPtr& mesh, const Pose& pose = {}) {
  Scene scene(nothing);
  add_mesh(scene, hull, mesh, pose);
  return scene;
}

TEST(AWalkOnAMesh, FeelsNoSeamOfAFlatFloor) {
  const std::pair<const char*, MeshPtr> floors[] = {
      {"regular", mesh_of(floor_of(120, 0.5))},
      {"jittered", mesh_of(floor_of(120, 0.5, {}, 0.35))},
      {"T-junctions", mesh_of(brick_floor(120, 0.5))},
      {"large triangles", mesh_of(floor_of(2, 30))}};
  for (const auto& [name, mesh] : floors) {
    for (int i = 0; i < 14; ++i) {
      Scene scene = on_mesh(mesh);
      Scene boxes;
      for (Scene* each : {&scene, &boxes}) {
        each->input.yaw = static_cast<std::uint16_t>(i * 4'681 + 77);
        each->input.held = button_run;
        each->step(20);
        each->input.forward = 127;
      }
      const double height = scene.state.position.y;
      EXPECT_NEAR(height, scene.params.height_m / 2 + 0.01, 1.1e-4);
      for (int tick = 0; tick < 160; ++tick) {
        scene.step();
        boxes.step();
        ASSERT_EQ(scene.state.position.y, height) << name << ", way " << i << ", tick " << tick;
        ASSERT_EQ(scene.state.position.x, boxes.state.position.x) << name << ", way " << i;
        ASSERT_EQ(scene.state.position.z, boxes.state.position.z) << name << ", way " << i;
        ASSERT_EQ(scene.state.velocity, boxes.state.velocity) << name << ", way " << i;
        ASSERT_TRUE(scene.grounded());
      }
      EXPECT_NEAR(length(to_double(scene.state.velocity)), scene.params.run_m_s, 1e-5);
    }
  }
}

TEST(AWalkOnAMesh, CrossesRidgesAndValleysWithoutBeingPushedAside) {
  for (const double angle : {0.1, 0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0, 40.0}) {
    const double slope = std::tan(degrees(angle));
    // ridges across the way, every 4 m
    const MeshPtr mesh = mesh_of(floor_of(80, 0.5, [&](double x, double) {
      const double along = std::abs(x) / 4;
      const double part = along - std::floor(along);
      return slope * 2 * (part < 0.5 ? 2 * part : 2 - 2 * part) / 2;
    }));
    Scene scene = on_mesh(mesh);
    scene.state.position = {-18, 1 + slope * 2, 0.1};
    scene.step(60);
    ASSERT_TRUE(scene.grounded()) << angle;
    scene.walk_along_x();
    int airborne = 0;
    for (int tick = 0; tick < 400; ++tick) {
      scene.step();
      airborne += scene.grounded() ? 0 : 1;
      ASSERT_NEAR(scene.state.position.z, 0.1, 1e-6) << angle << " degrees, tick " << tick;
      ASSERT_LT(depth_in_meshes_m(scene), 0.001) << angle << " degrees, tick " << tick;
    }
    EXPECT_EQ(airborne, 0) << angle;
    const double way_m = scene.state.position.x + 18;
    EXPECT_GT(way_m, 400 / 60.0 * scene.params.walk_m_s * 0.93) << angle;
  }
}

/// Steps of that height towards +x, with landings before and after, as one closed-off surface.
MeshPtr stairs(double rise_m, int steps) {
  MeshSource out;
  const double run_m = 0.3;
  const auto quad = [&](double x0, double y0, double x1, double y1) {
    add_quad(out, {x0, y0, -2}, {x0, y0, 2}, {x1, y1, 2}, {x1, y1, -2});
  };
  quad(-6, 0, 0, 0);
  for (int i = 0; i < steps; ++i) {
    quad(i * run_m, i * rise_m, i * run_m, (i + 1) * rise_m);
    const double end = i + 1 == steps ? steps * run_m + 6 : (i + 1) * run_m;
    quad(i * run_m, (i + 1) * rise_m, end, (i + 1) * rise_m);
  }
  return mesh_of(out);
}

TEST(AWalkOnAMesh, ClimbsAndDescendsStepsUpToItsLimit) {
  constexpr int steps = 8;
  for (const double rise : {0.10, 0.20, 0.30, 0.35}) {
    for (const bool aslant : {false, true}) {
      Scene scene = on_mesh(stairs(rise, steps));
      scene.state.position = {-3, 1, aslant ? -1.2 : 0.0};
      scene.step(30);
      const double low = scene.state.position.y;
      scene.walk_along_x();
      if (aslant) scene.input.yaw = 16384 - 2500;
      for (const double goal : {low + steps * rise, low}) {
        for (int tick = 0; tick < 140; ++tick) {
          scene.step();
          ASSERT_TRUE(scene.grounded()) << rise << ", tick " << tick;
          ASSERT_LT(depth_in_meshes_m(scene), 0.001) << rise << ", tick " << tick;
          const bool there = std::abs(scene.state.position.y - goal) < 0.01;
          if (there && std::abs(scene.state.position.x - 1.2) > 2) break;
        }
        EXPECT_NEAR(scene.state.position.y, goal, 0.01) << rise << (aslant ? ", aslant" : "");
        scene.input.forward = -127;
      }
    }
  }
}

TEST(AWalkOnAMesh, DoesNotClimbWhatIsTooHigh) {
  Scene scene = on_mesh(stairs(0.40, 8));
  scene.state.position = {-3, 1, 0};
  scene.step(30);
  const double low = scene.state.position.y;
  scene.walk_along_x();
  scene.step(240);
  EXPECT_NEAR(scene.state.position.y, low, 0.01);
  EXPECT_LT(scene.state.position.x, 0);
}

TEST(AWalkOnAMesh, StandsOn49DegreesAndSlidesFrom51) {
  for (const double angle : {49.0, 51.0}) {
    const double slope = std::tan(degrees(angle));
    Scene scene =
        on_mesh(mesh_of(floor_of(60, 0.5, [&](double x, double) { return slope * x; }, 0.3)));
    scene.state.position = {0, 1.3, 0};
    scene.step(60);
    const Vec3 before = scene.state.position;
    scene.step(60);
    if (angle < 50) {
      EXPECT_TRUE(scene.grounded());
      EXPECT_LT(distance(scene.state.position, before), 1e-9);
    } else {
      EXPECT_FALSE(scene.grounded());
      EXPECT_LT(scene.state.position.y, before.y - 0.3);
    }
  }
}

TEST(AWalkOnAMesh, StandsStillFarFromTheMeshsOrigin) {
  for (const double far : {0.0, 1'000.0, 16'000.0}) {
    MeshSource source = floor_of(40, 0.5, hills, 0.2);
    for (Vec3f& corner : source.corners) corner.x += static_cast<float>(far);
    const Pose turn{{}, yaw_rotation(0.7)};
    for (const Pose& pose : {Pose{}, turn}) {
      Scene scene = on_mesh(mesh_of(source), pose);
      scene.state.position = transform(pose, {far + 1.3, 4, 0.4});
      scene.step(120);
      for (int tick = 0; tick < 120; ++tick) {
        const Vec3 before = scene.state.position;
        scene.step();
        ASSERT_TRUE(scene.grounded()) << far;
        ASSERT_LT(distance(scene.state.position, before), 1e-4) << far << ", tick " << tick;
      }
    }
  }
}

}  // namespace
}  // namespace perigee::world
