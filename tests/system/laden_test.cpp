// More resting entities than a worker allows by default: they are replicated to a standby, survive
// their worker, migrate with their region, and come back from a checkpoint.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "drifting_crates.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t crates = 17'000;
constexpr std::size_t workers_in_all = 3;

/// Its ferries stay at their docks, because a worker with this many entities does not check all of
/// them in one tick.
class Store final : public skiff::Skiff {
 public:
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    test::spawn_store_of_crates(world, region, spawner, crates);
  }
  void drive(world::World&, Tick) const override {}
};

struct Laden {
  Store game;
  std::unique_ptr<VirtualCluster> cluster;

  explicit Laden(std::uint32_t things_max) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = 2;
    options.workers = workers_in_all;
    options.standbys = true;
    options.worker.entities_max = things_max;
    options.world_store_us = 20'000;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 100);
        });
  }
  const world::World* world(std::size_t w) const {
    const bool stands = cluster->runs(w) && cluster->worker(w).ready();
    return stands ? &cluster->worker(w).world() : nullptr;
  }
  /// Crates of the store that the worker owns.
  std::uint32_t stored(std::size_t w) const {
    std::uint32_t out = 0;
    if (world(w) == nullptr || world(w)->present()[skiff::crate_row].own < crates) return out;
    world(w)->for_each_own([&](const world::Entity& entity, const Motion& at, const auto&) {
      out += entity.type == skiff::crate_row && at.pose.position.y == test::store_at.y;
    });
    return out;
  }
  /// Number of workers that have a replica of the whole store.
  int keep_a_copy() const {
    int out = 0;
    for (std::size_t w = 0; w < workers_in_all; ++w) {
      out += world(w) != nullptr && world(w)->present()[skiff::crate_row].remote >= crates;
    }
    return out;
  }
  std::optional<std::size_t> storekeeper() const {
    for (std::size_t w = 0; w < workers_in_all; ++w) {
      if (stored(w) == crates) return w;
    }
    return std::nullopt;
  }
  /// Seconds until `done` holds; none: longer than `most`.
  std::optional<double> seconds_until(double most, const auto& done) {
    constexpr Micros look_us = 100'000;
    for (Micros waited_us = 0; waited_us <= static_cast<Micros>(most * 1e6); waited_us += look_us) {
      if (done()) return static_cast<double>(waited_us) * 1e-6;
      cluster->run_for(look_us);
    }
    return std::nullopt;
  }
  /// Places of the owned crates, by id.
  std::map<std::uint64_t, Vec3> places() const {
    std::map<std::uint64_t, Vec3> out;
    for (std::size_t w = 0; w < workers_in_all; ++w) {
      if (world(w) == nullptr) continue;
      world(w)->for_each_own([&](const world::Entity& entity, const Motion& at, const auto&) {
        const bool stored = at.pose.position.y == test::store_at.y;
        if (entity.type != skiff::crate_row || !stored) return;
        EXPECT_TRUE(out.emplace(entity.id.bits, at.pose.position).second) << "two have it";
      });
    }
    return out;
  }
  std::uint32_t awake() const {
    std::uint32_t out = 0;
    for (std::size_t w = 0; w < workers_in_all; ++w) {
      if (world(w) != nullptr) out += world(w)->physics().statistics().awake;
    }
    return out;
  }
};

TEST(AWorkerWithManyThings, HasThemAtItsStandbyWhoGoesOnWithThemAndGivesThemAway) {
  Laden laden(1U << 16);
  VirtualCluster& cluster = *laden.cluster;
  cluster.run_for(200'000);
  const auto first = laden.storekeeper();
  ASSERT_TRUE(first);
  const auto before = laden.places();
  const auto synced = [&](std::size_t w) { return cluster.worker(w).in_sync(); };
  const auto filled = laden.seconds_until(5, [&] { return synced(*first); });
  ASSERT_TRUE(filled) << "its standby never had everything";
  EXPECT_EQ(laden.keep_a_copy(), 1);
  const std::uint32_t awake = laden.awake();

  cluster.kill_worker(*first);
  const auto taken_over = laden.seconds_until(3, [&] { return laden.storekeeper().has_value(); });
  ASSERT_TRUE(taken_over);
  const std::size_t successor = *laden.storekeeper();
  const auto again = laden.seconds_until(10, [&] { return synced(successor); });
  ASSERT_TRUE(again) << "the successor has no standby";
  EXPECT_EQ(laden.keep_a_copy(), 1);
  EXPECT_EQ(laden.places(), before);
  EXPECT_LE(laden.awake(), awake + 50) << "they lie as they lay";

  const std::size_t third = 3 - *first - successor;
  cluster.change_map(
      [&](ClusterMap& map) {
        for (RegionEntry& region : map.regions) {
          if (!test::lies_in({region.low, region.high}, test::store_at)) continue;
          region.owner = WorkerSlot::at(third);
          ++region.epoch;
        }
      },
      100'000);
  const auto moved = laden.seconds_until(20, [&] { return laden.storekeeper() == third; });
  ASSERT_TRUE(moved);
  EXPECT_EQ(laden.places(), before);
  EXPECT_LE(laden.awake(), awake + 50);

  std::printf(
      "%u things: standby filled %.1f s, successor %.1f s, its own standby %.1f s, moved %.1f s\n",
      crates, *filled, *taken_over, *again, *moved);
}

TEST(AWorkerWithManyThings, HasThemBackFromACheckpoint) {
  Laden laden(1U << 16);
  laden.cluster->run_for(200'000);
  const auto before = laden.places();
  ASSERT_EQ(before.size(), crates);
  laden.cluster->run_for(22'000'000);
  const std::uint32_t awake = laden.awake();
  laden.cluster->restart_everything(1'000'000);
  ASSERT_TRUE(laden.seconds_until(10, [&] { return laden.storekeeper().has_value(); }));
  EXPECT_EQ(laden.places(), before);
  laden.cluster->run_for(1'000'000);
  EXPECT_LE(laden.awake(), awake + 50);
}

TEST(AWorkerWithMoreThanItMayHave, RefusesTheRest) {
  Laden laden(16'384);
  laden.cluster->run_for(200'000);
  EXPECT_FALSE(laden.storekeeper());
}

}  // namespace
}  // namespace perigee::lab
