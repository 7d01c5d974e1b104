#include "perigee/world/mesh.hpp"

#include <algorithm>

#include "mesh_builder.hpp"
#include "triangle.hpp"

namespace perigee::world {
namespace {

/// A ray's way through a node's bounds, by slabs.
struct Ray {
  Vec3 from, per_m;  ///< of each axis: metres of the ray for a metre along the axis

  Ray(const Vec3& start, const Vec3& direction)
      : from(start), per_m{inverse(direction.x), inverse(direction.y), inverse(direction.z)} {}
  static double inverse(double step) {
    constexpr double level = 1e-30;  // instead of 0: such a ray never leaves a slab that it is in
    return 1 / (std::abs(step) < level ? level : step);
  }
  bool meets(const Vec3f& low, const Vec3f& high, double range_m) const {
    double enters = 0;
    double leaves = range_m;
    const auto slab = [&](double a, double b, double start, double per) {
      const double t = (a - start) * per;
      const double u = (b - start) * per;
      enters = std::max(enters, std::min(t, u));
      leaves = std::min(leaves, std::max(t, u));
    };
    slab(low.x, high.x, from.x, per_m.x);
    slab(low.y, high.y, from.y, per_m.y);
    slab(low.z, high.z, from.z, per_m.z);
    constexpr double rounding = 1e-9;  // a flat node is entered and left at once
    return enters <= leaves + rounding * (1 + enters);
  }
};

}  // namespace

Result<MeshPtr> Mesh::make(const MeshSource& source) { return MeshBuilder(source).build(); }

std::size_t Mesh::memory_bytes() const {
  return corners_.size() * sizeof(corners_[0]) + triangles_.size() * sizeof(triangles_[0]) +
         edges_.size() + material_of_.size() + nodes_.size() * sizeof(nodes_[0]);
}

MeshSource Mesh::source() const {
  MeshSource out;
  out.corners = corners_;
  out.materials = materials_;
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const bool second = (edges_[i] & second_front) != 0;
    out.two_sided = out.two_sided || second;
    if (second) continue;
    out.triangles.push_back(triangles_[i]);
    if (!materials_.empty()) out.material_of.push_back(material_of_[i]);
  }
  return out;
}

std::optional<Mesh::RayHit> Mesh::cast_ray(const Vec3& from, const Vec3& direction,
                                           double range_m) const {
  const Ray ray(from, direction);
  std::optional<RayHit> nearest;
  for (std::uint32_t at = 0; at < nodes_.size();) {
    const Node& node = nodes_[at];
    const double range = nearest ? nearest->away_m : range_m;
    if (!ray.meets(node.bounds.low, node.bounds.high, range)) {
      at = node.skip;
      continue;
    }
    for (std::uint32_t i = node.leaf / 8; i < node.leaf / 8 + node.leaf % 8; ++i) {
      const auto away_m = world::cast_ray(triangle(i), from, direction, range_m);
      if (away_m && (!nearest || *away_m < nearest->away_m)) nearest = RayHit{*away_m, i};
    }
    ++at;
  }
  return nearest;
}

}  // namespace perigee::world
