#include "perigee/host/arrival_gauge.hpp"

#include <gtest/gtest.h>

namespace perigee::host {
namespace {

/// Gathering pays off from 2 datagrams per 500 us on: 4,000 per second.
class AGauge : public testing::Test {
 protected:
  /// One read every 500 us for `span_us`, of this many datagrams each.
  void reads(Micros span_us, std::size_t datagrams) {
    for (const Micros end_us = now_us + span_us; now_us < end_us; now_us += 500) {
      gauge.note(now_us, datagrams);
    }
  }
  ArrivalGauge gauge{{.shortest_us = 100, .longest_us = 500, .datagrams_min = 2, .datagrams = 3}};
  Micros now_us = 5'000'000;
};

TEST_F(AGauge, IsNotBusyBeforeAnythingCame) { EXPECT_FALSE(gauge.busy()); }

TEST_F(AGauge, IsBusyAfterTwoWindowsOfTheRateThatPays) {
  reads(2 * ArrivalGauge::window_us_min + 1'000, 2);
  EXPECT_TRUE(gauge.busy());
  EXPECT_EQ(gauge.wait_us(), 500);
}

TEST_F(AGauge, IsNotBusyBelowThatRate) {
  reads(1'000'000, 1);
  EXPECT_FALSE(gauge.busy());
}

TEST_F(AGauge, StaysBusyUntilHalfOfIt) {
  reads(10'000, 4);
  reads(1'000'000, 1);
  EXPECT_TRUE(gauge.busy());
  reads(10'000, 0);
  EXPECT_FALSE(gauge.busy());
}

TEST_F(AGauge, WaitsUntilSoManyArriveWithinItsLimits) {
  reads(10'000, 6);
  EXPECT_EQ(gauge.wait_us(), 250);
  reads(10'000, 10);
  EXPECT_EQ(gauge.wait_us(), 150);
  reads(10'000, 60);
  EXPECT_EQ(gauge.wait_us(), 100);
}

TEST_F(AGauge, WaitsLongestWhileHalfTheRateKeepsItBusy) {
  reads(10'000, 2);
  reads(10'000, 1);
  EXPECT_EQ(gauge.wait_us(), 500);
}

TEST(AGaugeOfLongWaits, IsNotLedAstrayBySingleReads) {
  ArrivalGauge gauge{
      {.shortest_us = 2'000, .longest_us = 2'000, .datagrams_min = 2, .datagrams = 2}};
  Micros now_us = 5'000'000;
  for (int i = 0; i < 100; ++i) gauge.note(now_us += 2'010, i % 2 == 0 ? 0 : 5);
  for (int i = 0; i < 100; ++i) {
    gauge.note(now_us += 2'010, i % 2 == 0 ? 0 : 5);
    EXPECT_TRUE(gauge.busy());
  }
}

TEST_F(AGauge, IsNotBusyByOneBurstAfterSilence) {
  reads(10'000, 1);
  now_us += 1'000'000;
  gauge.note(now_us, 64);
  EXPECT_FALSE(gauge.busy());
}

TEST_F(AGauge, ForgetsAfterSilence) {
  reads(10'000, 10);
  ASSERT_TRUE(gauge.busy());
  now_us += 1'000'000;
  gauge.note(now_us, 1);
  EXPECT_FALSE(gauge.busy());
}

}  // namespace
}  // namespace perigee::host
