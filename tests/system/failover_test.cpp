// A worker dies, or stands still, under its players: its buddy goes on with all that it had.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "lives.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/netcode/hash.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t bots_count = 24;
constexpr std::size_t workers = 3;

struct Fleet {
  skiff::Skiff game;
  std::unique_ptr<VirtualCluster> cluster;
  Lives lives;
  std::map<std::uint64_t, Micros> played_us;
  Micros longest_us = 0;  ///< between two ticks of anybody

  explicit Fleet(std::uint64_t seed) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = bots_count;
    options.workers = workers;
    options.seed = seed;
    options.buddies = true;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 100);
        });
    cluster->run_for(10'000'000);
    cluster->before_tick = [this](worker::Core& core) { note(core); };
    cluster->run_for(2'000'000);
    cluster->restart_figures();
  }
  void note(const worker::Core& core) {
    lives.note(*cluster, core);
    for (const VirtualPlayer& player : cluster->players()) {
      if (core.player_of(player.client_id) == nullptr) continue;
      const auto [when, new_here] = played_us.try_emplace(player.client_id, cluster->now_us());
      if (!new_here) longest_us = std::max(longest_us, cluster->now_us() - when->second);
      when->second = cluster->now_us();
    }
  }
  /// Every thing that a worker calls its own, with how many do.
  std::map<std::uint64_t, int> owned() const {
    std::map<std::uint64_t, int> out;
    for (std::size_t w = 0; w < workers; ++w) {
      if (!cluster->runs(w) || !cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (!entity.remote) ++out[entity.id.bits];
      }
    }
    return out;
  }
  std::map<std::uint64_t, std::uint8_t> epochs() const {
    std::map<std::uint64_t, std::uint8_t> out;
    for (const VirtualPlayer& player : cluster->players()) {
      for (std::size_t w = 0; w < workers; ++w) {
        if (!cluster->runs(w)) continue;
        const worker::Player* known = cluster->worker(w).player_of(player.client_id);
        if (known != nullptr) out[player.client_id] = known->reset_epoch;
      }
    }
    return out;
  }
  bool all_in_sync() const {
    for (std::size_t w = 0; w < workers; ++w) {
      if (cluster->runs(w) && !cluster->worker(w).in_sync()) return false;
    }
    return true;
  }
  std::uint64_t count(worker::Count what) const {
    std::uint64_t out = 0;
    for (std::size_t w = 0; w < workers; ++w) {
      if (cluster->runs(w)) out += cluster->worker(w).counts()[what];
    }
    return out;
  }
};

class AWorkerThatDies : public testing::TestWithParam<std::uint64_t> {};

TEST_P(AWorkerThatDies, IsGoneOnWithByItsBuddy) {
  Fleet fleet(GetParam());
  ASSERT_TRUE(fleet.all_in_sync());
  const std::size_t victim = mix64(GetParam()) % workers;
  fleet.cluster->run_for(static_cast<Micros>(mix64(GetParam(), std::uint64_t{2}) % 1'000'000));
  const auto things = fleet.owned();
  const auto epochs = fleet.epochs();
  ASSERT_EQ(epochs.size(), bots_count);
  const std::uint32_t had = fleet.cluster->worker(victim).summary().players;
  fleet.longest_us = 0;
  fleet.cluster->kill_worker(victim);
  fleet.cluster->run_for(5'000'000);
  EXPECT_EQ(fleet.owned(), things) << "each once, none missing";
  EXPECT_EQ(fleet.epochs(), epochs) << "nobody began anew";
  EXPECT_EQ(fleet.count(worker::Count::PlayersInherited), had);
  EXPECT_EQ(fleet.lives.all().twice, 0);
  EXPECT_EQ(fleet.cluster->playing(), bots_count);
  EXPECT_TRUE(fleet.all_in_sync()) << "who goes on has a buddy again";
  const PlayerFigures figures = fleet.cluster->figures();
  std::printf(
      "seed %d: worker %zu had %u players; %.0f ms without a tick; %.2f corrections a minute\n",
      static_cast<int>(GetParam()), victim, had, static_cast<double>(fleet.longest_us) * 1e-3,
      static_cast<double>(figures.corrections) / figures.minutes);
  EXPECT_LE(fleet.longest_us, 200'000);
}

TEST_P(AWorkerThatDies, ChangesNothingWhenItOnlyStoodStill) {
  Fleet fleet(GetParam());
  ASSERT_TRUE(fleet.all_in_sync());
  const std::size_t victim = mix64(GetParam()) % workers;
  const auto things = fleet.owned();
  const auto epochs = fleet.epochs();
  fleet.longest_us = 0;
  fleet.cluster->pause_worker(victim, 2'000'000);
  fleet.cluster->run_for(6'000'000);
  EXPECT_EQ(fleet.owned(), things) << "each once, none missing";
  EXPECT_EQ(fleet.epochs(), epochs) << "nobody began anew";
  EXPECT_EQ(fleet.cluster->playing(), bots_count);
  EXPECT_EQ(fleet.cluster->directory().map().workers[victim].life, 2U);
  std::printf("seed %d: %.0f ms without a tick\n", static_cast<int>(GetParam()),
              static_cast<double>(fleet.longest_us) * 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AWorkerThatDies, testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace perigee::lab
