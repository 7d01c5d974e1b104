// Spatial queries of the Bullet world: rays, sweeps, boxes, contacts.
#include <algorithm>

#include "bullet_convert.hpp"
#include "bullet_world.hpp"
#include "engine_heightfield.hpp"

namespace perigee::world {
namespace {

bool passes(const btBroadphaseProxy* proxy, const QueryFilter& filter) {
  const auto* object = static_cast<const btCollisionObject*>(proxy->m_clientObject);
  return (proxy->m_collisionFilterGroup & filter.groups) != 0 && id_of(object) != filter.except;
}

struct RayCallback : btCollisionWorld::ClosestRayResultCallback {
  RayCallback(const btVector3& from, const btVector3& to, const QueryFilter& with)
      : ClosestRayResultCallback(from, to), filter(with) {}
  bool needsCollision(btBroadphaseProxy* proxy) const override {
    const auto* object = static_cast<const btCollisionObject*>(proxy->m_clientObject);
    return passes(proxy, filter) && object->getCollisionShape()->getShapeType() != heightfield_type;
  }
  QueryFilter filter;
};
struct SweepCallback : btCollisionWorld::ClosestConvexResultCallback {
  SweepCallback(const btVector3& from, const btVector3& to, const QueryFilter& with)
      : ClosestConvexResultCallback(from, to), filter(with) {}
  bool needsCollision(btBroadphaseProxy* proxy) const override { return passes(proxy, filter); }
  QueryFilter filter;
};
btDbvtVolume along(const Vec3& from, const Vec3& to, double radius_m) {
  btVector3 low = to_bullet(from), high = low;
  low.setMin(to_bullet(to));
  high.setMax(to_bullet(to));
  const btVector3 margin(radius_m, radius_m, radius_m);
  return btDbvtVolume::FromMM(low - margin, high + margin);
}

struct BoxCallback : btBroadphaseAabbCallback {
  BoxCallback(const QueryFilter& with, std::span<BodyId> into) : filter(with), found(into) {}
  bool process(const btBroadphaseProxy* proxy) override {
    if (!passes(proxy, filter)) return true;
    if (count == found.size()) return false;
    found[count++] = id_of(static_cast<const btCollisionObject*>(proxy->m_clientObject));
    return true;
  }
  QueryFilter filter;
  std::span<BodyId> found;
  std::size_t count = 0;
};

}  // namespace

template <class Visit>
void BulletWorld::for_each_aside(const btDbvtVolume& box, const QueryFilter& filter,
                                 Visit visit) const {
  std::vector<BodyId> found;
  aside_.list(box, found);
  std::sort(found.begin(), found.end());
  for (const BodyId id : found) {
    const Body& lying = body(id);
    if ((lying.filter.group & filter.groups) != 0 && id != filter.except) visit(lying);
  }
}

std::optional<RayHit> BulletWorld::cast_ray(const Vec3& from, const Vec3& to,
                                            const QueryFilter& filter) const {
  RayCallback callback(to_bullet(from), to_bullet(to), filter);
  world_.rayTest(to_bullet(from), to_bullet(to), callback);
  for_each_aside(along(from, to, 0), filter, [&](const Body& body) {
    if (body.shape->heightfield()) return;
    btCollisionWorld::rayTestSingle(to_bullet(Pose{from, {}}), to_bullet(Pose{to, {}}),
                                    body.engine.get(), body.engine->getCollisionShape(),
                                    body.engine->getWorldTransform(), callback);
  });
  const auto in_field = cast_ray_at_fields(from, to, filter, callback.m_closestHitFraction);
  if (in_field) return in_field;
  if (!callback.hasHit()) return std::nullopt;
  return hit(callback.m_collisionObject, callback.m_closestHitFraction, callback.m_hitPointWorld,
             callback.m_hitNormalWorld);
}

/// The engine would look at all triangles around the ray's whole way.
std::optional<RayHit> BulletWorld::cast_ray_at_fields(const Vec3& from, const Vec3& to,
                                                      const QueryFilter& filter,
                                                      double nearest) const {
  std::optional<RayHit> out;
  const double whole = distance(from, to);
  for (const BodyId id : fields_) {
    const Body& each = body(id);
    if ((each.filter.group & filter.groups) == 0 || id == filter.except || whole <= 0) continue;
    const Pose pose = from_bullet(each.engine->getWorldTransform());
    const Vec3 way = rotate_back(pose.rotation, (to - from) / whole);
    const auto& field = each.shape->heightfield();
    const auto found = field->cast_ray(inverse_transform(pose, from), way, whole * nearest);
    if (!found) continue;
    nearest = found->away_m / whole;
    const Vec3 normal = rotate(pose.rotation, field->triangle(found->triangle).normal);
    out = hit(each.engine.get(), nearest, to_bullet(lerp(from, to, nearest)), to_bullet(normal));
  }
  return out;
}

std::optional<RayHit> BulletWorld::sweep_sphere(const Vec3& from, const Vec3& to, double radius_m,
                                                const QueryFilter& filter) const {
  const btSphereShape sphere(radius_m);
  SweepCallback callback(to_bullet(from), to_bullet(to), filter);
  world_.convexSweepTest(&sphere, to_bullet(Pose{from, {}}), to_bullet(Pose{to, {}}), callback);
  for_each_aside(along(from, to, radius_m), filter, [&](const Body& body) {
    btCollisionWorld::objectQuerySingle(&sphere, to_bullet(Pose{from, {}}), to_bullet(Pose{to, {}}),
                                        body.engine.get(), body.engine->getCollisionShape(),
                                        body.engine->getWorldTransform(), callback, 0);
  });
  if (!callback.hasHit()) return std::nullopt;
  return hit(callback.m_hitCollisionObject, callback.m_closestHitFraction, callback.m_hitPointWorld,
             callback.m_hitNormalWorld);
}

std::size_t BulletWorld::find_in_box(const Bounds& box, const QueryFilter& filter,
                                     std::span<BodyId> found) const {
  BoxCallback callback(filter, found);
  const_cast<btDbvtBroadphase&>(broadphase_)
      .aabbTest(to_bullet(box.low), to_bullet(box.high), callback);
  for_each_aside(btDbvtVolume::FromMM(to_bullet(box.low), to_bullet(box.high)), filter,
                 [&](const Body& body) {
                   if (callback.count < found.size()) {
                     found[callback.count++] = id_of(body.engine.get());
                   }
                 });
  std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(callback.count));
  return callback.count;
}

std::size_t BulletWorld::contacts(BodyId id, std::span<BodyContact> found) const {
  std::size_t count = 0;
  for (const BodyContact& lay : body(id).lay_with) {
    const bool still_there = has(lay.other) && body(lay.other).owner == lay.owner;
    // A contact of two bodies in the engine's world is in its manifolds.
    const bool lies =
        still_there && (body(id).aside != nullptr || body(lay.other).aside != nullptr);
    if (lies && count < found.size()) found[count++] = lay;
  }
  manifolds_.for_each(id, [&](const btPersistentManifold& manifold, BodyId other, std::uint32_t) {
    const bool first = id_of(manifold.getBody0()) == id;
    for (int i = 0; i < manifold.getNumContacts() && count < found.size(); ++i) {
      const btManifoldPoint& p = manifold.getContactPoint(i);
      const Vec3 normal = from_bullet(p.m_normalWorldOnB);
      found[count++] = {.other = other,
                        .owner = body(other).owner,
                        .point = from_bullet(p.getPositionWorldOnB()),
                        .normal = first ? normal : -normal,
                        .depth_m = -p.getDistance(),
                        .impulse = p.getAppliedImpulse()};
    }
  });
  return count;
}

RayHit BulletWorld::hit(const btCollisionObject* object, double fraction, const btVector3& point,
                        const btVector3& normal) const {
  const BodyId id = id_of(object);
  return {.body = id,
          .owner = body(id).owner,
          .fraction = fraction,
          .point = from_bullet(point),
          .normal = from_bullet(normal)};
}

}  // namespace perigee::world
