// Every technique that a client can switch in play.
#include "perigee/base/techniques.hpp"

#include "hand_server.hpp"

namespace perigee::client {
namespace {

PlayerInput walking(int i) {
  PlayerInput input;
  input.forward = 127;
  input.yaw = static_cast<std::uint16_t>(i / 40 * 9000);
  return input;
}

// K25: the error is added to the present and all newer states, so the next final state agrees
TEST(AShift, OfAWrongFinalStateMakesTheNextOneAgree) {
  Flight flight({.spawn = {0, 0.91, 6}});
  flight.prediction.use({.reconciler = Reconciler::Shift});
  for (int i = 0; i < 30; ++i) flight.tick();
  const std::uint64_t replayed = flight.prediction.replayed_ticks();
  const Vec3 present = flight.prediction.state().position;
  flight.server.state.position += Vec3{0.5, 0, 0};
  flight.tick();
  ASSERT_EQ(flight.corrections.size(), 1U);
  EXPECT_NEAR(flight.corrections[0].meters, 0.5, 1e-9);
  EXPECT_LT(distance(flight.prediction.state().position, present + Vec3{0.5, 0, 0}), 1e-9);
  for (int i = 0; i < 30; ++i) flight.tick();
  EXPECT_EQ(flight.corrections.size(), 1U);
  EXPECT_LT(flight.prediction.last_error_m(), 1e-9);
  EXPECT_EQ(flight.prediction.replayed_ticks(), replayed);
}

// K25: a shift ignores obstacles such as a wall; later states correct that.
TEST(AShift, IntoAWallIsPutRightByLaterStates) {
  Flight flight({.spawn = {0, 0.91, 6}});
  flight.prediction.use({.reconciler = Reconciler::Shift});
  for (int i = 0; i < 60; ++i) flight.tick(walking(0));
  flight.server.state.position += Vec3{0, 0, 3};
  for (int i = 0; i < 240; ++i) flight.tick(walking(i));
  for (int i = 0; i < 60; ++i) flight.tick();
  const Tick newest = flight.server.now() - 1;
  EXPECT_LT(
      distance(flight.prediction.record(newest)->after.position, flight.server.state.position),
      0.01);
}

// K34: states in two frames have no difference, so the history is replayed
TEST(AShift, AcrossAChangeOfParentsIsAReplay) {
  Flight flight({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {4, 0, 0}});
  flight.prediction.use({.reconciler = Reconciler::Shift});
  for (int i = 0; i < 20; ++i) flight.tick();
  const Tick effect = flight.server.now() + 2;
  flight.server.coming_switch = {effect, flight.server.barge};
  for (int i = 0; i < 6; ++i) {
    flight.predict({});
    flight.serve();
  }
  flight.prediction.on_parent_switch({flight.server.avatar, flight.server.barge, effect, 0});
  flight.receive(flight.server.own(flight.server.now()));
  EXPECT_EQ(flight.prediction.parent(), flight.server.barge);
  EXPECT_GT(flight.prediction.replayed_ticks(), 0U);
}

// E2: the baseline ignores errors smaller than its epsilon
TEST(AThreshold, LeavesSmallerErrorsAsTheyAre) {
  Flight flight;
  flight.prediction.use({.reconcile_beyond_m = 0.05});
  for (int i = 0; i < 30; ++i) flight.tick();
  const Vec3 home = flight.prediction.state().position;
  const std::uint64_t replayed = flight.prediction.replayed_ticks();
  flight.server.state.position += Vec3{0.04, 0, 0};
  for (int i = 0; i < 30; ++i) flight.tick();
  EXPECT_EQ(flight.prediction.replayed_ticks(), replayed);
  EXPECT_LT(distance(flight.prediction.state().position, home), 1e-9);
  flight.server.state.position += Vec3{0.04, 0, 0};
  for (int i = 0; i < 30; ++i) flight.tick();
  EXPECT_GT(flight.prediction.replayed_ticks(), replayed);
  flight.expect_agreement();
}

// E9, K32: switched while an error is being blended out, the display does not jump
TEST(ASmoothing, CanBeTurnedInTheMiddleOfABlend) {
  Flight flight;
  for (int i = 0; i < 30; ++i) flight.tick();
  flight.server.state.position += Vec3{0.4, 0, 0};
  flight.tick();
  flight.prediction.advance_display(seconds_per_tick, flight.prediction.true_position(1));
  const Vec3 seen = flight.prediction.display_position(1);
  flight.prediction.use({.smoothing = Smoothing::Exponential});
  EXPECT_LT(distance(flight.prediction.display_position(1), seen), 1e-12);
  flight.prediction.use({.smoothing = Smoothing::None});
  EXPECT_LT(distance(flight.prediction.display_position(1), flight.prediction.state().position),
            1e-12);
}

}  // namespace
}  // namespace perigee::client
