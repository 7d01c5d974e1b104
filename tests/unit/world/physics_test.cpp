/// The rigid-body interface: requirements on any engine behind it.
#include "perigee/world/physics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

class Physics : public testing::Test {
 protected:
  std::unique_ptr<PhysicsWorld> world = make_bullet_world(64);
  ShapePtr ground = make_shape({{.center = {0, -0.5, 0}, .half = {50, 0.5, 50}}});
  ShapePtr crate = make_shape({{.half = {0.5, 0.5, 0.5}}});

  BodyId add_ground() {
    return world->add_body({.owner = 1, .shape = ground, .mode = BodyMode::Static});
  }
  BodyId add_crate(const Vec3& at, const Vec3& velocity = {}) {
    return world->add_body(
        {.owner = 2, .shape = crate, .mass_kg = 100, .pose = {at, {}}, .velocity = velocity});
  }
  void step(int ticks, const Vec3& gravity = {0, -9.81, 0}) {
    for (int i = 0; i < ticks; ++i) {
      for (BodyId id = 1; id < 200; ++id) {
        if (world->has(id) && world->awake(id)) world->accelerate(id, gravity);
      }
      world->step(seconds_per_tick);
    }
  }
  std::uint64_t tumble() {
    world = make_bullet_world(64);
    add_ground();
    Random random(5);
    for (int i = 0; i < 20; ++i) {
      add_crate({random.between(-2, 2), 1 + i * 1.1, random.between(-2, 2)},
                {random.between(-3, 3), 0, 0});
    }
    step(300);
    return world->hash();
  }
};

TEST_F(Physics, AFreeBodyMovesExactlyWithItsVelocity) {
  const BodyId body = add_crate({10, 20, 30}, {50, 0, -7});
  world->step(seconds_per_tick);
  EXPECT_EQ(world->state(body).velocity, (Vec3{50, 0, -7}));
  EXPECT_NEAR(world->state(body).pose.position.x, 10 + 50.0 / 60, 1e-12);
}

TEST_F(Physics, ACrateFallsAndComesToRestAsleep) {
  add_ground();
  const BodyId body = add_crate({0, 3, 0});
  step(400);
  EXPECT_NEAR(world->state(body).pose.position.y, 0.5, 0.05);
  EXPECT_FALSE(world->awake(body));
  std::array<BodyContact, 8> contacts;
  ASSERT_GT(world->contacts(body, contacts), 0U);
  EXPECT_EQ(contacts[0].owner, 1U);
  EXPECT_NEAR(contacts[0].normal.y, 1, 1e-6);
}

TEST_F(Physics, TheSameCallsGiveTheSameBits) {
  const std::uint64_t first = tumble();
  EXPECT_EQ(tumble(), first);
}

// A client removes and re-adds predicted bodies with each state from the server. (K40)
TEST_F(Physics, AnImpactIsTheSameWhetherTheWallsOrWhatHitsThemCameFirst) {
  const ShapePtr walls = make_shape({{.center = {0, -0.5, 0}, .half = {50, 0.5, 50}},
                                     {.center = {5, 1, 0}, .half = {0.2, 2, 3}},
                                     {.center = {0, 1, 5}, .half = {3, 2, 0.2}}});
  const ShapePtr barge = make_shape({{.center = {0, 0.5, 0}, .half = {2, 0.5, 1}},
                                     {.center = {1, 1.5, 0}, .half = {0.5, 0.5, 0.5}}});
  const auto tumble = [&](bool walls_first, std::uint64_t seed) {
    world = make_bullet_world(64);
    world->add_body({.owner = 1, .shape = walls, .mode = BodyMode::Static});
    if (walls_first) {
      // from now on the walls are in the engine's world
      const BodyId other = add_crate({0, 0.6, 0});
      step(1);
      world->remove_body(other);
    }
    Random random(seed);
    const auto any = [&](double most) { return random.between(-most, most); };
    const BodyId body =
        world->add_body({.owner = 2,
                         .shape = barge,
                         .mass_kg = 100,
                         .pose = {{0, 4, 0}, small_rotation({any(0.5), any(0.5), any(0.5)})},
                         .velocity = {random.between(5, 9), 0, random.between(5, 9)}});
    std::vector<BodyState> way;
    for (int i = 0; i < 120; ++i) {
      step(1);
      way.push_back(world->state(body));
    }
    return way;
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto first = tumble(true, seed), second = tumble(false, seed);
    for (std::size_t i = 0; i < first.size(); ++i) {
      ASSERT_EQ(first[i], second[i])
          << distance(first.back().pose.position, second.back().pose.position)
          << " m apart in the end: seed " << seed << ", from " << i;
    }
  }
}

TEST_F(Physics, SharedShapesAreBuiltOnce) {
  add_ground();
  for (int i = 0; i < 5; ++i) add_crate({i * 3.0, 5, 0});
  EXPECT_EQ(world->statistics().shapes, 2U);
  EXPECT_EQ(world->statistics().bodies, 6U);
}

TEST_F(Physics, ModesSwitchBetweenMovingAndResting) {
  const BodyId body = add_crate({0, 5, 0}, {1, 0, 0});
  world->set_mode(body, BodyMode::Dormant);
  step(10);
  EXPECT_EQ(world->state(body).pose.position, (Vec3{0, 5, 0}));
  world->set_mode(body, BodyMode::Dynamic);
  step(10);
  EXPECT_LT(world->state(body).pose.position.y, 5);
}

TEST_F(Physics, AnAnimatedBodyMovesByHandAndDragsNothingAlong) {
  const BodyId lift = world->add_body({.owner = 3, .shape = ground, .mode = BodyMode::Animated});
  const BodyId body = add_crate({0, 0.5, 0});
  step(60);
  const double before = world->state(body).pose.position.x;
  for (int i = 1; i <= 60; ++i) {
    world->set_state(lift, {.pose = {{i / 60.0, 0, 0}, {}}, .velocity = {1, 0, 0}});
    step(1);
  }
  EXPECT_NEAR(world->state(body).pose.position.x, before, 0.01);
  EXPECT_EQ(world->state(lift).velocity, Vec3{});
}

TEST_F(Physics, AnAnimatedBodyThatMovesWakesWhatLiesOnIt) {
  const BodyId lift = world->add_body({.owner = 1, .shape = ground, .mode = BodyMode::Animated});
  const BodyId body = add_crate({0, 0.6, 0});
  step(400);
  ASSERT_FALSE(world->awake(body));
  for (int i = 1; i <= 60; ++i) {
    world->set_state(lift, {.pose = {{0, -0.02 * i, 0}, {}}});
    step(1);
  }
  EXPECT_NEAR(world->state(body).pose.position.y, 0.5 - 1.2, 0.1) << "down with the lift";
}

TEST_F(Physics, ImpulsesChangeTheVelocityAtOnce) {
  const BodyId body = add_crate({0, 5, 0});
  world->apply_impulse(body, {200, 0, 0}, {0, 5, 0});
  EXPECT_NEAR(world->state(body).velocity.x, 2, 1e-12);
}

TEST_F(Physics, QueriesFindByFilterAndSkipTheAsker) {
  add_ground();
  const BodyId body = add_crate({0, 3, 0});
  world->step(seconds_per_tick);
  const auto hit = world->cast_ray({0, 10, 0}, {0, -10, 0}, {});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, body);
  EXPECT_NEAR(hit->point.y, 3.5, 1e-3);
  const auto below = world->cast_ray({0, 10, 0}, {0, -10, 0}, {.except = body});
  ASSERT_TRUE(below);
  EXPECT_EQ(below->owner, 1U);
  EXPECT_FALSE(world->cast_ray({0, 10, 0}, {0, -10, 0}, {.groups = 2}));
  const auto swept = world->sweep_sphere({0, 10, 0}, {0, -10, 0}, 0.5, {.except = body});
  ASSERT_TRUE(swept);
  EXPECT_NEAR(swept->fraction, 9.5 / 20, 1e-3);
  std::array<BodyId, 4> found{};
  EXPECT_EQ(world->find_in_box({{-1, 2, -1}, {1, 4, 1}}, {}, found), 1U);
  EXPECT_EQ(found[0], body);
}

TEST_F(Physics, AHingeTurnsWithItsMotorAndKeepsItsAxis) {
  const BodyId rotor = add_crate({0, 5, 0});
  const Quat x_to_y = normalized(Quat{0, 0, 1, 1});
  const JointId hinge = world->add_hinge({.a = rotor,
                                          .frame_a = {{}, x_to_y},
                                          .frame_b = {{0, 5, 0}, x_to_y},
                                          .motor_speed = 1,
                                          .motor_force = 1e5});
  step(60, {});
  EXPECT_EQ(world->joints_of(rotor), 1U);
  EXPECT_NEAR(length(world->state(rotor).angular_velocity), 1, 0.05);
  EXPECT_NEAR(std::abs(world->state(rotor).angular_velocity.y), 1, 0.05);
  EXPECT_NEAR(distance(world->state(rotor).pose.position, {0, 5, 0}), 0, 1e-3);
  EXPECT_NEAR(std::abs(world->joint_position(hinge)), 1, 0.1);
  world->remove_joint(hinge);
  EXPECT_EQ(world->joints_of(rotor), 0U);
}

TEST_F(Physics, ASliderStopsAtItsLimitsAndAFixedJointHolds) {
  const BodyId piston = add_crate({0, 5, 0});
  const JointId slider = world->add_slider({.a = piston,
                                            .frame_b = {{0, 5, 0}, {}},
                                            .low = -2,
                                            .high = 2,
                                            .motor_speed = 1,
                                            .motor_force = 1e5});
  step(300, {});
  EXPECT_NEAR(std::abs(world->joint_position(slider)), 2, 0.05);
  EXPECT_NEAR(world->state(piston).pose.position.y, 5, 1e-2);
  const BodyId hung = add_crate({20, 5, 0});
  world->add_fixed({.a = hung, .frame_b = {{20, 5, 0}, {}}});
  step(60);
  EXPECT_NEAR(world->state(hung).pose.position.y, 5, 0.05);
  world->remove_body(hung);
  EXPECT_EQ(world->statistics().joints, 1U);
}

TEST_F(Physics, ASnapshotWithManifoldsReplaysSixteenTicksBitExact) {
  add_ground();
  world->add_body({.owner = 4,
                   .shape = make_shape({{.center = {6, 1, 0}, .half = {0.5, 1, 5}}}),
                   .mode = BodyMode::Static});
  const BodyId body = add_crate({0, 0.6, 0}, {7, 0, 1});
  step(10);
  int exact = 0;
  int all = 0;
  for (int round = 0; round < 20; ++round, ++all) {
    const BodySnapshot saved = world->snapshot(body);
    step(16);
    const BodyState first = world->state(body);
    world->restore(saved);
    step(16);
    exact += world->state(body) == first ? 1 : 0;
    world->restore(saved);
    step(5);
  }
  EXPECT_EQ(exact, all);
}

}  // namespace
}  // namespace perigee::world
