// Ships keep sailing while the players aboard have no gateway, over borders, too: a client that
// comes back gets its own avatar, on whichever worker it is, and no avatar exists twice.
#include <gtest/gtest.h>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t returning_players = 16;
constexpr Micros settled_us = 6'000'000;
constexpr Micros away_us = 1'500'000;

struct Voyages {
  std::unique_ptr<world::GameModule> game = make_pens(returning_players, crossing_pen());
  std::unique_ptr<VirtualCluster> cluster;
  std::vector<Handle> avatars;

  Voyages() {
    ClusterOptions options;
    options.link = *find_link_profile("P0");
    options.players = returning_players;
    cluster = std::make_unique<VirtualCluster>(
        options, *game,
        [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
    cluster->run_for(settled_us);
    for (const VirtualPlayer& player : cluster->players()) {
      avatars.push_back(player.client->prediction().avatar());
    }
  }
  bool at(std::size_t worker, std::size_t player) const {
    return cluster->worker(worker).player_of(cluster->players()[player].client_id) != nullptr;
  }
  void expect_everybody_is_back() const {
    EXPECT_EQ(cluster->playing(), returning_players);
    for (std::size_t i = 0; i < returning_players; ++i) {
      EXPECT_EQ(cluster->players()[i].client->prediction().avatar(), avatars[i]) << "player " << i;
      EXPECT_NE(at(0, i), at(1, i)) << "player " << i;
    }
  }
  /// Time at which, after a while, the first player migrates to the other worker. The same in every
  /// run.
  Micros crosses_us() const {
    cluster->run_for(4'000'000);
    std::vector<bool> at_first;
    for (std::size_t i = 0; i < returning_players; ++i) at_first.push_back(at(0, i));
    while (true) {
      cluster->run_for(10'000);
      for (std::size_t i = 0; i < returning_players; ++i) {
        if (at(at_first[i] ? 1 : 0, i)) return cluster->now_us();
      }
    }
  }
};

TEST(AClientThatComesBack, FindsItsAvatarWhereverItsShipHasTakenIt) {
  Voyages voyages;
  for (int time = 0; time < 6; ++time) {
    SCOPED_TRACE(time);
    voyages.cluster->restart_gateway(away_us);
    voyages.cluster->run_for(5'700'000);
    voyages.expect_everybody_is_back();
  }
}

// During the lookup the avatar is in migration and neither worker has it.
TEST(AClientThatComesBack, FindsItsAvatarThatIsOnItsWayBetweenTwoWorkers) {
  const Micros crosses_us = Voyages().crosses_us();
  std::size_t nobodys = 0;
  for (Micros before_us = 600'000; before_us > 0; before_us -= shortened() ? 150'000 : 50'000) {
    SCOPED_TRACE(before_us);
    Voyages voyages;
    voyages.cluster->on_way_to_peer = [&] {  // delays states of ships and lookups
      const Micros since_us = voyages.cluster->now_us() - crosses_us;
      return since_us > -50'000 && since_us < 200'000 ? 200'000 : 0;
    };
    voyages.cluster->run_for(crosses_us - away_us - before_us - voyages.cluster->now_us());
    voyages.cluster->restart_gateway(away_us);
    voyages.cluster->run_for(away_us + before_us + 50'000);
    for (std::size_t i = 0; i < returning_players; ++i)
      nobodys += !voyages.at(0, i) && !voyages.at(1, i);
    voyages.cluster->run_for(2'500'000);
    voyages.expect_everybody_is_back();
  }
  EXPECT_GT(nobodys, 0U);
}

}  // namespace
}  // namespace perigee::lab
