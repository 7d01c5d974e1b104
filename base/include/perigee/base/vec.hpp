/// Vectors, quaternions and poses in double precision: metres, radians, right-handed, y up. Of libm
/// only sqrt is used, so that every compiler and machine computes the same bits.
#pragma once

#include <algorithm>
#include <cmath>

namespace perigee {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
  friend constexpr Vec3 operator*(double s, const Vec3& a) { return a * s; }
  friend constexpr Vec3 operator/(const Vec3& a, double s) { return {a.x / s, a.y / s, a.z / s}; }
  constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  constexpr Vec3& operator*=(double s) { return *this = *this * s; }
};

constexpr double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double length_squared(const Vec3& a) { return dot(a, a); }
inline double length(const Vec3& a) { return std::sqrt(length_squared(a)); }
inline double distance(const Vec3& a, const Vec3& b) { return length(a - b); }
/// `a` scaled to length 1; `fallback` if its length is (nearly) 0.
inline Vec3 normalized(const Vec3& a, const Vec3& fallback = {0, 0, 0}) {
  const double l = length(a);
  return l > 1e-12 ? a / l : fallback;
}
constexpr Vec3 lerp(const Vec3& a, const Vec3& b, double t) { return a + (b - a) * t; }
constexpr Vec3 multiply(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// A vector as states store it: states hold only float values, so the wire is exact.
struct Vec3f {
  float x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Vec3f&, const Vec3f&) = default;
};
constexpr Vec3f to_float(const Vec3& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
constexpr Vec3 to_double(const Vec3f& a) { return {a.x, a.y, a.z}; }

/// Unit quaternion, v' = q v q*.
struct Quat {
  double x = 0, y = 0, z = 0, w = 1;

  friend constexpr bool operator==(const Quat&, const Quat&) = default;
  friend constexpr Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  }
};

constexpr Quat conjugate(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }
constexpr double dot(const Quat& a, const Quat& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
inline Quat normalized(const Quat& q) {
  const double l = std::sqrt(dot(q, q));
  return l > 1e-12 ? Quat{q.x / l, q.y / l, q.z / l, q.w / l} : Quat{};
}
constexpr Vec3 rotate(const Quat& q, const Vec3& v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}
constexpr Vec3 rotate_back(const Quat& q, const Vec3& v) { return rotate(conjugate(q), v); }

/// The rotation by the vector `w` (axis times angle, radians), rational in w: exact to fifth order
/// per call, made for angles of one tick. tan(angle/2) is replaced by its first two terms.
inline Quat small_rotation(const Vec3& w) {
  const double half = 0.5 + length_squared(w) / 24.0;
  return normalized(Quat{w.x * half, w.y * half, w.z * half, 1.0});
}
/// The angle between two rotations, radians. For small angles: beyond a radian it is too small.
inline double small_angle_between(const Quat& a, const Quat& b) {
  const Quat way = conjugate(a) * b;
  return 2 * std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
}

/// Rigid transform: child to parent.
struct Pose {
  Vec3 position;
  Quat rotation;

  friend constexpr bool operator==(const Pose&, const Pose&) = default;
  /// (parent * child): first child, then parent.
  friend constexpr Pose operator*(const Pose& parent, const Pose& child) {
    return {parent.position + rotate(parent.rotation, child.position),
            parent.rotation * child.rotation};
  }
};
constexpr Vec3 transform(const Pose& pose, const Vec3& point) {
  return pose.position + rotate(pose.rotation, point);
}
constexpr Vec3 inverse_transform(const Pose& pose, const Vec3& point) {
  return rotate_back(pose.rotation, point - pose.position);
}
/// `pose` as seen from `frame`: frame * relative(frame, pose) == pose.
constexpr Pose relative(const Pose& frame, const Pose& pose) {
  return {inverse_transform(frame, pose.position), conjugate(frame.rotation) * pose.rotation};
}

/// Motion of a rigid body at one moment; linear terms at the body's origin, all in world axes.
struct Motion {
  Pose pose;
  Vec3 velocity;              ///< m/s
  Vec3 angular_velocity;      ///< rad/s
  Vec3 acceleration;          ///< m/s^2, the last tick's mean, turned on with the body
  Vec3 angular_acceleration;  ///< rad/s^2, the last tick's mean, turned on with the body

  constexpr bool rests() const {
    const Vec3 none;
    return velocity == none && angular_velocity == none && acceleration == none &&
           angular_acceleration == none;
  }
};
constexpr Vec3 velocity_at(const Motion& motion, const Vec3& world_point) {
  return motion.velocity + cross(motion.angular_velocity, world_point - motion.pose.position);
}

/// sin and cos of one angle in radians, |angle| < 1e6, error below 1e-9. Same bits everywhere.
struct SinCos {
  double sin, cos;
};
SinCos sin_cos(double angle_rad);
/// atan2 in (-pi, pi], error below 1e-7. Same bits everywhere.
double arc_tangent(double y, double x);
/// Rotation about +y by `yaw_rad`.
Quat yaw_rotation(double yaw_rad);
/// Shortest spherical interpolation; falls back to a normalised lerp for nearly equal ends.
Quat slerp(const Quat& a, const Quat& b, double t);
/// Rotation vector (axis times angle, shortest way) of a unit quaternion.
Vec3 rotation_vector(const Quat& q);
/// The rotation by the vector `w` (axis times angle, radians, below 1e6), for any angle.
Quat rotation_by(const Vec3& w);

inline constexpr double pi = 3.14159265358979323846;

}  // namespace perigee
