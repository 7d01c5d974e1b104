#include "perigee/base/rate_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "perigee/base/lead_control.hpp"
#include "perigee/base/time_map.hpp"

namespace perigee {
namespace {

TEST(ARateMap, IsEvenTimeItselfWhileTimePassesAtItsRate) {
  RateMap map;
  EXPECT_EQ(map.even(12.345), 12.345) << "before the first word";
  map.apply(0, {});
  for (const double ticks : {-7.25, 0.0, 0.1, 1e9 / 3}) {
    EXPECT_EQ(map.even(ticks), ticks) << "bit for bit";
    EXPECT_EQ(map.ticks(ticks), ticks);
  }
}

TEST(ARateMap, BendsWhereTheRateChangesAndLeavesThePastAsItWas) {
  RateMap map;
  map.apply(0, {});
  map.apply(60, {.percent = 100, .change_in_ticks = 60, .next_percent = 50});
  EXPECT_EQ(map.even(119), 119);
  EXPECT_EQ(map.even(120), 120);
  EXPECT_EQ(map.even(180), 240) << "half as fast: twice the time";
  EXPECT_EQ(map.ticks(240), 180);
  EXPECT_EQ(map.rate_at(119.9), 1);
  EXPECT_EQ(map.rate_at(120), 0.5);
  map.apply(62, {.percent = 100, .change_in_ticks = 58, .next_percent = 50});
  map.apply(64, {});  // from a worker without the new map
  map.apply(200, {.percent = 50, .change_in_ticks = 0, .next_percent = 50});
  EXPECT_EQ(map.even(180), 240);
  map.apply(240, {.percent = 50, .change_in_ticks = 30, .next_percent = 100});
  EXPECT_EQ(map.even(270), 420);
  EXPECT_EQ(map.even(280), 430);
  EXPECT_EQ(map.even(119), 119);
  EXPECT_EQ(map.missed(), 0U);
}

TEST(ARateMap, GoesOnFromWhereItReceivesAChangeThatItHasMissed) {
  RateMap map;
  map.apply(0, {});
  map.apply(100, {.percent = 60, .change_in_ticks = 0, .next_percent = 60});
  EXPECT_EQ(map.missed(), 1U);
  EXPECT_EQ(map.even(100), 100);
  EXPECT_NEAR(map.even(106), 110, 1e-9);
  map.apply(130, {.percent = 100, .change_in_ticks = 0, .next_percent = 100}, 140);
  EXPECT_EQ(map.missed(), 2U);
  EXPECT_EQ(map.even(130), 140) << "as its arrival says";
  EXPECT_EQ(map.ticks(150), 140);
}

TEST(ARateMap, IsContinuousAndInvertibleAfterAnyNumberOfChanges) {
  RateMap map;
  map.apply(0, {});
  double ticks = 0;
  std::uint8_t percent = 100;
  for (int change = 0; change < 1'000; ++change) {
    const auto next = static_cast<std::uint8_t>(50 + (change * 37) % 51);
    map.apply(ticks, {percent, 60, next});
    ticks += 60;
    percent = next;
    EXPECT_NEAR(map.even(ticks + 1e-6) - map.even(ticks - 1e-6), 3e-6, 1.01e-6);
    for (const double at : {ticks - 100, ticks - 1, ticks, ticks + 0.5, ticks + 59}) {
      ASSERT_NEAR(map.ticks(map.even(at)), at, 1e-6);
    }
  }
  EXPECT_EQ(map.missed(), 0U);
}

/// A path of 60 ms up and 40 ms down, with jitter; world time slows down and speeds up again.
class APath : public testing::Test {
 protected:
  static constexpr double way_up = 3.6, way_down = 2.4;  // in even ticks
  static constexpr double slow_from = 1'200, slow_to = 1'500, slow = 0.5;

  static double world_at(double even) {
    if (even < slow_from) return even;
    const double slowed = std::min(even, slow_from + (slow_to - slow_from) / slow) - slow_from;
    return slow_from + slowed * slow +
           std::max(0.0, even - slow_from - (slow_to - slow_from) / slow);
  }
  static double even_of(double tick) {
    if (tick < slow_from) return tick;
    return slow_from + (std::min(tick, slow_to) - slow_from) / slow + std::max(0.0, tick - slow_to);
  }
  /// A block is sent as soon as the tick before its own has begun.
  static double arrival_of(double block) { return even_of(block - 1) + 1 + way_down; }
  static RateNotice notice(double tick) {
    const auto at = [](double t) { return t >= slow_from && t < slow_to ? 50 : 100; };
    RateNotice out{static_cast<std::uint8_t>(at(tick)), 0, static_cast<std::uint8_t>(at(tick))};
    for (const double seam : {slow_from, slow_to}) {
      // A second ahead, at the rate until the change.
      const double ahead = seam - tick;
      if (ahead <= 0 || ahead > 60 * (at(tick) / 100.0)) continue;
      out.change_in_ticks = static_cast<std::uint8_t>(ahead);
      out.next_percent = static_cast<std::uint8_t>(at(seam));
    }
    return out;
  }
};

// The margin of inputs and the delay of the view are the same before, at and after both rate
// changes.
TEST_F(APath, ShowsNoSeamToItsClient) {
  TimeMap map;
  LeadControl lead;
  constexpr double own_clock = 777;  // the client's clock has another zero
  double next_block = 2, predicted = 0, last_view = 0, last_even = 0;
  double worst_margin = 1e9, best_margin = -1e9;
  for (double even = 10; even < 2'400; even += 0.25) {
    const double local = even - own_clock;
    for (; arrival_of(next_block) <= even; next_block += 2) {
      const auto tick = Tick{static_cast<std::uint32_t>(next_block)};
      map.on_block(arrival_of(next_block) - own_clock, tick, notice(next_block));
    }
    if (!map.ready()) continue;
    map.advance(local);
    if (!lead.seeded()) lead.seed(local, map.observed_even(local) + way_up + way_down + 0.06);
    lead.advance(0.25);
    const double ticks =
        map.rates().ticks(lead.predicted_even(local)) + ticks_between(Tick{0}, map.origin());
    if (even > 100) {
      // Measured at the worker; in even time the margin is the same everywhere.
      const double margin = even_of(ticks) - (even + way_up);
      worst_margin = std::min(worst_margin, margin);
      best_margin = std::max(best_margin, margin);
      EXPECT_GE(ticks, predicted) << "it never goes back";
      const double view = map.view_ticks() + ticks_between(Tick{0}, map.origin());
      const double world = world_at(even - way_down);
      EXPECT_NEAR(world - view, map.view_delay_ticks(), 0.05) << "at " << even;
      const double step = view - last_view, passed = world - world_at(last_even - way_down);
      EXPECT_NEAR(step, passed, 0.02) << "at " << even;
    }
    predicted = ticks;
    last_view = map.view_ticks() + ticks_between(Tick{0}, map.origin());
    last_even = even;
  }
  EXPECT_NEAR(worst_margin, 0.06, 0.01);
  EXPECT_NEAR(best_margin, 0.06, 0.01);
  EXPECT_EQ(map.rates().missed(), 0U);
  EXPECT_EQ(map.jumps(), 0U);
}

TEST_F(APath, LeadsToWhereTheWorldIsAfterASeamThatWasNeverReceived) {
  TimeMap map;
  LeadControl lead;
  double next_block = 2;
  for (double even = 10; even < 1'450; even += 0.25) {
    for (; arrival_of(next_block) <= even; next_block += 2) {
      const bool silence = next_block > slow_from - 70 && next_block < slow_from + 60;
      if (silence) continue;
      const auto tick = Tick{static_cast<std::uint32_t>(next_block)};
      map.on_block(arrival_of(next_block), tick, notice(next_block));
    }
    if (!map.ready()) continue;
    map.advance(even);
    if (!lead.seeded()) lead.seed(even, map.observed_even(even) + way_up + way_down);
  }
  EXPECT_EQ(map.rates().missed(), 1U);
  const double origin = ticks_between(Tick{0}, map.origin());
  EXPECT_NEAR(map.observed_ticks(1'450) + origin, world_at(1'450 - way_down), 0.6);
  const double predicted = map.rates().ticks(lead.predicted_even(1'450)) + origin;
  EXPECT_NEAR(predicted, world_at(1'450 + way_up), 0.6) << "its inputs come in time";
}

}  // namespace
}  // namespace perigee
