/// A one-sided triangle against a capsule and a ray, in closed form: no iteration, no libm but
/// sqrt.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "capsule.hpp"
#include "perigee/world/mesh.hpp"

namespace perigee::world {

/// A touch within this distance of the skin is not one yet: it would stop a capsule that goes along
/// a floor at every seam.
inline constexpr double edge_graze_m = 1e-4;
inline constexpr double face_graze_m = 1e-5;

/// False: the motion touches nothing of the triangle's plane. Answers for most triangles around a
/// capsule, at a low price.
inline bool may_touch(const Capsule& capsule, const Vec3& motion, const Triangle& triangle) {
  const Vec3& n = triangle.normal;
  const double center = dot(n, capsule.center - triangle.corner[0]);
  const double lowest = center - std::abs(dot(n, capsule.half_axis));
  return center > 0 &&
         lowest - std::max(-dot(n, motion), 0.0) < capsule.radius + skin_m - face_graze_m;
}
/// The first touch of the skin, up to `limit` of the motion. None while the capsule's centre is
/// behind the triangle.
std::optional<SweepHit> sweep(const Capsule& capsule, const Vec3& motion, const Triangle& triangle,
                              double limit);
/// Separation of surfaces if it is less than `below_m`, and the centre is in front.
std::optional<Separation> separation(const Capsule& capsule, const Triangle& triangle,
                                     double below_m);
/// Distance along `direction` (of length 1) up to `range_m`, if that leads from front to back.
std::optional<double> cast_ray(const Triangle& triangle, const Vec3& from, const Vec3& direction,
                               double range_m);

}  // namespace perigee::world
