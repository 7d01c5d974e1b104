// Rays through shapes, and through the world as it was rendered.
#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/group.hpp"
#include "perigee/world/ray.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::world {
namespace {

const Vec3 along_x{1, 0, 0};

TEST(ARay, MeetsABoxAtItsFace) {
  const ShapePtr box = make_shape({{.center = {10, 0, 0}, .half = {1, 1, 1}}});
  EXPECT_NEAR(cast_ray(*box, {0, 0.99, 0}, along_x, 100).value_or(0), 9, 1e-3);
  EXPECT_FALSE(cast_ray(*box, {0, 1.01, 0}, along_x, 100));
  EXPECT_FALSE(cast_ray(*box, {0, 0, 0}, along_x, 8.9)) << "too far";
  EXPECT_FALSE(cast_ray(*box, {0, 0, 0}, -along_x, 100)) << "behind";
  EXPECT_EQ(cast_ray(*box, {10, 0, 0}, along_x, 100), 0) << "from inside";
}

TEST(ARay, MeetsTheNearestOfManyBoxes) {
  std::vector<Box> boxes;
  for (int i = 0; i < 40; ++i) boxes.push_back({.center = {5.0 + i, 0, 0}, .half = {0.2, 1, 1}});
  EXPECT_NEAR(cast_ray(*make_shape(boxes), {0, 0, 0}, along_x, 100).value_or(0), 4.8, 1e-3);
}

// B5: a ray that is inside the hull by a hair hits, and one outside misses, from any direction
TEST(ARay, DecidesOnACapsuleWithinAMillimetre) {
  const ShapePtr capsule = make_capsule_shape(0.4, 1.8);
  Random random(3);
  for (int i = 0; i < 2'000; ++i) {
    const SinCos turn = sin_cos(random.between(-pi, pi));
    const Vec3 ahead{turn.sin, 0, turn.cos};
    const Vec3 beside{turn.cos, 0, -turn.sin};
    const double height = random.between(-0.49, 0.49);
    for (const double off_m : {0.399, 0.401}) {
      const Vec3 from = ahead * -random.between(2, 200) + beside * off_m + Vec3{0, height, 0};
      EXPECT_EQ(cast_ray(*capsule, from, ahead, 1000).has_value(), off_m < 0.4) << off_m;
    }
  }
}

TEST(ARay, LooksWhereYawAndPitchSay) {
  EXPECT_NEAR(distance(look_direction(0, 0), {0, 0, 1}), 0, 1e-8);
  EXPECT_NEAR(distance(look_direction(16384, 0), along_x), 0, 1e-8);
  EXPECT_NEAR(distance(look_direction(1234, 16384), {0, 1, 0}), 0, 1e-8);
  EXPECT_NEAR(length(look_direction(40'000, -5'000)), 1, 1e-8);
}

/// A person on a barge that sails along x, between two ticks.
struct ASailingPerson : testing::Test {
  test::Yard game{{.barge = true}};
  World world{{.types = game.types(), .start = Tick{100}}};
  Handle barge = no_entity, person = no_entity;

  ASailingPerson() {
    game.populate(world, {{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}}, 1);
    barge = test::Yard::handle_of(world, test::barge_row);
    person = world.spawn({.id = make_entity_id(9, Tick{}, 0),
                          .type = test::person_row,
                          .parent = barge,
                          .local = {{0, 0.91, 0}, {}}});
    for (int i = 0; i < 20; ++i) {
      const Tick t = world.now();
      game.drive(world, t);
      world.step_bodies(t);
      ActorState state{.position = {0, 0.91, 0.1 * (i + 1)}};
      world.set_actor(person, barge, state, t + 1);
    }
  }
};

TEST_F(ASailingPerson, IsDrawnInItsParentBetweenTwoTicks) {
  const Tick t = world.now() - 6;
  const Pose before = *world.drawn_pose(person, {t, 0, t, {}});
  const Pose after = *world.drawn_pose(person, {t + 1, 0, t, {}});
  EXPECT_EQ(before.position, world.pose(person, t)->position);
  EXPECT_EQ(after.position, world.pose(person, t + 1)->position);
  const Pose between = *world.drawn_pose(person, {t, 0.25, t, {}});
  EXPECT_NEAR(distance(between.position, lerp(before.position, after.position, 0.25)), 0, 1e-9);
}

TEST_F(ASailingPerson, IsHitWhereItWasDrawnAndNotWhereItIs) {
  const DrawnAt at{world.now() - 12, 0.5, world.now(), {}};
  const Vec3 was = world.drawn_pose(person, at)->position;
  const Vec3 is = world.pose(person, world.now())->position;
  ASSERT_GT(distance(was, is), 1);
  const auto hit = world.cast_drawn(was + Vec3{0, 0, -30}, {0, 0, 1}, 100, no_entity, at);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->entity, person);
  EXPECT_TRUE(hit->actor);
  const auto late = world.cast_drawn(is + Vec3{0, 0, -30}, {0, 0, 1}, 100, no_entity, at);
  EXPECT_FALSE(late && late->actor);
  EXPECT_FALSE(world.cast_drawn(was + Vec3{0, 0, -30}, {0, 0, 1}, 100, person, at));
}

// B5: shots meet an actor where others displayed it; collisions use its place after the rewind
TEST_F(ASailingPerson, IsHitWhereItWasDrawnAlsoWhenItsPastRanAgain) {
  const Tick t = world.now() - 6;
  const DrawnAt at{t, 0, world.now(), {}};
  const Vec3 was = world.drawn_pose(person, at)->position;
  const Vec3 is = world.pose(person, t)->position;
  ASSERT_EQ(was, is);
  const ActorState elsewhere{.position = {4, 0.91, 3}};
  world.correct_actor(person, barge, elsewhere, t, false);
  EXPECT_EQ(world.drawn_pose(person, at)->position, was);
  EXPECT_GT(distance(world.pose(person, t)->position, is), 3);
  const auto moved =
      world::group_from_bytes(to_bytes(world.extract(std::vector{person})), game.types());
  ASSERT_TRUE(moved);
  ASSERT_EQ(moved->entities[0].drawn.size(), 1U);
  EXPECT_EQ(moved->entities[0].drawn[0].first, t);
  world.correct_actor(person, barge, elsewhere, t, true);
  EXPECT_EQ(world.drawn_pose(person, at)->position, world.pose(person, t)->position);
}

// K40: a player that steers sees its own ship, and everything aboard, in the present
TEST_F(ASailingPerson, TravelsWithAShipThatItsShooterSteers) {
  const DrawnAt at{world.now() - 12, 0, world.now(), {}, barge};
  const Pose ship = *world.pose(barge, world.now());
  EXPECT_EQ(world.drawn_pose(barge, at)->position, ship.position);
  const Pose was_aboard = relative(*world.pose(barge, at.view), *world.pose(person, at.view));
  EXPECT_NEAR(distance(world.drawn_pose(person, at)->position, (ship * was_aboard).position), 0,
              1e-9);
}

// Announced changes are promised for a tick: near the shooter a door is where the shooter's client
// has it, far away it is where other clients have it. (B5)
TEST_F(ASailingPerson, IsBehindADoorThatIsWhereItWasPromised) {
  const Handle door = test::Yard::handle_of(world, test::door_row);
  const Vec3 shut = world.pose(door, world.now())->position;
  const auto first_from = [&](double away_m) {
    const Vec3 eye = shut + Vec3{away_m, 1, 0};
    const auto hit = world.cast_drawn(eye, -along_x, away_m + 1, no_entity,
                                      {world.now() - 10, 0, world.now() + 40, eye});
    return hit ? hit->entity : no_entity;
  };
  EXPECT_EQ(first_from(5), door);
  world.announce(world.propose_change(door, world.now(), 1));
  EXPECT_EQ(first_from(5), no_entity) << "open at the tick of the shot, shut at the view tick";
  EXPECT_EQ(first_from(60), door) << "drawn at the view tick";
}

}  // namespace
}  // namespace perigee::world
