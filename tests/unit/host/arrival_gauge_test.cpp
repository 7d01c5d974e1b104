#include "perigee/host/arrival_gauge.hpp"

#include <gtest/gtest.h>

namespace perigee::host {
namespace {

/// Gathering pays off from 3 datagrams per 100 us on: 30,000 per second.
class AGauge : public testing::Test {
 protected:
  /// One read every 100 us for `span_us`, of this many datagrams each.
  void reads(Micros span_us, std::size_t datagrams) {
    for (const Micros end_us = now_us + span_us; now_us < end_us; now_us += 100) {
      gauge.note(now_us, datagrams);
    }
  }
  ArrivalGauge gauge{100, 3};
  Micros now_us = 5'000'000;
};

TEST_F(AGauge, IsNotBusyBeforeAnythingCame) { EXPECT_FALSE(gauge.busy()); }

TEST_F(AGauge, IsBusyAfterTwoWindowsOfTheRateThatPays) {
  reads(2 * ArrivalGauge::window_us + 200, 3);
  EXPECT_TRUE(gauge.busy());
}

TEST_F(AGauge, IsNotBusyBelowThatRate) {
  reads(1'000'000, 2);
  EXPECT_FALSE(gauge.busy());
}

TEST_F(AGauge, StaysBusyUntilHalfOfIt) {
  reads(10'000, 4);
  reads(1'000'000, 2);
  EXPECT_TRUE(gauge.busy());
  reads(10'000, 1);
  EXPECT_FALSE(gauge.busy());
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
