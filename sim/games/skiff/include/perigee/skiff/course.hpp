/// The course of a ferry: a pure function of the tick.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/skiff/tunables.hpp"

namespace perigee::skiff {

/// A closed race-track in steps of one tick. The first straight runs along the placing pose's +z
/// through its origin, the second `2 * arc_radius_m` towards its +x.
class Course {
 public:
  Course(const CourseTunables& tunables, const Pose& placed);

  std::uint32_t lap_ticks() const { return 2 * static_cast<std::uint32_t>(half_.size()); }
  /// Pose at the tick; velocities are those that led to it, as for bodies. World axes.
  Motion at(Tick tick) const;

 private:
  /// One tick of the first half lap. The second half is the first one rotated by half a turn.
  struct Step {
    Vec3 position;
    double heading_rad = 0;
    double yaw_rate = 0;
  };
  Motion in_lap(std::uint32_t tick) const;

  Pose placed_;
  double speed_m_s_;
  std::uint32_t start_tick_;
  Vec3 half_way_;  ///< position after half a lap
  std::vector<Step> half_;
};

}  // namespace perigee::skiff
