#include "perigee/world/joints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheJoints : public testing::Test {
 protected:
  Records world;
  GameCalls calls{world.table, world.now};
  std::unique_ptr<PhysicsWorld> physics = make_bullet_world(16);
  Joints joints{{.entities = world.table, .calls = calls, .physics = *physics}};

  Handle add(double x) {
    EntityRecord& made = world.add(Records::box, {x, 0, 0});
    made.body = physics->add_body({.owner = made.entity.handle,
                                   .shape = made.type->shape,
                                   .mass_kg = made.type->mass_kg,
                                   .pose = made.start.pose});
    return made.entity.handle;
  }
};

TEST_F(TheJoints, LinkEachPairOnceFromTheNextStepOn) {
  const Handle a = add(0), b = add(2);
  EXPECT_TRUE(joints.add({.a = a, .b = b}));
  EXPECT_FALSE(joints.add({.a = a, .b = b}));
  EXPECT_FALSE(joints.add({.a = a, .b = a}));
  EXPECT_FALSE(joints.chained(a));
  EXPECT_FALSE(joints.drive(a, b, 1));
  joints.enter_physics();
  EXPECT_TRUE(joints.chained(a));
  EXPECT_TRUE(joints.drive(a, b, 1));
  EXPECT_EQ(joints.all().front().rad_s, 1);
}

TEST_F(TheJoints, RefuseNumbersThatAreNotFinite) {
  const Handle a = add(0), b = add(2);
  EXPECT_FALSE(joints.add({.a = a, .b = b, .motor_n_m = std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_EQ(calls.faults().total(), 1U);
}

TEST_F(TheJoints, ListChainsByEntityId) {
  const Handle a = add(0), b = add(2), c = add(4), d = add(6), e = add(8);
  joints.add({.a = e, .b = d});
  joints.add({.a = c, .b = a});
  joints.add({.a = b, .b = c});
  EXPECT_THAT(joints.chains(),
              testing::ElementsAre(testing::ElementsAre(a, b, c), testing::ElementsAre(d, e)));
  EXPECT_EQ(joints.count_among(std::array{a, b, c}), 2U);
  EXPECT_EQ(joints.among(std::array{d, e}).size(), 1U);
}

TEST_F(TheJoints, AreDroppedWithABodyThatIsAnotherWorkers) {
  const Handle a = add(0), b = add(2);
  joints.insert(std::array{HingeDrive{{.a = a, .b = b}, 0.5}});
  joints.enter_physics();
  EXPECT_EQ(physics->statistics().joints, 1U);
  world.table.set_remote(*world.table.find(b), true);
  joints.drop_loose();
  EXPECT_EQ(physics->statistics().joints, 0U);
  EXPECT_TRUE(joints.chains().empty());
}

}  // namespace
}  // namespace perigee::world
