/// Closed-form capsule against rounded oriented box: distance, penetration and sweep.
/// No iteration but conservative advancement, no libm but sqrt.
#pragma once

#include "perigee/world/shape.hpp"

namespace perigee::world {

/// A box prepared for tests: its axes as vectors of the capsule's frame.
struct TurnedBox {
  Vec3 center;
  Vec3 axis[3];
  Vec3 half;
  double radius = 0;
};
TurnedBox turned(const Pose& pose, const Box& box);

/// The segment center +- half_axis, inflated by the radius.
struct Capsule {
  Vec3 center;
  Vec3 half_axis;
  double radius = 0;
};

struct Separation {
  double distance = 0;  ///< between the surfaces; negative: depth of the penetration
  Vec3 normal;          ///< from the box to the capsule
  Vec3 face;            ///< of the box faces beyond which the capsule lies, the most upward one
  Vec3 point;           ///< on the capsule's segment, where the distance was measured
};
Separation separation(const Capsule& capsule, const TurnedBox& box);

struct SweepHit {
  double fraction = 1;  ///< free share of the motion
  Separation contact;
};
/// Distance that sweeps keep from every surface, and the tolerance of it.
inline constexpr double skin_m = 0.01;
inline constexpr double skin_tolerance_m = 1e-4;
inline constexpr int advance_rounds_max = 24;

/// Moves the capsule along `motion` until the skin touches. False: free at least up to
/// `hit.fraction`, which the caller sets to the nearest hit so far. True: `hit.fraction` is
/// lowered.
bool sweep(const Capsule& capsule, const Vec3& motion, const TurnedBox& box, SweepHit& hit);

}  // namespace perigee::world
