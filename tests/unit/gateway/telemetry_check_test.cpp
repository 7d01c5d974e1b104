#include "perigee/gateway/telemetry_check.hpp"

#include <gtest/gtest.h>

namespace perigee::gateway {
namespace {

class ATelemetryCheck : public testing::Test {
 protected:
  /// The report of a client that has played for this long since the last one.
  bool accept_after(Micros passed_us, const Telemetry& report) {
    now_us += passed_us;
    return check.accept(now_us, report);
  }
  static Telemetry report_of(std::uint16_t interval_ms) {
    return {.interval_ms = interval_ms, .rtt_us = 50'000, .lead_us = 30'000};
  }
  Micros now_us = 5'000'000;
  TelemetryCheck check{now_us};
};

TEST_F(ATelemetryCheck, AcceptsAReportASecondForADay) {
  Telemetry report = report_of(1'000);
  report.corrections[0] = 4;
  report.correction_sizes_mm.push_back(60);
  report.frames_animated = 144;
  report.extrapolations = 1'000;
  report.bytes_received = 9'000;
  for (int second = 0; second < 86'400; ++second) {
    check.on_sent(9'000);
    // The client's clock is 100 ppm fast, and its reports are 100 ms early or late.
    const Micros early_us = second % 2 == 0 ? 100'000 : -100'000;
    ASSERT_TRUE(accept_after(999'900 + early_us, report)) << second;
  }
}

TEST_F(ATelemetryCheck, AcceptsOneLongIntervalAfterAStall) {
  EXPECT_TRUE(accept_after(60'000'000, report_of(60'000)));
}

TEST_F(ATelemetryCheck, RefusesMoreTimeThanHasPassed) {
  int accepted = 0;
  for (int i = 0; i < 25; ++i) accepted += accept_after(200'000, report_of(1'000));
  EXPECT_LE(accepted, 7) << "5 s have passed, and 2 s may lie before";
  EXPECT_GE(accepted, 6);
  EXPECT_FALSE(accept_after(1'000, report_of(65'535)));
}

TEST_F(ATelemetryCheck, RefusesMoreCorrectionsThanTheIntervalHasRoomFor) {
  Telemetry report = report_of(1'000);
  report.corrections.fill(65'535);
  EXPECT_FALSE(accept_after(1'000'000, report));
  report.corrections.fill(0);
  report.corrections[3] = 7;
  EXPECT_FALSE(accept_after(1'000'000, report));
  report.corrections[3] = 6;
  EXPECT_TRUE(accept_after(1'000'000, report));
}

TEST_F(ATelemetryCheck, RefusesSizesWithoutCorrections) {
  Telemetry report = report_of(1'000);
  report.correction_sizes_mm.push_back(60);
  EXPECT_FALSE(accept_after(1'000'000, report));
}

TEST_F(ATelemetryCheck, RefusesMoreBytesThanWereSent) {
  check.on_sent(100'000);
  Telemetry report = report_of(1'000);
  report.bytes_received = 0xffff'ffff;
  EXPECT_FALSE(accept_after(1'000'000, report));
  report.bytes_received = 100'000 + TelemetryCheck::former_bytes_max;
  EXPECT_TRUE(accept_after(1'000'000, report));
  report.bytes_received = 1;
  EXPECT_FALSE(accept_after(1'000'000, report)) << "each byte counts once";
}

TEST_F(ATelemetryCheck, RefusesFramesAndDurationsThatNoClientHas) {
  const auto refuses = [&](auto change) {
    Telemetry report = report_of(1'000);
    change(report);
    return !accept_after(1'000'000, report);
  };
  constexpr std::uint32_t long_us = TelemetryCheck::duration_us_max + 1;
  EXPECT_TRUE(refuses([](Telemetry& t) { t.frames_animated = 1'003; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.extrapolations = 20'001; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.rtt_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.full_loop_rtt_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.jitter_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.lead_us = static_cast<std::int32_t>(long_us); }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.lead_us = -0x7fff'ffff - 1; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.sample_interval_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.send_wait_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.publish_wait_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.view_delay_us = long_us; }));
  EXPECT_TRUE(refuses([](Telemetry& t) { t.input_to_display_us = long_us; }));
  EXPECT_FALSE(refuses([](Telemetry&) {}));
}

}  // namespace
}  // namespace perigee::gateway
