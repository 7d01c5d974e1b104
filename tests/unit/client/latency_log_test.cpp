#include "perigee/client/latency_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::client {
namespace {

constexpr Tick first_input{1000};

TEST(ALatencyLog, TakesAnInputAsShownWithTheStateThatItLedTo) {
  LatencyLog log;
  log.on_sampled(first_input, 100'000);
  log.on_shown(first_input, 110'000);  // the state before the input
  EXPECT_TRUE(log.input_to_display_us().empty());
  log.on_shown(first_input + 1, 120'000);
  log.on_shown(first_input + 1, 140'000);  // displayed again
  EXPECT_THAT(log.input_to_display_us(), testing::ElementsAre(20'000));
}

TEST(ALatencyLog, CountsEachInputOnceAlsoIfAFrameShowsSeveral) {
  LatencyLog log;
  for (int i = 0; i < 3; ++i) log.on_sampled(first_input + i, 100'000 + i * 1'000);
  log.on_shown(first_input + 3, 130'000);
  EXPECT_THAT(log.input_to_display_us(), testing::ElementsAre(30'000, 29'000, 28'000));
}

TEST(ALatencyLog, MeasuresTheTimeBetweenTwoSamplings) {
  LatencyLog log;
  EXPECT_EQ(log.sample_interval_us(), 0);
  log.on_sampled(first_input, 100'000);
  log.on_sampled(first_input + 1, 133'000);
  log.on_sampled(first_input + 2, 133'000);  // two ticks in one frame
  EXPECT_EQ(log.sample_interval_us(), 33'000);
}

TEST(ALatencyLog, ForgetsWhatWasSampledInAnotherIncarnation) {
  LatencyLog log;
  log.on_sampled(first_input, 100'000);
  log.forget_inputs();
  log.on_shown(first_input + 50, 200'000);
  EXPECT_TRUE(log.input_to_display_us().empty());
  log.on_sampled(first_input - 500, 300'000);  // time begins anew
  log.on_shown(first_input - 499, 310'000);
  EXPECT_THAT(log.input_to_display_us(), testing::ElementsAre(10'000));
}

TEST(ALatencyLog, TakesNoLongerThanItRemembers) {
  LatencyLog log;
  log.on_sampled(first_input, 100'000);
  log.on_shown(first_input + 2'000'000'000, 200'000);
  EXPECT_TRUE(log.input_to_display_us().empty());
}

TEST(ALatencyLog, KeepsTheNewestSamples) {
  LatencyLog log;
  Tick tick = first_input;
  for (std::size_t i = 0; i < LatencyLog::samples_max + 5; ++i, ++tick) {
    log.on_sampled(tick, 0);
    log.on_shown(tick + 1, static_cast<Micros>(i));
  }
  ASSERT_EQ(log.input_to_display_us().size(), LatencyLog::samples_max);
  EXPECT_EQ(log.input_to_display_us()[4], static_cast<Micros>(LatencyLog::samples_max + 4));
}

TEST(ALatencyLog, ReportsTheNewestOfEach) {
  LatencyLog log;
  log.on_sampled(first_input, 100'000);
  log.on_sampled(first_input + 1, 116'000);
  log.on_sent(first_input, 118'000);
  log.on_published(1);
  log.on_view_delay(3.6);
  log.on_shown(first_input + 1, 120'000);
  Telemetry report;
  log.fill(report);
  EXPECT_EQ(report.sample_interval_us, 16'000U);
  EXPECT_EQ(report.send_wait_us, 18'000U);
  EXPECT_EQ(report.publish_wait_us, 16'666U);
  EXPECT_EQ(report.view_delay_us, 60'000U);
  EXPECT_EQ(report.input_to_display_us, 20'000U);
}

}  // namespace
}  // namespace perigee::client
