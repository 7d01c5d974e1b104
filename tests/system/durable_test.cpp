// All processes are killed at some tick and started again: every outcome that players were sent
// still holds, each entity exists once, and each player has the same avatar.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "flight.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/fighter.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t durable_players = 16;

struct World {
  std::unique_ptr<world::GameModule> game = make_pens(durable_players, digging_pen());
  std::unique_ptr<VirtualCluster> cluster;

  World(std::uint64_t seed, std::uint32_t workers) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = durable_players;
    options.workers = workers;
    options.seed = seed;
    options.world_store_us = 100'000;
    cluster = std::make_unique<VirtualCluster>(
        options, *game, [](const client::Client&, std::uint64_t own) { return make_digger(own); });
  }
  void run(double seconds) { cluster->run_for(static_cast<Micros>(seconds * 1e6)); }
  std::size_t worker_count = 0;

  /// All owned entities, by handle; an entity owned by two workers is a failure.
  std::map<Handle, std::uint64_t> owned() const {
    std::map<Handle, std::uint64_t> out;
    for (std::size_t w = 0; w < worker_count; ++w) {
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (entity.remote) continue;
        EXPECT_TRUE(out.emplace(handle, entity.id.bits).second) << handle << " is there twice";
      }
    }
    return out;
  }
  /// By client: the avatar that the client believes to be its own.
  std::map<std::uint64_t, Handle> avatars() const {
    std::map<std::uint64_t, Handle> out;
    for (const VirtualPlayer& player : cluster->players()) {
      out[player.client_id] = player.client->prediction().avatar();
    }
    return out;
  }
  std::uint64_t count(worker::Count what) const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < worker_count; ++w) sum += cluster->worker(w).counts()[what];
    return sum;
  }
  bool solid(Handle patch, std::uint32_t cell) const {
    for (std::size_t w = 0; w < worker_count; ++w) {
      const world::World& world = cluster->worker(w).world();
      const world::Entity* entity = world.find(patch);
      if (entity == nullptr || entity->remote) continue;
      const world::VoxelPatch& ground = *world.voxels(patch);
      return ground.solid(ground.plan().cell_of(cell), world.now());
    }
    ADD_FAILURE() << patch << " is nobody's";
    return false;
  }
  /// By cell: the newest outcome as sent to players.
  std::map<std::pair<Handle, std::uint32_t>, std::pair<std::uint32_t, bool>> reported_cells()
      const {
    std::map<std::pair<Handle, std::uint32_t>, std::pair<std::uint32_t, bool>> out;
    for (const auto& [client, events] : reported) {
      for (const OutcomeEvent& event : events) {
        auto& [tick, is_solid] = out[{event.target, static_cast<std::uint32_t>(event.amount)}];
        if (event.tick.count < tick) continue;
        tick = event.tick.count;
        is_solid = event.kind == skiff::fill_entry;
      }
    }
    return out;
  }
  /// By cell: the newest tick at which an outcome was committed, sent to players or not.
  std::map<std::pair<Handle, std::uint32_t>, std::uint32_t> committed_cells() const {
    std::map<std::pair<Handle, std::uint32_t>, std::uint32_t> out;
    for (std::size_t w = 0; w < worker_count; ++w) {
      const worker::JournalLog& journal = cluster->worker(w).journal();
      for (std::uint64_t n = journal.oldest(); n < journal.total(); ++n) {
        const world::JournalEntry& entry = journal[n];
        auto& tick = out[{entry.target, static_cast<std::uint32_t>(entry.amount)}];
        tick = std::max(tick, entry.tick.count);
      }
    }
    return out;
  }
  /// Kills all processes. Afterwards each cell is as was sent to players, unless a later outcome
  /// was committed.
  void restart_and_expect_what_was_reported(Micros away_us) {
    const auto cells = reported_cells();
    const auto committed = committed_cells();
    ASSERT_GT(cells.size(), 20U);
    cluster->restart_everything(away_us);
    cluster->run_for(away_us + 50'000);
    std::size_t surely = 0;
    for (const auto& [cell, last] : cells) {
      const auto newest = committed.find(cell);
      if (newest != committed.end() && newest->second > last.first) continue;
      EXPECT_EQ(solid(cell.first, cell.second), last.second) << "cell " << cell.second;
      ++surely;
    }
    EXPECT_GT(surely, 20U);
  }
  std::map<std::uint64_t, std::vector<OutcomeEvent>> reported;
  void note_what_is_reported() {
    cluster->after_frame = [this](VirtualPlayer& player) {
      for (const OutcomeEvent& event : player.client->outcomes()) {
        reported[player.client_id].push_back(event);
      }
    };
  }
};

TEST(AWorldOfWhichEverythingIsKilled, HasWhatWasReportedAndEachThingOnce) {
  const std::uint64_t seeds = long_run() ? 12 : seeds_of(4);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    constexpr std::uint32_t workers = 2;  // each side of the border has its pens
    World world(seed, workers);
    world.worker_count = workers;
    world.note_what_is_reported();
    // Checkpoints are 15 s apart; the second one of the workers contains all players.
    world.run(33 + static_cast<double>(mix64(seed) % 14'000) * 1e-3);
    const auto before = world.owned();
    const auto avatars = world.avatars();
    ASSERT_EQ(world.cluster->playing(), durable_players);
    world.restart_and_expect_what_was_reported(2'000'000);
    EXPECT_EQ(world.owned(), before) << "nothing is missing, or there twice";
    EXPECT_GT(world.count(worker::metric.entries_recalled), 0U);
    world.run(8);
    EXPECT_EQ(world.avatars(), avatars) << "everybody is who they were";
    for (const VirtualPlayer& player : world.cluster->players()) {
      const worker::Player* known = nullptr;
      for (std::size_t w = 0; w < workers && known == nullptr; ++w) {
        known = world.cluster->worker(w).player_of(player.client_id);
      }
      ASSERT_NE(known, nullptr);
      EXPECT_EQ(known->avatar, avatars.at(player.client_id));
      EXPECT_FALSE(known->lost) << "its client is back";
      EXPECT_TRUE(player.client->connected());
      EXPECT_TRUE(player.client->playing());
      EXPECT_EQ(player.client->prediction().avatar(), known->avatar);
    }
    EXPECT_EQ(world.owned(), before);
  }
}

TEST(AWorldWhoseStoreFails, PlaysOnAndForgetsNothingOnceItWorksAgain) {
  World world(4, 2);
  world.worker_count = 2;
  world.note_what_is_reported();
  world.run(33);
  world.cluster->let_store_work(false);
  const auto already = world.reported_cells().size();
  world.run(60);
  EXPECT_EQ(world.cluster->playing(), durable_players);
  EXPECT_GT(world.reported_cells().size(), already) << "reported after 5 s";
  EXPECT_GT(world.count(worker::metric.outcomes_sent_unstored), 0U);
  world.cluster->let_store_work(true);
  world.run(2);
  const auto before = world.owned();
  world.restart_and_expect_what_was_reported(1'000'000);
  EXPECT_EQ(world.owned(), before);
}

}  // namespace
}  // namespace perigee::lab
