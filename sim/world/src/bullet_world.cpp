#include "bullet_world.hpp"

#include "mesh_contacts.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

btDefaultCollisionConstructionInfo pools(std::uint32_t bodies_hint) {
  btDefaultCollisionConstructionInfo info;
  info.m_defaultMaxPersistentManifoldPoolSize = static_cast<int>(bodies_hint);
  info.m_defaultMaxCollisionAlgorithmPoolSize = static_cast<int>(bodies_hint);
  return info;
}

}  // namespace

void Dynamics::predictUnconstraintMotion(btScalar dt_s) {
  for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
    btRigidBody& body = *m_nonStaticRigidBodies[i];
    if (body.isStaticOrKinematicObject() || !body.isActive()) continue;
    body.predictIntegratedTransform(dt_s, body.getInterpolationWorldTransform());
  }
}

void Dynamics::createPredictiveContacts(btScalar dt_s) {
  releasePredictiveContacts();
  if (sweeps_) btDiscreteDynamicsWorld::createPredictiveContacts(dt_s);
}

BulletWorld::BulletWorld(std::uint32_t bodies_hint)
    : configuration_(pools(bodies_hint)),
      dispatcher_(&configuration_),
      world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
  dispatcher_.setNearCallback(find_contacts);
  world_.setGravity({0, 0, 0});
  world_.setForceUpdateAllAabbs(false);
  // A restored body must find its pairs in their former order.
  world_.getDispatchInfo().m_deterministicOverlappingPairs = true;
}

BulletWorld::~BulletWorld() {
  joints_.clear();
  for (const Body& body : bodies_) {
    if (body.engine && body.aside == nullptr) world_.removeRigidBody(body.engine.get());
  }
}

std::uint64_t BulletWorld::hash() const {
  StateHash hash;
  const auto add = [&](const Vec3& v) { hash.add(v.x).add(v.y).add(v.z); };
  for (BodyId id = 1; id <= bodies_.size(); ++id) {
    if (!has(id)) continue;
    const Body& body = bodies_[id - 1];
    const BodyState now = state(id);
    hash.add(id).add(body.owner).add(body.mode);
    add(now.pose.position);
    hash.add(now.pose.rotation.x).add(now.pose.rotation.y);
    hash.add(now.pose.rotation.z).add(now.pose.rotation.w);
    add(now.velocity);
    add(now.angular_velocity);
  }
  return hash.value();
}

PhysicsStatistics BulletWorld::statistics() const {
  PhysicsStatistics out{.bodies = static_cast<std::uint32_t>(bodies_.size() - free_.size()),
                        .aside = static_cast<std::uint32_t>(aside_.size()),
                        .joints = static_cast<std::uint32_t>(joints_.size()),
                        .shapes = static_cast<std::uint32_t>(shapes_.size())};
  for (BodyId id = 1; id <= bodies_.size(); ++id) out.awake += has(id) && awake(id) ? 1U : 0U;
  out.manifolds = static_cast<std::uint32_t>(manifolds_.size());
  return out;
}

std::unique_ptr<PhysicsWorld> make_bullet_world(std::uint32_t bodies_hint) {
  return std::make_unique<BulletWorld>(bodies_hint);
}

}  // namespace perigee::world
