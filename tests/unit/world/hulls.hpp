/// Convex solids for tests.
#pragma once

#include <algorithm>
#include <vector>

#include "perigee/world/hull.hpp"
#include "scene.hpp"

namespace perigee::world {

inline HullPtr hull_of(const std::vector<Vec3f>& points) {
  const auto made = Hull::make(points);
  PERIGEE_ASSERT(made.ok(), "a usable hull");
  return *made;
}

/// The corners of a box without rounding.
inline std::vector<Vec3f> corners_of(const Box& box) {
  std::vector<Vec3f> out;
  for (int i = 0; i < 8; ++i) {
    const Vec3 sides{i % 2 == 0 ? -1.0 : 1.0, i / 2 % 2 == 0 ? -1.0 : 1.0, i < 4 ? -1.0 : 1.0};
    out.push_back(to_float(box.center + rotate(box.rotation, multiply(box.half, sides))));
  }
  return out;
}

/// Each box as a hull.
inline ShapePtr solid_shape(const std::vector<Box>& boxes) {
  std::vector<HullPtr> hulls;
  for (const Box& box : boxes) hulls.push_back(hull_of(corners_of(box)));
  return make_shape({}, nullptr, std::move(hulls));
}

/// A scene of hulls, and the same one of boxes to measure depths with.
struct SolidScene {
  Scene solid{nothing};
  Scene boxes{nothing};

  void add(Handle id, const std::vector<Box>& parts, const Pose& pose = {}) {
    solid.shapes.push_back(solid_shape(parts));
    solid.neighbours.push_back(
        make_neighbour(id, NeighbourKind::Solid, *solid.shapes.back(), pose, pose));
    boxes.add(id, parts, pose);
  }
  void move_neighbour(std::size_t index, const Pose& to) {
    solid.move_neighbour(index, to);
    boxes.move_neighbour(index, to);
  }
  double depth_m() {
    boxes.state = solid.state;
    return penetration_m(boxes);
  }
};

}  // namespace perigee::world
