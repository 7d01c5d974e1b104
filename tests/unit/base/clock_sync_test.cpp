#include "perigee/base/clock_sync.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

constexpr Micros true_offset_us = 1'700'000'000'000'000;

/// A request sent at `asked_us`, with these one-way delays.
ClockSample sample(Micros asked_us, Micros up_us, Micros down_us, Micros offset = true_offset_us) {
  return {asked_us, asked_us + up_us + offset, asked_us + up_us + down_us};
}

// E10
TEST(ClockSync, IsExactWhenBothWaysTakeTheSameTime) {
  ClockSync clock;
  EXPECT_TRUE(clock.add(sample(1000, 200, 200)));
  EXPECT_TRUE(clock.ready());
  EXPECT_EQ(clock.error_us(), 200);
  EXPECT_EQ(clock.directory_us(5000), 5000 + true_offset_us);
  EXPECT_EQ(clock.local_us(5000 + true_offset_us), 5000);
}

TEST(ClockSync, IsNotReadyBeforeARoundTripOfFourMillisecondsAtMost) {
  ClockSync clock;
  clock.add(sample(0, 3000, 3000));
  EXPECT_FALSE(clock.ready());
  clock.add(sample(10'000, 2500, 1500));
  EXPECT_TRUE(clock.ready());
}

TEST(ClockSync, TrustsTheShortestRoundTripOfTheLastEight) {
  ClockSync clock;
  clock.add(sample(0, 100, 100));
  for (int i = 1; i <= 7; ++i) clock.add(sample(i * 10'000, 9000, 100));
  EXPECT_EQ(clock.directory_us(100'000), 100'000 + true_offset_us);
  clock.add(sample(80'000, 9000, 100));  // the good sample has left the window
  EXPECT_EQ(clock.error_us(), 4550);
  EXPECT_TRUE(clock.ready()) << "a locked clock stays usable through a bad spell";
}

TEST(ClockSync, SlewsOnceLockedAndArrives) {
  ClockSync clock;
  clock.add(sample(0, 100, 100));
  const Micros moved = true_offset_us + 5000;
  for (int i = 1; i <= 8; ++i) clock.add(sample(i * 1000, 100, 100, moved));
  const Micros start_us = 8200;
  EXPECT_LT(clock.directory_us(start_us) - start_us - true_offset_us, 10);
  EXPECT_EQ(clock.directory_us(start_us + 1'000'000) - clock.directory_us(start_us), 1'000'500);
  EXPECT_EQ(clock.directory_us(start_us + 20'000'000), start_us + 20'000'000 + moved);
  EXPECT_EQ(clock.jumps(), 0U);
}

TEST(ClockSync, JumpsWhenMoreThanASecondOffAndCountsIt) {
  ClockSync clock;
  clock.add(sample(0, 100, 100));
  const Micros moved = true_offset_us - 3'000'000;
  clock.add(sample(10'000, 100, 100, moved));
  EXPECT_EQ(clock.jumps(), 1U);
  EXPECT_EQ(clock.directory_us(20'000), 20'000 + moved);
}

TEST(ClockSync, RefusesSamplesThatContradictThemselves) {
  ClockSync clock;
  EXPECT_FALSE(clock.add({1000, 5, 999}));
  clock.add(sample(10'000, 100, 100));
  EXPECT_FALSE(clock.add(sample(1000, 100, 100))) << "answers arrive in order";
}

TEST(ClockSync, NeverRunsBackwardsAndStaysWithinItsBound) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    ClockSync clock;
    Micros now_us = 0;
    Micros last_us = 0;
    for (int i = 0; i < 200; ++i) {
      const auto up = static_cast<Micros>(random.between(50, 3000));
      const auto down = static_cast<Micros>(random.between(50, 3000));
      clock.add(sample(now_us, up, down));
      now_us += up + down;
      if (clock.ready() && last_us == 0) last_us = clock.directory_us(now_us);
      for (int query = 0; query < 10; ++query) {
        now_us += static_cast<Micros>(random.between(0, 10'000));
        const Micros directory_us = clock.directory_us(now_us);
        if (!clock.ready()) continue;
        ASSERT_GE(directory_us, last_us);
        ASSERT_LE(std::abs(directory_us - now_us - true_offset_us), 3000);
        ASSERT_LE(std::abs(clock.local_us(directory_us) - now_us), 1);
        last_us = directory_us;
      }
    }
  }
}

}  // namespace
}  // namespace perigee
