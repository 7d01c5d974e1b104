/// Points in space by cell, for "which of them are within r of here": rebuilt as a whole, then only
/// read. A query scans rows of neighbouring cells, which are contiguous.
#pragma once

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
GridPosition to_grid(const Vec3& world);

struct GridPoint {
  GridPosition position;
  float radius_m = 0;  ///< of the sphere around it: distances are to its surface
  float reach_m = 0;   ///< nobody farther from the surface than this hears of it
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

class PointGrid {
 public:
  /// Takes all memory. `cell_shift`: cells are 2^shift / 16 m wide.
  PointGrid(int cell_shift, std::size_t points_max);

  void rebuild(std::span<const GridPoint> points);
  std::size_t size() const { return slot_.size(); }
  /// Appends to `out`, which has room for size() more; answers how many.
  std::size_t find(const GridQuery& query, Hit* out) const;
  /// Counts the points within `within_m` by their distance, in equal steps: adds to `bins`.
  void count(const GridPosition& from, float within_m, std::span<std::uint32_t> bins) const;

 private:
  struct Axis {
    std::uint32_t cells = 1;  ///< a power of two: the grid is a torus, so outliers cost nothing
    std::uint32_t mask() const { return cells - 1; }
  };
  std::uint32_t cell_of(const GridPosition& at) const;
  void choose_axes(std::span<const GridPoint> points);
  template <class Rows>
  void for_rows(const GridPosition& from, float within_m, Rows rows) const;
  std::size_t scan(const GridQuery& query, std::uint32_t first, std::uint32_t last, Hit* out) const;

  int shift_;
  Axis x_, y_, z_;
  float radius_max_m_ = 0;
  std::vector<std::uint32_t> first_in_cell_;  ///< one more than cells
  std::vector<std::uint32_t> cell_of_point_;  ///< scratch of rebuild
  // Members by cell.
  std::vector<std::int32_t> at_x_, at_y_, at_z_;
  std::vector<float> radius_m_, reach_m_;
  std::vector<std::uint32_t> slot_;
};

}  // namespace perigee::replication
