#include "perigee/replication/published.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::replication {
namespace {

// A parent-local offset beyond the record's range is encoded in world cells instead.
bool fits_parent_frame(const Published& entity, Precision precision) {
  const double limit_m = offset_limit_m(precision);
  const Vec3& p = entity.local.position;
  return entity.parent != no_entity && std::abs(p.x) < limit_m && std::abs(p.y) < limit_m &&
         std::abs(p.z) < limit_m;
}

}  // namespace

Handle frame_parent_of(const Published& entity, Precision precision) {
  return fits_parent_frame(entity, precision) ? entity.parent : no_entity;
}

GroupFrame frame_of(const Published& entity, Precision precision) {
  GroupFrame frame{.precision = precision, .block = handle_block(entity.handle)};
  frame.parent = frame_parent_of(entity, precision);
  if (frame.parent == no_entity) frame.cell = cell_of(entity.position, precision);
  return frame;
}

Track straight_track(const Published& entity, const GroupFrame& frame, Tick now) {
  Track out{.tick = now, .curve = TrackCurve::Straight, .turn = entity.turn};
  out.spin_damping_per_s = entity.spin_damping_per_s;
  if (frame.parent != no_entity) {
    out.position = entity.local.position;
    out.rotation = entity.local.rotation;
    out.velocity = entity.velocity;
    out.angular_velocity = entity.angular_velocity;
  } else {
    out.position = entity.position;
    out.rotation = entity.world_rotation;
    out.velocity = entity.world_velocity;
    out.angular_velocity = entity.world_angular_velocity;
  }
  return out;
}

double distance_to(const world::Bounds& bounds, const Vec3& point) {
  const Vec3 nearest{std::clamp(point.x, bounds.low.x, bounds.high.x),
                     std::clamp(point.y, bounds.low.y, bounds.high.y),
                     std::clamp(point.z, bounds.low.z, bounds.high.z)};
  return distance(nearest, point);
}

}  // namespace perigee::replication
