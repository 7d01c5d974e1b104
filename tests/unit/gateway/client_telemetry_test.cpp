#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct TelemetryOfClients : WithoutCore {
  TelemetryOfClients() { telemetry.start(now_us, 1); }
  void report(const Telemetry& telemetry_sent) {
    std::array<std::byte, 1200> buffer;
    telemetry.on_frame(now_us, 1, write_telemetry(telemetry_sent, buffer));
  }
  static constexpr Telemetry one_second{.interval_ms = 1'000, .rtt_us = 50'000};
};

TEST_F(TelemetryOfClients, IsPassedOnIfItIsPlausible) {
  now_us += 1'000'000;
  report(one_second);
  ASSERT_EQ(out.telemetry.size(), 1U);
  EXPECT_EQ(out.telemetry[0].rtt_us, 50'000U);
  EXPECT_EQ(counts[metric.telemetry_received], 1U);
  now_us += 1'000'000;
  Telemetry greedy = one_second;
  greedy.bytes_received = 1'000'000;
  report(greedy);
  EXPECT_EQ(out.telemetry.size(), 1U);
  EXPECT_EQ(drops[Drop::TelemetryImplausible], 1U);
}

TEST_F(TelemetryOfClients, MayClaimTheBytesThatWereSent) {
  telemetry.on_sent(1, 1'000'000);
  now_us += 1'000'000;
  Telemetry large = one_second;
  large.bytes_received = 1'000'000;
  report(large);
  EXPECT_EQ(out.telemetry.size(), 1U);
}

TEST_F(TelemetryOfClients, IsKeptAsTheFiguresOfTheSession) {
  EXPECT_EQ(telemetry.figures(1).reported_us, 0);
  Telemetry wrong_twice = one_second;
  wrong_twice.corrections[0] = 2;
  wrong_twice.corrections[3] = 1;
  for (int i = 0; i < 2; ++i) {
    now_us += 1'000'000;
    report(wrong_twice);
  }
  EXPECT_EQ(telemetry.figures(1).reported_us, now_us);
  EXPECT_EQ(telemetry.figures(1).newest.rtt_us, 50'000U);
  EXPECT_EQ(telemetry.figures(1).corrections, 6U);
  telemetry.start(now_us, 1);
  EXPECT_EQ(telemetry.figures(1).corrections, 0U);
  EXPECT_EQ(telemetry.figures(1).began_us, now_us);
}

TEST_F(TelemetryOfClients, IsDroppedIfItComesTooOften) {
  report(one_second);
  now_us += ClientTelemetry::period_us_min - 1;
  report(one_second);
  EXPECT_EQ(drops[Drop::TelemetryTooOften], 1U);
  telemetry.start(now_us, 1);  // the slot's next session
  report(one_second);
  EXPECT_EQ(out.telemetry.size(), 2U);
}

TEST_F(TelemetryOfClients, IsDroppedIfItIsMalformed) {
  telemetry.on_frame(now_us, 1, filled(9, telemetry_frame_kind));
  EXPECT_EQ(drops[Drop::FrameMalformed], 1U);
}

}  // namespace
}  // namespace perigee::gateway
