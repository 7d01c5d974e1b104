/// Entities, their motions and the neighbours of an actor.
#include "perigee/world/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "perigee/base/hash.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::world {
namespace {

enum SceneRow : TypeId { scene_station, scene_ferry, scene_crate, scene_door, scene_person };

std::vector<EntityType> make_scene_types() {
  std::vector<EntityType> rows(5);
  rows[scene_station] = {.id = scene_station,
                         .name = "station",
                         .kind = EntityKind::Static,
                         .shape = make_shape({{.center = {0, -0.5, 0}, .half = {100, 0.5, 60}}}),
                         .parent_eligible = true};
  rows[scene_station].gravity = {{0, -9.81, 0}, {{-100, -1, -60}, {100, 12, 60}}};
  rows[scene_ferry] = {.id = scene_ferry,
                       .name = "ferry",
                       .kind = EntityKind::Body,
                       .shape = make_shape({{.center = {0, -0.5, 0}, .half = {10, 0.5, 30}},
                                            {.center = {10, 2, 0}, .half = {0.2, 2, 30}},
                                            {.center = {-10, 2, 0}, .half = {0.2, 2, 30}}}),
                       .mass_kg = 2e6,
                       .parent_eligible = true};
  rows[scene_ferry].gravity = {{0, -9.81, 0}, {{-10, -1, -30}, {10, 8, 30}}};
  rows[scene_crate] = {.id = scene_crate,
                       .name = "crate",
                       .kind = EntityKind::Body,
                       .shape = make_shape({{.half = {0.5, 0.5, 0.5}}}),
                       .mass_kg = 100};
  rows[scene_door] = {.id = scene_door,
                      .name = "door",
                      .kind = EntityKind::Timeline,
                      .shape = make_shape({{.half = {0.1, 1, 1}}})};
  rows[scene_door].travel.slide = {0, 0, 2};
  rows[scene_person] = {
      .id = scene_person, .name = "person", .kind = EntityKind::Actor, .shape = actor_shape({})};
  return rows;
}

class AWorld : public testing::Test {
 protected:
  std::vector<EntityType> types = make_scene_types();
  World world{{.types = types, .start = Tick{1000}, .limits = {.entities_max = 1024}}};
  std::uint32_t ordinal = 0;

  Handle spawn(TypeId type, const Vec3& at, Handle parent = no_entity, const Vec3& velocity = {}) {
    return world.spawn({.id = make_entity_id(1, world.now(), ordinal++),
                        .type = type,
                        .parent = parent,
                        .local = {at, {}},
                        .velocity = velocity});
  }
  void step(int ticks = 1) {
    for (int i = 0; i < ticks; ++i) world.step_bodies(world.now());
  }
  Neighbours around(Handle parent, const Vec3& at, Handle self = no_entity, double reach = 3) {
    Neighbours out;
    const Vec3 r{reach, reach, reach};
    EXPECT_EQ(world.gather_neighbours(parent, {at - r, at + r}, world.now() - 1, self, out), 0U);
    return out;
  }
};

TEST_F(AWorld, GrantsHandlesFromItsBlockAndFindsByThem) {
  const Handle a = spawn(scene_crate, {});
  const Handle b = spawn(scene_crate, {5, 0, 0});
  EXPECT_NE(a, b);
  EXPECT_EQ(world.find(a)->type, scene_crate);
  EXPECT_EQ(world.find(12345), nullptr);
  EXPECT_EQ(world.spawn({.id = make_entity_id(9, Tick{}, 9), .type = scene_crate, .handle = a}),
            no_entity);
  world.despawn(a);
  EXPECT_EQ(world.find(a), nullptr);
  EXPECT_EQ(world.in_order().size(), 1U);
}

TEST_F(AWorld, ADrivenBodyHasExactlyTheDrivenVelocity) {
  const Handle ferry = spawn(scene_ferry, {0, 0, 0});
  step();
  world.set_drive(ferry, {50, 0, 1}, {0, 0.1, 0});
  const Tick before = world.now();
  step();
  const Motion now = *world.motion(ferry, world.now());
  EXPECT_EQ(now.velocity, (Vec3{50, 0, 1}));
  EXPECT_NEAR(now.angular_velocity.y, 0.1, 1e-12);
  EXPECT_NEAR(rotate_back(now.pose.rotation, now.acceleration).x, 50 * 60, 1e-9);
  EXPECT_NEAR(now.pose.position.x, 50 / 60.0, 1e-12);
  const auto frame = world.frame(ferry, before);
  ASSERT_TRUE(frame);
  EXPECT_NEAR(frame->acceleration.x, 3000, 1e-9);
  EXPECT_EQ(frame->gravity.acceleration.y, -9.81);
}

TEST_F(AWorld, RemembersSixtyFourTicks) {
  const Handle crate = spawn(scene_crate, {0, 50, 0}, no_entity, {6, 0, 0});
  step(100);
  EXPECT_TRUE(world.motion(crate, world.now() - 63));
  EXPECT_FALSE(world.motion(crate, world.now() - 64));
  EXPECT_NEAR(world.motion(crate, world.now() - 30)->pose.position.x, 7, 1e-9);
  EXPECT_TRUE(world.motion(no_entity, world.now() - 500));
}

TEST_F(AWorld, TheOrderOfSpawnCallsDoesNotMatter) {
  const auto run = [&](bool reversed) {
    World other({.types = types, .start = Tick{7}, .limits = {.entities_max = 64}});
    std::vector<SpawnOrder> orders{
        {.id = make_entity_id(1, Tick{}, 0), .type = scene_station, .handle = 900}};
    Random random(2);
    for (std::uint32_t i = 0; i < 30; ++i) {
      orders.push_back(
          {.id = make_entity_id(1, Tick{}, i + 1),
           .type = scene_crate,
           .handle = 100 + i,
           .local = {{random.between(-2, 2), 1 + i * 1.05, random.between(-2, 2)}, {}}});
    }
    if (reversed) std::reverse(orders.begin(), orders.end());
    for (const SpawnOrder& order : orders) other.spawn(order);
    for (int i = 0; i < 200; ++i) other.step_bodies(other.now());
    other.despawn(reversed ? 103 : 110);
    other.despawn(reversed ? 110 : 103);
    for (int i = 0; i < 100; ++i) other.step_bodies(other.now());
    return other.hash();
  };
  EXPECT_EQ(run(false), run(true));
}

TEST_F(AWorld, ImpulsesActOnceInTheComingTick) {
  const Handle crate = spawn(scene_crate, {0, 500, 0});
  step();
  EXPECT_TRUE(world.apply_impulse_next_tick(crate, {100, 0, 0}, {0, 500, 0}));
  EXPECT_FALSE(world.apply_impulse_next_tick(777, {100, 0, 0}, {}));
  step(2);
  EXPECT_NEAR(world.motion(crate, world.now())->velocity.x, 1, 1e-9);
}

TEST_F(AWorld, CratesStayInPlaceOnAFerryWithArtificialGravityHoweverItSteers) {
  const Handle ferry = spawn(scene_ferry, {0, 300, 0}, no_entity, {0, 0, 50});
  const Handle crate = spawn(scene_crate, {6, 300.52, 20}, no_entity, {0, 0, 50});
  step();
  for (int tick = 0; tick < 600; ++tick) {
    const double turn = std::min(tick * 0.004, 0.1666);
    const Motion now = *world.motion(ferry, world.now());
    world.set_drive(ferry, rotate(now.pose.rotation, {0, 0, 50}), {0, turn, 0});
    step();
  }
  const Pose seen = relative(*world.pose(ferry, world.now()), *world.pose(crate, world.now()));
  EXPECT_LT(distance(seen.position, {6, 0.5, 20}), 0.3);
}

TEST_F(AWorld, AnActorSeesItsHullInPlaceItsDoorsByTickAndOthersAsTheyWere) {
  const Handle ferry = spawn(scene_ferry, {500, 0, 0}, no_entity, {0, 0, 50});
  const Handle door = spawn(scene_door, {9, 1, 0}, ferry);
  const Handle self = spawn(scene_person, {8, 0.9, 0}, ferry);
  const Handle other = spawn(scene_person, {7, 0.9, 1}, ferry);
  const Handle crate = spawn(scene_crate, {507, 0.5, -1});
  step();
  world.announce(world.propose_change(door, world.now(), 1));
  for (int i = 0; i < 20; ++i) {
    world.set_actor(self, ferry, {.position = {8, 0.9, 0}}, world.now());
    world.set_actor(other, ferry, {.position = {7, 0.9, 1}, .velocity = {1, 0, 0}}, world.now());
    world.set_body(crate, [&] {
      Motion m;
      m.pose.position = world.pose(ferry, world.now())->position + Vec3{7, 0.5, -1};
      return m;
    }());
    step();
  }
  const Neighbours seen = around(ferry, {8, 0.9, 0}, self);
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(),
                             [](const auto& a, const auto& b) { return a.id < b.id; }));
  EXPECT_EQ(seen[0].id, ferry);
  EXPECT_EQ(seen[0].pose, Pose{});
  EXPECT_EQ(seen[0].previous, Pose{});
  EXPECT_EQ(seen[1].id, door);
  EXPECT_NEAR(seen[1].velocity.z, 4, 1e-9);  // 2 m in 30 ticks
  EXPECT_EQ(seen[1].pose.position.x, 9);
  EXPECT_EQ(seen[2].id, other);
  EXPECT_EQ(seen[2].kind, NeighbourKind::Actor);
  EXPECT_EQ(seen[2].pose.position, (Vec3{7, 0.9, 1}));
  EXPECT_EQ(seen[2].velocity.x, 1);
  EXPECT_EQ(seen[3].id, crate);
  EXPECT_NEAR(seen[3].velocity.z, -50, 0.2);  // it falls behind
}

TEST_F(AWorld, FromTheRegionsFrameAPassingFerryMovesAndItsRidersToo) {
  const Handle ferry = spawn(scene_ferry, {0, 0, 0}, no_entity, {0, 0, 50});
  const Handle rider = spawn(scene_person, {1, 0.9, 0}, ferry);
  step();
  world.set_actor(rider, ferry, {.position = {1, 0.9, 0}}, world.now());
  step();
  const Neighbours seen = around(no_entity, {1, 1, 1});
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen[0].velocity.z, 50, 1e-9);
  EXPECT_NEAR(seen[0].pose.position.z - seen[0].previous.position.z, 50 / 60.0, 1e-9);
  EXPECT_EQ(seen[1].id, rider);
  EXPECT_NEAR(seen[1].velocity.z, 50, 1e-6);
  EXPECT_NEAR(seen[1].pose.position.z, 50 / 60.0, 1e-9);
}

TEST_F(AWorld, TheGridFindsWhatAScanFinds) {
  Random random(8);
  spawn(scene_station, {0, 0, 0});
  for (int i = 0; i < 300; ++i) {
    spawn(scene_crate, {random.between(-60, 60), random.between(1, 20), random.between(-60, 60)},
          no_entity, {random.between(-90, 90), 0, random.between(-90, 90)});
  }
  const Handle spare = spawn(scene_crate, {0, 900, 0});
  step(20);
  std::vector<Neighbours> gridded;
  std::vector<Vec3> places;
  for (int i = 0; i < 200; ++i) {
    places.push_back({random.between(-60, 60), random.between(0, 20), random.between(-60, 60)});
    gridded.push_back(around(no_entity, places.back(), no_entity, 5));
  }
  world.despawn(spare);  // from here on the grid is not used
  std::size_t found = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Neighbours scanned = around(no_entity, places[i], no_entity, 5);
    ASSERT_EQ(scanned.size(), gridded[i].size());
    for (std::size_t k = 0; k < scanned.size(); ++k) EXPECT_EQ(scanned[k].id, gridded[i][k].id);
    found += scanned.size();
  }
  EXPECT_GT(found, 200U);
}

TEST_F(AWorld, FindsWhatStandsStillAndWhatIsRousedAsAScanDoes) {
  Random random(3);
  spawn(scene_station, {0, 0, 0});
  std::vector<Handle> crates, doors;
  for (int i = 0; i < 100; ++i) {
    crates.push_back(spawn(scene_crate, {random.between(-60, 60), 0.5, random.between(-50, 50)}));
    doors.push_back(spawn(scene_door, {random.between(-60, 60), 1, random.between(-50, 50)}));
  }
  step(200);  // asleep
  const Handle spare = spawn(scene_crate, {0, 900, 0});
  for (int i = 0; i < 40; ++i) {
    const Handle hit = crates[random.below(100)];
    const Vec3 at = world.pose(hit, world.now())->position;
    EXPECT_TRUE(world.apply_impulse_next_tick(hit, {random.between(-300, 300), 200, 0}, at));
    world.announce(world.propose_change(doors[random.below(100)], world.now(), 1));
    step(5);
  }
  std::vector<Vec3> places;
  std::vector<Neighbours> gridded;
  for (int i = 0; i < 200; ++i) {
    places.push_back({random.between(-60, 60), random.between(0, 5), random.between(-50, 50)});
    gridded.push_back(around(no_entity, places.back(), no_entity, 5));
  }
  world.despawn(spare);  // from here on the grid is not used
  std::size_t found = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Neighbours scanned = around(no_entity, places[i], no_entity, 5);
    ASSERT_EQ(scanned.size(), gridded[i].size());
    for (std::size_t k = 0; k < scanned.size(); ++k) EXPECT_EQ(scanned[k].id, gridded[i][k].id);
    found += scanned.size();
  }
  EXPECT_GT(found, 200U);
}

TEST_F(AWorld, WhatHasSleptForLongHasItsWholePastWhenItWakes) {
  spawn(scene_station, {0, 0, 0});
  const Handle crate = spawn(scene_crate, {0, 0.5, 0});
  step(300);
  const Pose asleep = *world.pose(crate, world.now());
  EXPECT_EQ(world.pose(crate, world.now() - 63), asleep);
  EXPECT_EQ(world.pose(crate, world.now() + 1), std::nullopt) << "no body's future is known";
  EXPECT_EQ(world.pose(crate, world.now() - 64), std::nullopt) << "nor what is forgotten";
  EXPECT_TRUE(world.apply_impulse_next_tick(crate, {400, 0, 0}, asleep.position));
  step(2);
  EXPECT_GT(world.pose(crate, world.now())->position.x, asleep.position.x + 0.01);
  for (std::int32_t ago = 2; ago < 64; ++ago) {
    EXPECT_EQ(world.pose(crate, world.now() - ago), asleep) << ago;
  }
}

TEST_F(AWorld, InAHeapTheNearestAreKeptAndTheRestIsCounted) {
  const Handle ferry = spawn(scene_ferry, {0, 0, 0});
  std::vector<Handle> crates;
  for (int i = 0; i < 40; ++i) crates.push_back(spawn(scene_crate, {0, 2, -28 + i * 1.1}));
  step();
  Neighbours out;
  const Vec3 reach{30, 30, 60};
  EXPECT_EQ(world.gather_neighbours(ferry, {-reach, reach}, world.now() - 1, no_entity, out),
            41 - neighbours_max);
  ASSERT_TRUE(out.full());
  EXPECT_EQ(out[0].id, ferry);
  EXPECT_GT(out[1].id, crates[8]);  // crate 25 is at the centre
}

TEST_F(AWorld, ADoorOnAStationRestsInPhysicsWhereItsTickSays) {
  const Handle station = spawn(scene_station, {0, 0, 0});
  const Handle door = spawn(scene_door, {5, 1, 0}, station);
  step();
  const TimelineChange change = world.propose_change(door, world.now() - 3, 1);
  EXPECT_EQ(change.effect, world.now() + announce_ticks_default);
  EXPECT_EQ(world.announce(change), TimelineLog::Added::Stored);
  EXPECT_EQ(world.announce(change), TimelineLog::Added::Duplicate);
  std::vector<TimelineChange> sent;
  world.take_announced(sent);
  EXPECT_THAT(sent, testing::ElementsAre(change)) << "once";
  world.take_announced(sent);
  EXPECT_TRUE(sent.empty());
  EXPECT_EQ(world.propose_change(door, world.now(), 0).version, change.version + 1);
  step(60);
  EXPECT_NEAR(world.pose(door, world.now())->position.z, 2, 1e-9);
  EXPECT_TRUE(world.physics().cast_ray({0, 1, 2.5}, {10, 1, 2.5}, {}));
  EXPECT_FALSE(world.physics().cast_ray({0, 1, 0}, {10, 1, 0}, {}));
}

TEST_F(AWorld, LosingAParentTakesItsDoorsAndLeavesItsRidersInSpace) {
  const Handle ferry = spawn(scene_ferry, {100, 0, 0}, no_entity, {0, 0, 50});
  const Handle door = spawn(scene_door, {9, 1, 0}, ferry);
  const Handle rider = spawn(scene_person, {1, 2, 0}, ferry);
  step();
  world.set_actor(rider, ferry, {.position = {1, 2, 0}}, world.now());
  const Vec3 before = world.pose(rider, world.now())->position;
  world.despawn(ferry);
  EXPECT_EQ(world.find(door), nullptr);
  EXPECT_EQ(world.pose(rider, world.now())->position, before);
  EXPECT_NEAR(world.motion(rider, world.now())->velocity.z, 50, 1e-6);
  step();
  EXPECT_EQ(world.physics().statistics().bodies, 0U);
}

TEST_F(AWorld, ListsTheLargeBodiesAroundAPointAndAlwaysTheCurrentParent) {
  const Handle station = spawn(scene_station, {0, 0, 0});
  const Handle ferry = spawn(scene_ferry, {0, 10, 0});
  const Handle far = spawn(scene_ferry, {900, 0, 0});
  spawn(scene_crate, {0, 3, 0});
  step();
  ParentCandidates found;
  world.parent_candidates({0, 8, 0}, world.now(), no_entity, found);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].handle, station);
  EXPECT_EQ(found[1].handle, ferry);
  world.parent_candidates({0, 8, 0}, world.now(), far, found);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].handle, far);
}

TEST_F(AWorld, ASilentRemoteActorStaysForAQuarterOfASecond) {
  const Handle ferry = spawn(scene_ferry, {0, 0, 0}, no_entity, {0, 0, 50});
  spawn(scene_person, {1, 0.9, 0}, ferry);
  step(10);
  EXPECT_EQ(around(ferry, {1, 1, 1}).size(), 2U);
  step(10);
  EXPECT_EQ(around(ferry, {1, 1, 1}).size(), 1U);
}

TEST_F(AWorld, TakesNoIdTwice) {
  const SpawnOrder order{.id = make_entity_id(1, Tick{}, 1), .type = scene_crate};
  EXPECT_NE(world.spawn(order), no_entity);
  EXPECT_EQ(world.spawn(order), no_entity);
}

TEST_F(AWorld, ARemoteBodyGoesOnAsItWasLastReceived) {
  const Handle ferry = world.spawn(
      {.id = make_entity_id(2, Tick{}, 0), .type = scene_ferry, .handle = 5000, .remote = true});
  step(5);
  Motion received;
  received.pose.position = {10, 0, 0};
  received.velocity = {0, 0, 60};
  world.set_remote_motion(ferry, world.now() - 3, received);
  step(2);
  EXPECT_NEAR(world.motion(ferry, world.now())->pose.position.z, 5, 1e-9);
  EXPECT_NEAR(world.frame(ferry, world.now() - 1)->acceleration.z, 0, 1e-9);
  world.set_remote(ferry, false);  // its migration is complete
  step();
  EXPECT_NEAR(world.motion(ferry, world.now())->pose.position.z, 6, 1e-9);
  EXPECT_NEAR(world.motion(ferry, world.now())->velocity.z, 60, 1e-9);
}

TEST_F(AWorld, ARemoteBodyOfASilentOwnerRestsAfterAQuarterOfASecond) {
  const Handle ferry = world.spawn(
      {.id = make_entity_id(2, Tick{}, 0), .type = scene_ferry, .handle = 5000, .remote = true});
  world.set_remote_motion(ferry, world.now(), {.velocity = {0, 0, 60}});
  step(15);
  EXPECT_NEAR(world.motion(ferry, world.now())->pose.position.z, 15, 1e-9);
  step(30);
  EXPECT_NEAR(world.motion(ferry, world.now())->pose.position.z, 15, 1e-9);
  EXPECT_EQ(world.motion(ferry, world.now())->velocity, Vec3{});
  Motion received;
  received.pose.position = {0, 0, 40};
  world.set_remote_motion(ferry, world.now() - 2, received);
  EXPECT_EQ(world.motion(ferry, world.now() - 2)->pose.position.z, 40) << "the past is corrected";
  EXPECT_EQ(world.motion(ferry, world.now())->pose.position.z, 40);
}

TEST_F(AWorld, K41ARunnerOnAShipDoesSixtyInTheWorldAndTenOnDeck) {
  const Handle ferry = spawn(scene_ferry, {0, 0, 0}, no_entity, {0, 0, 50});
  const Handle runner = spawn(scene_person, {0, 0.91, -20}, ferry);
  ActorState state{.position = {0, 0.91, -20}};
  PlayerInput input;
  input.forward = 127;
  input.held = button_run;
  for (int i = 0; i < 120; ++i) {
    const Tick tick = world.now();
    world.set_drive(ferry, {0, 0, 50}, {});
    step();
    StepRecord record{.tick = tick, .parent = ferry};
    record.parent_motion = *world.motion(ferry, tick);
    record.frame = *world.frame(ferry, tick);
    record.input = input;
    world.gather_neighbours(ferry, reach_of({}, state), tick, runner, record.neighbours);
    state = replay_step({}, record, state);
    world.set_actor(runner, ferry, state, world.now());
  }
  EXPECT_FLOAT_EQ(state.velocity.z, 10);
  EXPECT_EQ(state.ground, ferry);
  EXPECT_NEAR(world.motion(runner, world.now())->velocity.z, 60, 1e-6);
}

}  // namespace
}  // namespace perigee::world
