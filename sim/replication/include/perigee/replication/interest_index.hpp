/// Who is due for whom: everything that moves in one fine grid, and every phase class in a coarse
/// one of its own. A class is rebuilt every 4 ticks, so that the work is spread; radii are padded
/// by what both sides can cover meanwhile, so that nothing is late. (mission K3, K4, D4)
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/netcode/interest.hpp"
#include "perigee/replication/point_grid.hpp"

namespace perigee::replication {

/// Faster things may come late. Also what an observer may move at.
inline constexpr double speed_max_m_s = 150;
/// What both sides cover in the four ticks that a class may be old.
inline constexpr double interest_pad_m = 2 * speed_max_m_s * send_slot_ticks * seconds_per_tick;
/// Larger things are kept apart from the fine grid: the largest radius widens every query.
inline constexpr float large_radius_m = 32;

struct InterestPoint {
  GridPoint point;
  std::uint8_t phase = 0;  ///< phase class of the entity's identity; phase_classes: left out
  bool resting = false;    ///< refreshed once in the longest period, wherever it is
};

/// One observer as the decision sees it.
struct Viewpoint {
  GridPosition from;
  double near_m = 0;    ///< due in every slot up to here
  double radius_m = 0;  ///< nothing beyond
  double stretch = 1;   ///< divides the rings' radii
};

class InterestIndex {
 public:
  InterestIndex(const InterestRings& rings, std::size_t points_max);

  /// The points at `now`. Rebuilds the parts whose turn it is; those in `born` (indices into
  /// `points`) are found at once.
  void update(Tick now, std::span<const InterestPoint> points, std::span<const std::uint32_t> born);
  /// All that is due in the slot of `now`; a few may come twice. Valid until the next call.
  std::span<const Hit> due(Tick now, const Viewpoint& view);
  /// Everything in reach: for an observer that knows nothing yet.
  std::span<const Hit> all(const Viewpoint& view);
  /// Adds to `bins` how many moving things are within `near_m`, by distance in equal steps.
  void count_near(const GridPosition& from, double near_m, std::span<std::uint32_t> bins) const;

 private:
  void rebuild_near(std::span<const InterestPoint> points);
  void rebuild_classes(std::uint32_t turn, std::span<const InterestPoint> points);
  void remember_born(Tick now, std::span<const InterestPoint> points,
                     std::span<const std::uint32_t> born);
  void find(const PointGrid& grid, GridQuery& query, double within_m, double beyond_m = -1);
  GridQuery query_from(const Viewpoint& view) const;

  InterestRings rings_;
  bool built_ = false;
  PointGrid near_, large_;                   ///< all that moves
  std::vector<PointGrid> moving_, resting_;  ///< by phase class
  PointGrid born_;                           ///< not yet in the others
  std::vector<std::pair<Tick, GridPoint>> recent_;
  std::vector<std::vector<GridPoint>> scratch_;
  std::vector<Hit> hits_;
  std::size_t found_ = 0;
};

}  // namespace perigee::replication
