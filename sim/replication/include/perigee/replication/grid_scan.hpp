/// Finds the points of a run that are within r of a position: the inner loops of grid queries, for
/// the SIMD width of this machine. All variants give the same result.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "perigee/base/vec.hpp"

namespace perigee::replication {

/// World positions in whole steps of 1/16 m: differences are exact anywhere in the world.
struct GridPosition {
  static constexpr double steps_per_m = 16;
  std::int32_t x = 0, y = 0, z = 0;
};
inline GridPosition to_grid(const Vec3& world) {
  // A quarter of the range: differences of two positions never overflow.
  constexpr double limit = 1 << 29;
  const auto steps = [&](double v) {
    return static_cast<std::int32_t>(std::clamp(v * GridPosition::steps_per_m, -limit, limit));
  };
  return {steps(world.x), steps(world.y), steps(world.z)};
}

/// One entity found by a query: its slot, and in the two highest bits the ring of its distance.
using Hit = std::uint32_t;
inline constexpr std::uint32_t hit_slots_max = 1U << 30;
constexpr std::uint32_t slot_of(Hit hit) { return hit & (hit_slots_max - 1); }
constexpr std::uint32_t ring_of(Hit hit) { return hit >> 30; }

struct GridQuery {
  GridPosition from;
  float within_m = 0;   ///< to the surface; the point's own reach also limits it
  float marked_m = 0;   ///< the same for marked points
  float beyond_m = -1;  ///< and farther than this; negative: no lower limit
  /// Outer radii of the three inner rings, squared, for ring_of. To the centre.
  float ring2_m2[3] = {};
};

/// Number of points within a tenth, two tenths, ... of a radius.
using GridSteps = std::array<std::uint32_t, 10>;

/// Points, with a column for each property: radius and reach in steps of GridPosition. Every column
/// can be read lanes_max beyond its end. A negative reach means a marked point.
struct GridColumns {
  const std::int32_t *x, *y, *z;
  const float *radius, *reach;
  const std::uint32_t* slot;
};
/// The points in [first, last) of the columns.
struct GridRun {
  std::uint32_t first = 0, last = 0;
};

struct GridScan {
  static constexpr std::uint32_t lanes_max = 8;

  /// Writes the hits to `out`, and up to lanes_max more; returns the number of hits.
  std::size_t (*find)(const GridColumns&, GridRun, const GridQuery&, Hit* out);
  /// Adds to `steps[i]` the number of points within (i + 1) * width_steps of the surface.
  void (*count)(const GridColumns&, GridRun, const GridPosition& from, float width_steps,
                GridSteps& steps);

  static const GridScan& four_lanes();
  /// Null: this machine has only four lanes.
  static const GridScan* eight_lanes();
  static const GridScan& best();
};

}  // namespace perigee::replication
