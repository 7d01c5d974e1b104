/// The last known place of every entity, by slot: input for building and refreshing the grids.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "perigee/base/interest.hpp"
#include "perigee/replication/point_grid.hpp"
#include "perigee/replication/words_in_use.hpp"

namespace perigee::replication {

/// Larger entities are kept out of the fine grid, because the largest radius in it widens every
/// query.
inline constexpr float large_radius_m = 32;

class PointTable {
 public:
  /// An entity that moves farther than this from its place in the fine grid, on any axis, becomes a
  /// stray. 16 m.
  static constexpr std::int32_t drift_steps_max = 256;
  /// The same for resting entities: their grid is not refreshed. 1 m.
  static constexpr std::int32_t resting_drift_steps_max = 16;

  explicit PointTable(std::size_t slots_max);

  /// Updates the point. Returns whether it is still near its filed place.
  bool put(std::uint32_t phase, bool resting, const GridPoint& point);

  void remove(std::uint32_t slot);
  /// Whether it rests and is not filed.
  bool settles(std::uint32_t slot) const {
    return (kinds_[slot] & (filed_bit | resting_bit)) == resting_bit && kinds_[slot] != absent;
  }

  /// Looks at 64 slots from `first` on, a multiple of 64; bit i is the slot first + i. Returns
  /// those of `slots` with an entity that was not within that distance and within its own reach, by
  /// `inside_m` at least, when it was put last.
  std::uint64_t not_within(std::uint32_t first, std::uint64_t slots, const GridPosition& from,
                           float radius_m, float inside_m) const;

  /// Number of words that each of the three functions below visits: at most the number of entities.
  std::size_t words_in_use() const { return in_use_.count(); }
  /// Appends the moving entities of a class, by slot.
  void list_moving(std::uint32_t phase, std::vector<GridPoint>& points) const;
  /// Appends the resting entities of a class, and marks them as filed.
  void file_resting(std::uint32_t phase, std::vector<GridPoint>& points);
  /// Appends the entities for the fine grid, and marks them as filed.
  void file_near(std::vector<GridPoint>& points);

  /// Data of a slot that file_near() listed; with radius `nowhere` if it is no longer filed. Marked
  /// if its phase class has a bit in `marks`.
  GridMove filed(std::uint32_t slot, std::uint32_t marks) const {
    const std::uint32_t kind = kinds_[slot];
    const bool is_filed = (kind & (filed_bit | resting_bit)) == filed_bit;
    const Sphere& sphere = spheres_[slot];
    return {sphere.position, is_filed ? sphere.radius_m : PointGrid::nowhere,
            (marks >> (kind & phase_mask) & 1U) != 0};
  }

 private:
  using Kind = std::uint8_t;  ///< phase class and bits
  static constexpr std::uint32_t word_kinds = sizeof(std::uint64_t);
  static constexpr Kind phase_mask = 0x0F;
  static constexpr Kind resting_bit = 0x10;
  static constexpr Kind large_bit = 0x20;
  static constexpr Kind filed_bit = 0x40;
  static constexpr Kind absent = phase_mask | resting_bit;
  static_assert(phase_classes <= phase_mask);

  struct Sphere {
    GridPosition position;
    float radius_m = 0;
  };

  GridPoint point(std::uint32_t slot) const {
    return {spheres_[slot].position, spheres_[slot].radius_m, reach_m_[slot], slot};
  }
  bool strayed(bool resting, const GridPoint& point) const;
  std::uint64_t word(std::size_t index) const;
  template <class Visit>
  void for_each(Kind kind, Visit visit) const;

  std::vector<Sphere> spheres_;  ///< these two: up to a multiple of 64 slots
  std::vector<float> reach_m_;
  std::vector<Sphere> anchors_;  ///< place and radius at the time of filing
  std::vector<Kind> kinds_;      ///< size is a multiple of 8: read by words
  WordsInUse in_use_;            ///< words of kinds_ that are not entirely absent
};

// Without branches: strays are random, and would be mispredicted.
inline bool PointTable::strayed(bool resting, const GridPoint& point) const {
  const Sphere& anchor = anchors_[point.slot];
  const std::int32_t drift_steps = resting ? resting_drift_steps_max : drift_steps_max;
  const auto far = [&](std::int32_t now, std::int32_t then) {
    return std::abs(now - then) > drift_steps ? 1U : 0U;
  };
  return (far(point.position.x, anchor.position.x) | far(point.position.y, anchor.position.y) |
          far(point.position.z, anchor.position.z) |
          (point.radius_m > anchor.radius_m + 1 ? 1U : 0U)) != 0;
}

inline bool PointTable::put(std::uint32_t phase, bool resting, const GridPoint& point) {
  const std::uint32_t slot = point.slot;
  spheres_[slot] = {point.position, point.radius_m};
  reach_m_[slot] = point.reach_m;
  const auto kind = static_cast<Kind>(phase | (resting ? resting_bit : 0U) |
                                      (point.radius_m > large_radius_m ? large_bit : 0U));
  const bool filed = kinds_[slot] == (kind | filed_bit) && !strayed(resting, point);
  if (kinds_[slot] == absent) in_use_.add(slot / word_kinds);
  kinds_[slot] = filed ? kind | filed_bit : kind;
  return filed;
}

}  // namespace perigee::replication
