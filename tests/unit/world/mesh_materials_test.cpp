// Materials of triangles: contacts tell their surfaces, bodies feel their friction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "meshes.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {
namespace {

constexpr std::uint16_t grass = 7;
constexpr std::uint16_t ice = 300;

/// Grass where x < 0, ice beyond, with a wall of grass at x = 4.
MeshSource grass_and_ice(float of_grass = 1, float of_ice = 0.02F) {
  MeshSource out;
  out.materials = {{grass, of_grass}, {ice, of_ice}};
  const auto add = [&](std::uint8_t material, const Vec3& a, const Vec3& b, const Vec3& c,
                       const Vec3& d) {
    add_quad(out, a, b, c, d);
    out.material_of.insert(out.material_of.end(), 2, material);
  };
  add(0, {-20, 0, -20}, {-20, 0, 20}, {0, 0, 20}, {0, 0, -20});
  add(1, {0, 0, -20}, {0, 0, 20}, {20, 0, 20}, {20, 0, -20});
  add(0, {4, 0, 20}, {4, 4, 20}, {4, 4, -20}, {4, 0, -20});
  return out;
}

TEST(MaterialsOfAMesh, StayWithTheirTriangles) {
  MeshSource source = grass_and_ice();
  const MeshPtr mesh = mesh_of(source);
  for (std::uint32_t i = 0; i < mesh->triangles().size(); ++i) {
    const Triangle triangle = mesh->triangle(i);
    const bool on_ice = triangle.bounds.high.x > 4.5;
    EXPECT_EQ(mesh->surface(i), on_ice ? ice : grass) << i;
  }
  const MeshPtr again = mesh_of(mesh->source());
  EXPECT_EQ(again->hash(), mesh->hash());
  source.materials[1].friction = 0.03F;
  EXPECT_NE(mesh_of(source)->hash(), mesh->hash());
  source = grass_and_ice();
  source.materials[1].surface = 8;
  EXPECT_NE(mesh_of(source)->hash(), mesh->hash());
  source = grass_and_ice();
  source.two_sided = true;
  const MeshPtr both = mesh_of(source);
  for (std::uint32_t i = 0; i < both->triangles().size(); ++i) {
    EXPECT_EQ(both->surface(i), both->triangle(i).bounds.high.x > 4.5 ? ice : grass) << i;
  }
  EXPECT_EQ(mesh_of(both->source())->hash(), both->hash());
}

TEST(MaterialsOfAMesh, AreCheckedWithIt) {
  using testing::HasSubstr;
  MeshSource source = grass_and_ice();
  source.material_of[3] = 2;
  EXPECT_THAT(Mesh::make(source).error().message, HasSubstr("triangle 3 of the mesh has material"));
  source = grass_and_ice();
  source.material_of.pop_back();
  EXPECT_THAT(Mesh::make(source).error().message, HasSubstr("indices of materials"));
  source = grass_and_ice();
  source.materials.clear();
  EXPECT_THAT(Mesh::make(source).error().message, HasSubstr("indices of materials"));
  for (const float friction : {-0.1F, 11.0F, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THAT(Mesh::make(grass_and_ice(friction)).error().message, HasSubstr("friction"));
  }
}

TEST(MaterialsOfAMesh, AreToldToWhoeverStandsOnThem) {
  Scene scene(nothing);
  add_mesh(scene, 9, mesh_of(grass_and_ice()));
  scene.state.position = {-3, 0.92, 0};
  scene.input = {.forward = 127, .yaw = 16384};  // towards +x
  int on_grass = 0;
  int on_ice = 0;
  for (int tick = 0; tick < 120; ++tick) {
    scene.step();
    if (!scene.grounded()) continue;
    ASSERT_FALSE(scene.report.contacts.empty());
    const double x = scene.state.position.x;
    if (x > -0.5 && x < 0.5) continue;  // either
    EXPECT_EQ(scene.report.ground_surface, x < 0 ? grass : ice) << "at " << x;
    ++(x < 0 ? on_grass : on_ice);
  }
  EXPECT_GT(on_grass, 20);
  EXPECT_GT(on_ice, 20);
  EXPECT_NEAR(scene.state.position.x, 3.59, 0.01) << "at the wall";
  EXPECT_EQ(scene.report.contacts[0].surface, grass) << "the wall was touched first";
  scene.state.position.y = 9;
  scene.step();
  EXPECT_EQ(scene.report.ground_surface, 0) << "in the air";
}

TEST(MaterialsOfAMesh, DecideHowFarBodiesSlide) {
  const auto slide_m = [](double x) {
    const auto world = make_bullet_world(4);
    world->add_body(
        {.owner = 1, .shape = make_shape({}, mesh_of(grass_and_ice())), .mode = BodyMode::Static});
    const BodyId crate = world->add_body({.owner = 2,
                                          .shape = make_shape({{.half = {0.5, 0.5, 0.5}}}),
                                          .mass_kg = 50,
                                          .pose = {{x, 0.52, -10}, {}},
                                          .velocity = {0, 0, 4}});
    for (int tick = 0; tick < 180; ++tick) {
      world->accelerate(crate, {0, -9.81, 0});
      world->step(seconds_per_tick);
    }
    return world->state(crate).pose.position.z + 10;
  };
  EXPECT_LT(slide_m(-10), 2.5);  // v^2 / (2 * 0.6 * 9.81) = 1.4 m
  EXPECT_GT(slide_m(10), 9);
}

}  // namespace
}  // namespace perigee::world
