#include "perigee/world/gravity_fields.hpp"

namespace perigee::world {
namespace {

double volume(const Bounds& bounds) {
  const Vec3 size = bounds.size();
  return size.x * size.y * size.z;
}

}  // namespace

/// The field with the smallest gravity box that contains the point.
const EntityRecord* GravityFields::around(const Vec3& world_point, Tick tick) const {
  const EntityRecord* field = nullptr;
  for (const EntityRecord* r : needs_.entities.fields()) {
    const auto at = needs_.motions.pose(r->entity.handle, tick);
    if (!at || !r->type->gravity.inside.contains(inverse_transform(*at, world_point))) continue;
    if (field == nullptr || volume(r->type->gravity.inside) < volume(field->type->gravity.inside)) {
      field = r;
    }
  }
  return field;
}

GravityBox GravityFields::at(const Vec3& world_point, Tick tick) const {
  const EntityRecord* field = around(world_point, tick);
  if (field == nullptr) return {};
  const Pose pose = *needs_.motions.pose(field->entity.handle, tick);
  return unbounded_gravity(rotate(pose.rotation, field->type->gravity.acceleration));
}

// Artificial gravity carries bodies along with the ship: the ship's acceleration at the point is
// added.
Vec3 GravityFields::pull_at(const Vec3& world_point) const {
  const EntityRecord* field = around(world_point, needs_.now);
  if (field == nullptr) return {};
  const Motion at = *needs_.motions.motion(field->entity.handle, needs_.now);
  Vec3 pull = rotate(at.pose.rotation, field->type->gravity.acceleration);
  if (field->type->inertia == Inertia::Full || !field->driven) return pull;
  const Vec3 arm = world_point - at.pose.position;
  const Vec3& w = field->drive_angular;
  pull += (field->drive_velocity - at.velocity) / seconds_per_tick;
  pull += cross((w - at.angular_velocity) / seconds_per_tick, arm) + cross(w, cross(w, arm));
  return pull;
}

}  // namespace perigee::world
