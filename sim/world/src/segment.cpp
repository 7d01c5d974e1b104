#include "segment.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::world {
namespace {

constexpr double parallel = 1e-12;  // squared sine of an angle

/// A point that moves against a tube: a segment from the origin along `axis`, with a radius.
/// `capped` adds the half spheres at its ends.
double enters_tube(const Vec3& point, const Vec3& motion, const Vec3& axis, double radius,
                   bool capped) {
  const double dd = dot(axis, axis);
  if (dd <= 0) return never_near;
  const double dm = dot(axis, motion);
  const double dp = dot(axis, point);
  const double mm = dot(motion, motion);
  const double pm = dot(point, motion);
  const double pp = dot(point, point);
  const double outside = dd * (pp - radius * radius) - dp * dp;
  const double across = dd * mm - dm * dm;
  double along = dp;
  double t = 0;
  if (outside > 0) {
    const double away = dd * pm - dp * dm;
    const double root = away * away - across * outside;
    if (across <= parallel * dd * mm || away >= 0 || root < 0) return never_near;
    t = (-away - std::sqrt(root)) / across;
    along += t * dm;
  }
  if (along >= 0 && along <= dd) return t;
  if (!capped) return never_near;
  const Vec3 from_end = along < 0 ? point : point - axis;
  const double gap = dot(from_end, from_end) - radius * radius;
  if (gap <= 0) return 0;
  const double away = dot(from_end, motion);
  const double root = away * away - mm * gap;
  if (away >= 0 || root < 0) return never_near;
  return (-away - std::sqrt(root)) / mm;
}

/// A point that moves against the parallelogram {x * along - y * half; 0 <= x <= 1, |y| <= 1}, with
/// a distance to either side.
double enters_slab(const Vec3& point, const Vec3& motion, const Vec3& half, const Vec3& along,
                   double reach) {
  const Vec3 normal = cross(half, along);
  const double size = dot(normal, normal);
  if (size <= parallel * dot(half, half) * dot(along, along)) return never_near;
  const double whole = std::sqrt(size);
  const double height = dot(normal, point) / whole;
  const double side = height < 0 ? -1 : 1;
  const double closing = -side * dot(normal, motion) / whole;
  const double gap = side * height - reach;
  if (gap > 0 && closing <= 0) return never_near;
  const double t = gap > 0 ? gap / closing : 0;
  const Vec3 there = point + motion * t;
  const double x = -dot(there, cross(half, normal)) / size;
  const double y = -dot(there, cross(along, normal)) / size;
  return x >= 0 && x <= 1 && y >= -1 && y <= 1 ? t : never_near;
}

}  // namespace

// C. Ericson, Real-Time Collision Detection, 5.1.9.
std::pair<Vec3, Vec3> nearest_points(const Vec3& center, const Vec3& half, const Vec3& a,
                                     const Vec3& along) {
  const Vec3 start = center - half;
  const Vec3 axis = half * 2;
  const Vec3 between = start - a;
  const double ss = dot(axis, axis);
  const double ee = dot(along, along);
  const double f = dot(along, between);
  double s = 0;
  double t = std::clamp(f / ee, 0.0, 1.0);
  if (ss > 0) {
    const double c = dot(axis, between);
    const double b = dot(axis, along);
    const double size = ss * ee - b * b;
    s = size > parallel * ss * ee ? std::clamp((b * f - c * ee) / size, 0.0, 1.0) : 0.5;
    t = (b * s + f) / ee;
    if (t < 0 || t > 1) {
      t = std::clamp(t, 0.0, 1.0);
      s = std::clamp((b * t - c) / ss, 0.0, 1.0);
    }
  }
  return {start + axis * s, a + along * t};
}

// The segments are near each other when the point center - a is near the parallelogram of their
// difference: its faces, and four tubes around its sides.
double first_within(const Vec3& center, const Vec3& half, const Vec3& motion, const Vec3& a,
                    const Vec3& along, double reach) {
  const Vec3 point = center - a;
  double first = enters_slab(point, motion, half, along, reach);
  first = std::min(first, enters_tube(point - half, motion, along, reach, true));
  first = std::min(first, enters_tube(point + half, motion, along, reach, true));
  first = std::min(first, enters_tube(point + half, motion, half * 2, reach, false));
  return std::min(first, enters_tube(point + half - along, motion, half * 2, reach, false));
}

}  // namespace perigee::world
