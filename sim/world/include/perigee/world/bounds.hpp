/// Axis-aligned boxes of space.
#pragma once

#include "perigee/base/vec.hpp"

namespace perigee::world {

/// An axis-aligned box of space; empty if low > high on any axis.
struct Bounds {
  Vec3 low, high;
  friend constexpr bool operator==(const Bounds&, const Bounds&) = default;

  constexpr bool contains(const Vec3& p) const {
    // Without branches: the answer can rarely be predicted.
    return (unsigned{p.x >= low.x} & unsigned{p.x <= high.x} & unsigned{p.y >= low.y} &
            unsigned{p.y <= high.y} & unsigned{p.z >= low.z} & unsigned{p.z <= high.z}) != 0;
  }
  constexpr bool encloses(const Bounds& other) const {
    return contains(other.low) && contains(other.high);
  }
  constexpr Vec3 center() const { return (low + high) * 0.5; }
  constexpr Vec3 size() const { return high - low; }
};
inline constexpr Bounds nowhere{{1, 1, 1}, {-1, -1, -1}};
constexpr bool overlap(const Bounds& a, const Bounds& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}
Bounds united(const Bounds& a, const Bounds& b);
constexpr Bounds inflated(const Bounds& bounds, double by_m) {
  const Vec3 by{by_m, by_m, by_m};
  return {bounds.low - by, bounds.high + by};
}
/// Bounds of all corners of `bounds` under `pose`.
Bounds transformed(const Pose& pose, const Bounds& bounds);

}  // namespace perigee::world
