// An input, or a state, crashes each worker that simulates it. The chain of crashes ends before all
// workers are lost, and entities of other workers stay as they were. (D7)
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>

#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t quarantine_bots = 30;
constexpr std::size_t workers_at_first = 5;
constexpr std::uint16_t poison = 0xffff;  // no bot holds them all at once

/// The workers' game.
class Fragile final : public skiff::Skiff {
 public:
  mutable int poisoned = 0;

  void step(world::ActorContext& context, world::GameState& state) const override {
    if (context.input().held == poison) {
      ++poisoned;
      throw ProcessCrash{};
    }
    Skiff::step(context, state);
  }
};

/// A player that sends the poisonous input once.
class Poisoner final : public client::InputSampler {
 public:
  Poisoner(const client::Client& client, std::uint64_t seed, const bool& now)
      : brain_(client, seed, 100), now_(now) {}
  PlayerInput sample(Tick tick) override {
    PlayerInput input = brain_.sample(tick);
    if (now_ && !std::exchange(done_, true)) input.held = poison;
    return input;
  }

 private:
  bots::Brain brain_;
  const bool& now_;
  bool done_ = false;
};

struct Avatar {
  std::uint64_t identity = 0;
  std::uint8_t reset_epoch = 0;
  std::size_t worker = 0;
};

struct PoisonedWorld {
  skiff::Skiff clients_game;
  Fragile game;
  std::unique_ptr<VirtualCluster> cluster;
  bool now = false;  ///< the first player sends it
  std::vector<replay::CrashReport> reports;

  explicit PoisonedWorld(std::uint64_t seed) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = quarantine_bots;
    options.workers = workers_at_first;
    options.regions = workers_at_first;
    options.seed = seed;
    options.standbys = options.heartbeats = true;
    options.clients_game = &clients_game;
    std::uint32_t pilots = 0;
    cluster = std::make_unique<VirtualCluster>(
        options, game,
        [this, &pilots](const client::Client& client,
                        std::uint64_t own) -> std::unique_ptr<client::InputSampler> {
          if (pilots++ == 0) return std::make_unique<Poisoner>(client, own, now);
          return std::make_unique<bots::Brain>(client, own, 100);
        });
    cluster->on_crash_report = [this](const replay::CrashReport& last) { reports.push_back(last); };
    cluster->run_for(12'000'000);
  }
  std::map<std::uint64_t, Avatar> avatars() const {
    std::map<std::uint64_t, Avatar> out;
    for (std::size_t w = 0; w < workers_at_first; ++w) {
      if (!cluster->runs(w)) continue;
      cluster->worker(w).for_each_player([&](const worker::Player& player) {
        out[player.client_id] = {player.identity, player.reset_epoch, w};
      });
    }
    return out;
  }
  /// Players that were killed by others, by worker that lives.
  std::map<std::size_t, std::uint64_t> respawns() const {
    std::map<std::size_t, std::uint64_t> out;
    for (const std::size_t w : living()) {
      out[w] = cluster->worker(w).counts()[worker::metric.respawns];
    }
    return out;
  }
  /// By identity: the worker that owns the thing.
  std::map<std::uint64_t, std::size_t> things() const {
    std::map<std::uint64_t, std::size_t> out;
    for (std::size_t w = 0; w < workers_at_first; ++w) {
      if (!cluster->runs(w) || !cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (entity.remote) continue;
        EXPECT_TRUE(out.emplace(entity.id.bits, w).second) << "owned twice";
      }
    }
    return out;
  }
  /// Entities that clients display and no worker owns.
  int pictures_of_nothing() const {
    const auto there = things();
    int out = 0;
    for (const VirtualPlayer& player : cluster->players()) {
      for (const auto& seen : player.client->entities().all())
        out += !there.contains(seen->identity);
    }
    return out;
  }
  std::set<std::size_t> living() const {
    std::set<std::size_t> out;
    for (std::size_t w = 0; w < workers_at_first; ++w) {
      if (cluster->runs(w)) out.insert(w);
    }
    return out;
  }
  std::uint64_t first_client() const { return cluster->players().front().client_id; }
};

class Poison : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Poison, OfOneInputEndsTwoWorkersAtTheMostAndNothingOfOthers) {
  PoisonedWorld world(GetParam());
  ASSERT_EQ(world.living().size(), workers_at_first);
  const auto avatars = world.avatars();
  const auto things = world.things();
  ASSERT_EQ(avatars.size(), quarantine_bots);
  const auto respawns_before = world.respawns();
  world.now = true;
  world.cluster->run_for(15'000'000);
  const std::size_t victim = avatars.at(world.first_client()).worker;
  const auto deaths = static_cast<std::size_t>(world.game.poisoned);
  EXPECT_GE(deaths, 1U);
  EXPECT_LE(deaths, 2U);  // an input that was late at the first worker is skipped by its successor
  EXPECT_EQ(world.living().size(), workers_at_first - deaths);
  EXPECT_FALSE(world.living().contains(victim));
  const auto now = world.avatars();
  EXPECT_EQ(now.size(), quarantine_bots) << "everybody plays";
  EXPECT_EQ(world.cluster->playing(), quarantine_bots);
  std::size_t others = 0, kept = 0;
  for (const auto& [client, was] : avatars) {
    if (was.worker == victim || !now.contains(client)) continue;
    ++others;
    kept +=
        now.at(client).identity == was.identity && now.at(client).reset_epoch == was.reset_epoch;
  }
  std::uint64_t respawns = 0;
  for (const auto& [w, killed] : world.respawns()) respawns += killed - respawns_before.at(w);
  EXPECT_GE(kept + respawns, others) << "nobody else begins anew, also of the second worker's";
  const auto things_now = world.things();
  int missing = 0;
  for (const auto& [id, w] : things) missing += w != victim && !things_now.contains(id);
  EXPECT_EQ(missing, 0);
  EXPECT_EQ(world.pictures_of_nothing(), 0);
  EXPECT_EQ(world.cluster->directory().quarantined(), deaths - 1);
  int reported = 0;
  for (const replay::CrashReport& report : world.reports) {
    for (const auto& player : report.players) {
      for (const PlayerInput& input : player.inputs) reported += input.held == poison;
    }
  }
  EXPECT_EQ(reported, 1) << "it is in the first successor's crash report";
  std::printf("seed %d: %zu deaths, %zu players of others, %zu things\n",
              static_cast<int>(GetParam()), deaths, others, things.size());
}

// Each worker runs for two seconds with the state, so that its standby has it by then.
TEST_P(Poison, OfAStateEndsThreeWorkersAndNoMore) {
  PoisonedWorld world(GetParam());
  const auto avatars = world.avatars();
  ASSERT_EQ(avatars.size(), quarantine_bots);
  const std::uint64_t sick = avatars.at(world.first_client()).identity;
  std::map<const worker::Core*, int> ticks;
  int deaths = 0;
  world.cluster->before_tick = [&](worker::Core& core) {
    const worker::Player* player = core.player_of(world.first_client());
    if (player == nullptr || player->identity != sick || ++ticks[&core] <= 120) return;
    ++deaths;
    throw ProcessCrash{};
  };
  world.cluster->run_for(5'500'000);
  EXPECT_EQ(deaths, 2);
  const auto successors = world.avatars();
  EXPECT_EQ(successors.size(), quarantine_bots) << "so far everybody is gone on with";
  EXPECT_EQ(successors.at(world.first_client()).identity, sick);
  const std::size_t last = successors.at(world.first_client()).worker;
  world.cluster->run_for(20'000'000);
  EXPECT_EQ(deaths, 3);
  EXPECT_EQ(world.living().size(), workers_at_first - 3);
  const directory::Core& directory = world.cluster->directory();
  EXPECT_EQ(directory.promotions_without_inputs(), 1U);
  EXPECT_EQ(directory.quarantined(), 3U);
  const auto now = world.avatars();
  EXPECT_EQ(now.size(), quarantine_bots) << "everybody plays";
  EXPECT_NE(now.at(world.first_client()).identity, sick) << "that one begins anew";
  for (const auto& [client, was] : successors) {
    if (was.worker == last) continue;
    EXPECT_EQ(now.at(client).identity, was.identity);
    EXPECT_EQ(now.at(client).reset_epoch, was.reset_epoch);
  }
  EXPECT_EQ(world.pictures_of_nothing(), 0);
  std::vector<replay::Fate> fates;
  for (const replay::CrashReport& report : world.reports) fates.push_back(report.fate);
  EXPECT_EQ(fates, (std::vector{replay::Fate::PlayedOn, replay::Fate::PlayedOnWithout,
                                replay::Fate::LeftBehind}));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Poison, testing::Range(std::uint64_t{1}, 1 + seeds_of(4)));

}  // namespace
}  // namespace perigee::lab
