#include "capsule.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

constexpr double touching_m = 1e-9;  // a shorter direction is noise

/// Point and direction of the segment in the box's own axes.
struct LocalSegment {
  double c[3];
  double d[3];
  double h[3];
};

double excess(const LocalSegment& segment, int axis, double s) {
  const double p = segment.c[axis] + s * segment.d[axis];
  return p > segment.h[axis] ? p - segment.h[axis]
                             : (p < -segment.h[axis] ? p + segment.h[axis] : 0);
}

/// Half the derivative of the squared distance along the segment: piecewise linear, monotone.
double slope(const LocalSegment& segment, double s) {
  return excess(segment, 0, s) * segment.d[0] + excess(segment, 1, s) * segment.d[1] +
         excess(segment, 2, s) * segment.d[2];
}

/// Parameter in [-1, 1] of the segment's point nearest to the box.
double nearest_parameter(const LocalSegment& segment) {
  double low = -1;
  double high = 1;
  double slope_low = slope(segment, low);
  double slope_high = slope(segment, high);
  if (slope_low >= 0) return low;
  if (slope_high <= 0) return high;
  for (int axis = 0; axis < 3; ++axis) {
    if (segment.d[axis] == 0) continue;
    for (const double side : {-1.0, 1.0}) {
      const double s = (side * segment.h[axis] - segment.c[axis]) / segment.d[axis];
      if (s <= low || s >= high) continue;
      const double value = slope(segment, s);
      if (value < 0) {
        low = s;
        slope_low = value;
      } else {
        high = s;
        slope_high = value;
      }
    }
  }
  if (slope_high <= slope_low) return low;
  return low - slope_low * (high - low) / (slope_high - slope_low);
}

Vec3 along_axes(const TurnedBox& box, const Vec3& local) {
  return box.axis[0] * local.x + box.axis[1] * local.y + box.axis[2] * local.z;
}

/// Of the faces that `local` lies beyond, the one with the most upward normal; box axes.
Vec3 upward_face(const TurnedBox& box, const double (&local)[3]) {
  Vec3 best;
  double best_up = -2;
  for (int axis = 0; axis < 3; ++axis) {
    if (local[axis] == 0) continue;
    const Vec3 face = box.axis[axis] * (local[axis] > 0 ? 1.0 : -1.0);
    if (face.y > best_up) {
      best_up = face.y;
      best = face;
    }
  }
  return best;
}

/// The segment touches the core box: least overlap over 3 face and 3 edge axes (separating axes).
Separation penetration(const Capsule& capsule, const TurnedBox& box, const LocalSegment& segment) {
  double depth = 1e300;
  Vec3 normal;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = segment.c[axis] < 0 ? -1.0 : 1.0;
    const double overlap = segment.h[axis] + std::abs(segment.d[axis]) - side * segment.c[axis];
    if (overlap < depth) {
      depth = overlap;
      normal = box.axis[axis] * side;
    }
  }
  const Vec3 offset{segment.c[0], segment.c[1], segment.c[2]};
  const Vec3 direction{segment.d[0], segment.d[1], segment.d[2]};
  const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3& edge : unit) {
    const Vec3 crossed = cross(direction, edge);
    const double size = length(crossed);
    if (size < 1e-6) continue;
    Vec3 n = crossed / size;
    if (dot(n, offset) < 0) n = -n;
    const double overlap = segment.h[0] * std::abs(n.x) + segment.h[1] * std::abs(n.y) +
                           segment.h[2] * std::abs(n.z) - dot(n, offset);
    if (overlap < depth) {
      depth = overlap;
      normal = along_axes(box, n);
    }
  }
  return {.distance = -depth - capsule.radius - box.radius,
          .normal = normal,
          .face = normal,
          .point = capsule.center};
}

}  // namespace

TurnedBox turned(const Pose& pose, const Box& box) {
  const Quat rotation = pose.rotation * box.rotation;
  return {.center = transform(pose, box.center),
          .axis = {rotate(rotation, {1, 0, 0}), rotate(rotation, {0, 1, 0}),
                   rotate(rotation, {0, 0, 1})},
          .half = box.half,
          .radius = box.radius};
}

Separation separation(const Capsule& capsule, const TurnedBox& box) {
  const Vec3 offset = capsule.center - box.center;
  const LocalSegment segment{
      {dot(offset, box.axis[0]), dot(offset, box.axis[1]), dot(offset, box.axis[2])},
      {dot(capsule.half_axis, box.axis[0]), dot(capsule.half_axis, box.axis[1]),
       dot(capsule.half_axis, box.axis[2])},
      {box.half.x, box.half.y, box.half.z}};
  const double s = nearest_parameter(segment);
  const double beyond[3] = {excess(segment, 0, s), excess(segment, 1, s), excess(segment, 2, s)};
  const double gap =
      std::sqrt(beyond[0] * beyond[0] + beyond[1] * beyond[1] + beyond[2] * beyond[2]);
  if (gap < touching_m) return penetration(capsule, box, segment);
  const Vec3 normal = along_axes(box, {beyond[0] / gap, beyond[1] / gap, beyond[2] / gap});
  // A box with wide rounding is a sphere or a capsule, without real faces.
  return {.distance = gap - capsule.radius - box.radius,
          .normal = normal,
          .face = box.radius > 0.05 ? normal : upward_face(box, beyond),
          .point = capsule.center + capsule.half_axis * s};
}

bool sweep(const Capsule& capsule, const Vec3& motion, const TurnedBox& box, SweepHit& hit) {
  const double whole = length(motion);
  if (whole < touching_m) return false;
  const Vec3 direction = motion / whole;
  const double limit = hit.fraction * whole;
  double travelled = 0;
  Capsule at = capsule;
  Separation contact;
  for (int round = 0; round < advance_rounds_max; ++round) {
    contact = separation(at, box);
    const double closing = -dot(contact.normal, direction);
    // Both are convex: if the motion does not close along a separating direction, they never meet.
    if (closing < 1e-7) return false;
    const double gap = contact.distance - skin_m;
    if (gap <= skin_tolerance_m) break;
    travelled += gap / closing;
    if (travelled >= limit) return false;
    at.center = capsule.center + direction * travelled;
  }
  hit.fraction = travelled / whole;
  hit.contact = contact;
  return true;
}

}  // namespace perigee::world
