#include "perigee/base/vec.hpp"

namespace perigee {
namespace {

// Taylor series on [-pi/4, pi/4]; the last omitted term is below 1e-12 there.
double sin_kernel(double r) {
  const double r2 = r * r;
  return r * (1 + r2 * (-1.0 / 6 +
                        r2 * (1.0 / 120 + r2 * (-1.0 / 5040 +
                                                r2 * (1.0 / 362880 + r2 * (-1.0 / 39916800 +
                                                                           r2 / 6227020800.0))))));
}
double cos_kernel(double r) {
  const double r2 = r * r;
  return 1 + r2 * (-0.5 + r2 * (1.0 / 24 +
                                r2 * (-1.0 / 720 + r2 * (1.0 / 40320 + r2 * (-1.0 / 3628800 +
                                                                             r2 / 479001600.0)))));
}

// atan on [0, tan(pi/8)]: series to t^15, error below 1e-8.
double atan_kernel(double t) {
  const double t2 = t * t;
  return t * (1 - t2 * (1.0 / 3 -
                        t2 * (1.0 / 5 -
                              t2 * (1.0 / 7 - t2 * (1.0 / 9 - t2 * (1.0 / 11 -
                                                                    t2 * (1.0 / 13 - t2 / 15)))))));
}

}  // namespace

SinCos sin_cos(double angle_rad) {
  const double quarter_turns = angle_rad * (2 / pi);
  const auto n = static_cast<long long>(quarter_turns + (quarter_turns < 0 ? -0.5 : 0.5));
  const double r = angle_rad - static_cast<double>(n) * (pi / 2);
  const double s = sin_kernel(r);
  const double c = cos_kernel(r);
  switch (static_cast<unsigned>(n) & 3U) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

double arc_tangent(double y, double x) {
  const double ax = x < 0 ? -x : x;
  const double ay = y < 0 ? -y : y;
  if (ax == 0 && ay == 0) return 0;
  const bool steep = ay > ax;
  const double t = steep ? ax / ay : ay / ax;
  // atan(t) = pi/4 + atan((t-1)/(t+1)) keeps the argument small
  double angle = t > 0.41421356 ? pi / 4 - atan_kernel((1 - t) / (1 + t)) : atan_kernel(t);
  if (steep) angle = pi / 2 - angle;
  if (x < 0) angle = pi - angle;
  return y < 0 ? -angle : angle;
}

Quat yaw_rotation(double yaw_rad) {
  const SinCos half = sin_cos(yaw_rad * 0.5);
  return {0, half.sin, 0, half.cos};
}

Vec3 rotation_vector(const Quat& q) {
  const double sign = q.w < 0 ? -1 : 1;
  const Vec3 v{q.x * sign, q.y * sign, q.z * sign};
  const double s = length(v);
  if (s < 1e-9) return v * 2.0;
  return v * (2 * arc_tangent(s, q.w * sign) / s);
}

Quat rotation_by(const Vec3& w) {
  const double angle = length(w);
  if (angle < 1e-6) return small_rotation(w);
  const SinCos half = sin_cos(angle / 2);
  const Vec3 axis = w * (half.sin / angle);
  return {axis.x, axis.y, axis.z, half.cos};
}

Quat slerp(const Quat& a, const Quat& b, double t) {
  const double cosine = dot(a, b);
  const double sign = cosine < 0 ? -1 : 1;
  double wa = 1 - t;
  double wb = t;
  if (cosine * sign < 0.9995) {
    const double c = cosine * sign;
    const double s = std::sqrt(1 - c * c);
    const double angle = arc_tangent(s, c);
    wa = sin_cos((1 - t) * angle).sin / s;
    wb = sin_cos(t * angle).sin / s;
  }
  wb *= sign;
  return normalized(
      Quat{wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z, wa * a.w + wb * b.w});
}

}  // namespace perigee
