/// A moving segment against a resting one: nearest points, and the time of their first approach.
#pragma once

#include <utility>

#include "perigee/base/vec.hpp"

namespace perigee::world {

/// The nearest points of the segments center +- half and a .. a + along.
std::pair<Vec3, Vec3> nearest_points(const Vec3& center, const Vec3& half, const Vec3& a,
                                     const Vec3& along);

/// Larger than any fraction of a motion.
inline constexpr double never_near = 2;
/// The first fraction of `motion` at which the segment center +- half is within `reach` of the
/// segment a .. a + along: 0 if it is at the start, `never_near` if the motion leads elsewhere. May
/// be larger than 1.
double first_within(const Vec3& center, const Vec3& half, const Vec3& motion, const Vec3& a,
                    const Vec3& along, double reach);

}  // namespace perigee::world
