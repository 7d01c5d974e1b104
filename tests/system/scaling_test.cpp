// Workers are added and removed during play: regions are split and moved by load, entities migrate,
// and no client sees it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t scaling_bots = 24;

/// Players spawn all over the middle of space instead of at its stations.
class Meadow final : public skiff::Skiff {
 public:
  static constexpr double half_m = 3'000;
  static std::uint64_t bits(double whole) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
  }
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out = Skiff::spawn_state(world, region, ordinal);
    Random random(mix64(ordinal, bits(region.low.x), bits(region.low.z)));
    out.parent = no_entity;
    out.state = {};
    out.state.position = {
        random.between(std::max(region.low.x, -half_m), std::min(region.high.x, half_m)), 300,
        random.between(std::max(region.low.z, -half_m), std::min(region.high.z, half_m))};
    return out;
  }
};

struct Crowd {
  std::unique_ptr<world::GameModule> game;
  std::unique_ptr<VirtualCluster> cluster;
  std::map<std::uint64_t, Tick> played;  ///< the newest simulated tick, by client
  int gaps = 0, twice = 0;

  explicit Crowd(std::uint64_t seed,
                 std::unique_ptr<world::GameModule> of = std::make_unique<skiff::Skiff>(),
                 std::uint32_t players = scaling_bots)
      : game(std::move(of)) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = players;
    options.workers = 2;
    options.seed = seed;
    options.balances = true;
    cluster = std::make_unique<VirtualCluster>(
        options, *game, [](const client::Client& client, std::uint64_t own) {
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
  /// Owned entities of all workers together, by type.
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
  /// Waits until `done` holds, for at most this many seconds.
  template <class Done>
  bool soon(int seconds, Done done) {
    for (int i = 0; i < seconds && !done(); ++i) cluster->run_for(1'000'000);
    return done();
  }
  /// Waits until no avatar is in flight, because neither worker owns one that is.
  void let_who_is_on_the_way_arrive(std::uint32_t people) {
    for (int i = 0; i < 60 && avatars() != people; ++i) cluster->run_for(16'667);
  }
  /// Time until the most loaded worker has at most 1.25 × the mean load, and that has been
  /// reported.
  double seconds_until_even() {
    int halves = 0;
    for (; halves < 120; ++halves) {
      const bool reported = halves >= 4;
      if (reported && cluster->directory().imbalance() <= 1.25) break;
      cluster->run_for(500'000);
    }
    return halves * 0.5;
  }
  std::size_t regions_of(std::size_t worker) const {
    std::size_t out = 0;
    for (const RegionEntry& region : cluster->directory().map().regions) {
      if (region.owner == WorkerSlot::at(worker)) ++out;
    }
    return out;
  }
  std::size_t workers = 2;
};

TEST(ACluster, GrowsFromTwoToFourWorkersAndShrinksAgainWhilePeoplePlay) {
  Crowd crowd(1);
  ASSERT_EQ(crowd.cluster->playing(), scaling_bots);
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
  EXPECT_EQ(crowd.avatars(), scaling_bots);
  EXPECT_EQ(crowd.owned(), before) << "nothing is lost, nothing is there twice";
  const double imbalance = crowd.cluster->directory().imbalance();

  crowd.cluster->drain_worker(2);
  crowd.cluster->drain_worker(3);
  EXPECT_TRUE(crowd.soon(60, [&] { return !crowd.cluster->runs(2) && !crowd.cluster->runs(3); }))
      << "left: " << (crowd.cluster->runs(2) ? crowd.cluster->worker(2).summary().entities : 0)
      << ", " << (crowd.cluster->runs(3) ? crowd.cluster->worker(3).summary().entities : 0);
  crowd.cluster->run_for(5'000'000);
  EXPECT_EQ(crowd.cluster->directory().deaths(), 0U);
  EXPECT_EQ(crowd.avatars(), scaling_bots);
  EXPECT_EQ(crowd.cluster->playing(), scaling_bots);
  EXPECT_EQ(crowd.owned(), before);
  EXPECT_EQ(crowd.gaps, 0) << "a tick was not played";
  EXPECT_EQ(crowd.twice, 0) << "a tick was played twice";
  const auto& changes = crowd.cluster->directory().changes();
  std::printf("imbalance %.2f with four; %d splits, %d merges, %d slides, %d moves\n", imbalance,
              static_cast<int>(changes[0]), static_cast<int>(changes[1]),
              static_cast<int>(changes[2]), static_cast<int>(changes[3]));
}

// Acceptance test of live scaling: 2, 8, 2 workers with 100 players, balanced again within 10 s.
TEST(ACluster, SharesAHundredPlayersAmongEightWorkersWithinSeconds) {
  constexpr std::uint32_t people = 100;
  constexpr std::size_t many = 8;
  Crowd crowd(1, std::make_unique<Meadow>(), people);
  ASSERT_EQ(crowd.cluster->playing(), people);
  const auto before = crowd.owned();
  while (crowd.workers < many) {
    crowd.cluster->add_worker();
    ++crowd.workers;
  }
  const double grown_s = crowd.seconds_until_even();
  EXPECT_LE(grown_s, 10);
  const double imbalance = crowd.cluster->directory().imbalance();
  crowd.cluster->run_for(10'000'000);
  for (std::size_t w = 0; w < many; ++w) EXPECT_GT(crowd.regions_of(w), 0U) << w;
  crowd.let_who_is_on_the_way_arrive(people);
  EXPECT_EQ(crowd.owned(), before);

  for (std::size_t w = 2; w < many; ++w) crowd.cluster->drain_worker(w);
  const bool gone = crowd.soon(60, [&] {
    std::size_t left = 0;
    for (std::size_t w = 2; w < many; ++w) left += crowd.cluster->runs(w);
    return left == 0;
  });
  EXPECT_TRUE(gone) << "what drains gives all away";
  const double shrunk_s = crowd.seconds_until_even();
  EXPECT_LE(shrunk_s, 10);
  std::printf("even after %.1f s with eight (%.2f), after %.1f s with two (%.2f)\n", grown_s,
              imbalance, shrunk_s, crowd.cluster->directory().imbalance());
  EXPECT_EQ(crowd.cluster->directory().deaths(), 0U);
  EXPECT_EQ(crowd.cluster->playing(), people);
  crowd.let_who_is_on_the_way_arrive(people);
  EXPECT_EQ(crowd.owned(), before);
  EXPECT_EQ(crowd.gaps, 0) << "a tick was not played";
  EXPECT_EQ(crowd.twice, 0) << "a tick was played twice";
}

}  // namespace
}  // namespace perigee::lab
