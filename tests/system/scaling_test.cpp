// Workers that come and go while people play: regions are cut and moved by load, things walk, and
// nobody notices.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t bots_count = 24;

struct Crowd {
  skiff::Skiff game;
  std::unique_ptr<VirtualCluster> cluster;
  std::map<std::uint64_t, Tick> played;  ///< by client, the newest tick
  int gaps = 0, twice = 0;

  explicit Crowd(std::uint64_t seed) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = bots_count;
    options.workers = 2;
    options.seed = seed;
    options.balances = true;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 100);
        });
    cluster->run_for(10'000'000);
    cluster->before_tick = [this](worker::Core& core) { note(core); };
  }
  void note(const worker::Core& core) {
    for (const VirtualPlayer& player : cluster->players()) {
      if (core.player_of(player.client_id) == nullptr) continue;
      const auto [at, fresh] = played.try_emplace(player.client_id, core.next_tick());
      const std::int32_t on = fresh ? 1 : ticks_between(at->second, core.next_tick());
      gaps += on > 1;
      twice += on < 1;
      at->second = core.next_tick();
    }
  }
  std::uint32_t avatars() const {
    std::uint32_t out = 0;
    for (std::size_t w = 0; w < 8; ++w) {
      if (w < workers && cluster->runs(w)) out += cluster->worker(w).summary().players;
    }
    return out;
  }
  /// Things that no worker holds for another's, of all workers together, by type.
  std::map<world::TypeId, int> owned() const {
    std::map<world::TypeId, int> out;
    for (std::size_t w = 0; w < workers; ++w) {
      if (!cluster->runs(w) || !cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        if (!world.find(handle)->remote) ++out[world.find(handle)->type];
      }
    }
    return out;
  }
  /// At most so many seconds, until it holds.
  template <class Done>
  bool soon(int seconds, Done done) {
    for (int i = 0; i < seconds && !done(); ++i) cluster->run_for(1'000'000);
    return done();
  }
  std::size_t regions_of(std::size_t worker) const {
    std::size_t out = 0;
    for (const RegionEntry& region : cluster->directory().map().regions) {
      if (region.owner == static_cast<WorkerSlot>(worker)) ++out;
    }
    return out;
  }
  std::size_t workers = 2;
};

TEST(ACluster, GrowsFromTwoToFourWorkersAndShrinksAgainWhilePeoplePlay) {
  Crowd crowd(1);
  ASSERT_EQ(crowd.cluster->playing(), bots_count);
  const auto before = crowd.owned();
  crowd.cluster->add_worker();
  crowd.cluster->add_worker();
  crowd.workers = 4;
  const bool shared = crowd.soon(60, [&] {
    return crowd.cluster->runs(3) && crowd.regions_of(2) > 0 && crowd.regions_of(3) > 0 &&
           crowd.cluster->worker(2).summary().players > 0 &&
           crowd.cluster->worker(3).summary().players > 0;
  });
  EXPECT_TRUE(shared) << "players: " << crowd.cluster->worker(2).summary().players << ", "
                      << crowd.cluster->worker(3).summary().players;
  crowd.cluster->run_for(20'000'000);
  EXPECT_EQ(crowd.avatars(), bots_count);
  EXPECT_EQ(crowd.owned(), before) << "nothing is lost, nothing is there twice";
  const double imbalance = crowd.cluster->directory().imbalance();

  crowd.cluster->drain_worker(2);
  crowd.cluster->drain_worker(3);
  EXPECT_TRUE(crowd.soon(60, [&] { return !crowd.cluster->runs(2) && !crowd.cluster->runs(3); }))
      << "left: " << (crowd.cluster->runs(2) ? crowd.cluster->worker(2).summary().entities : 0)
      << ", " << (crowd.cluster->runs(3) ? crowd.cluster->worker(3).summary().entities : 0);
  crowd.cluster->run_for(5'000'000);
  EXPECT_EQ(crowd.cluster->directory().deaths(), 0U);
  EXPECT_EQ(crowd.avatars(), bots_count);
  EXPECT_EQ(crowd.cluster->playing(), bots_count);
  EXPECT_EQ(crowd.owned(), before);
  EXPECT_EQ(crowd.gaps, 0) << "a tick was not played";
  EXPECT_EQ(crowd.twice, 0) << "a tick was played twice";
  const auto& changes = crowd.cluster->directory().changes();
  std::printf("imbalance %.2f with four; %d splits, %d merges, %d slides, %d moves\n", imbalance,
              static_cast<int>(changes[0]), static_cast<int>(changes[1]),
              static_cast<int>(changes[2]), static_cast<int>(changes[3]));
}

}  // namespace
}  // namespace perigee::lab
