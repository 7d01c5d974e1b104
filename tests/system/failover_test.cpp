// A worker dies or stalls while its players play: its standby takes over all of its state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "perigee/base/hash.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/skiff/skiff.hpp"
#include "played_ticks.hpp"
#include "sanitized.hpp"
#include "session_bases.hpp"

namespace perigee::lab {
namespace {

constexpr std::uint32_t failover_bots = 24;
constexpr std::size_t failover_workers = 3;

/// Ticks that were finalized without an input, for the players that another worker took over.
struct Guessed {
  static constexpr std::int32_t window_ticks = 15;
  /// by client: first tick at the successor
  std::map<std::uint64_t, std::optional<Tick>> since;
  int ticks = 0, guessed = 0;

  void watch(const worker::Core& dead) {
    dead.for_each_player([&](const worker::Player& player) { since[player.client_id]; });
  }
  void note(const worker::Core& core) {
    const Tick now = core.next_tick();
    for (auto& [client, from] : since) {
      const worker::Player* player = core.player_of(client);
      if (player == nullptr) continue;
      constexpr std::int32_t open = window_ticks + 2;
      if (!from) {
        from = now;  // first the ticks that are final already
        look(*player, now - static_cast<std::int32_t>(worker::Player::records_ticks), now - open);
      }
      if (ticks_between(*from, now) == window_ticks) look(*player, *from - open, now);
    }
  }
  void look(const worker::Player& player, Tick begin, Tick end) {
    for (Tick tick = begin; before(tick, end); ++tick) {
      const world::StepRecord* record = player.records.find(tick);
      if (record == nullptr) continue;
      ++ticks;
      guessed += record->guessed;
    }
  }
};

/// The newest inputs that a worker's blocks acknowledged, as they reached the gateway.
struct Acknowledged : BlockVisitor {
  std::map<SessionId, Tick> newest;
  SessionId session = 0;
  double age_ticks = 0, sections = 0;

  test::SessionBases bases;

  const OwnBasis* own_basis(Tick tick) const override { return bases.find(session, tick); }
  void on_own(const OwnSection& own) override {
    bases.add(session, own);
    if (!own.has_echo) return;
    newest[session] = own.echo;
    age_ticks += own.echo_age_ticks;
    ++sections;
  }
  void on_event(Sequence, const WorldEvent&) override {}
  void on_record(const GroupFrame&, const TrackRecord&) override {}
  void read(std::span<const std::byte> datagram) {
    FabricReader reader(datagram);
    while (const auto type = reader.next()) {
      BlockRecord block;
      if (*type != FabricRecord::Block || !reader.read(block)) continue;
      session = block.session;
      read_block(block.block, *this);
    }
  }
};

/// Each of three regions has players: those of the one without a station float.
class FloatingSkiff final : public skiff::Skiff {
 public:
  bool spawns_players(const world::World&, const world::Bounds&) const override { return true; }
};

struct Fleet {
  FloatingSkiff game;
  std::unique_ptr<VirtualCluster> cluster;
  PlayedTicksOfAll played_ticks;
  Guessed guessed;
  std::map<std::uint64_t, Micros> played_us;
  Micros longest_us = 0;  ///< longest time between two ticks of any player

  using ToGateway = std::function<bool(std::span<const std::byte>)>;

  /// `to_gateway` sees all datagrams from the first one on.
  explicit Fleet(std::uint64_t seed, ToGateway to_gateway = {}) {
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.players = failover_bots;
    options.workers = failover_workers;
    options.seed = seed;
    options.standbys = true;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client& client, std::uint64_t own) {
          return std::make_unique<bots::Brain>(client, own, 100);
        });
    cluster->on_way_to_gateway = std::move(to_gateway);
    cluster->run_for(10'000'000);
    cluster->before_tick = [this](worker::Core& core) { note(core); };
    cluster->run_for(2'000'000);
    cluster->restart_figures();
  }
  void note(const worker::Core& core) {
    played_ticks.note(core);
    guessed.note(core);
    for (const VirtualPlayer& player : cluster->players()) {
      if (core.player_of(player.client_id) == nullptr) continue;
      const auto [when, new_here] = played_us.try_emplace(player.client_id, cluster->now_us());
      if (!new_here) longest_us = std::max(longest_us, cluster->now_us() - when->second);
      when->second = cluster->now_us();
    }
  }
  /// Owned entities, with the number of workers that own each.
  std::map<std::uint64_t, int> owned() const {
    std::map<std::uint64_t, int> out;
    for (std::size_t w = 0; w < failover_workers; ++w) {
      if (!cluster->runs(w) || !cluster->worker(w).ready()) continue;
      const world::World& world = cluster->worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (!entity.remote) ++out[entity.id.bits];
      }
    }
    return out;
  }
  std::map<std::uint64_t, std::uint8_t> epochs() const {
    std::map<std::uint64_t, std::uint8_t> out;
    for (const VirtualPlayer& player : cluster->players()) {
      for (std::size_t w = 0; w < failover_workers; ++w) {
        if (!cluster->runs(w)) continue;
        const worker::Player* known = cluster->worker(w).player_of(player.client_id);
        if (known != nullptr) out[player.client_id] = known->reset_epoch;
      }
    }
    return out;
  }
  bool all_in_sync() const {
    for (std::size_t w = 0; w < failover_workers; ++w) {
      if (cluster->runs(w) && !cluster->worker(w).in_sync()) return false;
    }
    return true;
  }
  std::uint64_t count(worker::Count what) const {
    std::uint64_t out = 0;
    for (std::size_t w = 0; w < failover_workers; ++w) {
      if (cluster->runs(w)) out += cluster->worker(w).counts()[what];
    }
    return out;
  }
};

class AWorkerThatDies : public testing::TestWithParam<std::uint64_t> {};

TEST_P(AWorkerThatDies, IsGoneOnWithByItsStandby) {
  Fleet fleet(GetParam());
  ASSERT_TRUE(fleet.all_in_sync());
  const std::size_t victim = mix64(GetParam()) % failover_workers;
  fleet.cluster->run_for(static_cast<Micros>(mix64(GetParam(), std::uint64_t{2}) % 1'000'000));
  const auto things = fleet.owned();
  const auto epochs = fleet.epochs();
  ASSERT_EQ(epochs.size(), failover_bots);
  const std::uint32_t had = fleet.cluster->worker(victim).summary().players;
  fleet.longest_us = 0;
  fleet.guessed.watch(fleet.cluster->worker(victim));
  fleet.cluster->kill_worker(victim);
  fleet.cluster->run_for(5'000'000);
  EXPECT_EQ(fleet.owned(), things) << "each once, none missing";
  EXPECT_EQ(fleet.epochs(), epochs) << "nobody began anew";
  EXPECT_EQ(fleet.count(worker::metric.players_taken_over), had);
  EXPECT_EQ(fleet.played_ticks.all().twice, 0);
  EXPECT_EQ(fleet.cluster->playing(), failover_bots);
  EXPECT_TRUE(fleet.all_in_sync()) << "the successor has a standby again";
  const PlayerFigures figures = fleet.cluster->figures();
  std::printf(
      "seed %d: worker %zu had %u players; %.0f ms without a tick; %d of %d ticks guessed for "
      "good; %.2f corrections a minute\n",
      static_cast<int>(GetParam()), victim, had, static_cast<double>(fleet.longest_us) * 1e-3,
      fleet.guessed.guessed, fleet.guessed.ticks,
      static_cast<double>(figures.corrections) / figures.minutes);
  EXPECT_LE(fleet.longest_us, 200'000);
}

/// A tick in which some player leaves its worker, after a region has changed its owner.
struct Leaving {
  std::size_t worker = 0;
  Tick tick;
};
void move_a_region(VirtualCluster& cluster) {
  cluster.suffer({.kind = MishapKind::RegionMoves, .a = 1, .b = 0});
}
std::optional<Leaving> find_leaving(std::uint64_t seed) {
  Fleet fleet(seed);
  VirtualCluster& cluster = *fleet.cluster;
  std::optional<Leaving> found;
  std::map<std::size_t, std::pair<std::uint64_t, std::uint32_t>> before;
  cluster.before_tick = [&](worker::Core& core) {
    const std::pair now(core.counts()[worker::metric.groups_out], core.summary().players);
    const auto [known, is_new] = before.try_emplace(core.slot().index(), now);
    const bool left =
        !is_new && now.first > known->second.first && now.second < known->second.second;
    if (left && !found) found = {core.slot().index(), core.next_tick() - 1};
    known->second = now;
  };
  move_a_region(cluster);
  for (int i = 0; i < 20 && !found; ++i) cluster.run_for(500'000);
  return found;
}

// No player is lost, and no successor takes one half of that tick's messages for the whole tick.
TEST_P(AWorkerThatDies, TakesNobodyAlongInATickInWhichSomebodyLeaves) {
  const auto leaving = find_leaving(GetParam());
  ASSERT_TRUE(leaving);
  for (std::size_t reported = 0; reported < failover_workers; ++reported) {
    SCOPED_TRACE(reported);
    Fleet fleet(GetParam());
    VirtualCluster& cluster = *fleet.cluster;
    bool died = false;
    std::map<std::uint64_t, int> things;
    std::map<std::uint64_t, std::uint8_t> epochs;
    cluster.before_tick = [&](worker::Core& core) {
      fleet.note(core);
      if (core.slot().index() != leaving->worker || core.next_tick() != leaving->tick || died)
        return;
      died = true;
      things = fleet.owned();
      epochs = fleet.epochs();
      cluster.kill_worker_within_tick(leaving->worker, reported);
    };
    move_a_region(cluster);
    for (int i = 0; i < 20 && !died; ++i) cluster.run_for(500'000);
    ASSERT_TRUE(died);
    cluster.run_for(6'000'000);
    EXPECT_EQ(fleet.owned(), things) << "each once, none missing";
    EXPECT_EQ(fleet.epochs(), epochs) << "nobody began anew";
    EXPECT_EQ(cluster.playing(), failover_bots);
    EXPECT_EQ(fleet.count(worker::metric.players_not_taken_over), 0U);
  }
}

// Any number of the worker's last messages to its standby, and of its gateway's, may be lost.
TEST_P(AWorkerThatDies, TakesNoInputAlongThatItHadAcknowledged) {
  Acknowledged acknowledged;
  Fleet fleet(GetParam(), [&](std::span<const std::byte> datagram) {
    acknowledged.read(datagram);
    return true;
  });
  VirtualCluster& cluster = *fleet.cluster;
  ASSERT_TRUE(fleet.all_in_sync());
  acknowledged.age_ticks = acknowledged.sections = 0;
  const std::size_t victim = mix64(GetParam()) % failover_workers;
  std::map<SessionId, std::uint64_t> players;
  cluster.run_for(1'000'000 + static_cast<Micros>(mix64(GetParam()) % 17'000));
  const double age_ticks = acknowledged.age_ticks / acknowledged.sections;
  constexpr Micros unheard_us = 100'000;
  cluster.on_way_to_peer = [] { return std::nullopt; };
  for (Party other = 0; other < failover_workers; ++other) {
    if (other == victim) continue;
    cluster.suffer(
        {.kind = MishapKind::NetCut, .for_us = unheard_us, .a = the_gateway, .b = other});
  }
  cluster.run_for(unheard_us);
  cluster.worker(victim).for_each_player(
      [&](const worker::Player& player) { players[player.session] = player.client_id; });
  ASSERT_GT(players.size(), 0U);
  cluster.kill_worker(victim);
  cluster.on_way_to_peer = nullptr;
  const auto at_death = acknowledged.newest;
  int successors = 0, missing = 0;
  cluster.before_tick = [&](worker::Core& core) {
    for (auto player = players.begin(); player != players.end();) {
      const worker::Player* here = core.player_of(player->second);
      if (here == nullptr) {
        ++player;
        continue;
      }
      const auto had = here->inputs.last_applied();
      ++successors;
      missing += !had || before(*had, at_death.at(player->first));
      player = players.erase(player);
    }
  };
  cluster.run_for(1'000'000);
  EXPECT_TRUE(players.empty());
  EXPECT_EQ(missing, 0) << "of " << successors << " players";
  EXPECT_LT(age_ticks, 1.6);
  std::printf("seed %d: inputs are acknowledged %.2f ticks after the first block could\n",
              static_cast<int>(GetParam()), age_ticks);
}

TEST_P(AWorkerThatDies, ChangesNothingWhenItOnlyStoodStill) {
  Fleet fleet(GetParam());
  ASSERT_TRUE(fleet.all_in_sync());
  const std::size_t victim = mix64(GetParam()) % failover_workers;
  const auto things = fleet.owned();
  const auto epochs = fleet.epochs();
  fleet.longest_us = 0;
  fleet.guessed.watch(fleet.cluster->worker(victim));
  fleet.cluster->pause_worker(victim, 2'000'000);
  fleet.cluster->run_for(6'000'000);
  EXPECT_EQ(fleet.owned(), things) << "each once, none missing";
  EXPECT_EQ(fleet.epochs(), epochs) << "nobody began anew";
  EXPECT_EQ(fleet.cluster->playing(), failover_bots);
  EXPECT_EQ(fleet.cluster->directory().map().workers[victim].incarnation, perigee::Incarnation{2});
  std::printf("seed %d: %.0f ms without a tick; %d of %d ticks guessed for good\n",
              static_cast<int>(GetParam()), static_cast<double>(fleet.longest_us) * 1e-3,
              fleet.guessed.guessed, fleet.guessed.ticks);
}

// The worker's machine was known to stall, so it takes long until it is suspected: longer than late
// inputs count, and longer than clients resend them.
TEST_P(AWorkerThatDies, LeavesNoInputUnplayedHoweverLongItTook) {
  Fleet fleet(GetParam());
  ASSERT_TRUE(fleet.all_in_sync());
  const std::size_t victim = mix64(GetParam()) % failover_workers;
  for (const Micros us : {150'000, 200'000}) {
    fleet.cluster->pause_worker(victim, us);
    fleet.cluster->run_for(2'000'000);
  }
  ASSERT_TRUE(fleet.all_in_sync());
  const auto epochs = fleet.epochs();
  fleet.longest_us = 0;
  fleet.cluster->restart_figures();
  fleet.guessed.watch(fleet.cluster->worker(victim));
  fleet.cluster->pause_worker(victim, 2'000'000);
  fleet.cluster->run_for(6'000'000);
  EXPECT_EQ(fleet.epochs(), epochs) << "nobody began anew";
  const PlayerFigures figures = fleet.cluster->figures();
  std::printf(
      "seed %d: %.0f ms without a tick; %d of %d ticks guessed for good; %.2f corrections a "
      "minute\n",
      static_cast<int>(GetParam()), static_cast<double>(fleet.longest_us) * 1e-3,
      fleet.guessed.guessed, fleet.guessed.ticks,
      static_cast<double>(figures.corrections) / figures.minutes);
  EXPECT_GT(fleet.longest_us, 350'000);
  EXPECT_LE(fleet.guessed.guessed, fleet.guessed.ticks / 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AWorkerThatDies, testing::Range(std::uint64_t{1}, 1 + seeds_of(4)));

}  // namespace
}  // namespace perigee::lab
