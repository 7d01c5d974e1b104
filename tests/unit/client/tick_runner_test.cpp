// Due ticks, without a client.
#include "perigee/client/tick_runner.hpp"

#include "parts.hpp"

namespace perigee::client {
namespace {

class Sampler final : public InputSampler {
 public:
  PlayerInput sample(Tick tick) override {
    ticks.push_back(tick);
    return input;
  }
  PlayerInput input{.forward = 100};
  std::vector<Tick> ticks;
};

struct ATickRunner : testing::Test, Parts {
  Sampler sampler;
  int searches = 0;
  explicit ATickRunner(const test::YardOptions& options = {}) : Parts(options) {}
  Recorder recorder{
      {.game = server.game, .settings = settings, .entities = store, .prediction = prediction}};
  TickRunner ticks{{.game = server.game,
                    .settings = settings,
                    .clocks = clocks,
                    .prediction = prediction,
                    .projectiles = projectiles,
                    .display = display,
                    .inputs = inputs,
                    .recorder = recorder,
                    .latency = latency,
                    .telemetry = telemetry,
                    .search_hits = [this] { ++searches; }}};
  void frame(Micros us) {
    pass(us);
    ticks.run(now_us, sampler);
  }
};

TEST_F(ATickRunner, WaitsForTheFirstOwnState) {
  EXPECT_FALSE(ticks.run(now_us, sampler));
  start();
  EXPECT_TRUE(ticks.run(now_us, sampler));
  EXPECT_FALSE(sampler.ticks.empty());
  EXPECT_EQ(searches, 1);
}

TEST_F(ATickRunner, SamplesEachDueTickOnceAndInOrder) {
  start();
  for (int i = 0; i < 60; ++i) frame(7'000 + i % 3 * 10'000);
  for (std::size_t i = 0; i < sampler.ticks.size(); ++i) {
    EXPECT_EQ(sampler.ticks[i], inputs.first_tick() + static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(prediction.next(), sampler.ticks.back() + 1);
  EXPECT_EQ(static_cast<double>(ticks_between(clocks.time().origin(), prediction.next())),
            std::trunc(clocks.predicted_ticks(now_us)));
}

// Inputs for ticks that have already run on the worker are too late.
TEST_F(ATickRunner, StartsWithNeutralInputs) {
  start();
  frame(0);
  ASSERT_GT(sampler.ticks.size(), 3U);
  EXPECT_EQ(prediction.record(inputs.first_tick())->input.forward,
            neutral({.forward = 100}, Tick{}).forward);
  EXPECT_EQ(prediction.record(prediction.next() - 1)->input.forward, 100);
  EXPECT_TRUE(before(prediction.next(), ticks.settled()));
}

struct Holster {
  std::uint8_t slot = 1;
  std::uint8_t trigger = 0;
  static void fields(auto&& field, auto& holster) {
    field(holster.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(holster.trigger, "trigger");
  }
};
const InputLayout holster_layout = input_layout_of<Holster>();

struct ATickRunnerOfAGun : ATickRunner {
  ATickRunnerOfAGun() : ATickRunner({.inputs = &holster_layout}) {
    sampler.input.yaw = 500;
    sampler.input.own.set(Holster{.slot = 2, .trigger = 80});
  }
  const PlayerInput& played(Tick tick) const { return prediction.record(tick)->input; }
  static int slot_in(const PlayerInput& input) { return input.own.as<Holster>().slot; }
};

TEST_F(ATickRunnerOfAGun, StartsAsTheWorkerGuessed) {
  start();
  OwnSection own;
  own.rest.yaw = 9'000;
  own.rest.own.set(Holster{.slot = 4, .trigger = 80});
  inputs.restart(prediction.next(), own);
  frame(0);
  EXPECT_EQ(slot_in(played(inputs.first_tick())), 4);
  EXPECT_EQ(played(inputs.first_tick()).yaw, 9'000);
  EXPECT_EQ(played(inputs.first_tick()).own.as<Holster>().trigger, 0);
  EXPECT_EQ(slot_in(played(prediction.next() - 1)), 2);
  EXPECT_EQ(played(prediction.next() - 1).own.as<Holster>().trigger, 80);
}

// Without a reset the worker continues from the last input that it applied.
TEST_F(ATickRunnerOfAGun, ContinuesFromTheInputThatWasApplied) {
  start();
  frame(0);
  OwnSection own;
  own.has_echo = true;
  own.echo = prediction.next() - 1;
  own.rest.own.set(Holster{.slot = 4});  // not used
  inputs.restart(prediction.next(), own);
  EXPECT_EQ(slot_in(inputs.at_rest(Tick{1})), 2);
  EXPECT_EQ(inputs.at_rest(Tick{1}).yaw, 500);
}

// The worker is of another build: a value that this game refuses never reaches its step.
TEST_F(ATickRunnerOfAGun, MovesWhatTheWorkerSaysIntoItsRange) {
  start();
  OwnSection own;
  own.rest.own.set(Holster{.slot = 200});
  inputs.restart(prediction.next(), own);
  EXPECT_EQ(slot_in(inputs.at_rest(Tick{1})), 5);
}

TEST_F(ATickRunner, CatchesUpAfterAHitchInSeveralCalls) {
  start();
  frame(0);
  const std::size_t started = sampler.ticks.size();
  frame(50 * tick_us);
  EXPECT_EQ(sampler.ticks.size(), started + 30);
  frame(0);
  EXPECT_NEAR(static_cast<double>(sampler.ticks.size() - started), 50, 1);
}

TEST_F(ATickRunner, SkipsTicksAfterALongHitch) {
  start();
  frame(0);
  frame(100 * tick_us);
  EXPECT_FALSE(prediction.running()) << "it continues from the next final state";
}

// V6-V10
TEST_F(ATickRunner, RestartsAPredictionThatNoFinalStateConfirms) {
  start();
  for (int i = 0; i < 200 && prediction.running(); ++i) frame(tick_us);
  EXPECT_FALSE(prediction.running());
  EXPECT_EQ(telemetry.totals().stalls, 1U);
}

}  // namespace
}  // namespace perigee::client
