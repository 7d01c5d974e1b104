// Players walk over the border between two workers, on ground that one of them owns: no player
// falls through anything, and no client sees the migration.
#include <gtest/gtest.h>

#include <cstdio>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "played_ticks.hpp"

namespace perigee::lab {
namespace {

struct Walk {
  std::unique_ptr<world::GameModule> game;
  std::unique_ptr<VirtualCluster> cluster;
  PlayedTicksOfAll played_ticks;
  int fallen = 0;          ///< ticks below the floor
  double nearest_m = 1e9;  ///< smallest distance between two players of different workers

  Walk(std::uint32_t workers, std::string_view profile, std::uint64_t seed,
       std::uint32_t players = 4, std::uint32_t on_each_road = 1)
      : game(make_pens(players, border_road(on_each_road))) {
    ClusterOptions options;
    options.link = *find_link_profile(profile);
    options.players = players;
    options.workers = workers;
    options.seed = seed;
    cluster = std::make_unique<VirtualCluster>(
        options, *game,
        [](const client::Client&, std::uint64_t own) { return make_road_walker(own); });
    cluster->run_for(10'000'000);
    cluster->restart_figures();
    cluster->before_tick = [this](worker::Core& core) { note(core); };
  }
  void note(const worker::Core& core) {
    played_ticks.note(core);
    const world::World& world = core.world();
    for (const VirtualPlayer& player : cluster->players()) {
      const worker::Player* own = core.player_of(player.client_id);
      if (own == nullptr) continue;
      const auto at = world.pose(own->avatar, world.now());
      fallen += !at || at->position.y < 0.8;
      for (const Handle handle : world.in_order()) {
        const world::Entity& other = *world.find(handle);
        if (!other.remote || world.type_of(other).kind != world::EntityKind::Actor) continue;
        const auto beside = world.pose(handle, world.now());
        if (at && beside) nearest_m = std::min(nearest_m, distance(at->position, beside->position));
      }
    }
  }
};

TEST(AWalker, CrossesTheBorderBetweenWorkersUnnoticed) {
  for (const std::string_view profile : {"P0", "P2"}) {
    Walk alone(1, profile, 1);
    alone.cluster->run_for(180'000'000);
    Walk walk(2, profile, 1);
    walk.cluster->run_for(180'000'000);
    const PlayedTicks total = walk.played_ticks.all();
    const PlayerFigures expected = alone.cluster->figures();
    const PlayerFigures figures = walk.cluster->figures();
    const std::uint64_t bytes = walk.cluster->worker(0).counts()[worker::metric.ghost_bytes] +
                                walk.cluster->worker(1).counts()[worker::metric.ghost_bytes];
    std::printf("%s: %d crossings in %.1f min, %.2f corrections a minute, %.2f without a border; ",
                profile.data(), total.crossings, figures.minutes,
                static_cast<double>(figures.corrections) / figures.minutes,
                static_cast<double>(expected.corrections) / expected.minutes);
    std::printf("%.1f kB/s sent\n", static_cast<double>(bytes) / 190e3);
    EXPECT_GE(total.crossings, 20) << profile;
    EXPECT_EQ(total.gaps, 0) << profile << ": a tick was not played";
    EXPECT_EQ(total.twice, 0) << profile << ": a tick was played twice";
    EXPECT_EQ(walk.fallen, 0) << profile << ": fell through the floor";
    EXPECT_EQ(figures.play.missed, 0U) << profile;
    EXPECT_LE(static_cast<double>(figures.corrections) / figures.minutes,
              static_cast<double>(expected.corrections) / expected.minutes + 0.2)
        << profile;
  }
}

TEST(PeopleOnARoadAcrossTheBorder, MeetThoseOfTheOtherWorker) {
  Walk walk(2, "P1", 3, 8, 4);
  walk.cluster->run_for(180'000'000);
  const PlayedTicks total = walk.played_ticks.all();
  EXPECT_GT(total.crossings, 10);
  EXPECT_EQ(total.gaps + total.twice + walk.fallen, 0);
  EXPECT_LT(walk.nearest_m, 2) << "people of two workers met";
}

// The link between the workers breaks for a while, again and again.
TEST(AWalker, WaitsOrGoesOnWhenTheLinkBetweenWorkersBreaks) {
  int crossings = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Walk walk(2, "P1", seed);
    walk.cluster->on_way_to_peer = [&]() -> std::optional<Micros> {
      const Micros second = walk.cluster->now_us() / 1'000'000;
      if (second % 7 < 2) return std::nullopt;
      return 0;
    };
    walk.cluster->run_for(120'000'000);
    EXPECT_EQ(walk.played_ticks.all().twice, 0) << "seed " << seed;
    EXPECT_EQ(walk.fallen, 0) << "seed " << seed;
    crossings += walk.played_ticks.all().crossings;
  }
  EXPECT_GT(crossings, 20);
}

}  // namespace
}  // namespace perigee::lab
