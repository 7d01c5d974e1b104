#include "perigee/base/rate_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perigee {
namespace {

constexpr Micros second_us = 1'000'000;

TEST(ARateTable, AllowsTheBurstAndThenTheRate) {
  RateTable table(4'096, second_us, 3, 1);
  Micros now_us = 100 * second_us;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(table.take(5, now_us), std::nullopt);
  EXPECT_EQ(table.take(5, now_us), second_us);
  EXPECT_EQ(table.take(5, now_us + second_us / 4), second_us * 3 / 4);
  EXPECT_EQ(table.take(6, now_us), std::nullopt) << "another key";
  now_us += second_us;
  EXPECT_EQ(table.take(5, now_us), std::nullopt);
  EXPECT_NE(table.take(5, now_us), std::nullopt);
  now_us += 60 * second_us;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(table.take(5, now_us), std::nullopt) << "the burst is back";
  EXPECT_NE(table.take(5, now_us), std::nullopt) << "and no more than that";
}

TEST(ARateTable, GivesAFlooderHisRateInTheLongRun) {
  RateTable table(64, second_us / 20, 5, 0);
  int allowed = 0;
  for (Micros now_us = 0; now_us < 10 * second_us; now_us += 1'000)
    allowed += !table.take(7, now_us);
  EXPECT_NEAR(allowed, 5 + 200, 1);
}

TEST(ARateTable, LetsAFloodOfOneKeyLeaveTheOthersAlone) {
  const std::uint64_t seed = 5;
  SCOPED_TRACE("seed " + std::to_string(seed));
  RateTable table(4'096, second_us / 20, 5, seed);
  Random keys(seed);
  int refused = 0;
  // fills a tenth of the places in each of two tables
  for (int flooder = 0; flooder < 400; ++flooder) {
    const std::uint64_t key = keys.next();
    for (int i = 0; i < 100; ++i) table.take(key, 0);
  }
  for (int i = 0; i < 1'000; ++i) refused += table.take(keys.next(), 0).has_value();
  EXPECT_LT(refused, 60);  // (1 - 0.82)^2 = 3 %
}

// In a flood of other keys, memory stays constant, and a key over its rate stays over it.
TEST(ARateTable, KeepsAnOffenderBesideAFloodOfOthers) {
  RateTable table(4'096, second_us, 10, 7);
  std::uint64_t offences = 0;
  Random random(3);
  for (int i = 0; i < 2'000; ++i) {
    if (table.take(42, second_us)) ++offences;
    table.take(random.next(), second_us);
  }
  EXPECT_GE(offences, 1'900U);
}

TEST(ARateTable, OfOnePlaceIsTheRateOfAllTogether) {
  RateTable table(1, second_us, 2, 0);
  EXPECT_FALSE(table.take(1, 0));
  EXPECT_FALSE(table.take(2, 0));
  EXPECT_EQ(table.take(3, 0), second_us);
}

}  // namespace
}  // namespace perigee
