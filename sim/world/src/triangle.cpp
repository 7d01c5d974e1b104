#include "triangle.hpp"

#include <algorithm>
#include <cmath>

#include "segment.hpp"

namespace perigee::world {
namespace {

constexpr double inside_slack = 1e-8;
constexpr double closing_min = 1e-7;  // a smaller part of the motion is rounding
constexpr double noise_m = 1e-9;
constexpr double outside_m = 1e-6;    // more than the slack of the inside test and all rounding
constexpr double gentle_sine = 0.27;  // around a corner, edges of 5 degrees add up to 15
constexpr double steep = 0.09;        // squared sine of an angle that is larger than that

/// Whether the foot of the perpendicular from `p` is in the triangle.
bool above_inside(const Triangle& triangle, const Vec3& p) {
  const Vec3 foot = p - triangle.normal * dot(triangle.normal, p - triangle.corner[0]);
  if (!inflated(triangle.bounds, outside_m).contains(foot)) return false;
  for (int i = 0; i < 3; ++i) {
    const Vec3& a = triangle.corner[i];
    const Vec3 edge = triangle.corner[(i + 1) % 3] - a;
    const double slack = inside_slack * (std::abs(edge.x) + std::abs(edge.y) + std::abs(edge.z));
    if (dot(cross(triangle.normal, edge), p - a) < -slack) return false;
  }
  return true;
}

/// Where a capsule is relative to a triangle's plane.
struct OverPlane {
  double center = 0;  ///< height of the centre
  double lean = 0;    ///< height of the upper end of its segment above the centre
  double lowest() const { return center - std::abs(lean); }
  double height(double side) const { return center + side * lean; }
  /// The lower end first.
  double side(int i) const { return (lean > 0) == (i == 0) ? -1 : 1; }
  /// The segment's end, or where the segment passes the plane, if the end is behind it: as it got
  /// there.
  Vec3 foot(const Capsule& capsule, double side) const {
    const double end = height(side);
    const double share = end < 0 ? center / (center - end) : 1;
    return capsule.center + capsule.half_axis * (side * share);
  }
};

OverPlane over_plane(const Capsule& capsule, const Triangle& triangle) {
  return {dot(triangle.normal, capsule.center - triangle.corner[0]),
          dot(triangle.normal, capsule.half_axis)};
}

std::uint8_t kind_of(const Triangle& triangle, int edge) {
  return Mesh::edge_of(triangle.edges, edge);
}

/// A touch of an edge: on the capsule's segment, with the direction from the edge.
Separation at_edge(const Capsule& capsule, const Triangle& triangle, int edge) {
  const Vec3& a = triangle.corner[edge];
  const Vec3& b = triangle.corner[(edge + 1) % 3];
  const auto [on_axis, on_edge] = nearest_points(capsule.center, capsule.half_axis, a, b - a);
  const Vec3& face = triangle.normal;
  const double gap = distance(on_axis, on_edge);
  Separation out{gap - capsule.radius, face, face, on_axis};
  if (gap < noise_m || kind_of(triangle, edge) == Mesh::gentle_edge) return out;
  out.normal = (on_axis - on_edge) / gap;
  if (dot(face, on_axis - a) < 0) out.face = out.normal;
  return out;
}

/// Whether a capsule may touch an edge without directions of its own. Such a touch is almost along
/// the face's normal: the lower end is beyond the edge by less than `gentle_sine` of its reach, at
/// some time after it reached the plane.
bool may_touch_gentle(const Capsule& capsule, const Vec3& motion, const Triangle& triangle,
                      const OverPlane& over, int edge) {
  const double closing = -dot(triangle.normal, motion);
  if (closing <= 0) return false;
  if (over.lean * over.lean < steep * dot(capsule.half_axis, capsule.half_axis)) return true;
  const double reach = capsule.radius + skin_m;
  const Vec3& a = triangle.corner[edge];
  const Vec3 along = triangle.corner[(edge + 1) % 3] - a;
  const Vec3 inwards = cross(triangle.normal, along);
  const double near = reach * gentle_sine;
  const double touches = std::clamp((over.lowest() - reach) / closing, 0.0, 1.0);
  const Vec3 low = capsule.center + capsule.half_axis * over.side(0) - a;
  const Vec3 first = low + motion * touches;
  const Vec3 last = low + motion;
  const double size = dot(along, along);
  const double s = dot(inwards, first);
  const double t = dot(inwards, last);
  if (std::min(s, t) > 0) return false;
  if (std::max(s, t) < 0 && std::max(s, t) * std::max(s, t) > near * near * size) return false;
  const double x = dot(along, first);
  const double y = dot(along, last);
  const double beyond = std::max(-std::max(x, y), std::min(x, y) - size);
  return beyond <= 0 || beyond * beyond <= near * near * size;
}

std::optional<SweepHit> sweep_edge(const Capsule& capsule, const Vec3& motion,
                                   const Triangle& triangle, int edge, double limit) {
  const Vec3& a = triangle.corner[edge];
  const Vec3 along = triangle.corner[(edge + 1) % 3] - a;
  const double reach = capsule.radius + skin_m;
  // A touch that only grazes is none.
  if (first_within(capsule.center, capsule.half_axis, motion, a, along, reach - edge_graze_m) > 1)
    return std::nullopt;
  const double t = first_within(capsule.center, capsule.half_axis, motion, a, along, reach);
  if (t > limit) return std::nullopt;
  Capsule there = capsule;
  there.center += motion * t;
  if (dot(triangle.normal, there.center - triangle.corner[0]) <= 0) return std::nullopt;
  const Separation contact = at_edge(there, triangle, edge);
  if (-dot(contact.normal, motion) <= closing_min * length(motion)) return std::nullopt;
  return SweepHit{t, contact};
}

}  // namespace

std::optional<SweepHit> sweep(const Capsule& capsule, const Vec3& motion, const Triangle& triangle,
                              double limit) {
  const OverPlane over = over_plane(capsule, triangle);
  if (over.center <= 0) return std::nullopt;
  const double reach = capsule.radius + skin_m;
  const double closing = -dot(triangle.normal, motion);
  const double lowest = over.lowest();
  if (lowest - std::max(closing, 0.0) >= reach - face_graze_m) return std::nullopt;
  if (lowest - closing * limit > reach) return std::nullopt;
  std::optional<SweepHit> nearest;
  const bool closes =
      closing > 0 && closing * closing > closing_min * closing_min * dot(motion, motion);
  for (int i = 0; i < 2 && closes; ++i) {
    const double side = over.side(i);
    const double height = over.height(side);
    const double t = std::max(0.0, (height - reach) / closing);
    if (height - closing >= reach - face_graze_m || t > limit) break;
    const Vec3 foot = over.foot(capsule, side) + motion * t;
    if (!above_inside(triangle, foot)) continue;
    const double gap = height - closing * t - capsule.radius;
    nearest = SweepHit{t, {gap, triangle.normal, triangle.normal, foot}};
    if (height == lowest) return nearest;  // no part of the capsule was near the plane before
    break;
  }
  for (int edge = 0; edge < 3; ++edge) {
    if (kind_of(triangle, edge) == 0) continue;
    if (kind_of(triangle, edge) == Mesh::gentle_edge &&
        !may_touch_gentle(capsule, motion, triangle, over, edge)) {
      continue;
    }
    const double up_to = nearest ? nearest->fraction : limit;
    const auto hit = sweep_edge(capsule, motion, triangle, edge, up_to);
    if (hit && (!nearest || hit->fraction < nearest->fraction)) nearest = hit;
  }
  return nearest;
}

std::optional<Separation> separation(const Capsule& capsule, const Triangle& triangle,
                                     double below_m) {
  const OverPlane over = over_plane(capsule, triangle);
  if (over.center <= 0 || over.lowest() - capsule.radius >= below_m) return std::nullopt;
  std::optional<Separation> nearest;
  for (int i = 0; i < 2; ++i) {
    const double side = over.side(i);
    const double gap = over.height(side) - capsule.radius;
    if (gap >= below_m) break;
    const Vec3 foot = over.foot(capsule, side);
    if (!above_inside(triangle, foot)) continue;
    nearest = Separation{gap, triangle.normal, triangle.normal, foot};
    if (i == 0) return nearest;
    break;
  }
  for (int edge = 0; edge < 3; ++edge) {
    if (kind_of(triangle, edge) == 0) continue;
    const Separation found = at_edge(capsule, triangle, edge);
    if (found.distance < (nearest ? nearest->distance : below_m)) nearest = found;
  }
  return nearest;
}

std::optional<double> cast_ray(const Triangle& triangle, const Vec3& from, const Vec3& direction,
                               double range_m) {
  const double closing = -dot(triangle.normal, direction);
  const double height = dot(triangle.normal, from - triangle.corner[0]);
  if (closing <= 0 || height < 0 || height > closing * range_m) return std::nullopt;
  const double away_m = height / closing;
  if (!above_inside(triangle, from + direction * away_m)) return std::nullopt;
  return away_m;
}

}  // namespace perigee::world
