#include "perigee/world/body_forces.hpp"

#include <gtest/gtest.h>

#include "parts.hpp"

namespace perigee::world {
namespace {

TEST(TheBodyForces, AreAppliedOnce) {
  Parts world;
  const EntityRecord& box = world.spawn(Records::box, {});
  world.enter();
  EXPECT_TRUE(world.forces.add_impulse(box.entity.handle, {200, 0, 0}, {}));
  world.forces.apply();
  EXPECT_EQ(world.physics->state(box.body).velocity.x, 2);
  world.forces.apply();
  EXPECT_EQ(world.physics->state(box.body).velocity.x, 2);
}

TEST(TheBodyForces, OfADriveReplaceGravity) {
  Parts world;
  world.spawn(Records::ground, {});
  const EntityRecord& driven = world.spawn(Records::box, {0, 5, 0});
  const EntityRecord& falling = world.spawn(Records::box, {5, 5, 0});
  world.enter();
  EXPECT_TRUE(world.forces.drive(driven.entity.handle, {3, 0, 0}, {}));
  world.forces.apply();
  world.physics->step(seconds_per_tick);
  EXPECT_EQ(world.physics->state(driven.body).velocity, (Vec3{3, 0, 0}));
  EXPECT_LT(world.physics->state(falling.body).velocity.y, 0);
  EXPECT_FALSE(driven.driven);
}

// At the rate with which tracks reckon.
TEST(TheBodyForces, SlowTheSpinOfABodyThatIsNotDriven) {
  Parts world;
  world.types[Records::box].spin_damping_per_s = 0.5;
  const EntityRecord& free = world.spawn(Records::box, {});
  const EntityRecord& driven = world.spawn(Records::box, {5, 0, 0});
  world.enter();
  for (const EntityRecord* box : {&free, &driven}) {
    world.physics->set_velocity(box->body, {1, 0, 0}, {0, 2, 0});
  }
  world.forces.drive(driven.entity.handle, {1, 0, 0}, {0, 2, 0});
  world.forces.apply();
  EXPECT_NEAR(world.physics->state(free.body).angular_velocity.y, 2 * (1 - 0.5 / 60), 1e-6);
  EXPECT_EQ(world.physics->state(free.body).velocity, (Vec3{1, 0, 0}));
  EXPECT_NEAR(world.physics->state(driven.body).angular_velocity.y, 2, 1e-6);
}

TEST(TheBodyForces, DoNotDriveABodyWhoseDriveWasDropped) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  world.enter();
  world.forces.drive(box.entity.handle, {3, 0, 0}, {});
  world.forces.drop_drive(box);
  world.forces.apply();
  EXPECT_EQ(world.physics->state(box.body).velocity, Vec3{});
}

TEST(TheBodyForces, AreRefusedBeyondTheirLimits) {
  Parts world;
  EntityRecord& box = world.spawn(Records::box, {});
  const Handle handle = box.entity.handle;
  EXPECT_FALSE(world.forces.drive(handle, {2 * speed_max_m_s, 0, 0}, {}));
  EXPECT_FALSE(world.forces.add_impulse(handle, {2 * impulse_max_n_s, 0, 0}, {}));
  EXPECT_EQ(world.calls.faults().total(), 2U);
  world.table.set_remote(box, true);
  EXPECT_FALSE(world.forces.drive(handle, {}, {}));
  EXPECT_FALSE(world.forces.add_impulse(handle, {}, {}));
}

}  // namespace
}  // namespace perigee::world
