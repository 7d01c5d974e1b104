/// The example game's world.
#include "perigee/skiff/skiff.hpp"

#include <gtest/gtest.h>

#include "perigee/world/step_record.hpp"

namespace perigee::skiff {
namespace {

using world::World;

constexpr world::Bounds plus_half{{0, -2000, -8000}, {8000, 2000, 8000}};
constexpr world::Bounds minus_half{{-8000, -2000, -8000}, {0, 2000, 8000}};

class ASkiff : public testing::Test {
 protected:
  Skiff game;
  std::unique_ptr<World> world = fresh(whole_world);

  std::unique_ptr<World> fresh(const world::Bounds& region, Tick start = {}) const {
    auto made = std::make_unique<World>(world::WorldSetup{.types = game.types(), .start = start});
    game.populate(*made, region, 7);
    return made;
  }
  void step(int ticks = 1) {
    for (int i = 0; i < ticks; ++i) {
      const Tick tick = world->now();
      game.drive(*world, tick);
      world->step_bodies(tick);
    }
  }
  Handle first(Row row, Side side) const {
    for (const Handle handle : world->in_order()) {
      const world::Entity& entity = *world->find(handle);
      const bool plus = entity.id.ordinal() < 1024;
      if (entity.type == row && plus == (side == Side::Plus)) return handle;
    }
    return no_entity;
  }
  /// One actor's tick after step().
  ActorState step_actor_in(Handle parent, const ActorState& state, const PlayerInput& input) const {
    const Tick tick = world->now() - 1;
    world::StepRecord record{.tick = tick, .parent = parent};
    record.parent_motion = *world->motion(parent, tick);
    record.frame = *world->frame(parent, tick);
    record.input = input;
    const world::ActorParams& params = game.types()[character_row].actor;
    world->gather_neighbours(parent, world::reach_of(params, state), tick, no_entity,
                             record.neighbours);
    return world::replay_step(params, record, state);
  }
};

TEST_F(ASkiff, IsPopulatedTheSameEveryTime) {
  auto again = fresh(whole_world);
  EXPECT_EQ(world->hash(), again->hash());
  step(120);
  for (int i = 0; i < 120; ++i) {
    game.drive(*again, again->now());
    again->step_bodies(again->now());
  }
  EXPECT_EQ(world->hash(), again->hash());
  EXPECT_EQ(Skiff().schema_hash(), game.schema_hash());
  Tunables other;
  other.character.jump_m_s = 6;
  EXPECT_NE(Skiff(other).schema_hash(), game.schema_hash());
}

TEST_F(ASkiff, EachHalfIsBornWithItsOwnThings) {
  const auto plus = fresh(plus_half);
  const auto minus = fresh(minus_half);
  EXPECT_EQ(plus->in_order().size() + minus->in_order().size(), world->in_order().size());
  EXPECT_EQ(plus->in_order().size(), minus->in_order().size());
  for (const Handle handle : plus->in_order()) {
    EXPECT_GT(plus->pose(handle, plus->now())->position.x, 0);
  }
  for (const Handle handle : minus->in_order()) {
    EXPECT_LT(minus->pose(handle, minus->now())->position.x, 0);
  }
}

TEST_F(ASkiff, FerriesFollowTheirCoursesForALapAndStayInTheirHalves) {
  const Handle fast = first(ferry_row, Side::Plus);
  const Handle slow = first(ferry_row, Side::Minus);
  double nearest = 1e9;
  for (std::uint32_t i = 0; i < game.course(Side::Minus).lap_ticks(); ++i) {
    step();
    const Motion a = *world->motion(fast, world->now());
    const Motion b = *world->motion(slow, world->now());
    const Motion before = *world->motion(fast, world->now() - 1);
    ASSERT_LT(distance(a.pose.position, game.course(Side::Plus).at(world->now()).pose.position), 1)
        << i;
    ASSERT_LT(distance(b.pose.position, game.course(Side::Minus).at(world->now()).pose.position), 1)
        << i;
    ASSERT_GT(a.pose.position.x, 100);
    ASSERT_LT(b.pose.position.x, -100);
    // its reported velocities equal its actual motion
    const Vec3 moved = (a.pose.position - before.pose.position) / seconds_per_tick;
    ASSERT_LT(distance(moved, a.velocity), 1e-6) << i;
    const Vec3 turned = rotation_vector(a.pose.rotation * conjugate(before.pose.rotation));
    ASSERT_LT(distance(turned / seconds_per_tick, a.angular_velocity), 1e-4) << i;
    ASSERT_NEAR(length(a.velocity), 50, 0.5);
    nearest = std::min(nearest, distance(a.pose.position, {600, 0, 0}));
  }
  EXPECT_NEAR(nearest, 190, 1);  // 80 m from hull to deck
}

TEST_F(ASkiff, AFerryPushedOffItsCourseComesBack) {
  const Handle ferry = first(ferry_row, Side::Plus);
  step(10);
  Motion off = *world->motion(ferry, world->now());
  off.pose.position += Vec3{3, 1, 0};
  world->set_body(ferry, off);
  step(400);
  EXPECT_LT(distance(world->pose(ferry, world->now())->position,
                     game.course(Side::Plus).at(world->now()).pose.position),
            0.05);
}

TEST_F(ASkiff, CratesStayAboardARoundThroughTheArc) {
  const Handle ferry = first(ferry_row, Side::Plus);
  std::vector<std::pair<Handle, Vec3>> aboard;
  for (const Handle handle : world->in_order()) {
    const Pose seen =
        relative(*world->pose(ferry, world->now()), *world->pose(handle, world->now()));
    if (world->find(handle)->type == crate_row && length(seen.position) < 40) {
      aboard.emplace_back(handle, seen.position);
    }
  }
  ASSERT_EQ(aboard.size(), game.tunables().ferry_crates);
  step(3600);
  for (const auto& [handle, at] : aboard) {
    const Pose seen =
        relative(*world->pose(ferry, world->now()), *world->pose(handle, world->now()));
    EXPECT_LT(distance(seen.position, at), 1.5);
  }
}

TEST_F(ASkiff, NewcomersStandOnTheirDeckWithRoomAround) {
  step();
  for (const auto& region : {plus_half, minus_half}) {
    std::vector<Vec3> taken;
    for (std::uint32_t i = 0; i < 500; ++i) {
      const world::ActorSpawn spawn = game.spawn_state(*world, region, i);
      ASSERT_EQ(world->find(spawn.parent)->type, station_row);
      const ActorState after = step_actor_in(spawn.parent, spawn.state, {});
      ASSERT_NE(after.flags & actor_grounded, 0) << i;
      ASSERT_EQ(after.ground, spawn.parent) << i;
      ASSERT_LT(distance(after.position, spawn.state.position), 0.02) << i;
      for (const Vec3& other : taken) ASSERT_GT(distance(other, after.position), 1) << i;
      taken.push_back(after.position);
    }
  }
}

TEST_F(ASkiff, PlayersBeginOnlyWhereAStationIs) {
  step();
  world::Bounds empty = plus_half;
  EXPECT_TRUE(game.spawns_players(*world, plus_half));
  empty.low.y = 1500;
  EXPECT_FALSE(game.spawns_players(*world, empty));
}

TEST_F(ASkiff, TheCorridorAndTheStairsCanBeWalked) {
  const Handle station = first(station_row, Side::Plus);
  step();
  PlayerInput input;
  input.forward = 127;
  input.yaw = 16384;
  ActorState climber{.position = {-14, 0.91, 33}};
  for (int i = 0; i < 180; ++i) climber = step_actor_in(station, climber, input);
  EXPECT_NEAR(climber.position.y, 3.91, 0.02);
  input.yaw = 49152;  // -x, into the corridor, to the shut door
  ActorState visitor{.position = {5, 0.91, 0.2}};
  for (int i = 0; i < 600; ++i) visitor = step_actor_in(station, visitor, input);
  EXPECT_NEAR(visitor.position.x, -19.64, 0.05);
}

TEST_F(ASkiff, ADoorOpensForWhoStandsBeforeItAndLetsThrough) {
  const Handle station = first(station_row, Side::Minus);
  const Handle door = first(station_door_row, Side::Minus);
  step();
  ActorState visitor{.position = {-18, 0.91, 0}};
  world::UseAttempt attempt{.parent = station, .state = visitor, .target = door};
  attempt.now = attempt.at = world->now();
  const world::UseOutcome outcome = game.accept_use(*world, attempt);
  ASSERT_EQ(outcome.verdict, world::UseVerdict::Accepted);
  world->announce(*outcome.change);
  PlayerInput input;
  input.forward = 127;
  input.yaw = 49152;
  for (int i = 0; i < 180; ++i) {
    step();
    visitor = step_actor_in(station, visitor, input);
  }
  EXPECT_LT(visitor.position.x, -25);
}

TEST_F(ASkiff, TheLiftCarriesOneOntoTheHallAndTheTrapDoorLetsOneFallIntoIt) {
  const Handle station = first(station_row, Side::Plus);
  const Handle lift = first(station_lift_row, Side::Plus);
  const Handle trap = first(station_trap_row, Side::Plus);
  step();
  PlayerInput input;
  input.yaw = 49152;  // -x: onto the lift, onto the roof, onto the trap door
  ActorState visitor{.position = {-13, 0.91, -12}};
  const auto walk_to = [&](double x) {
    for (int i = 0; i < 300 && visitor.position.x > x; ++i) {
      input.forward = 127;
      step();
      visitor = step_actor_in(station, visitor, input);
    }
    input.forward = 0;
  };
  const auto use = [&](Handle target) {
    world::UseAttempt attempt{.parent = station, .state = visitor, .target = target};
    attempt.now = attempt.at = world->now();
    const world::UseOutcome outcome = game.accept_use(*world, attempt);
    ASSERT_EQ(outcome.verdict, world::UseVerdict::Accepted);
    world->announce(*outcome.change);
  };
  const auto stand = [&](int ticks) {
    for (int i = 0; i < ticks; ++i) {
      step();
      visitor = step_actor_in(station, visitor, input);
    }
  };
  walk_to(-17.5);
  stand(10);
  EXPECT_EQ(visitor.ground, lift);
  EXPECT_NEAR(visitor.position.y, 0.3 + 0.91, 0.02);
  use(lift);
  stand(9 + 60);
  EXPECT_EQ(visitor.ground, lift);
  EXPECT_NEAR(visitor.position.y, 2.3 + 0.91, 0.1);  // 2 m/s
  stand(70);
  EXPECT_NEAR(visitor.position.y, 4.3 + 0.91, 0.02);
  walk_to(-30);
  stand(10);
  EXPECT_EQ(visitor.ground, trap);
  EXPECT_NEAR(visitor.position.y, 4.3 + 0.91, 0.02);
  use(trap);
  stand(120);
  EXPECT_EQ(visitor.ground, station);
  EXPECT_NEAR(visitor.position.y, 0.91, 0.02);  // on the floor of the hall
  // From down there the lift is called back, though it is 4 m higher.
  visitor.position = {-15.5, 0.91, -12};
  use(lift);
}

TEST_F(ASkiff, TheCarouselCirclesAndTheGyreTurnsOnTheSpot) {
  const Handle carousel = first(carousel_row, Side::Plus);
  const Handle gyre = first(gyre_row, Side::Minus);
  const Vec3 axis{300, 0, 300};
  const Vec3 center = world->pose(gyre, world->now())->position;
  for (int i = 0; i < 900; ++i) {
    step();
    const Motion circling = *world->motion(carousel, world->now());
    ASSERT_NEAR(distance(circling.pose.position, axis), 90, 0.01) << i;
    ASSERT_NEAR(circling.angular_velocity.y, 25 * pi / 180, 1e-3);
    ASSERT_NEAR(length(circling.velocity), 90 * 25 * pi / 180, 0.1);
    // the deck's own x axis keeps pointing away from the axis of the circle
    const Vec3 outwards = rotate(circling.pose.rotation, {90, 0, 0});
    ASSERT_LT(distance(axis + outwards, circling.pose.position), 0.05);
    const Motion turning = *world->motion(gyre, world->now());
    ASSERT_LT(distance(turning.pose.position, center), 0.01);
    ASSERT_NEAR(turning.angular_velocity.y, 25 * pi / 180, 1e-3);
  }
}

// K36: in the station's frame and in the rotor's own, a rider turns with the rotor.
TEST_F(ASkiff, TheRotorCarriesWhoStandsOnIt) {
  const Handle rotor = first(station_rotor_row, Side::Plus);
  step();
  for (const Handle parent : {first(station_row, Side::Plus), rotor}) {
    const auto on_rotor = [&](const ActorState& state) {
      return inverse_transform(*world->pose(rotor, world->now()),
                               transform(*world->pose(parent, world->now()), state.position));
    };
    const Vec3 start = transform(*world->pose(rotor, world->now()), {5, 0.3 + 0.91, 3});
    ActorState rider;
    rider.position = inverse_transform(*world->pose(parent, world->now()), start);
    Vec3 found_its_feet;
    for (int i = 0; i < 800; ++i) {
      step();
      rider = step_actor_in(parent, rider, {});
      if (i == 30) found_its_feet = on_rotor(rider);
    }
    EXPECT_EQ(rider.ground, rotor);
    EXPECT_LT(distance(on_rotor(rider), found_its_feet), 1e-3);
  }
}

TEST_F(ASkiff, UseIsRefusedByReason) {
  const Handle station = first(station_row, Side::Plus);
  const Handle door = first(station_door_row, Side::Plus);
  step();
  world::UseAttempt attempt{.parent = station, .state = {.position = {-10, 0.91, 0}}};
  attempt.now = attempt.at = world->now();
  attempt.target = 999999;
  EXPECT_EQ(game.accept_use(*world, attempt).verdict, world::UseVerdict::UnknownTarget);
  attempt.target = station;
  EXPECT_EQ(game.accept_use(*world, attempt).verdict, world::UseVerdict::NotUsable);
  attempt.target = first(station_rotor_row, Side::Plus);
  EXPECT_EQ(game.accept_use(*world, attempt).verdict, world::UseVerdict::NotUsable);
  attempt.target = door;
  EXPECT_EQ(game.accept_use(*world, attempt).verdict, world::UseVerdict::TooFar);
  attempt.state.position = {-19, 0.91, 0};
  int accepted = 0;
  for (int i = 0; i < 50; ++i) {
    const world::UseOutcome outcome = game.accept_use(*world, attempt);
    if (outcome.verdict != world::UseVerdict::Accepted) {
      EXPECT_EQ(outcome.verdict, world::UseVerdict::Busy);
      continue;
    }
    world->announce(*outcome.change);
    ++accepted;
  }
  EXPECT_EQ(accepted, 8);
}

TEST_F(ASkiff, TheFerrysDoorTravelsWithIt) {
  const Handle ferry = first(ferry_row, Side::Plus);
  const Handle door = first(ferry_door_row, Side::Plus);
  step(2000);
  const Pose seen = relative(*world->pose(ferry, world->now()), *world->pose(door, world->now()));
  EXPECT_LT(distance(seen.position, {-9.85, 1.5, 0}), 1e-9);
}

TEST_F(ASkiff, AJetpackReachesTheFerryAndItsDeckHolds) {
  // from the station's edge: up, after the ferry at its speed, over the wall, down
  const Handle ferry = first(ferry_row, Side::Plus);
  step(620);  // the ferry passes the station
  const Motion hull = *world->motion(ferry, world->now());
  Motion region;
  ActorState state{.position = hull.pose.position + Vec3{-40, 8, 0},
                   .velocity = to_float(hull.velocity),
                   .flags = actor_jetpack};
  state = world::re_express(state, region, hull);
  PlayerInput input;
  input.yaw = 16384;
  input.held = button_dampers;
  for (int i = 0; i < 600; ++i) {
    step();
    input.forward = state.position.x < -12 ? 40 : 0;
    input.samples.clear();
    if (i == 420) input.samples.push_back({.pressed = button_jetpack});
    state = step_actor_in(ferry, state, input);
  }
  EXPECT_EQ(state.ground, ferry);
  EXPECT_LT(std::abs(state.position.x), 9.7);
  EXPECT_NEAR(state.position.y, 0.91, 0.01);
}

}  // namespace
}  // namespace perigee::skiff
