#include "perigee/world/bounds.hpp"

#include <algorithm>

#include "extents.hpp"

namespace perigee::world {
namespace {

Vec3 least(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 greatest(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

/// The same as rotate({x, y, z, w}, {length, 0, 0}), to the bit, without the products with zero. A
/// cyclic permutation of x, y, z, and of the result, gives the two other axes.
Vec3 rotated_axis(double x, double y, double z, double w, double length) {
  const double ty = 2.0 * (z * length), tz = -(2.0 * (y * length));
  return {length + (y * tz - z * ty), w * ty - x * tz, w * tz + x * ty};
}

}  // namespace

Bounds united(const Bounds& a, const Bounds& b) {
  return {least(a.low, b.low), greatest(a.high, b.high)};
}

Bounds transformed(const Pose& pose, const Bounds& bounds) {
  const Vec3 center = transform(pose, bounds.center());
  const Vec3 half = extents_of(pose.rotation, bounds.size() * 0.5);
  return {center - half, center + half};
}

Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

Vec3 extents_of(const Quat& rotation, const Vec3& half) {
  if (rotation == Quat{}) return half;
  const auto& [x, y, z, w] = rotation;
  const Vec3 of_x = rotated_axis(x, y, z, w, half.x);
  const Vec3 of_y = rotated_axis(y, z, x, w, half.y);
  const Vec3 of_z = rotated_axis(z, x, y, w, half.z);
  return absolute(of_x) + absolute(Vec3{of_y.z, of_y.x, of_y.y}) +
         absolute(Vec3{of_z.y, of_z.z, of_z.x});
}

double farthest_m(const Bounds& bounds) {
  return length(greatest(absolute(bounds.low), absolute(bounds.high)));
}

}  // namespace perigee::world
