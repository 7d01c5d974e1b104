/// PhysicsWorld with Bullet: double precision, one discrete step per tick, no sub-steps. Only the
/// sources beside this header use Bullet. Bodies, queries and snapshots have a source each.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aside_tree.hpp"
#include "bullet_joints.hpp"
#include "bullet_manifolds.hpp"
#include "bullet_shapes.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/world/physics.hpp"

namespace perigee::world {

/// The engine would also predict the motion of sleeping bodies, and apply damping. This is left
/// out: sleeping bodies do not move, and no body here is damped. It would also predict the place of
/// each body to find those that are swept, even if none is.
class Dynamics final : public btDiscreteDynamicsWorld {
 public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
  /// Fast bodies are swept along their way, so that they do not pass through levels.
  void set_sweeps(bool sweeps) { sweeps_ = sweeps; }

 private:
  void predictUnconstraintMotion(btScalar dt_s) override;
  void createPredictiveContacts(btScalar dt_s) override;

  bool sweeps_ = false;
};

class BulletWorld final : public PhysicsWorld {
 public:
  explicit BulletWorld(std::uint32_t bodies_hint);
  ~BulletWorld() override;
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  BodyId add_body(const BodyDesc& desc) override;
  void remove_body(BodyId id) override;
  bool has(BodyId id) const override {
    return id != no_body && id <= bodies_.size() && bodies_[id - 1].engine != nullptr;
  }
  Handle owner(BodyId id) const override { return body(id).owner; }
  BodyMode mode(BodyId id) const override { return body(id).mode; }
  void set_mode(BodyId id, BodyMode mode) override;
  void set_mode_asleep(BodyId id, BodyMode mode) override;
  BodyState state(BodyId id) const override;
  void set_state(BodyId id, const BodyState& state) override;
  void set_velocity(BodyId id, const Vec3& linear, const Vec3& angular) override;
  bool awake(BodyId id) const override;
  void wake(BodyId id) override;
  void apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point) override;
  void accelerate(BodyId id, const Vec3& acceleration) override;

  JointId add_hinge(const JointDesc& desc) override {
    return joints_.add_hinge(desc, ends_of(desc));
  }
  JointId add_slider(const JointDesc& desc) override {
    return joints_.add_slider(desc, ends_of(desc));
  }
  JointId add_fixed(const JointDesc& desc) override {
    return joints_.add_fixed(desc, ends_of(desc));
  }
  void set_motor(JointId id, double speed, double force) override {
    joints_.set_motor(id, speed, force);
  }
  double joint_position(JointId id) const override { return joints_.position(id); }
  void remove_joint(JointId id) override { joints_.remove(id); }
  std::uint32_t joints_of(BodyId id) const override;

  void gather(double dt_s) override;
  void near_rounds(std::vector<BodyId>& found) const override;
  void list_awake(std::vector<BodyId>& found) const override;
  void step(double dt_s) override;

  std::optional<RayHit> cast_ray(const Vec3& from, const Vec3& to,
                                 const QueryFilter& filter) const override;
  std::optional<RayHit> sweep_sphere(const Vec3& from, const Vec3& to, double radius_m,
                                     const QueryFilter& filter) const override;
  std::size_t find_in_box(const Bounds& box, const QueryFilter& filter,
                          std::span<BodyId> found) const override;
  std::size_t contacts(BodyId id, std::span<BodyContact> found) const override;

  BodySnapshot snapshot(BodyId id) const override;
  void restore(const BodySnapshot& snapshot) override;

  std::uint64_t hash() const override;
  PhysicsStatistics statistics() const override;

 private:
  struct Body {
    std::unique_ptr<btRigidBody> engine;
    const Shape* shape = nullptr;
    BodyMode mode = BodyMode::Dynamic;
    Handle owner = no_entity;
    double mass_kg = 0;
    CollisionFilter filter;
    std::optional<Bounds> rounds;
    btDbvtNode* aside = nullptr;            ///< if it is not in the engine's world
    std::vector<BodyContact> lay_with;      ///< contacts at the time when it was set aside
    std::optional<btDbvtVolume> looked_in;  ///< all bodies in this volume are in the engine's world
    std::uint32_t met_in = 0;               ///< the pass that last marked it
  };
  Body& body(BodyId id) {
    PERIGEE_ASSERT(has(id), "no such body");
    return bodies_[id - 1];
  }
  const Body& body(BodyId id) const { return const_cast<BulletWorld*>(this)->body(id); }
  static void place(Body& body, const BodyState& state);
  static void become(Body& body, BodyMode mode);
  /// Before the call the body is not in the engine's world. Afterwards it is, unless `aside` is
  /// set.
  void enter(Body& body, BodyMode mode, bool aside = false);
  void join(Body& body);
  void leave(Body& body);
  void wake_touching(const btRigidBody& engine);
  /// For one mesh or heightfield more or less.
  void count_levels(int by);
  /// While there are any, fast bodies are swept along their way. Boxes are thick enough for all
  /// but the fastest, and a triangle has no thickness.
  void set_sweeps(Body& body) const;
  /// The bodies of a joint, brought into the engine's world.
  BulletJoints::Ends ends_of(const JointDesc& desc);

  // bullet_aside.cpp: the engine's steps take time for each body of its world, asleep or not. So
  // this world contains only moving bodies, and those that they could meet. The others are in a
  // tree of boxes.
  static btDbvtVolume box_of(const Body& body);
  void put_aside(BodyId id);
  void take_in(Body& body);
  /// With all bodies in contact with it.
  void bring(BodyId id);
  void bring(std::vector<BodyId>& found);
  template <class Visit>
  void for_each_aside(const btDbvtVolume& box, const QueryFilter& filter, Visit visit) const;
  void move_aside(Body& body);
  void look_around(Body& body, double dt_s, std::vector<BodyId>& found);
  void note_who_is_met();
  void put_some_aside();
  bool lies_in_rounds(const Body& body) const;
  bool may_be_aside(const Body& body) const;

  std::optional<RayHit> cast_ray_at_fields(const Vec3& from, const Vec3& to,
                                           const QueryFilter& filter, double nearest) const;
  RayHit hit(const btCollisionObject* object, double fraction, const btVector3& point,
             const btVector3& normal) const;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  Dynamics world_;
  BulletShapes shapes_;
  std::vector<Body> bodies_;  ///< by id - 1; free if without an engine body
  std::vector<BodyId> free_;
  BulletJoints joints_{world_};
  BulletManifolds manifolds_{
      {.dispatcher = dispatcher_, .broadphase = broadphase_, .world = world_}};
  AsideTree aside_;
  std::vector<BodyId> came_aside_;   ///< set aside, or moved there, since the last gather
  std::vector<BodyId> near_rounds_;  ///< bodies on endless paths in the engine's world, by id
  std::vector<BodyId> to_put_;       ///< bodies to set aside, the last one first
  int levels_ = 0;                   ///< bodies with meshes or heightfields
  std::vector<BodyId> fields_;       ///< bodies with heightfields, by id
  bool gathered_ = false;            ///< for the coming step
  std::uint32_t pass_ = 0;
  std::uint32_t steps_ = 0;
};

}  // namespace perigee::world
