// Ships with their crews cross the border between two workers at 50 m/s: no client aboard sees it.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "flight.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "played_ticks.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

struct Voyage {
  std::unique_ptr<world::GameModule> game;
  std::unique_ptr<VirtualCluster> cluster;
  PlayedTicksOfAll played_ticks;

  Voyage(std::uint32_t workers, std::string_view profile, std::uint64_t seed)
      : game(make_pens(4, crossing_pen())) {
    ClusterOptions options;
    options.link = *find_link_profile(profile);
    options.players = 4;
    options.workers = workers;
    options.seed = seed;
    cluster = std::make_unique<VirtualCluster>(
        options, *game,
        [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
    cluster->run_for(10'000'000);
    cluster->restart_figures();
    cluster->before_tick = [this](worker::Core& core) { played_ticks.note(core); };
  }
};

TEST(AShipWithACrew, CrossesTheBorderBetweenWorkersUnnoticed) {
  for (const std::string_view profile : {"P0", "P2", "P3"}) {
    Voyage voyage(2, profile, 1);
    voyage.cluster->run_for(120'000'000);
    const PlayedTicks total = voyage.played_ticks.all();
    const PlayerFigures figures = voyage.cluster->figures();
    EXPECT_GE(total.crossings, 4 * 120 / 20) << profile;
    EXPECT_EQ(total.gaps, 0) << profile << ": a tick was not played";
    EXPECT_EQ(total.twice, 0) << profile << ": a tick was played twice";
    EXPECT_EQ(figures.corrections, 0U) << profile;
    EXPECT_EQ(figures.play.missed, 0U) << profile;
    std::printf("%s: %d crossings\n", profile.data(), total.crossings);
  }
}

// Many ships cross the border back and forth as often as possible.
TEST(AShipWithACrew, PlaysPingPongAndMissesNothing) {
  ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.players = long_run() ? 64 : 16;
  options.seed = 1;
  PenPlan plan = crossing_pen();
  std::get<Swinging>(plan.moves).half_way_m = 48;
  const auto game = make_pens(options.players, plan);
  VirtualCluster cluster(
      options, *game, [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
  cluster.run_for(5'000'000);
  cluster.restart_figures();
  PlayedTicksOfAll played_ticks;
  cluster.before_tick = [&](worker::Core& core) { played_ticks.note(core); };
  cluster.run_for(long_run() ? 4'900'000'000 : 60'000'000);
  for (const auto& [client, ticks_of_player] : played_ticks.by_client) {
    EXPECT_EQ(ticks_of_player.gaps, 0);
    EXPECT_EQ(ticks_of_player.twice, 0);
  }
  const int crossings = played_ticks.all().crossings;
  const PlayerFigures figures = cluster.figures();
  EXPECT_EQ(figures.play.missed, 0U);
  EXPECT_LE(static_cast<double>(figures.corrections), 0.2 * figures.minutes);
  EXPECT_GE(crossings, long_run() ? 100'000 : 280);
  std::printf("%d crossings in %.0f player minutes, %d corrections\n", crossings, figures.minutes,
              static_cast<int>(figures.corrections));
}

// The record that notifies the gateway of a player's new worker is lost for half a second: all five
// regular copies, and the further ones that are sent while inputs take the detour over the former
// worker.
TEST(AShipWithACrew, LosesNoInputIfItsGatewayLearnsItsNewOwnerLate) {
  Voyage voyage(2, "P1", 1);
  std::map<std::pair<SessionId, WorkerSlot>, Micros> first;
  int lost = 0, reported_late = 0;
  voyage.cluster->on_way_to_gateway = [&](std::span<const std::byte> datagram) {
    FabricReader reader(datagram);
    const WorkerSlot from{reader.header().slot};
    const Micros now_us = voyage.cluster->now_us();
    while (const auto type = reader.next()) {
      JoinedRecord joined;
      if (*type != FabricRecord::Joined || !reader.read(joined)) continue;
      const auto [at, is_new] = first.try_emplace({joined.session, from}, now_us);
      if (now_us - at->second > 5'000'000) at->second = now_us;  // a new crossing
      const bool arrives = now_us - at->second > 500'000;
      ++(arrives ? reported_late : lost);
      if (!arrives) return false;
    }
    return true;
  };
  voyage.cluster->run_for(120'000'000);
  const PlayedTicks total = voyage.played_ticks.all();
  const PlayerFigures figures = voyage.cluster->figures();
  EXPECT_GE(total.crossings, 4 * 120 / 20);
  EXPECT_GE(lost, 5 * total.crossings);
  EXPECT_GE(reported_late, total.crossings - 4);
  EXPECT_LE(reported_late, 3 * total.crossings) << "and then it knows";
  EXPECT_EQ(total.gaps, 0);
  EXPECT_EQ(figures.play.missed, 0U);
  EXPECT_EQ(figures.corrections, 0U);
}

// Messages between the workers are lost, late and out of order: each player stays on exactly one
// worker.
TEST(AShipWithACrew, IsNeitherLostNorDoubledByWhatHappensToMessages) {
  int crossings = 0;
  const std::uint64_t seeds = seeds_of(5, 2);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Voyage voyage(2, "P2", seed);
    Random random(seed);
    voyage.cluster->on_way_to_peer = [&]() -> std::optional<Micros> {
      if (random.below(100) < 30) return std::nullopt;
      return random.below(10) == 0 ? 700'000 : random.below(100'000);
    };
    voyage.cluster->run_for(150'000'000);
    voyage.cluster->on_way_to_peer = nullptr;
    voyage.cluster->run_for(5'000'000);
    for (const VirtualPlayer& player : voyage.cluster->players()) {
      int owners = 0;
      for (std::size_t w = 0; w < 2; ++w) {
        owners += voyage.cluster->worker(w).player_of(player.client_id) != nullptr;
      }
      EXPECT_EQ(owners, 1) << "seed " << seed;
    }
    EXPECT_EQ(voyage.played_ticks.all().twice, 0) << "seed " << seed;
    crossings += voyage.played_ticks.all().crossings;
    const PlayerFigures figures = voyage.cluster->figures();
    std::printf("%d crossings, %d gaps, %d corrections, %d missed\n",
                voyage.played_ticks.all().crossings, voyage.played_ticks.all().gaps,
                static_cast<int>(figures.corrections), static_cast<int>(figures.play.missed));
  }
  EXPECT_GT(crossings, 4 * static_cast<int>(seeds));
}

}  // namespace
}  // namespace perigee::lab
