// Joints of the Bullet world and their motors.
#include "bullet_convert.hpp"
#include "bullet_world.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

/// Bullet's hinges turn about z, perigee's about x.
btTransform hinge_frame(const Pose& frame) {
  return to_bullet(frame) * btTransform(btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
}

}  // namespace

JointId BulletWorld::add_hinge(const JointDesc& desc) {
  auto hinge = std::make_unique<btHingeConstraint>(
      engine(desc.a), engine(desc.b), hinge_frame(desc.frame_a), hinge_frame(desc.frame_b), true);
  hinge->setLimit(desc.low, desc.high);
  return add_joint(std::move(hinge), JointKind::Hinge, desc);
}

JointId BulletWorld::add_slider(const JointDesc& desc) {
  auto slider = std::make_unique<btSliderConstraint>(
      engine(desc.a), engine(desc.b), to_bullet(desc.frame_a), to_bullet(desc.frame_b), true);
  slider->setLowerLinLimit(desc.low);
  slider->setUpperLinLimit(desc.high);
  slider->setLowerAngLimit(0);
  slider->setUpperAngLimit(0);
  return add_joint(std::move(slider), JointKind::Slider, desc);
}

JointId BulletWorld::add_fixed(const JointDesc& desc) {
  return add_joint(
      std::make_unique<btFixedConstraint>(engine(desc.a), engine(desc.b), to_bullet(desc.frame_a),
                                          to_bullet(desc.frame_b)),
      JointKind::Fixed, desc);
}

void BulletWorld::set_motor(JointId id, double speed, double force) {
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

double BulletWorld::joint_position(JointId id) const {
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

void BulletWorld::remove_joint(JointId id) {
  world_.removeConstraint(joint(id).engine.get());
  joints_.erase(id);
}

std::uint32_t BulletWorld::joints_of(BodyId id) const {
  return static_cast<std::uint32_t>(body(id).engine->getNumConstraintRefs());
}

BulletWorld::Joint& BulletWorld::joint(JointId id) {
  const auto it = joints_.find(id);
  PERIGEE_ASSERT(it != joints_.end(), "no such joint");
  return it->second;
}

JointId BulletWorld::add_joint(std::unique_ptr<btTypedConstraint> engine, JointKind kind,
                               const JointDesc& desc) {
  for (const BodyId end : {desc.a, desc.b}) {
    if (end != no_body) bring(end);
  }
  world_.addConstraint(engine.get(), true);  // linked bodies do not collide with each other
  const JointId id = ++last_joint_;
  joints_.emplace(id, Joint{std::move(engine), kind, desc.a, desc.b});
  set_motor(id, desc.motor_speed, desc.motor_force);
  return id;
}

}  // namespace perigee::world
