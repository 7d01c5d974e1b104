// The workers of a crowd of players die one after the other: a standby that counts as in sync has
// everything, and no player is lost with a worker that has a successor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "busy_machines.hpp"
#include "drifting_crates.hpp"
#include "flight.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "second.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t fighters = 60;
constexpr std::size_t arena_workers = 3;

struct ACrowdOf60 {
  test::CloudedSkiff game{6, 4};
  std::unique_ptr<VirtualCluster> cluster;
  std::vector<std::string> never_reported;

  explicit ACrowdOf60(std::uint64_t seed) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = fighters;
    options.workers = arena_workers;
    options.seed = seed;
    options.balances = options.standbys = options.heartbeats = true;
    options.tick_cost = cost_of_busy_machines(mix64(seed, std::uint64_t{0xc0}));
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 100);
        });
    cluster->run_for(12 * second_us);
    cluster->before_tick = [this](worker::Core& core) { note(core); };
  }
  const worker::Core* at(std::size_t w) const {
    return cluster->runs(w) && cluster->worker(w).ready() ? &cluster->worker(w) : nullptr;
  }
  /// The standby in sync knows each entity that the worker has owned for long enough.
  void note(const worker::Core& core) {
    constexpr std::int32_t look_ticks = 15, reported_within_ticks = 60;
    if (!core.ready()) return;
    const std::size_t w = core.slot().index();
    auto& since = owned_since_[w];
    std::unordered_map<Handle, Tick> now;
    const world::World& world = core.world();
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->remote) continue;
      const auto known = since.find(handle);
      now[handle] = known == since.end() ? core.next_tick() : known->second;
    }
    since = std::move(now);
    if (core.next_tick().count % look_ticks != 0) return;
    const WorkerEntry* entry = cluster->directory().map().worker(WorkerSlot::at(w));
    const bool counts = core.in_sync() && entry != nullptr && entry->alive && entry->standby &&
                        entry->standby_in_sync;
    const worker::Core* standby = counts ? at(entry->standby->index()) : nullptr;
    if (standby == nullptr) return;
    for (const auto& [handle, tick] : since) {
      if (ticks_between(tick, core.next_tick()) < reported_within_ticks) continue;
      if (standby->world().find(handle) != nullptr) continue;
      const world::Entity& entity = *world.find(handle);
      never_reported.push_back("at tick " + std::to_string(core.next_tick().count) + ": " +
                               std::string(game.types()[entity.type].name) + " " +
                               std::to_string(handle) + " of worker " + std::to_string(w) +
                               " since " + std::to_string(tick.count) + ", at " +
                               std::to_string(standby->slot().number) + " (tick " +
                               std::to_string(standby->next_tick().count) + ")");
    }
  }
  bool all_in_sync() const {
    for (std::size_t w = 0; w < arena_workers; ++w) {
      if (!cluster->lives_by_the_map(w) || at(w) == nullptr || !at(w)->in_sync()) return false;
    }
    return true;
  }
  std::map<std::uint64_t, std::uint8_t> reset_epochs() const {
    std::map<std::uint64_t, std::uint8_t> out;
    for (const VirtualPlayer& player : cluster->players()) {
      for (std::size_t w = 0; w < arena_workers; ++w) {
        const worker::Player* known = at(w) ? at(w)->player_of(player.client_id) : nullptr;
        if (known != nullptr) out[player.client_id] = known->reset_epoch;
      }
    }
    return out;
  }
  /// Runs until each player has an avatar and all workers are in sync with their standbys.
  void come_to_rest() {
    for (int i = 0; i < 120 && !(all_in_sync() && reset_epochs().size() == fighters); ++i) {
      cluster->run_for(second_us / 4);
    }
    ASSERT_TRUE(all_in_sync());
    ASSERT_EQ(reset_epochs().size(), fighters) << "somebody is nowhere";
  }
  void blow(Random& random) {
    constexpr std::uint32_t within_ticks = 3;
    const std::size_t victim = random.below(arena_workers);
    cluster->suffer({.kind = MishapKind::WorkerDies,
                     .for_us = second_us * (1 + random.below(3)),
                     .a = static_cast<Party>(victim),
                     .b = random.below(2) == 0 ? random.below(within_ticks) : within_tick_max});
    cluster->run_for(5 * second_us);
  }
  std::uint64_t players_unknown() const {
    std::uint64_t out = 0;
    for (std::size_t w = 0; w < arena_workers; ++w) {
      if (at(w)) out += at(w)->counts()[worker::metric.players_not_taken_over];
    }
    return out;
  }

 private:
  std::map<std::size_t, std::unordered_map<Handle, Tick>> owned_since_;
};

void strike(std::uint64_t seed, int blows) {
  SCOPED_TRACE(seed);
  ACrowdOf60 crowd(seed);
  Random random(mix64(seed, std::uint64_t{0xb10}));
  ASSERT_NO_FATAL_FAILURE(crowd.come_to_rest());
  for (int i = 1; i <= blows; ++i) {
    SCOPED_TRACE(i);
    crowd.cluster->run_for(random.below(2'000'000));
    crowd.blow(random);
    ASSERT_NO_FATAL_FAILURE(crowd.come_to_rest());
    EXPECT_EQ(crowd.players_unknown(), 0U) << "avatars that the successor did not know";
  }
  EXPECT_THAT(crowd.never_reported, testing::IsEmpty()) << "that a standby in sync does not have";
}

TEST(ACrowd, KeepsItsAvatarsThoughOneWorkerAfterTheOtherDies) {
  if (const char* one = std::getenv("PERIGEE_TEST_SEED")) {
    return strike(std::strtoull(one, nullptr, 10), 15);
  }
  const std::uint64_t seeds = long_run() ? 40 : 1;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFatalFailure(); ++seed) {
    strike(seed, long_run() ? 15 : shortened() ? 2 : 4);
  }
}

}  // namespace
}  // namespace perigee::lab
