// The stage of asteroids lies across the border between two workers. Bodies of both collide, follow
// their region to another worker, and survive the death of a worker.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t bots_count = 8;

struct BallOfAsteroids {
  const skiff::Skiff game{{.stage = skiff::Stage::Asteroids}};
  std::vector<const bots::Brain*> brains;
  std::unique_ptr<VirtualCluster> cluster;

  explicit BallOfAsteroids(std::uint64_t seed, bool standbys = false) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = bots_count;
    options.seed = seed;
    options.standbys = standbys;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [this](const client::Client& client, std::uint64_t own) {
          auto brain = std::make_unique<bots::Brain>(client, own);
          brains.push_back(brain.get());
          return brain;
        });
  }
  /// Identities of all bodies; each must have one owner.
  std::set<std::uint64_t> bodies() const {
    std::set<std::uint64_t> out;
    for (std::size_t w = 0; w < cluster->workers(); ++w) {
      if (!cluster->runs(w)) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (entity.remote || world.type_of(entity).kind != world::EntityKind::Body) continue;
        EXPECT_TRUE(out.insert(entity.id.bits).second) << "two owners";
      }
    }
    return out;
  }
  std::size_t owned_by(std::size_t w) const {
    const world::World& world = cluster->worker(w).world();
    return static_cast<std::size_t>(
        std::count_if(world.in_order().begin(), world.in_order().end(), [&](Handle handle) {
          const world::Entity& entity = *world.find(handle);
          return !entity.remote && world.type_of(entity).kind == world::EntityKind::Body;
        }));
  }
  bots::Deeds deeds() const {
    bots::Deeds all;
    for (const bots::Brain* brain : brains) all += brain->deeds();
    return all;
  }
};

TEST(Asteroids, BelongToTwoWorkersAndPlayersFlyAmongThem) {
  BallOfAsteroids field(1);
  field.cluster->run_for(30'000'000);
  EXPECT_EQ(field.cluster->playing(), bots_count);
  EXPECT_GT(field.owned_by(0), skiff::asteroids_count / 4);
  EXPECT_GT(field.owned_by(1), skiff::asteroids_count / 4);
  const bots::Deeds deeds = field.deeds();
  EXPECT_GT(deeds.flights, 3 * bots_count);
  EXPECT_GT(deeds.moving_ticks, deeds.ticks / 2);
  EXPECT_EQ(field.bodies().size(), skiff::asteroids_count);
  for (const VirtualPlayer& player : field.cluster->players()) {
    const client::EntityStore& entities = player.client->entities();
    const auto known =
        std::count_if(entities.all().begin(), entities.all().end(), [&](const auto& entity) {
          return entities.type_of(*entity).kind == world::EntityKind::Body;
        });
    EXPECT_GE(known, skiff::asteroids_count) << "each client sees those of both workers";
  }
}

TEST(Asteroids, AreTheSameInEveryRun) {
  BallOfAsteroids first(2), second(2);
  first.cluster->run_for(8'000'000);
  second.cluster->run_for(8'000'000);
  EXPECT_EQ(first.cluster->hash(), second.cluster->hash());
}

TEST(Asteroids, FollowTheirRegionToAnotherWorker) {
  BallOfAsteroids field(4);
  field.cluster->run_for(8'000'000);
  field.cluster->change_map(
      [](ClusterMap& map) {
        RegionEntry& moved = map.regions.front();
        moved.owner = WorkerSlot{1};
        ++moved.epoch;
      },
      100'000);
  field.cluster->run_for(15'000'000);
  EXPECT_EQ(field.owned_by(0), 0U);
  EXPECT_EQ(field.owned_by(1), skiff::asteroids_count);
  EXPECT_EQ(field.cluster->playing(), bots_count);
}

TEST(Asteroids, SurviveTheDeathOfAWorker) {
  BallOfAsteroids field(3, true);
  field.cluster->run_for(8'000'000);
  field.cluster->kill_worker(0);
  field.cluster->run_for(15'000'000);
  EXPECT_EQ(field.bodies().size(), skiff::asteroids_count);
  EXPECT_EQ(field.cluster->playing(), bots_count);
}

}  // namespace
}  // namespace perigee::lab
