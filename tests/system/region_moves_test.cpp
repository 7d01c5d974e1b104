// Regions change their owners during play: their entities migrate to the new owner, and no client
// sees it.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "flight.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "played_ticks.hpp"
#include "sanitized.hpp"
#include "second.hpp"

namespace perigee::lab {
namespace {

/// Two regions and three workers; the third worker owns nothing at first.
struct Removal {
  std::unique_ptr<world::GameModule> game;
  std::unique_ptr<VirtualCluster> cluster;
  PlayedTicksOfAll played_ticks;
  std::map<Handle, world::TypeId> things;  ///< all entities at the start

  Removal(const Scenario& scenario, std::string_view profile, std::uint64_t seed)
      : game(scenario.stage(16)) {
    ClusterOptions options;
    options.link = *find_link_profile(profile);
    options.players = 16;
    options.workers = 3;
    options.regions = 2;
    options.seed = seed;
    cluster = std::make_unique<VirtualCluster>(options, *game, scenario.pilot);
    cluster->run_for(10 * second_us);
    cluster->restart_figures();
    cluster->before_tick = [this](worker::Core& core) { played_ticks.note(core); };
    for (std::size_t w = 0; w < cluster->workers(); ++w) {
      if (!cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) things[handle] = world.find(handle)->type;
    }
  }
  void move(std::uint32_t region, WorkerSlot to) {
    cluster->change_map(
        [&](ClusterMap& map) {
          map.regions[region].owner = to;
          ++map.regions[region].epoch;
        },
        300'000);
  }
  /// Number of workers that own it; more than one is an error, none means that it is in flight.
  int owners(Handle thing) const {
    int count = 0;
    for (std::size_t w = 0; w < cluster->workers(); ++w) {
      if (!cluster->worker(w).ready()) continue;
      const world::Entity* entity = cluster->worker(w).world().find(thing);
      count += entity != nullptr && !entity->remote;
    }
    return count;
  }
  std::size_t owned_by(std::size_t w) const {
    std::size_t count = 0;
    if (!cluster->worker(w).ready()) return 0;
    for (const auto& [handle, type] : things) {
      const world::Entity* entity = cluster->worker(w).world().find(handle);
      count += entity != nullptr && !entity->remote;
    }
    return count;
  }
  void expect_one_owner_each(const char* when) const {
    for (const auto& [handle, type] : things) {
      EXPECT_EQ(owners(handle), 1) << when << ": " << game->types()[type].name << " " << handle;
    }
  }
};

/// Region 0 goes to A, B, A, C; region 1 to B meanwhile, and to C in the end, so that A and B own
/// none.
void play(const char* name, std::string_view profile, std::uint64_t seed) {
  constexpr double more_a_minute = 0.2;
  SCOPED_TRACE(std::string(name) + " " + std::string(profile) + " " + std::to_string(seed));
  const auto scenario = find_scenario(name);
  ASSERT_TRUE(scenario.ok());
  PlayerFigures expected;
  if (!shortened()) {
    Removal still(*scenario, profile, seed);
    still.cluster->run_for(60 * second_us);
    expected = still.cluster->figures();
  }
  Removal moved(*scenario, profile, seed);
  for (const WorkerSlot to : {WorkerSlot{1}, WorkerSlot{0}, WorkerSlot{2}}) {
    moved.move(0, to);
    moved.cluster->run_for(15 * second_us);
    moved.expect_one_owner_each("after a move");
  }
  moved.move(1, WorkerSlot{2});
  moved.cluster->run_for(15 * second_us);
  moved.expect_one_owner_each("in the end");
  EXPECT_EQ(moved.owned_by(0), 0U) << "its voice until its last group is gone";
  EXPECT_EQ(moved.owned_by(1), 0U);
  const PlayedTicks total = moved.played_ticks.all();
  const PlayerFigures figures = moved.cluster->figures();
  std::printf(
      "%s %s seed %llu: %d crossings of 16 people and their %zu things, %.2f corrections a minute, "
      "%.2f "
      "without\n",
      name, std::string(profile).c_str(), static_cast<unsigned long long>(seed), total.crossings,
      moved.things.size(), static_cast<double>(figures.corrections) / figures.minutes,
      static_cast<double>(expected.corrections) / expected.minutes);
  EXPECT_GE(total.crossings, 8 * 3 + 8);
  EXPECT_EQ(total.gaps, 0) << "a tick was not played";
  EXPECT_EQ(total.twice, 0) << "a tick was played twice";
  if (shortened()) return;
  EXPECT_LE(figures.play.missed, expected.play.missed);
  EXPECT_LE(static_cast<double>(figures.corrections) / figures.minutes,
            static_cast<double>(expected.corrections) / expected.minutes + more_a_minute);
}

void play(const char* name, std::string_view profile) {
  const std::uint64_t seeds = long_run() ? 6 : 1;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) play(name, profile, seed);
}

TEST(ARegionThatChangesHands, TakesAlongWhoWalks) { play("L1", "P2"); }
TEST(ARegionThatChangesHands, TakesAlongLiftsRotorsAndWhoStandsOnThem) { play("L5", "P1"); }
TEST(ARegionThatChangesHands, TakesAlongShipsInFlight) { play("L11", "P1"); }
TEST(ARegionThatChangesHands, TakesAlongGroundAndWhoDigsThere) { play("L12", "P1"); }

// The road's owner changes from A to C, and B has players on the road.
TEST(ARegionThatChangesHands, LeavesItsGroundUnderPlayersOfAThirdWorker) {
  const auto scenario = find_scenario("L9w");
  ASSERT_TRUE(scenario.ok());
  Removal moved(*scenario, "P1", 1);
  VirtualCluster& cluster = *moved.cluster;
  std::map<std::uint64_t, Handle> grounds;  // of players of B on A's roads
  const auto others_ground = [](const worker::Core& core, const worker::Player& player) {
    const world::Entity* ground = core.world().find(player.parent);
    return ground != nullptr && ground->remote;
  };
  for (int i = 0; i < 60 && grounds.size() < 2; ++i) {
    cluster.run_for(second_us / 2);
    grounds.clear();
    cluster.worker(1).for_each_player([&](const worker::Player& player) {
      if (others_ground(cluster.worker(1), player)) grounds[player.client_id] = player.parent;
    });
  }
  ASSERT_GE(grounds.size(), 2U);
  int without = 0;
  cluster.before_tick = [&](worker::Core& core) {
    for (const auto& [client, ground] : grounds) {
      const worker::Player* player = core.player_of(client);
      if (player == nullptr) continue;
      without += player->parent != ground || core.world().find(ground) == nullptr;
    }
  };
  moved.move(0, WorkerSlot{2});
  cluster.run_for(3 * second_us);
  EXPECT_EQ(moved.owned_by(0), 0U);
  for (const auto& [client, ground] : grounds) EXPECT_EQ(moved.owners(ground), 1);
  EXPECT_EQ(without, 0) << "ticks without the ground as parent";
}

}  // namespace
}  // namespace perigee::lab
