// Entities that rest or move on a fixed course cost nothing per tick, and are active again as soon
// as another entity comes near.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "perigee/base/hash.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/group.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

enum RestRow : TypeId { resting_floor, resting_crate, resting_wheel, resting_door, resting_ship };

std::vector<EntityType> make_rest_types() {
  std::vector<EntityType> rows(5);
  rows[resting_floor] = {.name = "floor",
                         .kind = EntityKind::Static,
                         .shape = make_shape({{.center = {0, -0.5, 0}, .half = {500, 0.5, 500}}}),
                         .gravity = {{0, -9.81, 0}, {{-500, -5, -500}, {500, 50, 500}}}};
  rows[resting_crate] = {.name = "crate",
                         .kind = EntityKind::Body,
                         .shape = make_shape({{.half = {0.5, 0.5, 0.5}}}),
                         .mass_kg = 100};
  rows[resting_wheel] = {
      .name = "wheel",
      .kind = EntityKind::Timeline,
      .shape = make_shape({{.center = {0, 2, 0}, .half = {0.2, 2, 0.2}}}),
      .travel = {.axis = {0, 0, 1}, .turn_rad = 2 * pi, .ticks = 120, .endless = true}};
  rows[resting_door] = {.name = "door",
                        .kind = EntityKind::Timeline,
                        .shape = make_shape({{.half = {0.1, 1, 1}}}),
                        .travel = {.slide = {0, 0, 2}}};
  rows[resting_ship] = {.name = "ship",
                        .kind = EntityKind::Body,
                        .shape = make_shape({{.half = {10, 1, 10}}}),
                        .mass_kg = 1e6,
                        .parent_eligible = true};
  for (TypeId i = 0; i < rows.size(); ++i) rows[i].id = i;
  return rows;
}

class Resting : public testing::Test {
 protected:
  std::vector<EntityType> types = make_rest_types();
  World world{{.types = types, .start = Tick{1000}, .limits = {.entities_max = 1024}}};
  std::uint32_t ordinal = 0;

  Handle spawn(TypeId type, const Vec3& at, bool rests = false, Handle parent = no_entity) {
    return world.spawn({.id = make_entity_id(1, Tick{}, ordinal++),
                        .type = type,
                        .parent = parent,
                        .local = {at, {}},
                        .rests = rests});
  }
  void step(int ticks) {
    for (int i = 0; i < ticks; ++i) world.step_bodies(world.now());
  }
  std::set<Handle> lively() const {
    std::set<Handle> out;
    world.for_each_lively([&](const Entity& entity) { out.insert(entity.handle); });
    return out;
  }
  std::set<Handle> news(std::set<Handle>* gone = nullptr) {
    std::set<Handle> out;
    world.take_news(
        [&](const Entity& entity, const Motion&, const Bounds&) { out.insert(entity.handle); },
        [&](Handle handle) {
          if (gone != nullptr) gone->insert(handle);
        });
    return out;
  }
  double height(Handle body) const { return world.pose(body, world.now())->position.y; }
};

TEST_F(Resting, CratesAreAsideFromTheFirstTickOn) {
  spawn(resting_floor, {});
  for (int i = 0; i < 100; ++i) spawn(resting_crate, {i * 3.0 - 150, 0.5, 0}, true);
  step(1);
  EXPECT_EQ(world.physics().statistics().awake, 0U);
  EXPECT_EQ(world.physics().statistics().aside, 101U) << "the floor, too";
  EXPECT_TRUE(lively().empty());
}

TEST_F(Resting, ACrateThatIsHitFliesAway) {
  spawn(resting_floor, {});
  const Handle lying = spawn(resting_crate, {0, 0.5, 0}, true);
  const Handle thrown = spawn(resting_crate, {-6, 0.7, 0});
  step(1);
  world.set_drive(thrown, {20, 0, 0}, {});
  step(60);
  EXPECT_GT(world.pose(lying, world.now())->position.x, 0.5);
  step(600);
  EXPECT_TRUE(lively().empty()) << "and comes to rest again";
  EXPECT_EQ(world.physics().statistics().aside, 3U);
}

TEST_F(Resting, AStackFallsWhenItsFootIsKnockedAway) {
  spawn(resting_floor, {});
  std::array<Handle, 4> stack{};
  for (std::size_t i = 0; i < stack.size(); ++i) {
    stack[i] = spawn(resting_crate, {0, 0.5 + static_cast<double>(i), 0}, true);
  }
  step(2);
  world.apply_impulse_next_tick(stack[0], {3000, 0, 0}, {0, 0.5, 0});
  step(120);
  for (const Handle crate : stack) EXPECT_LT(height(crate), 3.2);
  EXPECT_LT(height(stack[3]), 3.2) << "the top one no longer stands on three";
}

TEST_F(Resting, WhatLayTogetherStillTouches) {
  spawn(resting_floor, {});
  const Handle below = spawn(resting_crate, {0, 0.5, 0}), above = spawn(resting_crate, {0, 1.5, 0});
  step(600);
  ASSERT_EQ(world.physics().statistics().aside, 3U);
  EXPECT_THAT(world.group_of(above).members, testing::UnorderedElementsAre(below, above));
  EXPECT_THAT(world.group_of(below).members, testing::UnorderedElementsAre(below, above));
}

TEST_F(Resting, AWheelTurnsWhereSomebodyIs) {
  const Handle wheel = spawn(resting_wheel, {0, 10, 0});
  spawn(resting_wheel, {100, 10, 0});
  const Handle drifting = spawn(resting_crate, {-1.5, 11, 0});
  step(1);
  EXPECT_EQ(lively(), std::set{drifting}) << "wheels are looked at by nobody";
  EXPECT_EQ(world.physics().statistics().aside, 1U) << "the far one";
  step(120);
  EXPECT_NE(world.pose(drifting, world.now())->position, (Vec3{-1.5, 11, 0}))
      << "the near one met it";
  EXPECT_TRUE(world.motion(wheel, world.now()));
}

TEST_F(Resting, ACrateInTheWayOfAWheelIsHitByIt) {
  const Handle lying = spawn(resting_crate, {-2, 10, 0}, true);
  spawn(resting_wheel, {0, 10, 0});
  step(240);
  EXPECT_NE(world.pose(lying, world.now())->position, (Vec3{-2, 10, 0}));
}

TEST_F(Resting, NewsAreReportedOnce) {
  const Handle crate = spawn(resting_crate, {0, 0.5, 0}, true),
               wheel = spawn(resting_wheel, {50, 0, 0});
  const Handle drifting = spawn(resting_crate, {80, 9, 0});
  step(1);
  EXPECT_EQ(news(), (std::set{crate, wheel, drifting}));
  world.set_drive(drifting, {1, 0, 0}, {});
  step(1);
  EXPECT_EQ(news(), std::set{drifting});
  world.apply_impulse_next_tick(crate, {100, 0, 0}, {0, 0.5, 0});
  world.despawn(wheel);
  step(1);
  std::set<Handle> gone;
  EXPECT_EQ(news(&gone), (std::set{crate, drifting}));
  EXPECT_EQ(gone, std::set{wheel});
  world.set_remote(drifting, true);
  step(1);
  gone.clear();
  EXPECT_EQ(news(&gone), std::set{crate});
  EXPECT_EQ(gone, std::set{drifting});
}

TEST_F(Resting, WhoMovesAgainHasAPast) {
  const Handle crate = spawn(resting_crate, {0, 0.5, 0}, true);
  step(200);
  world.apply_impulse_next_tick(crate, {100, 0, 0}, {0, 0.5, 0});
  step(10);
  const auto before = world.motion(crate, world.now() - 40), now = world.motion(crate, world.now());
  ASSERT_TRUE(before && now);
  EXPECT_EQ(before->pose.position.x, 0);
  EXPECT_NEAR(now->pose.position.x, 10 / 60.0, 1e-9);
}

TEST_F(Resting, WhoseItIsDisturbsNothing) {
  const Handle crate = spawn(resting_crate, {0, 0.5, 0}, true);
  spawn(resting_floor, {0, 0, 0});
  step(100);
  for (const bool remote : {true, false, true, false}) {
    world.set_remote(crate, remote);
    EXPECT_EQ(world.find(crate)->remote, remote);
    step(30);
    EXPECT_EQ(lively(), std::set<Handle>{});
    EXPECT_EQ(world.physics().statistics().aside, 2U) << "the crate and the floor";
    EXPECT_EQ(world.motion(crate, world.now() - 50)->pose.position, (Vec3{0, 0.5, 0}));
  }
  world.apply_impulse_next_tick(crate, {100, 0, 0}, {0, 0.5, 0});
  step(10);
  EXPECT_GT(world.pose(crate, world.now())->position.x, 0.05) << "it can be pushed";
}

TEST_F(Resting, AnotherWorkersThingIsThereAtOnceAndGoesOnceItIsSaidTo) {
  const Handle crate = world.spawn({.id = make_entity_id(7, Tick{}, 1),
                                    .type = resting_crate,
                                    .handle = 5'000'000,
                                    .local = {{0, 90, 0}, {}},
                                    .remote = true,
                                    .rests = true,
                                    .at = Pose{{0, 7, 0}, {}}});
  world.set_remote_motion(crate, world.now(), {.pose = {{0, 7, 0}, {}}});
  step(1);
  EXPECT_EQ(lively(), std::set<Handle>{});
  EXPECT_EQ(world.pose(crate, world.now())->position, (Vec3{0, 7, 0}));
  EXPECT_EQ(world.find(crate)->local.position, (Vec3{0, 90, 0})) << "where it was created";
  world.set_remote_motion(crate, world.now(), {.pose = {{0, 7, 0}, {}}, .velocity = {6, 0, 0}});
  step(10);
  EXPECT_NEAR(world.pose(crate, world.now())->position.x, 1, 0.01);
}

TEST_F(Resting, WhatComesAndGoesIsInOrderWheneverSomebodyLooks) {
  Random random(3);
  std::map<EntityId, Handle> there;
  for (int round = 0; round < 300; ++round) {
    const bool many = random.below(4) == 0;
    for (std::uint32_t i = many ? 100 : 3; i > 0; --i) {
      const EntityId id = make_entity_id(1 + random.below(3), Tick{}, random.below(250));
      const auto known = there.find(id);
      if (known == there.end()) {
        there[id] = world.spawn({.id = id, .type = resting_crate, .rests = true});
      } else {
        world.despawn(known->second);
        there.erase(known);
      }
    }
    std::vector<Handle> expected;
    for (const auto& [id, handle] : there) expected.push_back(handle);
    ASSERT_THAT(world.in_order(), testing::ElementsAreArray(expected)) << "round " << round;
    ASSERT_EQ(world.size(), there.size());
    ASSERT_EQ(world.present()[resting_crate].own, there.size());
  }
}

TEST_F(Resting, DoorsAreFoundByWhoIsNearWhereverTheyAre) {
  const Handle door = spawn(resting_door, {0, 1, 0});
  const Handle ship = spawn(resting_ship, {0, 20, 0});
  const Handle hatch = spawn(resting_door, {5, 1, 0}, false, ship);
  std::vector<Handle> found;
  step(1);
  world.doors_within({5, 10, 0}, 30, found);
  EXPECT_EQ(found, (std::vector{door, hatch}));
  world.doors_within({40, 1, 0}, 30, found);
  EXPECT_TRUE(found.empty());
  world.set_drive(ship, {600, 0, 0}, {});
  step(10);
  world.doors_within({105, 21, 0}, 30, found);
  EXPECT_EQ(found, std::vector{hatch});
  world.despawn(door);
  world.doors_within({5, 10, 0}, 30, found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace perigee::world
