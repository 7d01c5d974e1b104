/// Points in space by cell, for queries of all points within r of a position. The grid is sorted as
/// a whole, and refreshed in place while the points stay near their cells. A query scans rows of
/// neighbouring cells, which are contiguous.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "perigee/replication/grid_scan.hpp"

namespace perigee::replication {

struct GridPoint {
  GridPosition position;
  float radius_m = 0;  ///< of the sphere around it: distances are to its surface
  float reach_m = 0;   ///< farther from the surface it is not replicated; includes the pad
  std::uint32_t slot = 0;
  bool marked = false;  ///< queries have a separate radius for it
};

/// The properties that may change for a point that stays near its cell.
struct GridMove {
  GridPosition position;
  float radius_m = 0;
  bool marked = false;
};

/// Cells are 2^shift / 16 m wide. Long and narrow ones: a row is scanned from the begin of the
/// sphere to its end, and every row has a small overhead.
struct CellShape {
  int along_x_shift = 0;
  int across_shift = 0;  ///< y and z
};

class PointGrid {
 public:
  /// A query may write this many entries beyond its hits.
  static constexpr std::size_t slack = GridScan::lanes_max;
  /// Radius of a point that no query finds.
  static constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();

  /// Allocates all memory.
  PointGrid(CellShape shape, std::size_t points_max, const GridScan& scan = GridScan::best());

  void rebuild(std::span<const GridPoint> points);
  /// Takes move_of(slot) for every member. The members keep their cells: none is farther than
  /// `drift_steps` from its place at the rebuild, on any axis.
  template <class MoveOf>
  void refresh(std::int32_t drift_steps, MoveOf move_of);
  std::size_t size() const { return size_; }
  /// Writes to `out`, which has room for size() + slack; returns the number of hits.
  std::size_t find(const GridQuery& query, Hit* out) const;
  /// Adds to `steps[i]` the number of points within (i + 1) / steps.size() of `within_m`.
  void count(const GridPosition& from, float within_m, GridSteps& steps) const;

 private:
  struct Axis {
    int shift = 0;
    std::uint32_t cells = 1;  ///< a power of two: the grid is a torus, so outliers cost nothing
    std::uint32_t mask() const { return cells - 1; }
    std::uint32_t cell(std::int32_t v) const {
      return static_cast<std::uint32_t>(v >> shift) & mask();
    }
  };
  /// Members by cell, each column a little longer than the number of members.
  struct Columns {
    std::vector<std::int32_t> x, y, z;
    std::vector<float> radius, reach;  ///< in steps
    std::vector<std::uint32_t> slot;
    GridColumns view() const {
      return {x.data(), y.data(), z.data(), radius.data(), reach.data(), slot.data()};
    }
    template <class Do>
    void for_each(Do act) {
      act(x), act(y), act(z), act(radius), act(reach), act(slot);
    }
  };
  std::uint32_t cell_of(const GridPosition& at) const;
  void choose_axes(std::size_t points);
  template <class Rows>
  void for_rows(const GridPosition& from, float within_m, Rows rows) const;

  const GridScan* scan_;
  Axis x_, y_, z_;
  GridPosition low_, high_;  ///< of the last points
  std::size_t size_ = 0;
  float radius_max_m_ = 0;
  float reach_max_m_ = 0;         ///< no member is replicated farther away
  std::int32_t drift_steps_ = 0;  ///< limit of each member's distance from its cell, on any axis
  std::vector<std::uint32_t> first_in_cell_;  ///< one more than cells
  std::vector<std::uint32_t> cell_of_point_;  ///< scratch of rebuild
  std::vector<GridPoint> by_cell_;            ///< likewise
  Columns columns_;
};

template <class MoveOf>
void PointGrid::refresh(std::int32_t drift_steps, MoveOf move_of) {
  drift_steps_ = drift_steps;
  for (std::size_t i = 0; i < size_; ++i) {
    const GridMove move = move_of(columns_.slot[i]);
    radius_max_m_ = std::max(radius_max_m_, move.radius_m);  // NaN is not greater
    columns_.x[i] = move.position.x;
    columns_.y[i] = move.position.y;
    columns_.z[i] = move.position.z;
    columns_.radius[i] = move.radius_m * static_cast<float>(GridPosition::steps_per_m);
    // Marks are practically random: a branch would be mispredicted.
    const std::uint32_t reach = std::bit_cast<std::uint32_t>(columns_.reach[i]) << 1 >> 1;
    columns_.reach[i] = std::bit_cast<float>(reach | std::uint32_t{move.marked} << 31);
  }
}

}  // namespace perigee::replication
