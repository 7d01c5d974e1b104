/// Terrain for tests, as heightfields and as the meshes of the same triangles.
#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "meshes.hpp"
#include "perigee/world/heightfield.hpp"

namespace perigee::world {

inline constexpr Diagonals all_diagonals[] = {Diagonals::Falling, Diagonals::Rising,
                                              Diagonals::Alternating};
/// Exact as a float, as all places of a mesh.
inline constexpr double test_step_m = 1.0 / 1024;
inline constexpr double test_low_m = -16;

/// `sides` x `sides` cells around the origin. `height(x, z)` has to be from -16 to 47.
inline HeightfieldSource field_source(int sides, double side_m,
                                      const std::function<double(double, double)>& height = {},
                                      Diagonals diagonals = Diagonals::Alternating) {
  HeightfieldSource out{.columns = static_cast<std::uint32_t>(sides) + 1,
                        .rows = static_cast<std::uint32_t>(sides) + 1,
                        .spacing_m = side_m,
                        .height_step_m = test_step_m,
                        .low_m = test_low_m,
                        .diagonals = diagonals};
  for (int row = 0; row <= sides; ++row) {
    for (int column = 0; column <= sides; ++column) {
      const double x = (column - sides / 2.0) * side_m;
      const double z = (row - sides / 2.0) * side_m;
      const double y = height ? height(x, z) : 0;
      out.heights.push_back(
          static_cast<std::uint16_t>(std::lround((y - test_low_m) / test_step_m)));
    }
  }
  return out;
}

inline HeightfieldPtr field_of(HeightfieldSource source) {
  const Result<HeightfieldPtr> made = Heightfield::make(std::move(source));
  PERIGEE_ASSERT(made.ok(), "a usable heightfield");
  return *made;
}
inline HeightfieldPtr field_of(int sides, double side_m,
                               const std::function<double(double, double)>& height = {},
                               Diagonals diagonals = Diagonals::Alternating) {
  return field_of(field_source(sides, side_m, height, diagonals));
}

/// The same triangles, with the same corners first.
inline MeshSource mesh_source_of(const Heightfield& field) {
  MeshSource out;
  for (std::uint32_t row = 0; row < field.rows(); ++row) {
    for (std::uint32_t column = 0; column < field.columns(); ++column) {
      out.corners.push_back(to_float(field.place(column, row)));
    }
  }
  for (std::uint32_t row = 0; row + 1 < field.rows(); ++row) {
    for (std::uint32_t column = 0; column + 1 < field.columns(); ++column) {
      if (field.is_hole(column, row)) continue;
      const std::uint32_t first = row * field.columns() + column;
      const std::uint32_t corners[4] = {first, first + field.columns(), first + field.columns() + 1,
                                        first + 1};
      for (const auto& of : field.split(column, row)) {
        out.triangles.push_back({corners[of[0]], corners[of[1]], corners[of[2]]});
      }
    }
  }
  return out;
}

inline Neighbour& add_field(Scene& scene, Handle id, const HeightfieldPtr& field,
                            const Pose& pose = {}) {
  scene.shapes.push_back(make_shape(field));
  scene.neighbours.push_back(
      make_neighbour(id, NeighbourKind::Solid, *scene.shapes.back(), pose, pose));
  return scene.neighbours.back();
}
inline Scene on_field(const HeightfieldPtr& field, const Pose& pose = {}) {
  Scene scene(nothing);
  add_field(scene, hull, field, pose);
  return scene;
}

}  // namespace perigee::world
