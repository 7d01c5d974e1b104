#pragma once

#include "perigee/world/shape.hpp"

namespace perigee::skiff {

/// Whether a place is in a region: low inclusive, high exclusive.
inline bool owns(const world::Bounds& region, const Vec3& p) {
  return p.x >= region.low.x && p.x < region.high.x && p.y >= region.low.y && p.y < region.high.y &&
         p.z >= region.low.z && p.z < region.high.z;
}

}  // namespace perigee::skiff
