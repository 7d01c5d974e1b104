/// Convex solids of corners: unlike triangles they have an inside, and push out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/mesh.hpp"

namespace perigee::world {

/// Immutable; shared by pointer.
class Hull {
 public:
  static constexpr std::size_t corners_max = 64;
  static constexpr double thickness_min_m = 1e-3;

  /// The convex hull of the points: the order and points inside make no difference. An error says
  /// why these points are no solid.
  static Result<std::shared_ptr<const Hull>> make(std::span<const Vec3f> points);

  struct Plane {
    Vec3 normal;          ///< of length 1, outwards
    double offset_m = 0;  ///< of its points along the normal
    double above_m(const Vec3& point) const { return dot(normal, point) - offset_m; }
  };
  std::span<const Plane> planes() const { return planes_; }
  /// The corners of the solid, without points inside, on faces and on edges. They make an equal
  /// hull.
  std::span<const Vec3f> corners() const { return surface_->corners(); }
  /// Its faces as triangles with their fronts outwards: all that touches it from outside.
  const Mesh& surface() const { return *surface_; }
  const Bounds& bounds() const { return surface_->bounds(); }
  /// Of everything that steps and rays depend on.
  std::uint64_t hash() const { return hash_; }
  /// Whether the point is inside, or at most `beside_m` in front of a face.
  bool contains(const Vec3& point, double beside_m = 0) const {
    for (const Plane& plane : planes_) {
      if (plane.above_m(point) > beside_m) return false;
    }
    return true;
  }

 private:
  friend class HullBuilder;
  Hull() = default;

  std::vector<Plane> planes_;
  MeshPtr surface_;
  std::uint64_t hash_ = 0;
};
using HullPtr = std::shared_ptr<const Hull>;

}  // namespace perigee::world
