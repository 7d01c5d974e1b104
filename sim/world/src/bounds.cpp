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
  return absolute(rotate(rotation, {half.x, 0, 0})) + absolute(rotate(rotation, {0, half.y, 0})) +
         absolute(rotate(rotation, {0, 0, half.z}));
}

double farthest_m(const Bounds& bounds) {
  return length(greatest(absolute(bounds.low), absolute(bounds.high)));
}

}  // namespace perigee::world
