// The client's clocks, without a client.
#include "perigee/client/clocks.hpp"

#include <gtest/gtest.h>

namespace perigee::client {
namespace {

constexpr Micros rtt_us = 100'000;
constexpr Micros tick_us = 16'667;
constexpr Tick origin{5000};

struct AClock : testing::Test {
  AClock() {
    telemetry.on_rtt(rtt_us);
    clocks.begin(now_us);
  }
  void receive(Tick tick, std::int8_t delay_ticks = 0) {
    OwnSection own;
    own.delay_ticks = delay_ticks;
    clocks.on_own(tick, own);
  }
  void pass(Micros us) {
    now_us += us;
    clocks.set_now(now_us);
    clocks.advance(static_cast<double>(us) * ticks_per_us);
  }
  /// Blocks of every second tick, without jitter.
  void play(int blocks) {
    for (int i = 0; i < blocks; ++i) {
      receive(origin + 2 * block++);
      pass(2 * tick_us);
    }
  }
  /// The worker reports inputs that arrive that many ticks late.
  void report_late(double ticks) {
    for (int i = 0; i < 8; ++i) {
      const Tick input = origin + 100 + i;
      clocks.lead().sampled(input, 0);
      OwnSection own;
      own.has_margin = true;
      own.margin_input = input;
      own.margin_us = -static_cast<std::int32_t>(ticks / ticks_per_us);
      clocks.on_margin(own, origin);
    }
  }
  Settings settings;
  Techniques techniques;
  TelemetryLog telemetry;
  Clocks clocks{{.settings = settings, .techniques = techniques, .telemetry = telemetry}};
  Micros now_us = 1'000'000;
  std::int32_t block = 0;
};

// K29
TEST_F(AClock, LeadsByARoundTripAndAReserve) {
  play(1);
  ASSERT_TRUE(clocks.find_lead());
  EXPECT_EQ(clocks.time().origin(), origin);
  const double passed = 2;  // ticks since the block
  EXPECT_NEAR(clocks.predicted_ticks(now_us), passed + rtt_us * ticks_per_us + 2, 0.01);
}

TEST_F(AClock, HasNoLeadBeforeTheRoundTripIsKnown) {
  telemetry.forget_path();
  play(1);
  EXPECT_FALSE(clocks.find_lead());
  EXPECT_FALSE(clocks.lead().seeded());
}

TEST_F(AClock, SeedsAnImplausibleLeadAnew) {
  play(1);
  ASSERT_TRUE(clocks.find_lead());
  const double before = clocks.predicted_ticks(now_us);
  receive(origin + 1'000);  // the server is far ahead: this side stood still
  ASSERT_TRUE(clocks.find_lead());
  EXPECT_GT(clocks.predicted_ticks(now_us), before + 900);
}

TEST_F(AClock, KnowsTheDelayOfItsInputsOnTheWorker) {
  receive(origin, 3);
  EXPECT_EQ(clocks.delay_ticks(), 3);
  clocks.forget_world();
  EXPECT_EQ(clocks.delay_ticks(), 0);
  EXPECT_FALSE(clocks.time().ready());
}

TEST_F(AClock, IgnoresMarginsOfTheStart) {
  play(1);
  ASSERT_TRUE(clocks.find_lead());
  clocks.lead().sampled(origin + 10, 0);
  OwnSection own;
  own.has_margin = true;
  own.margin_input = origin + 10;
  for (int i = 0; i < 8; ++i) clocks.on_margin(own, origin + 10);
  EXPECT_FALSE(clocks.lead().late_ticks(0)) << "no report counts";
  for (int i = 0; i < 8; ++i) clocks.on_margin(own, origin + 9);
  EXPECT_TRUE(clocks.lead().late_ticks(0));
}

// S3
TEST_F(AClock, FallsBackFromASuggestedTimelineOnALongPath) {
  techniques.timeline = Timeline::Suggested;
  play(1);
  ASSERT_TRUE(clocks.find_lead());
  report_late(0);
  play(1);
  EXPECT_EQ(clocks.timeline_in_use(), Timeline::Suggested);
  report_late(60);
  play(1);
  EXPECT_EQ(clocks.timeline_in_use(), Timeline::Lead);
  EXPECT_EQ(clocks.timeline_fallbacks(), 1U);
  clocks.on_techniques();
  EXPECT_EQ(clocks.timeline_in_use(), Timeline::Suggested) << "it is tried again";
}

// B2
TEST_F(AClock, OfASharedTimeIsAHundredMillisecondsBehindTheServer) {
  techniques.view = ViewTick::SharedClock;
  play(120);
  // The newest tick that can have arrived is half a round trip old.
  EXPECT_NEAR(clocks.time().view_delay_ticks(), 6 - rtt_us * ticks_per_us / 2, 0.05);
}

}  // namespace
}  // namespace perigee::client
