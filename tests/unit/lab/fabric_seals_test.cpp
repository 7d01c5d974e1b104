// D10: a whole cluster with sealed fabric, whose keys change while players play.
#include "perigee/lab/fabric_seals.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::lab {
namespace {

struct SealedRun {
  explicit SealedRun(std::optional<Micros> key_us) {
    ClusterOptions options;
    options.link = *find_link_profile("P2");
    options.players = 6;
    options.heartbeats = true;
    options.standbys = true;
    options.fabric_key_us = key_us;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t seed) {
          return std::make_unique<bots::Brain>(client, seed);
        });
    cluster->run_for(40'000'000);
  }

  skiff::Skiff game;
  std::unique_ptr<VirtualCluster> cluster;
};

TEST(ASealedVirtualCluster, EndsInTheSameStateAsAPlainOneThoughKeysChange) {
  const SealedRun plain(std::nullopt);
  const SealedRun sealed(5'000'000);
  EXPECT_EQ(plain.cluster->playing(), 6U);
  EXPECT_GE(sealed.cluster->directory().fabric_key_changes(), 3U);
  EXPECT_EQ(sealed.cluster->lost_by_seals(), 0U);
  EXPECT_EQ(sealed.cluster->figures().corrections, plain.cluster->figures().corrections);
  EXPECT_EQ(sealed.cluster->hash(), plain.cluster->hash());
}

TEST(ASealedVirtualCluster, GivesPlayersBackAfterDeathsOfProcesses) {
  const SealedRun run(5'000'000);
  run.cluster->restart_gateway(500'000);
  run.cluster->kill_worker(1);
  run.cluster->run_for(20'000'000);
  EXPECT_EQ(run.cluster->playing(), 6U);
  EXPECT_FALSE(run.cluster->runs(1));
  const std::uint64_t changes = run.cluster->directory().fabric_key_changes();
  const std::uint64_t lost = run.cluster->lost_by_seals();
  run.cluster->run_for(20'000'000);
  EXPECT_GT(run.cluster->directory().fabric_key_changes(), changes);
  EXPECT_EQ(run.cluster->lost_by_seals(), lost) << "the new process has the keys";
}

}  // namespace
}  // namespace perigee::lab
