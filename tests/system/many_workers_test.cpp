// A cluster of 64 workers in a world of 64 km, in virtual time: players cross the borders, and one
// worker dies.
#include <gtest/gtest.h>

#include <cstdio>

#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"
#include "played_ticks.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t coast_workers = 64, coast_players = 24;

/// Players begin in space beside a border of their region, which is a slice of 1 km, and glide
/// towards it.
class Coast final : public skiff::Skiff {
 public:
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out = Skiff::spawn_state(world, region, ordinal);
    out.parent = no_entity;
    out.state = {};
    out.state.position = {region.low.x + 20, 300, 10.0 * ordinal};
    out.state.velocity = {-20, 0, 0};
    return out;
  }
};

struct CoastCluster {
  Coast game;
  std::unique_ptr<VirtualCluster> cluster;
  PlayedTicksOfAll played_ticks;

  explicit CoastCluster(std::uint64_t seed) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.seed = seed;
    options.workers = coast_workers;
    options.players = coast_players;
    options.world_low = {-32'000, -2'000, -2'000};
    options.world_high = {32'000, 2'000, 2'000};
    options.standbys = true;
    options.worker.entities_max = 1024;
    cluster = std::make_unique<VirtualCluster>(options, game,
                                               [](const client::Client& client, std::uint64_t own) {
                                                 return std::make_unique<bots::Brain>(client, own);
                                               });
    cluster->before_tick = [this](worker::Core& core) { played_ticks.note(core); };
  }
  std::uint32_t avatars() const {
    std::uint32_t out = 0;
    for (std::size_t w = 0; w < coast_workers; ++w) {
      if (cluster->runs(w)) out += cluster->worker(w).summary().players;
    }
    return out;
  }
  std::size_t busiest() const {
    std::size_t out = 0;
    for (std::size_t w = 1; w < coast_workers; ++w) {
      const auto players = [&](std::size_t i) { return cluster->worker(i).summary().players; };
      if (players(w) > players(out)) out = w;
    }
    return out;
  }
};

TEST(SixtyFourWorkers, KeepEveryPlayerWhenOneOfThemDies) {
  CoastCluster coast(1);
  coast.cluster->run_for(20'000'000);
  EXPECT_EQ(coast.cluster->playing(), coast_players);
  EXPECT_EQ(coast.avatars(), coast_players);
  const PlayedTicks before = coast.played_ticks.all();
  EXPECT_GT(before.crossings, 0);
  EXPECT_EQ(before.gaps, 0);
  EXPECT_EQ(before.twice, 0);
  EXPECT_EQ(coast.cluster->directory().failovers(), 0U);
  coast.cluster->kill_worker(coast.busiest());
  coast.cluster->run_for(10'000'000);
  EXPECT_EQ(coast.cluster->directory().failovers(), 1U);
  EXPECT_EQ(coast.cluster->playing(), coast_players);
  EXPECT_EQ(coast.avatars(), coast_players) << "nobody is lost, nobody is there twice";
  EXPECT_EQ(coast.played_ticks.all().twice, 0);
  std::printf("%d crossings\n", coast.played_ticks.all().crossings);
}

TEST(SixtyFourWorkers, PlayTheSameTwice) {
  const auto hash = [] {
    CoastCluster coast(2);
    coast.cluster->run_for(5'000'000);
    return coast.cluster->hash();
  };
  EXPECT_EQ(hash(), hash());
}

}  // namespace
}  // namespace perigee::lab
