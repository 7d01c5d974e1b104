// Cases in which the own avatar is displayed as the server sends it, and the transitions to and
// from that mode.
#include "a_client.hpp"

namespace perigee::client {
namespace {

struct AnAnimatedClient : AClient {
  AnAnimatedClient() { walker.input.forward = 127; }

  SceneEntity own() {
    for (const SceneEntity& entity : client.scene(now_us)) {
      if (entity.own) return entity;
    }
    ADD_FAILURE() << "there is no own avatar";
    return {};
  }
  /// Plays on; returns the largest step of the display between two frames, in metres.
  double largest_step_m(int ticks) {
    double largest = 0;
    for (int i = 0; i < ticks; ++i) {
      const Vec3 before = own().world.position;
      play(1);
      largest = std::max(largest, distance(own().world.position, before));
    }
    return largest;
  }
  /// The server moves the player about without any input.
  void storm(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      if (i % 15 == 0) worker.state.position += Vec3{i % 30 == 0 ? 0.4 : -0.4, 0, 0};
      play(1);
    }
  }
};

// Baseline without prediction: the server's state, displayed with the same delay as other players.
TEST_F(AnAnimatedClient, ShowsItselfLateWhenItDoesNotPredict) {
  walker.input.forward = 60;
  play(120);
  EXPECT_LT(distance(own().local.position, client.prediction().state().position), 0.1);
  client.use({.prediction = false});
  play(60);
  EXPECT_TRUE(client.animating());
  ASSERT_GT(length(to_double(worker.state.velocity)), 1);
  // Packets arrive at once here, so the delay is that of the view alone: four ticks and more.
  const double behind_m = distance(own().local.position, client.prediction().state().position);
  EXPECT_GT(behind_m, 4 * seconds_per_tick * length(to_double(worker.state.velocity)));
  const std::uint64_t corrections = client.telemetry().totals().corrections;
  worker.state.position += Vec3{0.6, 0, 0};
  play(60);
  // the display showed no wrong state
  EXPECT_EQ(client.telemetry().totals().corrections, corrections);
}

TEST_F(AnAnimatedClient, MovesThereAndBackWithoutAJump) {
  play(120);
  const double walking_m = largest_step_m(30);
  client.use({.prediction = false});
  EXPECT_LT(largest_step_m(120), walking_m + 12.0 / 60 + 0.01);  // K35's 12 m/s
  client.use({});
  EXPECT_LT(largest_step_m(120), walking_m + 12.0 / 60 + 0.01);
  EXPECT_LT(distance(own().local.position, client.prediction().state().position), 0.1);
}

// K46: after repeated mispredictions the server's state is displayed, until the shadow has been
// right for two seconds
TEST_F(AnAnimatedClient, WaitsForTheEndOfAStorm) {
  play(120);
  storm(60);
  EXPECT_TRUE(client.animating());
  EXPECT_EQ(client.storm_breaker().storms(), 1U);
  const std::uint64_t corrections = client.telemetry().totals().corrections;
  storm(60);
  EXPECT_EQ(client.telemetry().totals().corrections, corrections);
  EXPECT_GT(reports.back().frames_animated, 20);
  play(100);
  EXPECT_TRUE(client.animating());
  play(40);
  EXPECT_FALSE(client.animating());
}

TEST_F(AnAnimatedClient, ShowsEveryCorrectionWithoutTheBreaker) {
  client.use({.storm_breaker = false});
  play(120);
  storm(60);
  EXPECT_FALSE(client.animating());
  EXPECT_GE(client.telemetry().totals().corrections, 3U);
}

// V10: inputs keep reaching the worker
TEST_F(AnAnimatedClient, GoesOnSendingItsInputs) {
  play(120);
  client.use({.prediction = false});
  controls.clear();
  const Vec3 before = worker.state.position;
  play(60);
  EXPECT_GT(controls.size(), 50U);
  EXPECT_GT(distance(worker.state.position, before), 1);
}

}  // namespace
}  // namespace perigee::client
