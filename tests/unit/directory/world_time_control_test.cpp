// World time: announced rate changes and new segments, without members or regions.
#include "perigee/directory/world_time_control.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace perigee::directory {
namespace {

struct WorldTimeUnderControl : testing::Test {
  static constexpr Micros start_us = 1'000'000'000;
  static constexpr Micros day_us = 86'400'000'000;
  WorldTimeUnderControl() { time.base.wall_us = start_us; }

  WorldTime time;
  std::uint32_t cluster_id = 7;
  std::uint64_t version = 1;
  std::vector<Strain> strains;
  WorldTimeControl control{{.time = time,
                            .cluster_id = cluster_id,
                            .version = version,
                            .strains = [this] { return strains; }},
                           DilationSettings{},
                           std::nullopt};
};

TEST_F(WorldTimeUnderControl, AnnouncesAnOrderedRateAheadAndOneAtATime) {
  ASSERT_TRUE(control.order(start_us, 80).ok());
  ASSERT_TRUE(time.change);
  EXPECT_GE(time.change->wall_us, start_us + WorldTimeControl::notice_us);
  EXPECT_EQ(control.percent(), 80U);
  EXPECT_EQ(version, 2U);
  const Micros in_force_us = time.change->wall_us;
  ASSERT_TRUE(control.order(start_us + 1, 60).ok());
  EXPECT_EQ(control.percent(), 80U) << "the order waits for the change under way";
  control.steer(in_force_us + WorldTimeControl::notice_us - 1);
  EXPECT_EQ(control.percent(), 80U);
  control.steer(in_force_us + WorldTimeControl::notice_us);
  EXPECT_EQ(control.percent(), 60U);
  EXPECT_EQ(control.changes(), 2U);
  EXPECT_EQ(time.base.rate_ppm, 800'000U);
}

TEST_F(WorldTimeUnderControl, RefusesRatesThatAreNotPlayable) {
  EXPECT_FALSE(control.order(start_us, 49).ok());
  EXPECT_FALSE(control.order(start_us, 101).ok());
  EXPECT_EQ(control.ordered_percent(), std::nullopt);
  EXPECT_EQ(version, 1U);
}

TEST_F(WorldTimeUnderControl, SlowsDownUnderLoadThatStaysUnlessARateIsOrdered) {
  strains = {{.load_ms = 30, .late_ms = 500, .pace_ms = 30, .level = OverloadLevel::Relief}};
  for (Micros now_us = start_us; now_us < start_us + 20'000'000; now_us += 250'000) {
    control.steer(now_us);
  }
  EXPECT_LT(control.percent(), 100U);
  ASSERT_TRUE(control.order(start_us + 30'000'000, 100).ok());
  EXPECT_EQ(control.percent(), 100U);
}

TEST_F(WorldTimeUnderControl, BeginsAnotherSegmentWithoutSkippingATick) {
  const WorldTime before = time;
  control.renew(start_us + 100 * day_us - 1);
  EXPECT_EQ(time, before);
  const Micros now_us = start_us + 101 * day_us;
  control.renew(now_us);
  EXPECT_GT(time.base.wall_us, start_us);
  EXPECT_EQ(tick_at(time, now_us), tick_at(before, now_us));
  const Micros off_us =
      tick_start_us(time, tick_at(time, now_us)) - tick_start_us(before, tick_at(before, now_us));
  EXPECT_LE(std::abs(off_us), 1) << "rounding";
  EXPECT_EQ(version, 2U);
}

TEST_F(WorldTimeUnderControl, ResumesUnderAnotherClusterIdAtTheSameRate) {
  ASSERT_TRUE(control.order(start_us, 80).ok());
  control.resume(start_us + day_us, Tick{500});
  EXPECT_EQ(tick_at(time, start_us + day_us), Tick{500});
  EXPECT_EQ(control.percent(), 80U);
  EXPECT_EQ(cluster_id, 8U);
}

}  // namespace
}  // namespace perigee::directory
