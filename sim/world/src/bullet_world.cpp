// The only file that knows Bullet. Double precision, one discrete step per tick, no sub-steps.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>

#include "perigee/netcode/assert.hpp"
#include "perigee/netcode/hash.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {
namespace {

// Below these for 2 s a body sleeps. Bullet's own 0.8 m/s would freeze what drifts in space.
constexpr double sleep_m_s = 0.05;
constexpr double sleep_rad_s = 0.05;

btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
btQuaternion to_bullet(const Quat& q) { return {q.x, q.y, q.z, q.w}; }
btTransform to_bullet(const Pose& p) {
  return btTransform(to_bullet(p.rotation), to_bullet(p.position));
}
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Quat from_bullet(const btQuaternion& q) { return normalized(Quat{q.x(), q.y(), q.z(), q.w()}); }
Pose from_bullet(const btTransform& t) {
  return {from_bullet(t.getOrigin()), from_bullet(t.getRotation())};
}

/// One engine shape per Shape, shared by all bodies that have it.
class EngineShape {
 public:
  explicit EngineShape(ShapePtr source) : source_(std::move(source)) {
    const auto boxes = source_->boxes();
    if (boxes.size() == 1 && boxes[0].center == Vec3{} && boxes[0].rotation == Quat{}) {
      whole_ = make_child(boxes[0]);
      return;
    }
    auto compound = std::make_unique<btCompoundShape>(true, static_cast<int>(boxes.size()));
    for (const Box& box : boxes) {
      children_.push_back(make_child(box));
      compound->addChildShape(to_bullet(Pose{box.center, box.rotation}), children_.back().get());
    }
    whole_ = std::move(compound);
  }
  btCollisionShape* get() const { return whole_.get(); }

 private:
  static std::unique_ptr<btCollisionShape> make_child(const Box& box) {
    const bool upright = box.half.x == 0 && box.half.z == 0;
    if (upright && box.half.y == 0) return std::make_unique<btSphereShape>(box.radius);
    if (upright) return std::make_unique<btCapsuleShape>(box.radius, 2 * box.half.y);
    return std::make_unique<btBoxShape>(
        to_bullet(box.half + Vec3{box.radius, box.radius, box.radius}));
  }

  ShapePtr source_;  // kept, so that its address cannot name another shape
  std::vector<std::unique_ptr<btCollisionShape>> children_;
  std::unique_ptr<btCollisionShape> whole_;
};

struct Body {
  std::unique_ptr<btRigidBody> engine;
  BodyMode mode = BodyMode::Dynamic;
  Handle owner = no_entity;
  double mass_kg = 0;
  CollisionFilter filter;
};

enum class JointKind : std::uint8_t { Hinge, Slider, Fixed };
struct Joint {
  std::unique_ptr<btTypedConstraint> engine;
  JointKind kind = JointKind::Fixed;
  BodyId a = no_body, b = no_body;
};

BodyId id_of(const btCollisionObject* object) {
  return static_cast<BodyId>(object->getUserIndex());
}

/// Bullet hinges turn about z, ours about x.
btTransform hinge_frame(const Pose& frame) {
  return to_bullet(frame) * btTransform(btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
}

bool passes(const btBroadphaseProxy* proxy, const QueryFilter& filter) {
  const auto* object = static_cast<const btCollisionObject*>(proxy->m_clientObject);
  return (proxy->m_collisionFilterGroup & filter.groups) != 0 && id_of(object) != filter.except;
}

struct RayCallback : btCollisionWorld::ClosestRayResultCallback {
  RayCallback(const btVector3& from, const btVector3& to, const QueryFilter& with)
      : ClosestRayResultCallback(from, to), filter(with) {}
  bool needsCollision(btBroadphaseProxy* proxy) const override { return passes(proxy, filter); }
  QueryFilter filter;
};
struct SweepCallback : btCollisionWorld::ClosestConvexResultCallback {
  SweepCallback(const btVector3& from, const btVector3& to, const QueryFilter& with)
      : ClosestConvexResultCallback(from, to), filter(with) {}
  bool needsCollision(btBroadphaseProxy* proxy) const override { return passes(proxy, filter); }
  QueryFilter filter;
};
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

/// One manifold of a snapshot, followed by its points as they lie in memory.
struct ManifoldHead {
  BodyId other = no_body;
  std::uint32_t nth = 0;  ///< of the manifolds between the two bodies
  std::int32_t points = 0;
};
struct SnapshotHead {
  std::int32_t activation = 0;
  double quiet_s = 0;
  std::uint32_t manifolds = 0;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, static_cast<const void*>(&value), sizeof(T));
}
template <class T>
void extract(std::span<const std::byte>& bytes, T& value) {
  PERIGEE_ASSERT(bytes.size() >= sizeof(T), "a body's snapshot is of another build");
  std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
}

btDefaultCollisionConstructionInfo pools(std::uint32_t bodies_hint) {
  btDefaultCollisionConstructionInfo info;
  info.m_defaultMaxPersistentManifoldPoolSize = static_cast<int>(bodies_hint);
  info.m_defaultMaxCollisionAlgorithmPoolSize = static_cast<int>(bodies_hint);
  return info;
}

class BulletWorld final : public PhysicsWorld {
 public:
  explicit BulletWorld(std::uint32_t bodies_hint)
      : configuration_(pools(bodies_hint)),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        anchor_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, nullptr)) {
    world_.setGravity({0, 0, 0});
    world_.setForceUpdateAllAabbs(false);
    // A restored body must find its pairs in the order it left them.
    world_.getDispatchInfo().m_deterministicOverlappingPairs = true;
  }
  ~BulletWorld() override {
    for (auto& [id, joint] : joints_) world_.removeConstraint(joint.engine.get());
    for (const Body& body : bodies_) {
      if (body.engine) world_.removeRigidBody(body.engine.get());
    }
  }

  BodyId add_body(const BodyDesc& desc) override {
    PERIGEE_ASSERT(desc.shape != nullptr, "a body has a shape");
    btCollisionShape* shape = engine_shape(desc.shape);
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
    info.m_friction = desc.friction;
    info.m_linearSleepingThreshold = sleep_m_s;
    info.m_angularSleepingThreshold = sleep_rad_s;
    Body body{.engine = std::make_unique<btRigidBody>(info),
              .owner = desc.owner,
              .mass_kg = desc.mass_kg,
              .filter = desc.filter};
    BodyId id = no_body;
    if (free_.empty()) {
      bodies_.emplace_back();
      id = static_cast<BodyId>(bodies_.size());
    } else {
      id = free_.back();
      free_.pop_back();
    }
    body.engine->setUserIndex(static_cast<int>(id));
    Body& kept = bodies_[id - 1] = std::move(body);
    place(kept, {desc.pose, desc.velocity, desc.angular_velocity});
    enter(kept, desc.mode);
    place(kept, {desc.pose, desc.velocity, desc.angular_velocity});
    return id;
  }
  void remove_body(BodyId id) override {
    for (auto it = joints_.begin(); it != joints_.end();) {
      const bool held = it->second.a == id || it->second.b == id;
      if (held) world_.removeConstraint(it->second.engine.get());
      it = held ? joints_.erase(it) : std::next(it);
    }
    world_.removeRigidBody(body(id).engine.get());
    body(id) = {};
    free_.push_back(id);
  }
  bool has(BodyId id) const override {
    return id != no_body && id <= bodies_.size() && bodies_[id - 1].engine != nullptr;
  }
  Handle owner(BodyId id) const override { return body(id).owner; }
  BodyMode mode(BodyId id) const override { return body(id).mode; }
  void set_mode(BodyId id, BodyMode mode) override {
    Body& changed = body(id);
    if (changed.mode == mode) return;
    world_.removeRigidBody(changed.engine.get());
    enter(changed, mode);
  }

  BodyState state(BodyId id) const override {
    const btRigidBody& engine = *body(id).engine;
    return {from_bullet(engine.getWorldTransform()), from_bullet(engine.getLinearVelocity()),
            from_bullet(engine.getAngularVelocity())};
  }
  void set_state(BodyId id, const BodyState& state) override {
    Body& changed = body(id);
    place(changed, state);
    world_.updateSingleAabb(changed.engine.get());
    if (changed.mode == BodyMode::Dynamic) changed.engine->activate(true);
  }
  void set_velocity(BodyId id, const Vec3& linear, const Vec3& angular) override {
    btRigidBody& engine = *body(id).engine;
    engine.setLinearVelocity(to_bullet(linear));
    engine.setAngularVelocity(to_bullet(angular));
    engine.activate(true);
  }
  bool awake(BodyId id) const override {
    return body(id).mode == BodyMode::Dynamic && body(id).engine->isActive();
  }
  void wake(BodyId id) override { body(id).engine->activate(true); }
  void apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point) override {
    btRigidBody& engine = *body(id).engine;
    engine.activate(true);
    engine.applyImpulse(to_bullet(impulse), to_bullet(point) - engine.getCenterOfMassPosition());
  }
  void accelerate(BodyId id, const Vec3& acceleration) override {
    const Body& moved = body(id);
    moved.engine->applyCentralForce(to_bullet(acceleration * moved.mass_kg));
  }

  JointId add_hinge(const JointDesc& desc) override {
    auto hinge = std::make_unique<btHingeConstraint>(
        engine(desc.a), engine(desc.b), hinge_frame(desc.frame_a), hinge_frame(desc.frame_b), true);
    hinge->setLimit(desc.low, desc.high);
    return add_joint(std::move(hinge), JointKind::Hinge, desc);
  }
  JointId add_slider(const JointDesc& desc) override {
    auto slider = std::make_unique<btSliderConstraint>(
        engine(desc.a), engine(desc.b), to_bullet(desc.frame_a), to_bullet(desc.frame_b), true);
    slider->setLowerLinLimit(desc.low);
    slider->setUpperLinLimit(desc.high);
    slider->setLowerAngLimit(0);
    slider->setUpperAngLimit(0);
    return add_joint(std::move(slider), JointKind::Slider, desc);
  }
  JointId add_fixed(const JointDesc& desc) override {
    return add_joint(
        std::make_unique<btFixedConstraint>(engine(desc.a), engine(desc.b), to_bullet(desc.frame_a),
                                            to_bullet(desc.frame_b)),
        JointKind::Fixed, desc);
  }
  void set_motor(JointId id, double speed, double force) override {
    Joint& driven = joint(id);
    if (driven.kind == JointKind::Hinge) {
      // Bullet takes the impulse of one step here; all steps are ticks.
      static_cast<btHingeConstraint*>(driven.engine.get())
          ->enableAngularMotor(force > 0, speed, force * seconds_per_tick);
    } else if (driven.kind == JointKind::Slider) {
      auto* slider = static_cast<btSliderConstraint*>(driven.engine.get());
      slider->setPoweredLinMotor(force > 0);
      slider->setTargetLinMotorVelocity(speed);
      slider->setMaxLinMotorForce(force);
    }
    for (const BodyId end : {driven.a, driven.b}) {
      if (end != no_body) engine(end).activate(true);
    }
  }
  double joint_position(JointId id) const override {
    const Joint& asked = joints_.at(id);
    if (asked.kind == JointKind::Hinge) {
      return static_cast<btHingeConstraint*>(asked.engine.get())->getHingeAngle();
    }
    if (asked.kind == JointKind::Slider) {
      auto* slider = static_cast<btSliderConstraint*>(asked.engine.get());
      slider->calculateTransforms(slider->getRigidBodyA().getCenterOfMassTransform(),
                                  slider->getRigidBodyB().getCenterOfMassTransform());
      return slider->getLinDepth();
    }
    return 0;
  }
  void remove_joint(JointId id) override {
    world_.removeConstraint(joint(id).engine.get());
    joints_.erase(id);
  }
  std::uint32_t joints_of(BodyId id) const override {
    return static_cast<std::uint32_t>(body(id).engine->getNumConstraintRefs());
  }

  void step(double dt_s) override { world_.stepSimulation(dt_s, 0); }

  std::optional<RayHit> cast_ray(const Vec3& from, const Vec3& to,
                                 const QueryFilter& filter) const override {
    RayCallback callback(to_bullet(from), to_bullet(to), filter);
    world_.rayTest(to_bullet(from), to_bullet(to), callback);
    if (!callback.hasHit()) return std::nullopt;
    return hit(callback.m_collisionObject, callback.m_closestHitFraction, callback.m_hitPointWorld,
               callback.m_hitNormalWorld);
  }
  std::optional<RayHit> sweep_sphere(const Vec3& from, const Vec3& to, double radius_m,
                                     const QueryFilter& filter) const override {
    const btSphereShape sphere(radius_m);
    SweepCallback callback(to_bullet(from), to_bullet(to), filter);
    world_.convexSweepTest(&sphere, to_bullet(Pose{from, {}}), to_bullet(Pose{to, {}}), callback);
    if (!callback.hasHit()) return std::nullopt;
    return hit(callback.m_hitCollisionObject, callback.m_closestHitFraction,
               callback.m_hitPointWorld, callback.m_hitNormalWorld);
  }
  std::size_t find_in_box(const Bounds& box, const QueryFilter& filter,
                          std::span<BodyId> found) const override {
    BoxCallback callback(filter, found);
    const_cast<btDbvtBroadphase&>(broadphase_)
        .aabbTest(to_bullet(box.low), to_bullet(box.high), callback);
    std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(callback.count));
    return callback.count;
  }
  std::size_t contacts(BodyId id, std::span<BodyContact> found) const override {
    std::size_t count = 0;
    for_each_manifold(id, [&](const btPersistentManifold& manifold, BodyId other, std::uint32_t) {
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

  BodySnapshot snapshot(BodyId id) const override {
    const btRigidBody& engine = *body(id).engine;
    BodySnapshot out{.body = id, .state = state(id)};
    SnapshotHead head{.activation = engine.getActivationState(),
                      .quiet_s = engine.getDeactivationTime()};
    for_each_manifold(id, [&](const auto&, BodyId, std::uint32_t) { ++head.manifolds; });
    append(out.engine, head);
    // The engine's own basis: a quaternion's round trip would cost the last bits.
    append(out.engine, engine.getWorldTransform());
    for_each_manifold(id,
                      [&](const btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
                        append(out.engine, ManifoldHead{other, nth, manifold.getNumContacts()});
                        for (int i = 0; i < manifold.getNumContacts(); ++i) {
                          append(out.engine, manifold.getContactPoint(i));
                        }
                      });
    return out;
  }
  void restore(const BodySnapshot& snapshot) override {
    Body& restored = body(snapshot.body);
    std::span<const std::byte> bytes(snapshot.engine);
    SnapshotHead head;
    btTransform transform;
    extract(bytes, head);
    extract(bytes, transform);
    place(restored, snapshot.state);
    restored.engine->setCenterOfMassTransform(transform);
    restored.engine->setInterpolationWorldTransform(transform);
    world_.updateSingleAabb(restored.engine.get());
    restored.engine->forceActivationState(head.activation);
    restored.engine->setDeactivationTime(head.quiet_s);
    meet_again(*restored.engine);
    for_each_manifold(snapshot.body, [](btPersistentManifold& manifold, BodyId, std::uint32_t) {
      manifold.clearManifold();
    });
    for (std::uint32_t i = 0; i < head.manifolds; ++i) restore_manifold(snapshot.body, bytes);
  }
  std::uint64_t hash() const override {
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
  PhysicsStatistics statistics() const override {
    PhysicsStatistics out{.bodies = static_cast<std::uint32_t>(bodies_.size() - free_.size()),
                          .joints = static_cast<std::uint32_t>(joints_.size()),
                          .shapes = static_cast<std::uint32_t>(shapes_.size())};
    for (BodyId id = 1; id <= bodies_.size(); ++id) out.awake += has(id) && awake(id) ? 1U : 0U;
    out.manifolds = static_cast<std::uint32_t>(dispatcher_.getNumManifolds());
    return out;
  }

 private:
  Body& body(BodyId id) {
    PERIGEE_ASSERT(has(id), "no such body");
    return bodies_[id - 1];
  }
  const Body& body(BodyId id) const { return const_cast<BulletWorld*>(this)->body(id); }
  Joint& joint(JointId id) {
    const auto it = joints_.find(id);
    PERIGEE_ASSERT(it != joints_.end(), "no such joint");
    return it->second;
  }
  btRigidBody& engine(BodyId id) { return id == no_body ? anchor_ : *body(id).engine; }

  btCollisionShape* engine_shape(const ShapePtr& shape) {
    auto& slot = shapes_[shape.get()];
    if (!slot) slot = std::make_unique<EngineShape>(shape);
    return slot->get();
  }
  static void place(Body& body, const BodyState& state) {
    const btTransform transform = to_bullet(state.pose);
    body.engine->setWorldTransform(transform);
    body.engine->setInterpolationWorldTransform(transform);
    const bool moves = body.mode == BodyMode::Dynamic;
    const btVector3 still(0, 0, 0);
    body.engine->setLinearVelocity(moves ? to_bullet(state.velocity) : still);
    body.engine->setAngularVelocity(moves ? to_bullet(state.angular_velocity) : still);
    body.engine->setInterpolationLinearVelocity(body.engine->getLinearVelocity());
    body.engine->setInterpolationAngularVelocity(body.engine->getAngularVelocity());
    body.engine->updateInertiaTensor();
  }
  /// The body is not in the engine's world before the call.
  void enter(Body& body, BodyMode mode) {
    body.mode = mode;
    const bool dynamic = mode == BodyMode::Dynamic;
    btVector3 inertia(0, 0, 0);
    if (dynamic) body.engine->getCollisionShape()->calculateLocalInertia(body.mass_kg, inertia);
    body.engine->setMassProps(dynamic ? body.mass_kg : 0, inertia);
    body.engine->updateInertiaTensor();
    if (!dynamic) {
      body.engine->setLinearVelocity({0, 0, 0});
      body.engine->setAngularVelocity({0, 0, 0});
    }
    world_.addRigidBody(body.engine.get(), body.filter.group, body.filter.meets);
    world_.updateSingleAabb(body.engine.get());
    if (dynamic) body.engine->forceActivationState(ACTIVE_TAG);
  }
  JointId add_joint(std::unique_ptr<btTypedConstraint> engine, JointKind kind,
                    const JointDesc& desc) {
    world_.addConstraint(engine.get(), true);  // linked bodies do not collide with each other
    const JointId id = ++last_joint_;
    joints_.emplace(id, Joint{std::move(engine), kind, desc.a, desc.b});
    set_motor(id, desc.motor_speed, desc.motor_force);
    return id;
  }
  RayHit hit(const btCollisionObject* object, double fraction, const btVector3& point,
             const btVector3& normal) const {
    const BodyId id = id_of(object);
    return {.body = id,
            .owner = body(id).owner,
            .fraction = fraction,
            .point = from_bullet(point),
            .normal = from_bullet(normal)};
  }
  template <class Visit>
  void for_each_manifold(BodyId id, Visit&& visit) const {
    auto& dispatcher = const_cast<btCollisionDispatcher&>(dispatcher_);
    std::unordered_map<BodyId, std::uint32_t> seen;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(i);
      const BodyId first = id_of(manifold->getBody0());
      const BodyId second = id_of(manifold->getBody1());
      if (first != id && second != id) continue;
      const BodyId other = first == id ? second : first;
      visit(*manifold, other, seen[other]++);
    }
  }
  /// Pairs that have parted since the snapshot get their manifolds back, to be filled from it.
  void meet_again(const btRigidBody& body) {
    broadphase_.calculateOverlappingPairs(&dispatcher_);
    auto& pairs = broadphase_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
      btBroadphasePair& pair = pairs[i];
      const bool own =
          pair.m_pProxy0->m_clientObject == &body || pair.m_pProxy1->m_clientObject == &body;
      if (own) dispatcher_.getNearCallback()(pair, dispatcher_, world_.getDispatchInfo());
    }
  }
  void restore_manifold(BodyId id, std::span<const std::byte>& bytes) {
    ManifoldHead head;
    extract(bytes, head);
    btPersistentManifold* found = nullptr;
    for_each_manifold(id, [&](btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
      if (other == head.other && nth == head.nth) found = &manifold;
    });
    for (std::int32_t i = 0; i < head.points; ++i) {
      btManifoldPoint point;
      extract(bytes, point);
      if (found != nullptr) found->addManifoldPoint(point);
    }
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btRigidBody anchor_;  ///< what joints with no second body hold on to; not in the world
  std::unordered_map<const Shape*, std::unique_ptr<EngineShape>> shapes_;  ///< never iterated
  std::vector<Body> bodies_;  ///< by id - 1; without an engine: free
  std::vector<BodyId> free_;
  std::map<JointId, Joint> joints_;
  JointId last_joint_ = no_joint;
};

}  // namespace

std::unique_ptr<PhysicsWorld> make_bullet_world(std::uint32_t bodies_hint) {
  return std::make_unique<BulletWorld>(bodies_hint);
}

}  // namespace perigee::world
