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

  /// A tick's update: begin, add what is wanted or new, finish.
  void begin(Tick now);
  /// Is it this class's turn? What is not wanted stays as it was last added.
  bool wants(std::uint32_t phase) const { return is_near_turn() || is_turn(phase); }
  /// `resting`: refreshed once in the longest period, wherever it is. `born`: found at once, though
  /// it may not be its class's turn.
  void add(std::uint32_t phase, bool resting, bool born, const GridPoint& point);
  void finish();

  /// All that is due in this tick's slot; a few may come twice. Valid until the next call.
  std::span<const Hit> due(const Viewpoint& view);
  /// Everything in reach: for an observer that knows nothing yet.
  std::span<const Hit> all(const Viewpoint& view);
  /// How far the near lane may reach so that at most `near_max` moving things are in it.
  double choose_near_m(const GridPosition& from, double near_m, std::uint32_t near_max) const;

 private:
  struct Part {
    PointGrid grid;
    std::vector<GridPoint> points;  ///< added since begin()
    Part(CellShape shape, std::size_t points_likely);
    void rebuild() { grid.rebuild(points); }
  };
  bool is_turn(std::uint32_t phase) const {
    return everything_ || phase % send_slot_ticks == turn_;
  }
  bool is_near_turn() const { return everything_ || turn_ == 0; }
  void forget_recent();
  void find(const Part& part, GridQuery& query, double within_m, double beyond_m = -1);
  GridQuery query_from(const Viewpoint& view) const;

  InterestRings rings_;
  Tick now_;
  std::uint32_t turn_ = 0;
  bool everything_ = true;              ///< all parts are rebuilt in this tick
  Part near_, large_;                   ///< all that moves
  std::vector<Part> moving_, resting_;  ///< by phase class
  Part born_;                           ///< not yet in the others
  std::vector<Tick> born_at_;           ///< of born_.points
  std::vector<Hit> hits_;
  std::size_t found_ = 0;
};

}  // namespace perigee::replication
