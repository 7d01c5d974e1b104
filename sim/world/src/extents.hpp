/// Sizes of turned boxes and of bounds.
#pragma once

#include "perigee/world/bounds.hpp"

namespace perigee::world {

Vec3 absolute(const Vec3& v);
/// Half extents of the bounds of a rotated box. Without a rotation they stay exact.
Vec3 extents_of(const Quat& rotation, const Vec3& half);
/// Radius of the smallest sphere about the origin that contains the bounds.
double farthest_m(const Bounds& bounds);

}  // namespace perigee::world
