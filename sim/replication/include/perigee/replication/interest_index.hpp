/// Who is due for whom: everything that moves in one fine grid, and every phase class in a coarse
/// one of its own. Positions are taken over once in a slot of 4 ticks; radii are padded by what
/// both sides can cover meanwhile, so that nothing is late. (mission K3, K4, D4)
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/netcode/interest.hpp"
#include "perigee/replication/point_grid.hpp"
#include "perigee/replication/point_table.hpp"

namespace perigee::replication {

/// Faster things may come late. Also what an observer may move at.
inline constexpr double speed_max_m_s = 150;
/// What both sides cover in the four ticks that a position may be old.
inline constexpr double interest_pad_m = 2 * speed_max_m_s * send_slot_ticks * seconds_per_tick;

/// One observer as the decision sees it.
struct Viewpoint {
  GridPosition from;
  double near_m = 0;    ///< due in every slot up to here
  double radius_m = 0;  ///< nothing beyond
  double stretch = 1;   ///< divides the rings' radii
};

class InterestIndex {
 public:
  /// Of `points_max` entities at a time, whose slots are below `slots_max`.
  InterestIndex(const InterestRings& rings, std::size_t points_max, std::size_t slots_max);

  /// A tick's update: begin, add what is wanted or new, finish.
  void begin(Tick now);
  /// Is everything to be added in this tick that does not rest? What rests is added once. In other
  /// ticks all but what is born stays as it was last added.
  bool wants_moving() const { return now_.count % send_slot_ticks == 0; }
  void remove(std::uint32_t slot) { table_.remove(slot); }
  /// `resting`: refreshed once in the longest period, wherever it is. `born`: found at once.
  void add(std::uint32_t phase, bool resting, bool born, const GridPoint& point) {
    // Inline, so that a point need not go through memory.
    if (!table_.put(phase, resting, point) || born) add_apart(phase, resting, born, point);
  }
  /// Another worker had it when this slot began, at that point: it is due as it was there. Only
  /// while not everything is wanted.
  void arrive(std::uint32_t phase, bool resting, GridPoint point);
  void finish();

  /// All that is due in this tick's slot; a few may come twice. Valid until the next call.
  std::span<const Hit> due(const Viewpoint& view);
  /// Everything in reach, what is due first: for an observer that knows nothing yet. Much comes
  /// twice.
  std::span<const Hit> all(const Viewpoint& view);
  /// How many moving things were within a tenth, two tenths .. of `near_m` when this slot began,
  /// those that have gone elsewhere since among them, those that have come not.
  GridSteps count_near(const GridPosition& from, double near_m) const;

 private:
  struct Part {
    PointGrid grid;
    std::vector<GridPoint> points;  ///< what it is built from
    Part(CellShape shape, std::size_t points_likely);
    void rebuild() { grid.rebuild(points); }
  };
  /// A phase class that is asked far away in this slot: its grid is.
  struct Asked {
    std::uint32_t phase = 0;
    double ring_m = 0;
  };
  void ask_classes();
  void add_apart(std::uint32_t phase, bool resting, bool born, const GridPoint& point);
  void forget_recent();
  void update_resting();
  void update_near();
  Part& moving(std::uint32_t phase);
  void find(const Part& part, const GridQuery& query);
  void find(const Part& part, GridQuery& query, double within_m, double beyond_m = -1);
  GridQuery query_from(const Viewpoint& view) const;

  InterestRings rings_;
  Tick now_;
  PointTable table_;
  Part near_;               ///< all that moves; in the cells of some slots ago
  Part strays_;             ///< but for what has left those or came since,
  Part large_;              ///< and what would widen every query,
  Part came_;               ///< and what came from another worker in this slot
  bool rest_came_ = false;  ///< in this tick, of what rests
  std::uint32_t near_age_slots_;
  std::vector<Part> moving_;                    ///< by phase class
  std::array<bool, phase_classes> is_built_{};  ///< of moving_, in this slot
  std::vector<Part> resting_;                   ///< by phase class
  Part settling_;                               ///< what rests and is not in those yet
  bool settling_changed_ = false;
  std::vector<Asked> asked_;
  std::uint32_t marks_ = 0;    ///< a bit for each phase class whose ring of this slot is the second
  Part born_;                  ///< not yet in the others
  std::vector<Tick> born_at_;  ///< of born_.points
  std::vector<Hit> hits_;
  std::size_t found_ = 0;
};

}  // namespace perigee::replication
