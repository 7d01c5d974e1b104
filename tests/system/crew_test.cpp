// A ship with a crowd of colliding players aboard crosses the border at 50 m/s as one group.
#include <gtest/gtest.h>

#include <cstdio>

#include "flight.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "played_ticks.hpp"

namespace perigee::lab {
namespace {

struct Ride {
  PlayedTicksOfAll played_ticks;
  PlayerFigures figures;
};

/// Two ships, one starting on either side, each with that many people in a crowd on one deck.
Ride ride(std::uint32_t workers, std::uint32_t crew) {
  PenPlan plan = crossing_pen();
  plan.starts.clear();
  for (std::uint32_t i = 0; i < crew; ++i) {  // they fall onto the deck or onto each other
    plan.starts.push_back({-16.2 + 3.6 * (i % 10), 5.5, -16.2 + 3.6 * ((i / 10) % 10)});
  }
  const auto game = make_pens(2 * crew, plan);
  ClusterOptions options;
  options.link = *find_link_profile("P2");
  options.players = 2 * crew;
  options.workers = workers;
  options.seed = 1;
  VirtualCluster cluster(
      options, *game, [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
  cluster.run_for(10'000'000);
  cluster.restart_figures();
  Ride out;
  cluster.before_tick = [&](worker::Core& core) { out.played_ticks.note(core); };
  cluster.run_for(40'000'000);  // one swing of a ship takes 38 s
  out.figures = cluster.figures();
  return out;
}

TEST(AShipWithAHundred, CrossesAsOneAndNobodyNoticesMoreThanTheCrowd) {
  const std::uint32_t crew = long_run() ? 100 : 12;
  const Ride apart = ride(2, crew);
  const Ride one = ride(1, crew);
  const auto per_minute = [](const Ride& of) {
    return static_cast<double>(of.figures.corrections) / of.figures.minutes;
  };
  std::printf(
      "%u aboard each: %d crossings; %.2f corrections a minute with the border, %.2f without\n",
      crew, apart.played_ticks.all().crossings, per_minute(apart), per_minute(one));
  EXPECT_EQ(apart.played_ticks.all().crossings % static_cast<int>(crew), 0)
      << "the whole crew, or nobody";
  EXPECT_GE(apart.played_ticks.all().crossings, 3 * static_cast<int>(crew));
  EXPECT_EQ(one.played_ticks.all().crossings, 0);
  EXPECT_EQ(apart.played_ticks.all().gaps, 0) << "a tick was not played";
  EXPECT_EQ(apart.played_ticks.all().twice, 0) << "a tick was played twice";
  EXPECT_EQ(apart.figures.play.missed, one.figures.play.missed);
  EXPECT_LE(per_minute(apart), per_minute(one) + 0.2);
}

}  // namespace
}  // namespace perigee::lab
