#include "bullet_joints.hpp"

#include <gtest/gtest.h>

#include "engine.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

TEST(TheBulletJoints, OfABodyAreRemovedWithIt) {
  Engine engine;
  BulletJoints joints(engine.world);
  btRigidBody& a = engine.add(0);
  btRigidBody& b = engine.add(2);
  btRigidBody& c = engine.add(4);
  joints.add_hinge({.a = 1, .b = 2}, {&a, &b});
  joints.add_fixed({.a = 2, .b = 3}, {&b, &c});
  joints.remove_of(1);
  EXPECT_EQ(joints.size(), 1U);
  EXPECT_EQ(a.getNumConstraintRefs(), 0);
  EXPECT_EQ(b.getNumConstraintRefs(), 1);
  joints.clear();
  EXPECT_EQ(b.getNumConstraintRefs(), 0);
}

TEST(TheBulletJoints, MoveASliderByItsMotor) {
  Engine engine;
  BulletJoints joints(engine.world);
  btRigidBody& body = engine.add(0);
  body.forceActivationState(ISLAND_SLEEPING);
  const JointId slider = joints.add_slider(
      {.b = 1, .low = -5, .high = 5, .motor_speed = 1, .motor_force = 100}, {nullptr, &body});
  EXPECT_TRUE(body.isActive()) << "a motor wakes its body";
  for (int i = 0; i < 60; ++i) engine.world.stepSimulation(seconds_per_tick, 0);
  EXPECT_NEAR(joints.position(slider), 1, 0.1);
  joints.remove(slider);
  EXPECT_EQ(joints.size(), 0U);
}

}  // namespace
}  // namespace perigee::world
