// A network partition: a worker reaches its gateway and players, but neither the directory nor any
// other worker, and the gateway does not receive maps either. On the other side its standby is
// promoted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>

#include "flight.hpp"

namespace perigee::lab {
namespace {

/// Tick, index, kind, actor, target, amount.
using Name = std::tuple<std::uint32_t, int, int, Handle, Handle, std::int32_t>;

struct TornWorld {
  static constexpr std::uint32_t workers = 3, players = 24;
  skiff::Skiff game;
  std::set<Name> reported, stored;
  std::unique_ptr<VirtualCluster> cluster;

  explicit TornWorld(std::uint64_t seed) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = players;
    options.workers = workers;
    options.seed = seed;
    options.standbys = options.heartbeats = true;
    options.world_store_us = 50'000;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 0, bots::Temper::Fierce);
        });
    cluster->after_frame = [this](VirtualPlayer& player) {
      for (const OutcomeEvent& event : player.client->outcomes()) {
        reported.emplace(event.tick.count, event.index, event.kind, event.actor, event.target,
                         event.amount);
      }
    };
    cluster->after_stored = [this](const world::JournalEntry& entry) {
      stored.emplace(entry.tick.count, entry.index, entry.kind, entry.actor, entry.target,
                     entry.amount);
    };
  }
  void run(double seconds) { cluster->run_for(static_cast<Micros>(seconds * 1e6)); }
  /// A player that was killed just now starts to play again a moment later.
  bool all_play_soon() {
    for (int tenths = 0; tenths < 20 && cluster->playing() < players; ++tenths) run(0.1);
    return cluster->playing() == players;
  }
  std::uint64_t decided(std::size_t worker) const {
    return cluster->worker(worker).journal().total();
  }
  std::ptrdiff_t players_of(std::size_t worker) const {
    return std::ranges::count_if(cluster->players(), [&](const VirtualPlayer& player) {
      return cluster->worker(worker).player_of(player.client_id) != nullptr;
    });
  }
  std::size_t busiest() const {
    std::size_t best = 0;
    for (std::size_t w = 1; w < workers; ++w) {
      if (players_of(w) > players_of(best)) best = w;
    }
    return best;
  }
  void tear(std::size_t off, Micros us) {
    const auto cut = [&](Party a, Party b) {
      cluster->suffer({.kind = MishapKind::NetCut, .for_us = us, .a = a, .b = b});
    };
    for (std::size_t w = 0; w < workers; ++w) {
      if (w == off) continue;
      cut(static_cast<Party>(off), static_cast<Party>(w));
      cut(the_gateway, static_cast<Party>(w));
    }
    cut(static_cast<Party>(off), the_directory);
    cut(the_gateway, the_directory);
  }
};

TEST(ATornNetwork, ReportsNoOutcomeThatTheWorldGoesOnWithout) {
  std::uint64_t decided_apart = 0;
  for (std::uint64_t seed = 1; seed <= seeds_of(3); ++seed) {
    SCOPED_TRACE(seed);
    TornWorld world(seed);
    world.run(20);
    ASSERT_TRUE(world.all_play_soon());
    const std::size_t off = world.busiest();
    const auto incarnation = world.cluster->directory().map().workers[off].incarnation;
    const std::uint64_t before = world.decided(off);
    const std::size_t reported_before = world.reported.size();
    world.tear(off, 15'000'000);
    world.run(14.5);
    decided_apart += world.decided(off) - before;
    world.run(20);
    EXPECT_GT(world.cluster->directory().map().workers[off].incarnation, incarnation)
        << "it was taken for dead";
    EXPECT_TRUE(world.all_play_soon());
    EXPECT_GT(world.reported.size(), reported_before);
    std::vector<Name> untrue;
    std::ranges::set_difference(world.reported, world.stored, std::back_inserter(untrue));
    EXPECT_EQ(untrue.size(), 0U) << "reported, and never stored";
    std::printf("seed %d: reported %zu, stored %zu\n", static_cast<int>(seed),
                world.reported.size(), world.stored.size());
  }
  EXPECT_GT(decided_apart, 3 * seeds_of(3)) << "there was something to report";
}

}  // namespace
}  // namespace perigee::lab
