#include "bullet_joints.hpp"

#include <iterator>
#include <utility>

#include "bullet_convert.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

/// Bullet's hinges turn about z, perigee's about x.
btTransform hinge_frame(const Pose& frame) {
  return to_bullet(frame) * btTransform(btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
}

}  // namespace

BulletJoints::BulletJoints(btDynamicsWorld& engine)
    : engine_(engine), anchor_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, nullptr)) {}

JointId BulletJoints::add_hinge(const JointDesc& desc, Ends ends) {
  auto hinge = std::make_unique<btHingeConstraint>(
      body(ends.a), body(ends.b), hinge_frame(desc.frame_a), hinge_frame(desc.frame_b), true);
  hinge->setLimit(desc.low, desc.high);
  return add(std::move(hinge), Kind::Hinge, desc);
}

JointId BulletJoints::add_slider(const JointDesc& desc, Ends ends) {
  auto slider = std::make_unique<btSliderConstraint>(
      body(ends.a), body(ends.b), to_bullet(desc.frame_a), to_bullet(desc.frame_b), true);
  slider->setLowerLinLimit(desc.low);
  slider->setUpperLinLimit(desc.high);
  slider->setLowerAngLimit(0);
  slider->setUpperAngLimit(0);
  return add(std::move(slider), Kind::Slider, desc);
}

JointId BulletJoints::add_fixed(const JointDesc& desc, Ends ends) {
  return add(std::make_unique<btFixedConstraint>(body(ends.a), body(ends.b),
                                                 to_bullet(desc.frame_a), to_bullet(desc.frame_b)),
             Kind::Fixed, desc);
}

void BulletJoints::set_motor(JointId id, double speed, double force) {
  Joint& driven = joint(id);
  if (driven.kind == Kind::Hinge) {
    // Bullet takes the impulse of one step here; all steps are ticks.
    static_cast<btHingeConstraint*>(driven.engine.get())
        ->enableAngularMotor(force > 0, speed, force * seconds_per_tick);
  } else if (driven.kind == Kind::Slider) {
    auto* slider = static_cast<btSliderConstraint*>(driven.engine.get());
    slider->setPoweredLinMotor(force > 0);
    slider->setTargetLinMotorVelocity(speed);
    slider->setMaxLinMotorForce(force);
  }
  if (driven.a != no_body) driven.engine->getRigidBodyA().activate(true);
  if (driven.b != no_body) driven.engine->getRigidBodyB().activate(true);
}

double BulletJoints::position(JointId id) const {
  const Joint& asked = joints_.at(id);
  if (asked.kind == Kind::Hinge) {
    return static_cast<btHingeConstraint*>(asked.engine.get())->getHingeAngle();
  }
  if (asked.kind == Kind::Slider) {
    auto* slider = static_cast<btSliderConstraint*>(asked.engine.get());
    slider->calculateTransforms(slider->getRigidBodyA().getCenterOfMassTransform(),
                                slider->getRigidBodyB().getCenterOfMassTransform());
    return slider->getLinDepth();
  }
  return 0;
}

void BulletJoints::remove(JointId id) {
  engine_.removeConstraint(joint(id).engine.get());
  joints_.erase(id);
}

void BulletJoints::remove_of(BodyId body) {
  for (auto it = joints_.begin(); it != joints_.end();) {
    const bool held = it->second.a == body || it->second.b == body;
    if (held) engine_.removeConstraint(it->second.engine.get());
    it = held ? joints_.erase(it) : std::next(it);
  }
}

void BulletJoints::clear() {
  for (auto& [id, joint] : joints_) engine_.removeConstraint(joint.engine.get());
  joints_.clear();
}

BulletJoints::Joint& BulletJoints::joint(JointId id) {
  const auto it = joints_.find(id);
  PERIGEE_ASSERT(it != joints_.end(), "no such joint");
  return it->second;
}

JointId BulletJoints::add(std::unique_ptr<btTypedConstraint> engine, Kind kind,
                          const JointDesc& desc) {
  engine_.addConstraint(engine.get(), true);  // linked bodies do not collide with each other
  const JointId id = ++last_;
  joints_.emplace(id, Joint{std::move(engine), kind, desc.a, desc.b});
  set_motor(id, desc.motor_speed, desc.motor_force);
  return id;
}

}  // namespace perigee::world
