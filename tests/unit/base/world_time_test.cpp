#include "perigee/base/world_time.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perigee {
namespace {

constexpr TimeSegment real{.wall_us = 1'000'000'007, .tick = Tick{500}};

double real_ticks(const WorldTime& time, Micros directory_us) {
  const TimeSegment& segment = time.at(directory_us);
  return ticks_between(Tick{0}, segment.tick) + ticks_since_start(segment, directory_us);
}

// At every rate, in either direction: a step of the clock is never worth more than a microsecond.
TEST(WorldTime, GoesOnWithoutAJumpWhereItsRateChanges) {
  for (std::uint32_t percent = 50; percent <= 100; ++percent) {
    for (const std::uint32_t former : {100U, 50U, 73U}) {
      TimeSegment base = real;
      base.rate_ppm = former * ppm_per_percent;
      const WorldTime time{base, go_on(base, Tick{1'331}, percent * ppm_per_percent)};
      const Micros seam_us = time.change->wall_us;
      const double most = 60e-6 * 1.001;
      for (Micros us = seam_us - 40; us < seam_us + 40; ++us) {
        const double step = real_ticks(time, us + 1) - real_ticks(time, us);
        ASSERT_GE(step, -1e-9) << former << " to " << percent;
        ASSERT_LE(step, most) << former << " to " << percent;
      }
      EXPECT_EQ(tick_at(time, seam_us - 2), Tick{1'330}) << "its start is rounded up by 1 us";
      EXPECT_EQ(tick_at(time, seam_us), Tick{1'331});
      EXPECT_EQ(fine_tick_at(time, seam_us), FineTick{1'331U << 8});
    }
  }
}

TEST(WorldTime, BeginsEveryTickAtItsRate) {
  const WorldTime time{real, go_on(real, Tick{560}, 500'000)};
  const auto from_start = [&](std::uint32_t tick) {
    return static_cast<double>(tick_start_us(time, Tick{tick}) - real.wall_us);
  };
  EXPECT_NEAR(from_start(530), 500'000, 2) << "each of the two is rounded up";
  EXPECT_NEAR(from_start(560), 1'000'000, 2);
  EXPECT_NEAR(from_start(590), 2'000'000, 2);
  EXPECT_EQ(tick_at(time, real.wall_us + 3'000'002), Tick{620});
}

// After ten thousand changes no tick was skipped: each change shifts time by at most a microsecond.
TEST(WorldTime, WrapsWhereTheSegmentIsOfAnotherClock) {
  const TimeSegment since_1970{};
  const Micros ticks_57_years_us = 107'742'000'000LL * 1'000'000 / 60;
  EXPECT_EQ(tick_at(since_1970, ticks_57_years_us),
            Tick{static_cast<std::uint32_t>(107'742'000'000LL)});
  EXPECT_EQ(tick_at(since_1970, -1), Tick{static_cast<std::uint32_t>(-1)});
}

TEST(WorldTime, SkipsNoTickHoweverOftenItChanges) {
  WorldTime time{.base = real, .change = {}};
  Micros last_us = tick_start_us(time, Tick{500}) - 16'667;
  for (std::uint32_t change = 0; change < 10'000; ++change) {
    const TimeSegment from = time.change ? *time.change : time.base;
    const Tick at = from.tick + 7;
    time = {from, go_on(from, at, (50 + (change * 37) % 51) * ppm_per_percent)};
    for (Tick tick = from.tick; before(tick, at + 1); ++tick) {
      const Micros start_us = tick_start_us(time, tick);
      ASSERT_EQ(tick_at(time, start_us + 1), tick);
      ASSERT_GE(start_us, last_us);
      ASSERT_LE(start_us - last_us, 33'335);
      last_us = start_us;
    }
  }
}

TEST(WorldTime, IsSentToClientsInWholePercentAndAheadOfTheChange) {
  const WorldTime time{real, go_on(real, Tick{1'000}, 650'000)};
  EXPECT_EQ(rate_notice(time, Tick{700}), (RateNotice{100, 0, 100})) << "too far ahead for a byte";
  EXPECT_EQ(rate_notice(time, Tick{990}), (RateNotice{100, 10, 65}));
  EXPECT_EQ(rate_notice(time, Tick{1'000}), (RateNotice{65, 0, 65}));
  EXPECT_EQ(rate_notice(time, Tick{9'000}), (RateNotice{65, 0, 65}));
  EXPECT_EQ(rate_notice({real, {}}, Tick{9'000}), RateNotice{});
}

}  // namespace
}  // namespace perigee
