#include "perigee/world/ray.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perigee::world {
namespace {

constexpr double ray_touch_m = 1e-4;
/// A ray that grazes a round edge converges slowly. After this many steps it counts as a miss.
constexpr int steps_max = 128;
constexpr double turn_rad = 2 * pi / 65536;

double distance_to(const Box& box, const Vec3& point) {
  const Vec3 p = rotate_back(box.rotation, point - box.center);
  const Vec3 out{std::max(std::abs(p.x) - box.half.x, 0.0),
                 std::max(std::abs(p.y) - box.half.y, 0.0),
                 std::max(std::abs(p.z) - box.half.z, 0.0)};
  return length(out) - box.radius;
}

}  // namespace

std::optional<RaySpan> ray_inside(const Bounds& bounds, const Vec3& from, const Vec3& direction,
                                  double range_m) {
  RaySpan span{0, range_m};
  const auto slab = [&](double low, double high, double start, double step) {
    if (std::abs(step) < 1e-12) return low <= start && start <= high;
    const double a = (low - start) / step;
    const double b = (high - start) / step;
    span.enters = std::max(span.enters, std::min(a, b));
    span.leaves = std::min(span.leaves, std::max(a, b));
    return span.enters <= span.leaves;
  };
  const bool meets = slab(bounds.low.x, bounds.high.x, from.x, direction.x) &&
                     slab(bounds.low.y, bounds.high.y, from.y, direction.y) &&
                     slab(bounds.low.z, bounds.high.z, from.z, direction.z);
  return meets ? std::optional(span) : std::nullopt;
}

std::optional<double> cast_ray(const Shape& shape, const Vec3& from, const Vec3& direction,
                               double range_m) {
  if (!ray_inside(shape.bounds(), from, direction, range_m)) return std::nullopt;
  std::optional<double> nearest;
  for (const Box& box : shape.boxes()) {
    const auto span = ray_inside(bounds_of(box), from, direction, nearest.value_or(range_m));
    if (!span) continue;
    // Sphere tracing: the ray may advance by the distance to the box.
    double along = span->enters;
    for (int i = 0; i < steps_max && along <= span->leaves; ++i) {
      const double gap = distance_to(box, from + direction * along);
      if (gap <= ray_touch_m) {
        nearest = along;
        break;
      }
      along += gap;
    }
  }
  for (const HullPtr& hull : shape.hulls()) {
    if (hull->contains(from)) return 0;
  }
  shape.for_each_surface([&](const auto& surface, bool) {
    const auto hit = surface.cast_ray(from, direction, nearest.value_or(range_m));
    if (hit) nearest = hit->away_m;
  });
  return nearest;
}

Vec3 look_direction(std::uint16_t yaw, std::int16_t pitch) {
  const SinCos about = sin_cos(yaw * turn_rad);
  const SinCos above = sin_cos(pitch * turn_rad);
  return {about.sin * above.cos, above.sin, about.cos * above.cos};
}

}  // namespace perigee::world
