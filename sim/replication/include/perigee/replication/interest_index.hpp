/// Finds the entities that are due for an observer: one fine grid with all moving entities, and a
/// coarse grid for each phase class. Positions are updated once per slot of 4 ticks. Radii are
/// padded by the distance that both sides can move meanwhile, so that no entity is late.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/replication/point_grid.hpp"
#include "perigee/replication/point_table.hpp"

namespace perigee::replication {

/// Faster entities may be late. Also the limit for an observer's own speed.
inline constexpr double speed_max_m_s = 150;
/// Distance that both sides move during the four ticks that a position may be old.
inline constexpr double interest_pad_m = 2 * speed_max_m_s * send_slot_ticks * seconds_per_tick;

/// One observer, as input to the queries.
struct Viewpoint {
  GridPosition from;
  double near_m = 0;    ///< due in every slot up to here
  double radius_m = 0;  ///< no entity beyond is due
  double stretch = 1;   ///< divides the rings' radii
};

class InterestIndex {
 public:
  /// For at most `points_max` entities at a time, with slots below `slots_max`.
  InterestIndex(const InterestRings& rings, std::size_t points_max, std::size_t slots_max);

  /// The update of a tick: begin, add the wanted or new entities, finish.
  void begin(Tick now);
  /// Whether every entity that does not rest must be added in this tick. A resting entity is added
  /// once. In other ticks all entities except created ones stay as last added.
  bool wants_moving() const { return now_.count % send_slot_ticks == 0; }
  void remove(std::uint32_t slot) { table_.remove(slot); }
  /// `resting`: refreshed once in the longest period, at any distance. `created`: found at once.
  void add(std::uint32_t phase, bool resting, bool created, const GridPoint& point) {
    // Inline, so that the point stays in registers.
    if (!table_.put(phase, resting, point) || created) add_apart(phase, resting, created, point);
  }
  /// Adds an entity that another worker had at that point when this slot began. It is due here as
  /// it would have been there. Only in ticks without wants_moving().
  void arrive(std::uint32_t phase, bool resting, GridPoint point);
  void finish();

  /// All entities due in this tick's slot; a few may occur twice. Valid until the next call.
  std::span<const Hit> due(const Viewpoint& view);
  /// All entities in reach, the due ones first, for an observer that knows none yet. Many occur
  /// twice.
  std::span<const Hit> all(const Viewpoint& view);
  /// Looks at 64 slots from `first` on, a multiple of 64; bit i is the slot first + i. Returns
  /// those of `slots` with an entity that may be farther away than that, or out of its reach. Most
  /// entities that are within are not returned.
  std::uint64_t not_within(std::uint32_t first, std::uint64_t slots, const GridPosition& from,
                           double radius_m) const {
    // its reach is padded once, and its place may be old
    return table_.not_within(first, slots, from, static_cast<float>(radius_m),
                             static_cast<float>(2 * interest_pad_m));
  }
  /// Number of moving entities within a tenth, two tenths, .. of `near_m` when this slot began.
  /// Those that have migrated away since are included; those that have arrived are not.
  GridSteps count_near(const GridPosition& from, double near_m) const;

 private:
  struct Part {
    PointGrid grid;
    std::vector<GridPoint> points;  ///< input of the grid
    Part(CellShape shape, std::size_t points_likely);
    void rebuild() { grid.rebuild(points); }
  };
  /// A phase class that is queried at far rings in this slot: its grid must be built.
  struct Asked {
    std::uint32_t phase = 0;
    double ring_m = 0;
  };
  void ask_classes();
  void add_apart(std::uint32_t phase, bool resting, bool created, const GridPoint& point);
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
  Part near_;               ///< all that move; in the cells of some slots ago
  Part strays_;             ///< those of near_ that have left their cells or are newer,
  Part large_;              ///< large ones, which would widen every query,
  Part came_;               ///< and arrivals from other workers in this slot
  bool rest_came_ = false;  ///< a resting entity arrived in this tick
  std::uint32_t near_age_slots_;
  std::vector<Part> moving_;                    ///< by phase class
  std::array<bool, phase_classes> is_built_{};  ///< of moving_, in this slot
  std::vector<Part> resting_;                   ///< by phase class
  Part settling_;                               ///< resting, but not in resting_ yet
  bool settling_changed_ = false;
  std::vector<Asked> asked_;
  std::uint32_t marks_ = 0;    ///< a bit for each phase class with the second ring in this slot
  Part born_;                  ///< not yet in the other parts
  std::vector<Tick> born_at_;  ///< of born_.points
  std::vector<Hit> hits_;
  std::size_t found_ = 0;
};

}  // namespace perigee::replication
