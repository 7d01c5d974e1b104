#include "perigee/client/telemetry_log.hpp"

#include <gtest/gtest.h>

namespace perigee::client {
namespace {

constexpr Micros s = 1'000'000;

TEST(ATelemetryLog, CountsCorrectionsWithinAQuarterSecondAsOne) {
  TelemetryLog log;
  log.on_correction(10 * s, 0.1, CorrectionCause::InputLost, true);
  log.on_correction(10 * s + 240'000, 0.4, CorrectionCause::Unknown, true);
  log.on_correction(10 * s + 480'000, 0.2, CorrectionCause::Unknown, true);  // still the same storm
  log.on_correction(10 * s + 730'001, 0.3, CorrectionCause::InputLate, false);
  EXPECT_EQ(log.totals().corrections, 2U);
  EXPECT_EQ(log.totals().corrections_static, 1U);
  EXPECT_EQ(log.totals().by_cause[static_cast<std::size_t>(CorrectionCause::InputLost)], 1U);
  EXPECT_EQ(log.totals().by_cause[static_cast<std::size_t>(CorrectionCause::Unknown)], 0U);
  EXPECT_DOUBLE_EQ(log.totals().largest_correction_m, 0.4);
}

TEST(ATelemetryLog, ReportsTheLargerSizeOfCorrectionsThatCountAsOne) {
  TelemetryLog log;
  log.report(9 * s);
  log.on_correction(9 * s + 100'000, 0.1, CorrectionCause::InputLost, true);
  log.on_correction(9 * s + 200'000, 0.4, CorrectionCause::Unknown, true);
  log.on_correction(9 * s + 300'000, 0.2, CorrectionCause::Unknown, true);
  const auto report = log.report(10 * s);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->correction_sizes_mm.size(), 1U);
  EXPECT_EQ(report->correction_sizes_mm[0], 400);
  EXPECT_EQ(report->corrections[static_cast<std::size_t>(CorrectionCause::InputLost)], 1);
}

TEST(ATelemetryLog, CountsWhatIsMissingAndForgivesWhatIsOnlyLate) {
  TelemetryLog log;
  for (const std::uint64_t sequence : {1U, 2U, 5U, 3U, 4U, 6U}) log.on_packet(sequence, 100);
  EXPECT_EQ(log.totals().packets_lost, 0U);
  for (const std::uint64_t sequence : {10U, 8U}) log.on_packet(sequence, 100);
  EXPECT_EQ(log.totals().packets_lost, 2U);
  EXPECT_EQ(log.totals().packets, 8U);
  EXPECT_EQ(log.totals().bytes, 800U);
}

TEST(ATelemetryLog, ReportsOncePerSecondAndStartsAnew) {
  TelemetryLog log;
  EXPECT_FALSE(log.report(5 * s));
  log.on_packet(1, 300);
  log.on_packet(4, 300);
  log.on_rtt(50'000);
  log.on_full_loop(90'000);
  log.on_jitter(0.6);
  log.on_lead(3);
  EXPECT_FALSE(log.report(5 * s + 999'999));
  const auto first = log.report(6 * s + 16'000);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->interval_ms, 1016);
  EXPECT_EQ(first->loss_permille, 500);
  EXPECT_EQ(first->bytes_received, 600U);
  EXPECT_EQ(first->rtt_us, 50'000U);
  EXPECT_EQ(first->full_loop_rtt_us, 90'000U);
  EXPECT_EQ(first->jitter_us, 10'000U);
  EXPECT_EQ(first->lead_us, 50'000);
  EXPECT_FALSE(log.report(7 * s));
  const auto second = log.report(7 * s + 20'000);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->bytes_received, 0U);
  EXPECT_EQ(second->loss_permille, 0);
  EXPECT_EQ(second->rtt_us, 50'000U);  // the newest known value
}

TEST(ATelemetryLog, TellsAQueueFromJitterByTheShortestRoundTripOfASecond) {
  TelemetryLog log;
  log.report(5 * s);
  for (const Micros rtt_us : {50'000, 300'000, 70'000}) log.on_rtt(rtt_us);
  ASSERT_TRUE(log.report(6 * s));
  EXPECT_EQ(log.queue_us(), 0);
  for (const Micros rtt_us : {250'000, 300'000, 270'000}) log.on_rtt(rtt_us);
  EXPECT_EQ(log.queue_us(), 0) << "this second is not over";
  ASSERT_TRUE(log.report(7 * s));
  EXPECT_EQ(log.queue_us(), 200'000);
  ASSERT_TRUE(log.report(8 * s));
  EXPECT_EQ(log.queue_us(), 200'000) << "nothing new is known";
  log.forget_path();
  EXPECT_EQ(log.queue_us(), 0);
}

TEST(ATelemetryLog, KeepsABoundedNumberOfSamples) {
  TelemetryLog log;
  for (int i = 0; i < 10'000; ++i) log.on_rtt(i);
  EXPECT_EQ(log.rtt_samples().size(), TelemetryLog::rtt_samples_max);
  for (int i = 0; i < 100; ++i) {
    log.on_correction(i * s, 0.2, CorrectionCause::Unknown, false);
  }
  EXPECT_EQ(log.totals().corrections, 100U);
  log.restart_totals();
  EXPECT_EQ(log.totals().corrections, 0U);
  EXPECT_TRUE(log.rtt_samples().empty());
}

}  // namespace
}  // namespace perigee::client
