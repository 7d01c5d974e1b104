/// The world as clients rendered it: entities between two past ticks, scheduled objects up to the
/// client's own tick.
#pragma once

#include <optional>

#include "perigee/world/entity_motions.hpp"
#include "perigee/world/neighbour_grid.hpp"

namespace perigee::world {

/// A moment as a client renders it: remote entities between two ticks, scheduled objects between
/// that time and the client's own tick, depending on their distance.
struct DrawnAt {
  Tick view;
  double part = 0;  ///< share of the tick after `view`
  Tick own;
  std::optional<Vec3> eye;     ///< world; none: scheduled objects are at the client's own tick
  Handle steered = no_entity;  ///< body that the client steers: rendered at its own tick
};
struct DrawnHit {
  Handle entity = no_entity;
  bool actor = false;
  double away_m = 0;
};

class DrawnWorld {
 public:
  struct Needs {
    const EntityTable& entities;
    const EntityMotions& motions;
    const NeighbourGrid& grid;
  };
  explicit DrawnWorld(Needs needs) : needs_(needs) {}

  /// See World::drawn_pose.
  std::optional<Pose> pose(Handle handle, const DrawnAt& at) const;
  /// See World::cast_drawn.
  std::optional<DrawnHit> cast(const Vec3& from, const Vec3& direction, double range_m,
                               Handle except, const DrawnAt& at) const;

 private:
  std::optional<Pose> pose(const EntityRecord& record, const DrawnAt& at) const;

  Needs needs_;
};

}  // namespace perigee::world
