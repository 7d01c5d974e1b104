#include "perigee/replication/published.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::replication {
namespace {

// A parent-local offset beyond the record's range travels in world cells instead.
bool fits_parent_frame(const Published& entity) {
  const Vec3& p = entity.local.position;
  return entity.parent != no_entity && std::abs(p.x) < offset_limit_m &&
         std::abs(p.y) < offset_limit_m && std::abs(p.z) < offset_limit_m;
}

}  // namespace

GroupFrame frame_of(const Published& entity) {
  if (fits_parent_frame(entity)) return {entity.parent, {}};
  return {no_entity, cell_of(entity.position)};
}

EntityRecord record_of(const Published& entity) {
  if (fits_parent_frame(entity)) {
    return {entity.handle, entity.local.position, entity.local.rotation, entity.velocity};
  }
  return {entity.handle, entity.position - cell_center(cell_of(entity.position)),
          entity.world_rotation, entity.world_velocity};
}

double distance_to(const world::Bounds& bounds, const Vec3& point) {
  const Vec3 nearest{std::clamp(point.x, bounds.low.x, bounds.high.x),
                     std::clamp(point.y, bounds.low.y, bounds.high.y),
                     std::clamp(point.z, bounds.low.z, bounds.high.z)};
  return distance(nearest, point);
}

}  // namespace perigee::replication
