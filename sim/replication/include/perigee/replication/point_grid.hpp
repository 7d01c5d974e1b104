/// Points in space by cell, for "which of them are within r of here": rebuilt as a whole, then only
/// read. A query scans rows of neighbouring cells, which are contiguous.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/netcode/vec.hpp"

namespace perigee::replication {

/// World positions in whole steps of 1/16 m: differences are exact wherever the world is.
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

struct GridPoint {
  GridPosition position;
  float radius_m = 0;  ///< of the sphere around it: distances are to its surface
  float reach_m = 0;   ///< nobody farther from the surface than this hears of it, pad included
  std::uint32_t slot = 0;
};

/// One entity that a query found: its slot, and in the two highest bits the ring of its distance.
using Hit = std::uint32_t;
inline constexpr std::uint32_t hit_slots_max = 1U << 30;
constexpr std::uint32_t slot_of(Hit hit) { return hit & (hit_slots_max - 1); }
constexpr std::uint32_t ring_of(Hit hit) { return hit >> 30; }

struct GridQuery {
  GridPosition from;
  float within_m = 0;   ///< of the surface; at most the point's own reach
  float beyond_m = -1;  ///< and farther than this; negative: no lower limit
  /// Outer radii of the three inner rings, squared: for ring_of. To the centre.
  float ring2_m2[3] = {};
};

/// Cells are 2^shift / 16 m wide. Long and narrow ones: a row is scanned from where the sphere
/// begins to where it ends, and every row costs a little.
struct CellShape {
  int along_x_shift = 0;
  int across_shift = 0;  ///< y and z
};

class PointGrid {
 public:
  /// A query may write this much beyond what it found.
  static constexpr std::size_t slack = 4;

  /// Takes all memory.
  PointGrid(CellShape shape, std::size_t points_max);

  void rebuild(std::span<const GridPoint> points);
  std::size_t size() const { return size_; }
  /// Writes to `out`, which has room for size() + slack; answers how many it found.
  std::size_t find(const GridQuery& query, Hit* out) const;
  /// How many points a query would compare: at least as many as are within.
  std::size_t candidates(const GridPosition& from, float within_m) const;
  /// Adds to `steps[i]` how many points are within (i + 1) / steps.size() of `within_m`.
  void count(const GridPosition& from, float within_m, std::span<std::uint32_t> steps) const;

 private:
  struct Axis {
    int shift = 0;
    std::uint32_t cells = 1;  ///< a power of two: the grid is a torus, so outliers cost nothing
    std::uint32_t mask() const { return cells - 1; }
    std::uint32_t cell(std::int32_t v) const {
      return static_cast<std::uint32_t>(v >> shift) & mask();
    }
  };
  /// Members by cell, each column a little longer than there are members.
  struct Columns {
    std::vector<std::int32_t> x, y, z;
    std::vector<float> radius, reach;  ///< in steps
    std::vector<std::uint32_t> slot;
    template <class Do>
    void for_each(Do act) {
      act(x), act(y), act(z), act(radius), act(reach), act(slot);
    }
  };
  std::uint32_t cell_of(const GridPosition& at) const;
  void choose_axes(std::size_t points);
  template <class Rows>
  void for_rows(const GridPosition& from, float within_m, Rows rows) const;
  template <bool Beyond>
  std::size_t scan(const GridQuery& query, std::uint32_t first, std::uint32_t last, Hit* out) const;

  Axis x_, y_, z_;
  GridPosition low_, high_;  ///< of the last points
  std::size_t size_ = 0;
  float radius_max_m_ = 0;
  std::vector<std::uint32_t> first_in_cell_;  ///< one more than cells
  std::vector<std::uint32_t> cell_of_point_;  ///< scratch of rebuild
  std::vector<GridPoint> by_cell_;            ///< the same
  Columns columns_;
};

}  // namespace perigee::replication
