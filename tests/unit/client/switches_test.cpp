// Techniques that a client switches in play: its clocks, the content of its packets, and a worker
// that applies its inputs at other ticks than their target ticks.
#include <cmath>
#include <set>

#include "a_client.hpp"

namespace perigee::client {
namespace {

/// By input: how often it has been sent.
std::map<std::uint32_t, int> sent_inputs(const std::vector<ControlFrame>& controls) {
  std::map<std::uint32_t, int> times;
  for (const ControlFrame& control : controls) {
    for (const PlayerInput& input : control.inputs) ++times[input.tick.count];
  }
  return times;
}

struct ASwitch : AClient {
  ASwitch() {
    play(120);
    controls.clear();
  }
  Techniques with(std::string_view changes) const {
    return *perigee::with(client.techniques(), changes);
  }
};

TEST_F(ASwitch, IsSentToTheWorkerInEveryPacket) {
  client.use(with("timeline=playout rollback=off relative-prediction=off"));
  play(10);
  ASSERT_FALSE(controls.empty());
  const SharedTechniques expected{Timeline::Playout, false, false};
  for (const ControlFrame& control : controls) EXPECT_EQ(control.techniques, expected);
  EXPECT_EQ(client.worker_techniques(), expected);  // and the client receives the worker's choice
}

// V1, V2: a packet every 20 or 25 ms, with all inputs since the last one
TEST_F(ASwitch, OfTheIntervalSendsFewerPacketsAndEveryInput) {
  for (const int every_ms : {20, 25}) {
    client.use(with("redundancy=none send-every-ms=" + std::to_string(every_ms)));
    frame();
    serve();
    controls.clear();
    const Tick from = client.prediction().next();
    play(300);
    EXPECT_NEAR(static_cast<double>(controls.size()), 5'000.0 / every_ms, 3);
    const auto times = sent_inputs(controls);
    for (Tick tick = from; before(tick, client.prediction().next() - 2); ++tick) {
      ASSERT_TRUE(times.contains(tick.count)) << tick.count;
      EXPECT_EQ(times.at(tick.count), 1);
    }
  }
}

TEST_F(ASwitch, OfTheIntervalHoldsWhateverTheFrameRate) {
  client.use(with("send-every-ms=20"));
  const Micros from_us = now_us;
  for (int i = 0; now_us < from_us + 2'000'000; ++i) {
    frame(6'944);  // 144 frames per second
    if (i % 12 < 5) serve();
  }
  EXPECT_NEAR(static_cast<double>(controls.size()), 100, 2);
}

// V0: inputs are never repeated, or all that the worker has not applied are repeated
TEST_F(ASwitch, OfTheRedundancySaysHowOftenAnInputIsSent) {
  client.use(with("redundancy=none"));
  for (int i = 0; i < 30; ++i) frame();  // no replies
  for (const auto& [tick, times] : sent_inputs(controls)) EXPECT_EQ(times, 1) << tick;
  controls.clear();
  client.use(with("redundancy=all"));
  for (int i = 0; i < 30; ++i) frame();
  for (const ControlFrame& control : controls) EXPECT_GE(control.inputs.size(), 16U);
}

// K9, K24: a worker that applies the inputs of three ticks ago agrees with the prediction of that
// time
TEST_F(ASwitch, ToPlayoutStillAgreesWithTheWorkerBitForBit) {
  walker.input.forward = 127;
  client.use(with("timeline=playout"));
  delay_ticks = 3;
  play(60);
  client.restart_totals();
  const std::uint64_t compared = client.prediction().compared();
  for (int i = 0; i < 240; ++i) {
    walker.input.yaw = static_cast<std::uint16_t>(i / 30 * 9000);
    play(1);
    EXPECT_LT(client.prediction().last_error_m(), 1e-12) << i;
  }
  EXPECT_GT(client.prediction().compared(), compared + 230);
  EXPECT_EQ(client.telemetry().totals().corrections, 0U);
  EXPECT_EQ(client.delay_ticks(), 3);
}

// K31: with playout, too, a door is predicted as it will be when the worker applies the current
// input
struct ADoorUnderPlayout : AClient {
  ADoorUnderPlayout() : AClient({.spawn = {0.9, 0.91, 0}}) {
    client.use(*perigee::with(client.techniques(), "timeline=playout"));
    delay_ticks = 3;
    play(60);
    walker.input.forward = 127;
    walker.input.yaw = 16384;  // towards the shut door at +x
    play(30);
    client.restart_totals();
  }
  /// Received before its tick.
  void slide(std::uint8_t goal, std::uint16_t version) {
    const world::TimelineChange change{worker.door, worker.now() + 9, goal, version};
    worker.world.announce(change);
    send_frame(stream, block(worker.now(), nullptr,
                             {TimelineEvent{change.object, change.effect, goal, version}}));
  }
};
TEST_F(ADoorUnderPlayout, OpensForBothAtOnce) {
  slide(1, 1);
  double worst_m = 0;
  for (int i = 0; i < 60; ++i) {
    play(1);
    worst_m = std::max(worst_m, client.prediction().last_error_m());
  }
  EXPECT_GT(worker.state.position.x, 2.5) << "through the door";
  EXPECT_LT(worst_m, 1e-12);
  EXPECT_EQ(client.telemetry().totals().corrections, 0U);
}

// The worker repeated the held controls for three ticks: one smoothed step to the side.
TEST_F(ASwitch, OfTheTimelineIsOneSmoothedStep) {
  walker.input.forward = 127;
  play(60);
  client.restart_totals();
  client.use(with("timeline=playout"));
  delay_ticks = 3;
  play(60);
  EXPECT_LE(client.telemetry().totals().corrections, 1U);
  client.use(with("timeline=lead"));
  delay_ticks = 0;
  play(60);
  EXPECT_LE(client.telemetry().totals().corrections, 2U);
  EXPECT_EQ(client.prediction().hard_resets(), 0U);
  EXPECT_LT(client.telemetry().totals().largest_correction_m, 0.5);
}

// B2: 100 ms behind the shared clock, on any path
TEST_F(ASwitch, ToTheSharedClockDrawsASixthOfASecondBehind) {
  const auto behind_ticks = [&] {
    const double now = static_cast<double>(ticks_between(client.time().origin(), worker.now()));
    return now - client.time().view_ticks();
  };
  EXPECT_NEAR(behind_ticks(), 3.6, 0.7);
  client.use(with("view=shared-clock"));
  play(120);
  EXPECT_NEAR(behind_ticks(), 6, 0.7);
  client.use(with("view=near"));
  play(120);
  EXPECT_NEAR(behind_ticks(), 3.6, 0.7);
}

// The game's choice of techniques applies unless the player has chosen.
const test::YardOptions playing_out{.techniques = {.timeline = Timeline::Playout}};
const Settings choosing{.techniques = Techniques{.redundancy = Redundancy::None}};

struct AGamesChoice : AClient {
  AGamesChoice() : AClient(playing_out) {}
};
TEST_F(AGamesChoice, OfTechniquesIsItsPlayersDefault) {
  play(60);
  EXPECT_EQ(client.techniques(), playing_out.techniques);
  client.use({});
  play(10);
  EXPECT_EQ(client.techniques(), Techniques{});
}

struct APlayersChoice : AClient {
  APlayersChoice() : AClient(playing_out, choosing) {}
};
TEST_F(APlayersChoice, OfTechniquesComesFirst) {
  play(60);
  EXPECT_EQ(client.techniques(), *choosing.techniques);
}

}  // namespace
}  // namespace perigee::client
