/// Walking on a heightfield is like walking on boxes and on the same mesh.
#include <gtest/gtest.h>

#include "heightfields.hpp"
#include "sanitized.hpp"

namespace perigee::world {
namespace {

TEST(AWalkOnAHeightfield, FeelsNoSeamOfAFlatFloor) {
  for (const Diagonals diagonals : all_diagonals) {
    for (const double side_m : {0.5, 1.0, 7.3}) {
      const HeightfieldPtr field = field_of(static_cast<int>(60 / side_m), side_m, {}, diagonals);
      for (int i = 0; i < 14; ++i) {
        Scene scene = on_field(field);
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
          ASSERT_EQ(scene.state.position.y, height) << "way " << i << ", tick " << tick;
          ASSERT_EQ(scene.state.position.x, boxes.state.position.x) << side_m << ", way " << i;
          ASSERT_EQ(scene.state.position.z, boxes.state.position.z) << side_m << ", way " << i;
          ASSERT_EQ(scene.state.velocity, boxes.state.velocity) << side_m << ", way " << i;
          ASSERT_TRUE(scene.grounded());
        }
        EXPECT_NEAR(length(to_double(scene.state.velocity)), scene.params.run_m_s, 1e-5);
      }
    }
  }
}

TEST(AWalkOnAHeightfield, IsThatOnTheSameMesh) {
  for (const Diagonals diagonals : all_diagonals) {
    for (const Pose& pose : {Pose{}, Pose{{1, -2, 3}, yaw_rotation(0.7)}}) {
      const HeightfieldPtr field = field_of(160, 0.5, hills, diagonals);
      Scene scene = on_field(field, pose);
      Scene on_mesh(nothing);
      add_mesh(on_mesh, hull, mesh_of(mesh_source_of(*field)), pose);
      Random random(31);
      for (int tick = 0; tick < (shortened() ? 1'000 : 6'000); ++tick) {
        wander(scene.input, random);
        if (tick % 200 == 199 || std::abs(scene.state.position.x) > 30 ||
            std::abs(scene.state.position.z) > 30) {
          scene.state = {.position = {random.between(-9, 9), 8, random.between(-9, 9)},
                         .velocity = {static_cast<float>(random.between(-90, 90)), -30, 20}};
        }
        on_mesh.state = scene.state;
        on_mesh.input = scene.input;
        scene.step();
        on_mesh.step();
        ASSERT_LT(distance(scene.state.position, on_mesh.state.position), 1e-9) << "tick " << tick;
        ASSERT_EQ(scene.grounded(), on_mesh.grounded()) << "tick " << tick;
      }
    }
  }
}

TEST(AWalkOnAHeightfield, CrossesRidgesAndValleysWithoutBeingPushedAside) {
  for (const Diagonals diagonals : {Diagonals::Falling, Diagonals::Alternating}) {
    for (const double angle :
         extremes_of(std::vector{0.1, 0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0, 40.0})) {
      const double slope = std::tan(degrees(angle));
      HeightfieldSource source = field_source(
          80, 0.5,
          [&](double x, double) {
            const double along = std::abs(x) / 4;
            const double part = along - std::floor(along);
            return slope * 2 * (part < 0.5 ? 2 * part : 2 - 2 * part) / 2;
          },
          diagonals);
      Scene scene = on_field(field_of(std::move(source)));
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
}

TEST(AWalkOnAHeightfield, StandsOn49DegreesAndSlidesFrom51) {
  for (const double angle : {49.0, 51.0}) {
    // Plane to the last bit: as many steps of the height for each column.
    HeightfieldSource source{.columns = 61,
                             .rows = 61,
                             .spacing_m = 0.5,
                             .height_step_m = 0.5 / 16 * std::tan(degrees(angle)),
                             .low_m = -15 * std::tan(degrees(angle))};
    for (std::uint16_t i = 0; i < 61 * 61; ++i) source.heights.push_back(i % 61 * 16);
    Scene scene = on_field(field_of(std::move(source)));
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

TEST(AWalkOnAHeightfield, StandsStillFarFromItsMiddle) {
  HeightfieldSource source{
      .columns = 8'193, .rows = 33, .spacing_m = 4, .height_step_m = 1.0 / 1024, .low_m = -8};
  for (std::uint32_t i = 0; i < 8'193 * 33; ++i) {
    const double y = hills((i % 8'193) * 0.7, static_cast<double>(i) / 8'193) + 8;
    source.heights.push_back(static_cast<std::uint16_t>(y * 1024));
  }
  const HeightfieldPtr field = field_of(std::move(source));
  for (const double far : {0.0, 1'000.0, 16'000.0}) {
    for (const Pose& pose : {Pose{}, Pose{{}, yaw_rotation(0.7)}}) {
      Scene scene = on_field(field, pose);
      scene.state.position = transform(pose, {far + 1.3, 4, 0.4});
      scene.step(240);
      for (int tick = 0; tick < 120; ++tick) {
        const Vec3 before = scene.state.position;
        scene.step();
        ASSERT_TRUE(scene.grounded()) << far;
        ASSERT_LT(distance(scene.state.position, before), 1e-4) << far << ", tick " << tick;
      }
    }
  }
}

TEST(AWalkOnAHeightfield, TellsItsMaterialsAndFallsThroughItsHoles) {
  HeightfieldSource source = field_source(40, 1, {}, Diagonals::Falling);
  source.materials = {{7, 1}, {300, 0.1F}};
  for (int cell = 0; cell < 40 * 40; ++cell) {
    const int column = cell % 40;
    source.cells.push_back(column < 20 ? 0 : column < 24 ? 1 : Heightfield::hole);
  }
  Scene scene = on_field(field_of(std::move(source)));
  scene.state.position = {-3, 0.92, 0.3};
  scene.walk_along_x();
  int on_first = 0;
  int on_second = 0;
  for (int tick = 0; tick < 180 && scene.state.position.x < 3.9; ++tick) {
    scene.step();
    if (!scene.grounded() || std::abs(scene.state.position.x) < 0.5) continue;
    EXPECT_EQ(scene.report.ground_surface, scene.state.position.x < 0 ? 7 : 300);
    ++(scene.state.position.x < 0 ? on_first : on_second);
  }
  EXPECT_GT(on_first, 20);
  EXPECT_GT(on_second, 20);
  scene.step(120);
  EXPECT_FALSE(scene.grounded());
  EXPECT_LT(scene.state.position.y, -5);
}

}  // namespace
}  // namespace perigee::world
