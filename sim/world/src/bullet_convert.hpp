/// Conversion of vectors and poses to Bullet's types and back.
#pragma once

#include <LinearMath/btTransform.h>

#include "perigee/base/vec.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::world {

inline btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
inline btQuaternion to_bullet(const Quat& q) { return {q.x, q.y, q.z, q.w}; }
inline btTransform to_bullet(const Pose& p) {
  return btTransform(to_bullet(p.rotation), to_bullet(p.position));
}
inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline Quat from_bullet(const btQuaternion& q) {
  return normalized(Quat{q.x(), q.y(), q.z(), q.w()});
}
inline Pose from_bullet(const btTransform& t) {
  return {from_bullet(t.getOrigin()), from_bullet(t.getRotation())};
}

}  // namespace perigee::world
