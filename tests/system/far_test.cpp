// A world of 1,000 km: players far from the origin play as they do beside it.
#include <gtest/gtest.h>

#include <string_view>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "played_ticks.hpp"

namespace perigee::lab {
namespace {

/// The farthest border between two slices of a large world: 488 km in x, and as far in z.
constexpr double border_x_m = 488'000;

ClusterOptions far_options(std::string_view profile) {
  ClusterOptions options;
  options.link = *find_link_profile(profile);
  options.players = 4;
  options.world_low = {476'000, -2'000, -500'000};
  options.world_high = {500'000, 2'000, 500'000};
  return options;
}

PenPlan far_away(PenPlan plan) {
  plan.middle = {border_x_m, 0, 490'000};
  return plan;
}

TEST(FarFromTheOrigin, ShipsCrossABorderUnnoticed) {
  for (const std::string_view profile : {"P0", "P3"}) {
    const auto game = make_pens(4, far_away(crossing_pen()));
    VirtualCluster cluster(
        far_options(profile), *game,
        [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
    cluster.run_for(10'000'000);
    cluster.restart_figures();
    PlayedTicksOfAll played_ticks;
    cluster.before_tick = [&](worker::Core& core) { played_ticks.note(core); };
    cluster.run_for(60'000'000);
    const PlayedTicks total = played_ticks.all();
    const PlayerFigures figures = cluster.figures();
    EXPECT_GE(total.crossings, 4 * 60 / 20) << profile;
    EXPECT_EQ(total.gaps, 0) << profile;
    EXPECT_EQ(total.twice, 0) << profile;
    EXPECT_EQ(figures.corrections, 0U) << profile;
    EXPECT_EQ(figures.play.missed, 0U) << profile;
  }
}

// Walls, stairs and crates there are hit where the client predicts it.
TEST(FarFromTheOrigin, ObstaclesAreWhereTheClientPredictsThem) {
  const auto game = make_pens(4, far_away(obstacle_pen(1)));
  VirtualCluster cluster(far_options("P2"), *game, [](const client::Client&, std::uint64_t own) {
    return make_stroller(own);
  });
  cluster.run_for(10'000'000);
  cluster.restart_figures();
  cluster.run_for(60'000'000);
  EXPECT_EQ(cluster.figures().corrections, 0U);
  EXPECT_EQ(cluster.figures().play.missed, 0U);
  for (const VirtualPlayer& player : cluster.players()) {
    const auto own = player.client->own(cluster.local_us(player));
    ASSERT_TRUE(own);
    EXPECT_NEAR(own->world.position.x, border_x_m, 4'000);
    EXPECT_NEAR(own->world.position.z, 490'000, 4'000);
  }
}

}  // namespace
}  // namespace perigee::lab
