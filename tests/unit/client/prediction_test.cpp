#include "perigee/client/prediction.hpp"

#include <limits>

#include "hand_server.hpp"

namespace perigee::client {
namespace {

PlayerInput wandering(Random& random, int i) {
  static PlayerInput input;
  if (i == 0) input = {};
  input.samples.clear();
  if (i % 15 == 0) {
    input.yaw = static_cast<std::uint16_t>(random.next());
    input.forward = 127;
    input.right = static_cast<std::int8_t>(static_cast<int>(random.below(255)) - 127);
    input.held = random.below(2) == 0 ? button_run : 0;
  }
  if (random.below(50) == 0) input.samples.push_back({.pressed = button_jump});
  return input;
}

// E3, K24, K39: the same step with the same inputs gives the same bits, and no correction
TEST(APrediction, AgreesBitForBitWithAServerThatGotItsInputs) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Flight flight({.spawn = {0, 0.91, 6}});
    for (int i = 0; i < 300; ++i) flight.tick(wandering(random, i));
    EXPECT_TRUE(flight.corrections.empty());
    EXPECT_EQ(flight.largest_error_m, 0);
    EXPECT_EQ(flight.prediction.compared(), 300U);
    flight.expect_agreement();
    EXPECT_GT(distance(flight.server.state.position, {0, 0.91, 6}), 1);
  }
}

// Invalid values from a game's step are refused on both sides alike: counted, without a correction.
TEST(APrediction, RefusesWhatTheServerRefuses) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  test::YardMischief mischief;
  mischief.step = [](world::ActorContext& context) {
    EXPECT_FALSE(context.propose({.direction = {0, nan, 1}}, test::flash_effect));
    EXPECT_FALSE(context.push(1, {nan, 0, 0}, {}));
    EXPECT_FALSE(context.ray({}, {0, 0, nan}, 1));
  };
  Random random(4);
  Flight flight({.spawn = {0, 0.91, 6}, .mischief = &mischief});
  for (int i = 0; i < 100; ++i) flight.tick(wandering(random, i));
  EXPECT_GE(flight.prediction.ticks_refused(), 100U);
  EXPECT_TRUE(flight.corrections.empty());
  EXPECT_EQ(flight.largest_error_m, 0);
  flight.expect_agreement();
  EXPECT_TRUE(flight.prediction.record(flight.prediction.next() - 1)->wishes.proposals.empty());
}

// In a world with infinite values, the actor stays in its place, at rest, and the step is counted.
TEST(AStep, ThatComesOutAsNoNumberLeavesTheActorWhereItWas) {
  const test::Yard yard;
  world::StepRecord record;
  record.tick = Tick{5};
  record.frame.acceleration = {std::numeric_limits<double>::infinity(), 0, 0};
  record.frame.inertia = world::Inertia::Full;
  const ActorState before{.position = {1, 2, 3}, .velocity = {4, 0, 0}};
  const ActorState& after = world::play_tick(yard, {}, record, before, {});
  EXPECT_EQ(after, ActorState{.position = before.position});
  EXPECT_EQ(record.wishes.refused, 1U << static_cast<unsigned>(world::GameValue::StepMotion));
  EXPECT_EQ(record.wishes.refused_field, "velocity.x");
}

// K40: the barge is animated, the walker moves relative to it
TEST(APrediction, AgreesAboardAMovingBarge) {
  Flight flight({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {4, 0, 0}});
  const Tick effect = flight.prediction.next() + 5;
  flight.server.coming_switch = {effect, flight.server.barge};
  flight.prediction.on_parent_switch({flight.server.avatar, flight.server.barge, effect, 0});
  Random random(3);
  for (int i = 0; i < 120; ++i) {
    PlayerInput input = wandering(random, i);
    input.held = 0;
    input.forward = input.forward > 0 ? 20 : 0;
    input.right = 0;
    flight.tick(input);
  }
  EXPECT_EQ(flight.prediction.parent(), flight.server.barge);
  EXPECT_TRUE(flight.corrections.empty());
  EXPECT_LT(flight.largest_error_m, 1e-3);
}

// K34, K35: a switch received in time happens on both sides at its tick and is no correction
TEST(AParentSwitch, ReceivedInTimeIsNoCorrection) {
  Flight flight({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {1, 0, 0}});
  for (int i = 0; i < 20; ++i) flight.tick();
  const Tick effect = flight.prediction.next() + 2;
  flight.server.coming_switch = {effect, flight.server.barge};
  flight.prediction.on_parent_switch({flight.server.avatar, flight.server.barge, effect, 0});
  while (not_after(flight.prediction.next(), effect)) {
    EXPECT_EQ(flight.prediction.parent(), flight.server.deck);
    flight.tick();
  }
  EXPECT_EQ(flight.prediction.parent(), flight.server.barge);
  for (int i = 0; i < 40; ++i) flight.tick();
  EXPECT_TRUE(flight.corrections.empty());
  EXPECT_EQ(flight.prediction.record(effect - 1)->parent, flight.server.deck);
  EXPECT_EQ(flight.prediction.record(effect)->parent, flight.server.barge);
}

TEST(AParentSwitch, ReceivedLateReexpressesTheHistory) {
  Flight flight({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {4, 0, 0}});
  for (int i = 0; i < 20; ++i) flight.tick();
  const Tick effect = flight.server.now() + 2;  // the client is ten ticks ahead: predicted long ago
  flight.server.coming_switch = {effect, flight.server.barge};
  for (int i = 0; i < 6; ++i) {
    flight.predict({});
    flight.serve();
  }
  EXPECT_EQ(flight.prediction.parent(), flight.server.deck);
  flight.prediction.on_parent_switch({flight.server.avatar, flight.server.barge, effect, 0});
  const auto correction = flight.receive(flight.server.own(flight.server.now()));
  EXPECT_EQ(flight.prediction.parent(), flight.server.barge);
  ASSERT_TRUE(correction);  // counted, but separately
  EXPECT_EQ(correction->cause, CorrectionCause::ParentSwitch);
  flight.corrections.clear();
  for (int i = 0; i < 60; ++i) flight.tick();
  EXPECT_TRUE(flight.corrections.empty());
  EXPECT_LT(distance(flight.prediction.record(flight.server.now() - 1)->after.position,
                     flight.server.state.position),
            1e-3);
}

TEST(AParentSwitch, ThatAFinalStateContainedAlreadyIsIgnored) {
  Flight flight({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {1, 0, 0}});
  for (int i = 0; i < 20; ++i) flight.tick();
  flight.prediction.on_parent_switch(
      {flight.server.avatar, flight.server.barge, flight.server.now() - 5, 0});
  flight.tick();
  EXPECT_EQ(flight.prediction.parent(), flight.server.deck);
}

// A switch from before the start is part of the first final state; it must not be applied again.
TEST(AParentSwitch, FromBeforeTheStartIsNotTakenAgain) {
  HandServer server({.spawn = {0, 20.91, 0}, .barge = true});
  EntityStore store(server.game.types());
  for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
  Prediction prediction(store, server.game);
  prediction.on_parent_switch({server.avatar, server.barge, HandServer::start - 50, 0});
  OwnSection own = server.own(HandServer::start);
  for (const ParentMotion& motion : own.parents) {
    store.parent_motions().store(motion, own.final_tick);
  }
  prediction.on_own(own, {});
  ASSERT_TRUE(prediction.running());
  ASSERT_TRUE(prediction.step({}, {}));
  EXPECT_EQ(prediction.parent(), server.deck);
}

// E2, E3, K25: a wrong final state replays the ticks after it; the next one agrees again
TEST(AWrongFinalState, IsReplayedAndItsSizeIsReported) {
  Random random(5);
  Flight flight({.spawn = {0, 0.91, 6}});
  int i = 0;
  for (; i < 100; ++i) flight.tick(wandering(random, i));
  ASSERT_TRUE(flight.corrections.empty());
  flight.server.state.position += Vec3{0.5, 0, 0};  // a change that only the server knows
  flight.tick(wandering(random, i++));
  ASSERT_EQ(flight.corrections.size(), 1U);
  EXPECT_NEAR(flight.corrections[0].meters, 0.5, 0.25);
  for (; i < 200; ++i) flight.tick(wandering(random, i));
  EXPECT_EQ(flight.corrections.size(), 1U);
  EXPECT_EQ(flight.prediction.last_error_m(), 0);
  flight.expect_agreement();
}

TEST(AWrongFinalState, BelowThresholdIsTakenOverButNotCounted) {
  Flight flight;
  for (int i = 0; i < 30; ++i) flight.tick();
  flight.server.state.position += Vec3{0.04, 0, 0};
  for (int i = 0; i < 30; ++i) flight.tick();
  EXPECT_TRUE(flight.corrections.empty());
  flight.expect_agreement();
}

// E4, E9, K32: the true state is corrected at once, the display moves there without a jump
TEST(AnInjectedDesync, IsCorrectedAtOnceAndSmoothedWithoutAJump) {
  for (const double size_m : {0.1, 0.4, 3.0}) {
    Flight flight;
    for (int i = 0; i < 60; ++i) flight.tick();
    EXPECT_FALSE(flight.prediction.smoothing());
    EXPECT_LT(distance(flight.prediction.display_position(1), flight.prediction.state().position),
              1e-12);  // E4: without an error, the displayed state is the true one
    const Vec3 home = flight.prediction.state().position;
    flight.prediction.inject_desync({size_m, 0, 0});
    EXPECT_NEAR(distance(flight.prediction.state().position, home), size_m, 1e-9);
    const Vec3 seen = flight.prediction.display_position(1);
    flight.receive(flight.server.own(flight.server.now()));
    // No newer tick was final: the next state corrects.
    flight.tick();
    ASSERT_EQ(flight.corrections.size(), 1U);
    EXPECT_NEAR(flight.corrections[0].meters, size_m, 0.02);
    EXPECT_LT(distance(flight.prediction.state().position, home), 1e-9);
    EXPECT_TRUE(flight.prediction.smoothing());
    EXPECT_LT(distance(flight.prediction.display_position(1), seen), 0.05 * size_m + 1e-6);
    Vec3 last = flight.prediction.display_position(1);
    for (int i = 0; i < 60; ++i) {
      flight.tick();
      flight.prediction.advance_display(seconds_per_tick, flight.prediction.true_position(1));
      const Vec3 now = flight.prediction.display_position(1);
      EXPECT_LT(distance(now, last), size_m * 0.12) << "frame " << i;
      last = now;
    }
    EXPECT_FALSE(flight.prediction.smoothing());
    EXPECT_LT(distance(last, home), 1e-9);
    flight.expect_agreement();
  }
}

// V7, V8: all states predicted meanwhile are void
// K43: with the controller's whole state
TEST(AHardReset, StartsAnewFromTheFinalState) {
  Flight flight;
  for (int i = 0; i < 30; ++i) flight.tick();
  flight.prediction.inject_desync({9, 0, 0});
  OwnSection own = flight.server.own(flight.server.now());
  own.reset_epoch = 1;
  flight.receive(own);
  EXPECT_EQ(flight.prediction.hard_resets(), 1U);
  EXPECT_TRUE(flight.prediction.running());
  EXPECT_EQ(flight.prediction.next(), own.final_tick);
  EXPECT_EQ(flight.prediction.state(), own.final_state);
  EXPECT_FALSE(flight.prediction.smoothing());
  EXPECT_EQ(flight.prediction.record(own.final_tick - 1), nullptr);
  flight.receive(own);
  EXPECT_EQ(flight.prediction.hard_resets(), 1U);
}

TEST(APrediction, WaitsForTheSpawnsOfAvatarAndParent) {
  HandServer server;
  EntityStore store(server.game.types());
  Prediction prediction(store, server.game);
  const OwnSection own = server.own(HandServer::start);
  prediction.on_own(own, {});
  EXPECT_FALSE(prediction.running());
  const auto spawns = server.spawns();
  for (const SpawnEvent& spawn : spawns) {
    if (spawn.handle == server.avatar) store.spawn(spawn, 1);
  }
  prediction.on_own(own, {});
  EXPECT_FALSE(prediction.running());
  for (const SpawnEvent& spawn : spawns) store.spawn(spawn, 1);
  prediction.on_own(own, {});
  EXPECT_TRUE(prediction.running());
}

TEST(APrediction, StopsWhileItsParentIsUnknown) {
  Flight flight;
  const Tick next = flight.prediction.next();
  flight.store.despawn(flight.server.deck);
  EXPECT_FALSE(flight.predict({}));
  EXPECT_EQ(flight.prediction.next(), next);
  for (const SpawnEvent& spawn : flight.server.spawns()) flight.store.spawn(spawn, 1);
  EXPECT_TRUE(flight.predict({}));
}

// The client hung: the server is ahead of its prediction.
TEST(APrediction, ThatFellBehindCatchesUp) {
  Flight flight;
  for (int i = 0; i < 40; ++i) flight.server.tick({});
  const std::uint64_t compared = flight.prediction.compared();
  EXPECT_FALSE(flight.receive(flight.server.own(flight.server.now())));
  EXPECT_EQ(flight.prediction.compared(), compared);
  while (before(flight.prediction.next(), flight.server.now())) ASSERT_TRUE(flight.predict({}));
  flight.receive(flight.server.own(flight.server.now()));
  EXPECT_EQ(flight.prediction.compared(), compared + 1);
  EXPECT_EQ(flight.prediction.state(), flight.server.state);
}

TEST(APrediction, IgnoresFinalStatesThatAreOldNews) {
  Flight flight;
  for (int i = 0; i < 30; ++i) flight.tick();
  const ActorState state = flight.prediction.state();
  OwnSection old = flight.server.own(flight.server.now() - 5);
  old.final_state.position.x += 50;
  EXPECT_FALSE(flight.receive(old));
  EXPECT_EQ(flight.prediction.state(), state);
}

// K31, K42: an announced change of a door is predicted at its tick, also in a replay
TEST(APrediction, ReceivesADoorLateAndReplaysWithIt) {
  Flight flight({.spawn = {0.9, 0.91, 0}});
  PlayerInput walk;
  walk.forward = 127;
  walk.yaw = 16384;  // towards the shut door at +x
  for (int i = 0; i < 40; ++i) flight.tick(walk);
  EXPECT_LT(flight.server.state.position.x, 2);
  const world::TimelineChange open{flight.server.door, flight.server.now() + 4, 1, 1};
  flight.server.world.announce(open);
  for (int i = 0; i < 40; ++i) {
    flight.tick(walk);
    if (i == 10) flight.store.timeline({open.object, open.effect, open.goal, open.version});
  }
  EXPECT_GT(flight.server.state.position.x, 2);
  for (int i = 0; i < 20; ++i) flight.tick(walk);
  flight.expect_agreement();
  EXPECT_EQ(flight.prediction.last_error_m(), 0);
}

// E4, K42: a block about a door may arrive after the one about the avatar
TEST(ADoor, ReceivedLateMovesTheAvatarAtOnceAndTheEyeSmoothly) {
  Flight flight({.spawn = {2, 0.91, 1.5}});  // in the door's way
  for (int i = 0; i < 20; ++i) flight.tick();
  const world::TimelineChange open{flight.server.door, flight.server.now() + 1, 1, 1};
  flight.server.world.announce(open);
  flight.tick();
  const Vec3 stood = flight.prediction.state().position;
  const Vec3 seen = flight.prediction.display_position(1);
  flight.store.timeline({open.object, open.effect, open.goal, open.version});
  flight.prediction.receive_fixture(open.object);
  const auto correction = flight.prediction.receive_surroundings(
      flight.server.own(flight.server.now()), false, flight.view);
  ASSERT_TRUE(correction);
  EXPECT_EQ(correction->cause, CorrectionCause::StaleObject);
  EXPECT_GT(distance(flight.prediction.state().position, stood), 0.1);
  EXPECT_LT(distance(flight.prediction.display_position(1), seen), 1e-9);
  flight.largest_error_m = 0;
  for (int i = 0; i < 60; ++i) flight.tick();
  EXPECT_EQ(flight.largest_error_m, 0);
  EXPECT_EQ(flight.corrections.size(), 0U);
}

// K42, V11: an object that was missing in the predicted ticks was there all the time
TEST(APrediction, ReceivesAWallOrADoorLateAndReplaysWithIt) {
  for (const test::YardRow row : {test::pillar_row, test::door_row}) {
    SCOPED_TRACE(row);
    const bool door = row == test::door_row;
    Flight flight({.spawn = door ? Vec3{0.9, 0.91, 0} : Vec3{0, 0.91, 1.25}, .pillars = true});
    std::vector<SpawnEvent> unheard;
    for (const SpawnEvent& spawn : flight.server.spawns()) {
      if (spawn.type != row) continue;
      unheard.push_back(spawn);
      flight.store.despawn(spawn.handle);
    }
    ASSERT_FALSE(unheard.empty());
    PlayerInput walk;
    walk.forward = 127;
    walk.yaw = door ? 16384 : 0;
    for (int i = 0; i < 40; ++i) flight.tick(walk);
    EXPECT_GT(flight.largest_error_m, 0.01);
    for (const SpawnEvent& spawn : unheard) {
      flight.store.spawn(spawn, 1);
      flight.prediction.receive_fixture(spawn.handle);
    }
    const auto correction = flight.prediction.receive_surroundings(
        flight.server.own(flight.server.now()), false, flight.view);
    ASSERT_TRUE(correction);
    EXPECT_EQ(correction->cause, CorrectionCause::NotStreamed);
    flight.largest_error_m = 0;
    for (int i = 0; i < 40; ++i) flight.tick(walk);
    EXPECT_EQ(flight.largest_error_m, 0);
  }
}

// E4: objects near the corrected path may have been out of reach of the predicted ticks
TEST(APrediction, MovedByTheServerRunsIntoWhatStandsOnItsNewWay) {
  Flight flight({.spawn = {1.25, 0.91, -10}, .pillars = true});
  PlayerInput walk;
  walk.forward = 127;
  for (int i = 0; i < 40; ++i) flight.tick(walk);
  EXPECT_EQ(flight.largest_error_m, 0);
  flight.server.state.position = {0, 0.91, -1};  // a metre in front of a pillar
  flight.tick(walk);
  ASSERT_EQ(flight.corrections.size(), 1U);
  flight.largest_error_m = 0;
  for (int i = 0; i < 40; ++i) flight.tick(walk);
  EXPECT_LT(flight.server.state.position.z, 0);
  EXPECT_EQ(flight.largest_error_m, 0);
  EXPECT_EQ(flight.corrections.size(), 1U);
}

}  // namespace
}  // namespace perigee::client
