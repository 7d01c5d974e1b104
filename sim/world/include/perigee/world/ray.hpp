/// Rays against shapes, in closed form like everything that actors touch.
#pragma once

#include <optional>

#include "perigee/world/shape.hpp"

namespace perigee::world {

struct RaySpan {
  double enters = 0;
  double leaves = 0;
};
/// The part of a ray that is inside the bounds, by slabs. None if the ray misses the bounds.
std::optional<RaySpan> ray_inside(const Bounds& bounds, const Vec3& from, const Vec3& direction,
                                  double range_m);

/// Distance of the shape from `from` along `direction` (of length 1), up to `range_m`. 0 if `from`
/// is inside a box or a hull. All in the shape's own frame. Exact to a tenth of a millimetre.
/// Triangles stop rays towards their fronts only, like everything else.
std::optional<double> cast_ray(const Shape& shape, const Vec3& from, const Vec3& direction,
                               double range_m);

/// The direction of these look angles (1/65536 turn): yaw 0 along +z, pitch up positive.
Vec3 look_direction(std::uint16_t yaw, std::int16_t pitch);

}  // namespace perigee::world
