/// The graph of a glTF file's nodes, as a list of places.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "tinygltf.hpp"

namespace perigee::gltf {

/// A linear map by its columns, and what it does to the origin.
struct Affine {
  std::array<Vec3, 3> column{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 origin;

  Vec3 turn(const Vec3& v) const { return column[0] * v.x + column[1] * v.y + column[2] * v.z; }
  Vec3 apply(const Vec3& p) const { return origin + turn(p); }
  double determinant() const { return dot(cross(column[0], column[1]), column[2]); }
  friend Affine operator*(const Affine& a, const Affine& b) {
    return {{a.turn(b.column[0]), a.turn(b.column[1]), a.turn(b.column[2])}, a.apply(b.origin)};
  }
};

/// An affine map is first a stretch, then a pose: pose(stretch(p)). The stretch of a node without
/// scale is exactly the identity.
struct Placement {
  Pose pose;
  Affine stretch;
};
Placement placement_of(const Affine& whole);

struct PlacedNode {
  std::string name;
  int mesh = -1;  ///< none: a point
  Affine place;   ///< in the scene
};
/// Of the file's scene, parents before children. Nodes with names that begin with `_` are left out,
/// with their children. Points are empty nodes without children.
Result<std::vector<PlacedNode>> placed_nodes(const tinygltf::Model& model);

}  // namespace perigee::gltf
