// Ships go back and forth over the border as fast as possible: each tick is simulated once, each
// input in time is applied once, and a received state equals the sent one byte for byte.
#include <gtest/gtest.h>

#include <cstdio>

#include "flight.hpp"
#include "perigee/lab/shuttle.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

void expect_nothing_amiss(const ShuttleFigures& figures) {
  EXPECT_EQ(figures.finals_differ, 0U) << "what was taken is not what was given";
  EXPECT_EQ(figures.ship_ticks_doubled, 0U);
  EXPECT_EQ(figures.rider_ticks_missing, 0U) << "a tick was never played";
  EXPECT_EQ(figures.inputs_lost, 0U) << "came in time, and was not applied";
  EXPECT_EQ(figures.inputs_wrong, 0U);
  EXPECT_EQ(figures.things_wrong, 0U);
}

void report(const char* links, const ShuttleFigures& figures) {
  std::printf(
      "%s: %llu migrations, %llu returned, in %llu ticks; %llu ticks of riders, %llu inputs "
      "applied, "
      "%llu anew\n",
      links, static_cast<unsigned long long>(figures.migrations),
      static_cast<unsigned long long>(figures.returned),
      static_cast<unsigned long long>(figures.ticks),
      static_cast<unsigned long long>(figures.rider_ticks),
      static_cast<unsigned long long>(figures.inputs_in_time),
      static_cast<unsigned long long>(figures.began_anew));
}

const std::uint64_t migrations = long_run() ? 100'000 : shortened() ? 300 : 1'000;

TEST(ShipsThatGoToAndFro, LoseNothingAndDoNothingTwice) {
  Shuttle shuttle({.seed = 1, .ships = 8});
  shuttle.run(migrations, 100 * migrations);
  shuttle.settle();
  const ShuttleFigures& figures = shuttle.figures();
  report("good links", figures);
  EXPECT_GE(figures.migrations, migrations);
  EXPECT_EQ(figures.finals_compared, figures.migrations) << "each in its tick";
  expect_nothing_amiss(figures);
  EXPECT_EQ(figures.ship_ticks_nowhere, 0U);
  EXPECT_EQ(figures.returned, 0U);
  EXPECT_EQ(figures.began_anew, 0U);
}

// Two regions, four owners in turn, each for two seconds; the workers receive the new map ticks
// apart.
TEST(ShipsWhoseRegionsChangeHands, LoseNothingAndDoNothingTwice) {
  for (const double lost : {0.0, 0.1}) {
    SCOPED_TRACE(lost);
    Shuttle shuttle({.seed = 3,
                     .ships = 8,
                     .map_ticks = 120,
                     .lost = lost,
                     .late_ticks_max = lost > 0 ? 6 : 2});
    shuttle.run(migrations / 2, 100 * migrations);
    shuttle.settle();
    const ShuttleFigures& figures = shuttle.figures();
    report("regions change hands", figures);
    EXPECT_GE(figures.migrations, migrations / 2);
    expect_nothing_amiss(figures);
  }
}

TEST(ShipsThatGoToAndFro, LoseNothingAndDoNothingTwiceOnBadLinksEither) {
  for (std::uint64_t seed = 1; seed <= seeds_of(2); ++seed) {
    SCOPED_TRACE(seed);
    Shuttle shuttle({.seed = seed, .ships = 8, .lost = 0.1, .late_ticks_max = 6});
    shuttle.run(migrations / 2, 100 * migrations);
    shuttle.settle();
    const ShuttleFigures& figures = shuttle.figures();
    report("bad links", figures);
    EXPECT_GE(figures.migrations, migrations / 2);
    EXPECT_LT(figures.finals_compared, figures.migrations) << "some came late";
    EXPECT_GT(figures.returned + figures.began_anew, 0U);
    expect_nothing_amiss(figures);
  }
}

}  // namespace
}  // namespace perigee::lab
