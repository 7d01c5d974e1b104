#include <gtest/gtest.h>

#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee {
namespace {

lab::Pilot bots_as_pilots() {
  return [](const client::Client& client, std::uint64_t seed) {
    return std::make_unique<bots::Brain>(client, seed);
  };
}

lab::ClusterOptions options(std::string_view profile, std::uint32_t players) {
  lab::ClusterOptions out;
  out.link = *find_link_profile(profile);
  out.players = players;
  return out;
}

TEST(TheCluster, LetsEveryPlayerJoinAndMove) {
  const skiff::Skiff game;
  lab::VirtualCluster cluster(options("P1", 4), game, bots_as_pilots());
  cluster.run_for(3'000'000);
  EXPECT_EQ(cluster.playing(), 4U);
  for (auto& player : cluster.players()) {
    std::printf("playing %d next %u parent %u pos %f %f %f rtt %ld\n", player.client->playing(),
                player.client->prediction().next().count, player.client->prediction().parent(),
                player.client->prediction().state().position.x,
                player.client->prediction().state().position.y,
                player.client->prediction().state().position.z,
                long(player.client->telemetry().rtt_us()));
  }
}

}  // namespace
}  // namespace perigee
