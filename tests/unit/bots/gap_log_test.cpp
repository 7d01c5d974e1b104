#include "perigee/bots/gap_log.hpp"

#include <gtest/gtest.h>

namespace perigee::bots {
namespace {

TEST(AGapLog, MeasuresFromTheFirstSnapshotToTheEnd) {
  GapLog log;
  for (const Micros at_us : {5'000'000, 5'033'000, 5'400'000, 5'433'000}) log.on_snapshot(at_us);
  EXPECT_EQ(log.longest_us(), 367'000);
  EXPECT_EQ(log.count(), 1U);
  log.end(7'000'000);
  EXPECT_EQ(log.longest_us(), 1'567'000) << "silence up to the end counts";
  ASSERT_EQ(log.listed().size(), 2U);
  EXPECT_EQ(log.listed()[0].from_us, 5'033'000);
  EXPECT_EQ(log.listed()[1].to_us, 7'000'000);
  log.end(9'000'000);
  EXPECT_EQ(log.count(), 2U) << "it ends once";
}

TEST(AGapLog, KnowsHowLongItHasBeenSilent) {
  GapLog log;
  EXPECT_EQ(log.silence_us(9'000'000), 0) << "no snapshot has come yet";
  log.on_snapshot(5'000'000);
  EXPECT_EQ(log.silence_us(7'500'000), 2'500'000);
  log.end(8'000'000);
  EXPECT_EQ(log.silence_us(9'000'000), 0);
}

TEST(AGapLog, ListsNoMoreThanItsLimitButCountsAll) {
  GapLog log;
  for (Micros i = 0; i < 10'001; ++i) log.on_snapshot(i * 300'000);
  EXPECT_EQ(log.count(), 10'000U);
  EXPECT_EQ(log.listed().size(), GapLog::gaps_max);
  EXPECT_LT(GapLog::gaps_max, 10'000U);
}

}  // namespace
}  // namespace perigee::bots
