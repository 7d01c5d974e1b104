#include "perigee/replication/published.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::replication {
namespace {

// A parent-local offset beyond the record's range is encoded in world cells instead.
bool fits_parent_frame(const Published& entity) {
  constexpr double limit_m = offset_limit_m(Precision::Fine);
  const Vec3& p = entity.local.position;
  return entity.parent != no_entity && std::abs(p.x) < limit_m && std::abs(p.y) < limit_m &&
         std::abs(p.z) < limit_m;
}

}  // namespace

GroupFrame frame_of(const Published& entity, Precision precision) {
  GroupFrame frame{.block = handle_block(entity.handle)};
  if (fits_parent_frame(entity)) {
    frame.parent = entity.parent;
  } else {
    frame.cell = cell_of(entity.position, precision);
    frame.precision = precision;
  }
  return frame;
}

EntityRecord record_of(const Published& entity, const GroupFrame& frame) {
  if (frame.parent != no_entity) {
    return {entity.handle, entity.local.position, entity.local.rotation, entity.velocity};
  }
  return {entity.handle, entity.position - origin_of(frame), entity.world_rotation,
          entity.world_velocity};
}

double distance_to(const world::Bounds& bounds, const Vec3& point) {
  const Vec3 nearest{std::clamp(point.x, bounds.low.x, bounds.high.x),
                     std::clamp(point.y, bounds.low.y, bounds.high.y),
                     std::clamp(point.z, bounds.low.z, bounds.high.z)};
  return distance(nearest, point);
}

}  // namespace perigee::replication
