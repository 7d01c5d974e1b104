// Time until a key press is visible, and duration of an error, measured with twins. (metrics M3 and
// M5 of the lab; E5, E6, B4)
#include <gtest/gtest.h>

#include "perigee/lab/oracle.hpp"
#include "perigee/lab/probes.hpp"

namespace perigee::lab {
namespace {

ProbeOptions on(const char* profile, const char* preset = "perigee",
                std::uint32_t frames_per_s = 60) {
  return {*find_preset(preset), *find_link_profile(profile), frames_per_s};
}

TEST(AKey, IsSeenWithinAFrameAndATick) {
  for (const std::uint32_t fps : {30U, 60U, 144U}) {
    const auto delays_ms = press_to_display_ms(on("P3", "perigee", fps), 4);
    ASSERT_EQ(delays_ms.size(), 4U);
    EXPECT_LE(quantile(delays_ms, 1), 1000.0 / fps + 1000.0 / 60 + 2) << fps << " fps";
  }
}

TEST(AKey, IsSeenARoundTripLaterWithoutPrediction) {
  const auto delays_ms = press_to_display_ms(on("P2", "no-prediction"), 4);
  ASSERT_EQ(delays_ms.size(), 4U);
  EXPECT_GE(quantile(delays_ms, 0), 100);
}

TEST(AnError, IsGoneWithinThreeTenthsOfASecond) {
  EXPECT_LE(settle_ms(on("P2"), 0.1).value(), 300);
  EXPECT_LE(settle_ms(on("P2"), 0.5).value(), 300);
  EXPECT_LE(settle_ms(on("P2"), 2).value(), 500);
}

// 0.65^n and the like, computed by hand: six frames, seven frames, 332 ms of half-lives, none.
TEST(AnError, LastsAsLongAsItsRuleSays) {
  EXPECT_NEAR(settle_ms(on("P1", "constant-weight"), 0.5).value(), 6 * 1000 / 60.0, 17);
  EXPECT_NEAR(settle_ms(on("P1", "fading-weight"), 0.5).value(), 7 * 1000 / 60.0, 17);
  EXPECT_NEAR(settle_ms(on("P1", "exponential"), 0.5).value(), 332, 17);
  EXPECT_EQ(settle_ms(on("P1", "no-smoothing"), 0.5).value(), 0);
}

}  // namespace
}  // namespace perigee::lab
