// Players quit while the ship that they are aboard migrates to another worker: whichever step of
// the migration their Leave meets, none of them stays behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t leaving_players = 40;
constexpr Micros tick_us = 16'667;
constexpr Micros joined_us = 5'000'000;  // all have joined; the first crossings begin later

/// Each player on its own ship; all of one side cross the border at about the same time.
struct LeavingVoyages {
  std::unique_ptr<world::GameModule> game;
  std::unique_ptr<VirtualCluster> cluster;
  std::vector<Micros> crosses_us;  ///< time of the new owner's first tick of it; 0: not crossed yet

  explicit LeavingVoyages(Micros late_us)
      : game(make_pens(leaving_players, crossing_pen())), crosses_us(leaving_players) {
    ClusterOptions options;
    options.link = *find_link_profile("P0");
    options.players = leaving_players;
    options.hitch_every_us = 1'000'000'000;
    options.frames_per_s = {60};
    cluster = std::make_unique<VirtualCluster>(
        options, *game,
        [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
    cluster->on_way_to_peer = [late_us] { return late_us; };
    cluster->run_for(joined_us);
  }
  std::size_t owners_of(std::uint64_t client_id) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < 2; ++w) {
      count += cluster->worker(w).player_of(client_id) != nullptr;
    }
    return count;
  }
  /// Finds the time of each player's first crossing. The next run behaves identically.
  void look_when_they_cross() {
    std::map<std::uint64_t, const worker::Core*> owners;
    cluster->before_tick = [&](worker::Core& core) {
      for (std::size_t i = 0; i < leaving_players; ++i) {
        const std::uint64_t id = cluster->players()[i].client_id;
        if (core.player_of(id) == nullptr) continue;
        const worker::Core*& owner = owners.try_emplace(id, &core).first->second;
        if (owner != &core && crosses_us[i] == 0) crosses_us[i] = cluster->now_us();
        owner = &core;
      }
    };
    cluster->run_for(20'000'000);
    cluster->before_tick = nullptr;
  }
  void quit_at(const std::vector<Micros>& when_us) {
    std::multimap<Micros, std::size_t> order;
    for (std::size_t i = 0; i < leaving_players; ++i) order.emplace(when_us[i], i);
    for (const auto& [at_us, player] : order) {
      cluster->run_for(std::max<Micros>(0, at_us - cluster->now_us()));
      cluster->quit(player);
    }
  }
  /// No worker has a player, nor any player's avatar.
  void expect_empty() {
    for (std::size_t i = 0; i < leaving_players; ++i) {
      EXPECT_EQ(owners_of(cluster->players()[i].client_id), 0U) << "player " << i << " has stayed";
    }
    for (std::size_t w = 0; w < 2; ++w) {
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        EXPECT_NE(world.type_of(*world.find(handle)).kind, world::EntityKind::Actor);
      }
    }
    EXPECT_EQ(cluster->gateway().snapshot().leaving, 0U);
  }
};

class APlayerWhoQuitsWhileTheShipMigrates : public ::testing::TestWithParam<Micros> {};

// Players quit from 250 ms before the new owner's first tick to 400 ms after it.
TEST_P(APlayerWhoQuitsWhileTheShipMigrates, IsGoneAtWhicheverStepItIs) {
  LeavingVoyages first(GetParam());
  first.look_when_they_cross();
  LeavingVoyages voyages(GetParam());
  std::vector<Micros> quit_us;
  for (std::size_t i = 0; i < leaving_players; ++i) {
    ASSERT_NE(first.crosses_us[i], 0) << "player " << i << " did not cross";
    quit_us.push_back(first.crosses_us[i] + (static_cast<Micros>(i) - 15) * tick_us);
  }
  voyages.quit_at(quit_us);
  voyages.cluster->run_for(1'000'000);
  voyages.expect_empty();
  EXPECT_EQ(voyages.cluster->gateway().snapshot().counts[gateway::metric.leaves_unanswered], 0U);
}
INSTANTIATE_TEST_SUITE_P(Lateness, APlayerWhoQuitsWhileTheShipMigrates,
                         ::testing::ValuesIn(extremes_of<Micros>({0, 15'000, 30'000})),
                         [](const auto& late) {
                           return std::to_string(late.param / 1'000) + "ms";
                         });

// The state is lost on its way, and no worker has the ship for longer than the gateway retries.
TEST(APlayerWhoQuits, IsGoneAlthoughNobodyHasTheShipForAWhile) {
  LeavingVoyages first(0);
  first.look_when_they_cross();
  const Micros cut_us =
      *std::min_element(first.crosses_us.begin(), first.crosses_us.end()) - tick_us - 1'000;
  constexpr Micros cut_for_us = 4'000'000;
  LeavingVoyages voyages(0);
  voyages.cluster->on_way_to_peer = [&]() -> std::optional<Micros> {
    const Micros since_us = voyages.cluster->now_us() - cut_us;
    if (since_us >= 0 && since_us < cut_for_us) return std::nullopt;
    return 0;
  };
  std::vector<Micros> quit_us;
  for (std::size_t i = 0; i < leaving_players; ++i) {
    quit_us.push_back(cut_us + (static_cast<Micros>(i) + 4) * 2 * tick_us);
  }
  voyages.cluster->run_for(cut_us + 3 * tick_us - voyages.cluster->now_us());
  std::size_t nobodys = 0;
  for (const VirtualPlayer& player : voyages.cluster->players()) {
    nobodys += voyages.owners_of(player.client_id) == 0;
  }
  EXPECT_GE(nobodys, leaving_players / 4);
  voyages.quit_at(quit_us);
  voyages.cluster->run_for(cut_us + cut_for_us + 2'000'000 - voyages.cluster->now_us());
  voyages.expect_empty();
}

}  // namespace
}  // namespace perigee::lab
