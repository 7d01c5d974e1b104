/// The steered body on its driver's client, compared with the authoritative world.
#include "perigee/client/vehicle_predictor.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"
#include "track_records.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::client {
namespace {

/// A world with a steered barge, and a client that is some ticks ahead of it.
struct AtTheControls : testing::Test {
  static constexpr Tick start{5000};
  static constexpr int ahead_ticks = 10;
  test::Yard game{{.barge = true, .barge_at = {0, 6, 0}, .barge_velocity = {}, .vehicle = true}};
  world::World world{{.types = game.types(), .start = start}};
  Handle barge = no_entity;
  EntityStore store{game.types()};
  VehiclePredictor vehicle{store, Smoothing::Quintic};
  world::VehicleState server;
  std::vector<PlayerInput> inputs;
  ViewPoint view{start, 0};
  double largest_error_m = 0;

  void SetUp() override {
    game.populate(world, {{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}}, 1);
    barge = test::Yard::handle_of(world, test::barge_row);
    for (const Handle handle : world.in_order()) spawn(handle, *world.find(handle));
    send_state();
  }
  void spawn(Handle handle, const world::Entity& entity) {
    SpawnEvent event{handle, entity.id.bits, entity.type, entity.respawns};
    event.parent = entity.parent;
    event.pose = entity.local;
    store.spawn(event, 1);
  }
  /// Sends the state as a block does, with all values but the position as floats.
  double send_state() {
    Motion sent = *world.motion(barge, world.now());
    const auto rounded = [](Vec3& v) { v = to_double(to_float(v)); };
    rounded(sent.velocity);
    rounded(sent.angular_velocity);
    store.parent_motions().store({barge, world.now(), sent}, world.now());
    OwnSection own;
    own.vehicle = VehiclePrediction::Free;
    own.vehicle_thrust = server.thrust;
    return vehicle.on_final(own);
  }
  void drive(PlayerInput input) {
    input.tick = start + static_cast<std::int32_t>(inputs.size());
    inputs.push_back(input);
    vehicle.drive(barge, input.tick, input, view);
  }
  void serve() {
    const Tick tick = world.now();
    const auto at = static_cast<std::size_t>(ticks_between(start, tick));
    const world::VehicleDrive drive = world::steer(game.types()[test::barge_row].vehicle,
                                                   inputs[at], *world.motion(barge, tick), server);
    world.set_drive(barge, drive.velocity, drive.angular_velocity);
    world.step_bodies(tick);
  }
  void play(int ticks, Random& random, int up_least) {
    PlayerInput input;
    for (int i = 0; i < ticks; ++i) {
      if (i % 40 == 0) {
        input.forward = static_cast<std::int8_t>(random.next());
        input.right = static_cast<std::int8_t>(random.next());
        input.up = static_cast<std::int8_t>(up_least + static_cast<int>(random.below(60)));
      }
      drive(input);
      if (inputs.size() <= ahead_ticks) continue;
      serve();
      if (i % 2 == 0) largest_error_m = std::max(largest_error_m, send_state());
    }
  }
};

// K40: with the same drive and the same step, the server's state equals the predicted one
TEST_F(AtTheControls, ThePredictionAgreesInFreeFlight) {
  Random random(3);
  play(1200, random, 0);
  EXPECT_GT(vehicle.compared(), 500U);
  EXPECT_LT(largest_error_m, 1e-4);
  EXPECT_GT(distance(vehicle.motion().pose.position, {0, 6, 0}), 50);
}

// Thrown against the deck, the body bounces and slides there as on the server.
TEST_F(AtTheControls, ThePredictionMeetsWhatStandsFast) {
  Random random(4);
  play(600, random, -120);
  EXPECT_LT(vehicle.motion().pose.position.y, 3);
  EXPECT_GT(vehicle.motion().pose.position.y, 0.5);
  EXPECT_LT(largest_error_m, 0.05);
}

TEST_F(AtTheControls, AWrongPresentIsCorrectedAndItsSizeIsReported) {
  Random random(5);
  play(200, random, 0);
  Motion pushed = *world.motion(barge, world.now());
  pushed.pose.position.x += 0.5;  // a change that only the server knows
  world.set_body(barge, pushed);
  EXPECT_NEAR(send_state(), 0.5, 0.01);
  play(200, random, 0);
  EXPECT_LT(send_state(), 1e-4);
}

// On a LAN a block may be of the very tick that the client has reached.
TEST_F(AtTheControls, AServerThatIsJustAsFarIsBelievedToo) {
  Random random(8);
  play(200, random, 0);
  while (world.now() != start + static_cast<std::int32_t>(inputs.size())) serve();
  Motion pushed = *world.motion(barge, world.now());
  pushed.pose.position.x += 0.5;
  world.set_body(barge, pushed);
  EXPECT_NEAR(send_state(), 0.5, 0.01);
  EXPECT_LT(send_state(), 1e-4);
  drive({});
  serve();
  EXPECT_LT(send_state(), 1e-4);
}

// K47: bodies that only the server moves would be hit at the wrong place
TEST_F(AtTheControls, InACrowdTheBodyIsShownAsTheServerSaysUntilThereIsRoom) {
  Random random(6);
  store.record({}, test::straight(barge, start, {0, 6, 0}), 1);
  play(20, random, 0);
  EXPECT_TRUE(vehicle.predicted());
  for (Handle other = 9001; other < 9001 + VehiclePredictor::crowd + 1; ++other) {
    SpawnEvent event{other, other, test::barge_row, 0};
    store.spawn(event, 1);
    store.record({}, test::straight(other, start, {1, 6, 1}), 1);
  }
  drive({});
  EXPECT_FALSE(vehicle.predicted());
  EXPECT_EQ(vehicle.times_crowded(), 1U);
  for (Handle other = 9001; other < 9001 + VehiclePredictor::crowd + 1; ++other) {
    store.despawn(other);
  }
  for (int i = 0; i < VehiclePredictor::crowd_rest_ticks; ++i) drive({});
  EXPECT_FALSE(vehicle.predicted());
  drive({});
  drive({});
  EXPECT_TRUE(vehicle.predicted());
}

// K44
TEST_F(AtTheControls, WhatHangsOnJointsIsShownAsTheServerSays) {
  Random random(7);
  play(20, random, 0);
  OwnSection own;
  own.vehicle = VehiclePrediction::Chained;
  vehicle.on_final(own);
  EXPECT_FALSE(vehicle.predicted());
  EXPECT_EQ(vehicle.times_chained(), 1U);
  own.vehicle = VehiclePrediction::Free;
  drive({});
  vehicle.on_final(own);
  EXPECT_TRUE(vehicle.predicted());
}

TEST_F(AtTheControls, WhatCannotBeSteeredIsLeftAlone) {
  vehicle.drive(test::Yard::handle_of(world, test::deck_row), start, {}, view);
  EXPECT_FALSE(vehicle.running());
  vehicle.drive(4711, start, {}, view);
  EXPECT_FALSE(vehicle.running());
}

// The display never jumps: neither when the controls are taken, nor when they are left in motion.
TEST_F(AtTheControls, TakingAndLeavingAreBlended) {
  Random random(8);
  const Pose seen{{0, 5.5, 0.4}, {}};
  store.record({}, test::straight(barge, start, seen.position, {}, seen.rotation), 1);
  play(30, random, 0);
  vehicle.advance_display(1 / 60.0, 1, view);
  Vec3 last = vehicle.shown(1, view)->pose.position;
  EXPECT_LT(distance(last, seen.position), 0.1);
  const auto follow = [&](int frames) {
    for (int i = 0; i < frames; ++i) {
      if (vehicle.running()) drive({});
      vehicle.advance_display(1 / 60.0, 1, view);
      const auto shown = vehicle.shown(1, view);
      if (!shown) return;
      ASSERT_LT(distance(shown->pose.position, last), 1);  // 60 m/s
      last = shown->pose.position;
    }
  };
  follow(120);
  EXPECT_EQ(vehicle.shown_body(), barge);
  EXPECT_LT(distance(last, vehicle.motion().pose.position), 1e-6);
  vehicle.let_go();
  follow(240);
  EXPECT_EQ(vehicle.shown_body(), no_entity);
  EXPECT_LT(distance(last, seen.position), 0.05);
}

}  // namespace
}  // namespace perigee::client
