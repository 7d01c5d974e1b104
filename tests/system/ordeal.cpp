#include "ordeal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "busy_machines.hpp"
#include "drifting_crates.hpp"
#include "flight.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/bots/brain.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "second.hpp"
#include "under_way.hpp"

namespace perigee::lab {
namespace {

/// The game, its players, and what a cluster needs for them.
struct Cast {
  std::unique_ptr<world::GameModule> game;
  Pilot pilot;
};
Cast cast_of(OrdealPlan::Players who, Random& random, bool late, ClusterOptions& options) {
  Cast out;
  if (who == OrdealPlan::Players::Voyagers || who == OrdealPlan::Players::Fighters) {
    if (late) {
      out.game = std::make_unique<test::CloudedSkiff>(6, 4);
    } else {
      out.game = std::make_unique<skiff::Skiff>();
    }
    const bool fierce = who == OrdealPlan::Players::Fighters;
    if (fierce) options.world_store_us = 100'000;
    out.pilot = [fierce](const client::Client& client, std::uint64_t own) {
      return std::make_unique<bots::Brain>(client, own, fierce ? 0 : 100,
                                           fierce ? bots::Temper::Fierce : bots::Temper::Mild);
    };
  } else if (who == OrdealPlan::Players::Sailors) {
    PenPlan pens = crossing_pen();
    std::get<Swinging>(pens.moves).half_way_m = random.below(2) == 0 ? 48 : 200;
    out.game = make_pens(options.players, pens);
    out.pilot = [](const client::Client&, std::uint64_t own) { return make_stroller(own); };
  } else {
    options.world_store_us = 100'000;
    out.game = make_pens(options.players, digging_pen());
    out.pilot = [](const client::Client&, std::uint64_t own) { return make_digger(own); };
  }
  return out;
}

class Ordeal {
 public:
  Ordeal(std::uint64_t seed, const OrdealPlan& wanted) : apart_(wanted.apart) {
    Random random(mix64(seed, std::uint64_t{0x0dea1}));
    ClusterOptions options;
    options.link = *find_link_profile("P1");
    options.seed = seed;
    options.workers = 3 + random.below(3);
    options.regions = 2;
    options.balances = options.standbys = options.heartbeats = true;
    options.map_late_us_max = 1'000 + random.below(60'000);
    options.players = 10 + random.below(8);
    OrdealPlan::Players who = wanted.players;
    if (who == OrdealPlan::Players::Any)
      who = static_cast<OrdealPlan::Players>(1 + random.below(3));
    Cast cast = cast_of(who, random, wanted.late, options);
    game_ = std::move(cast.game);
    story = std::to_string(options.workers) + " workers, " + std::to_string(options.players) + " " +
            std::string(name_of(who)) + "\n";
    if (wanted.late) options.tick_cost = cost_of_busy_machines(mix64(seed, std::uint64_t{0x1a7e}));
    cluster = std::make_unique<VirtualCluster>(options, *game_, cast.pilot);
    witness = std::make_unique<Witness>(*cluster);
    cluster->before_tick = [this](worker::Core& core) { witness->note(core); };
    if (options.world_store_us) {
      cluster->after_frame = [this](VirtualPlayer& player) { outcomes.note_sent(player); };
      cluster->after_stored = [this](const world::JournalEntry& entry) {
        outcomes.note_stored(entry);
      };
    }
    schedule = draw_mishaps(seed, {.workers = options.workers,
                                   .clients = options.players,
                                   .store = options.world_store_us.has_value(),
                                   .drains = wanted.drains,
                                   .last_us = 30 * second_us,
                                   .rest_us_min = wanted.apart ? 4 * second_us : 0,
                                   .rest_us_max = wanted.apart ? 8 * second_us : 6 * second_us,
                                   .apart = wanted.apart});
    for (const Mishap& mishap : schedule) story += lab::describe(mishap) + "\n";
  }
  /// Runs until the cluster is at rest; false: it was not within this many seconds.
  bool settle(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      run_until(cluster->now_us() + second_us);
      for (std::size_t i_player = 0; i_player < cluster->players().size(); ++i_player) {
        const VirtualPlayer& player = cluster->players()[i_player];
        if (player.client->transport_state() > transport::ClientState::Disconnected) continue;
        cluster->log_in_again(i_player);
        outcomes.forget(player.client_id);
      }
      if (witness->amiss().empty()) return true;
    }
    return false;
  }
  /// Waits until no group is in flight, because neither worker owns such a group.
  void let_arrive() {
    for (int i = 0; i < 600 && groups_under_way(*cluster) > 0; ++i) {
      run_until(cluster->now_us() + 16'667);
    }
  }
  void suffer() {
    Micros begin_us = cluster->now_us();
    Micros over_us = begin_us;
    for (const Mishap& mishap : schedule) {
      run_until(begin_us + mishap.at_us);
      if (apart_) begin_us += wait_for_standbys();
      cluster->suffer(mishap);
      over_us = std::max(over_us, cluster->now_us() + mishap.for_us);
    }
    run_until(over_us);
  }

  std::unique_ptr<VirtualCluster> cluster;
  std::unique_ptr<Witness> witness;
  OutcomeLedger outcomes;
  std::vector<Mishap> schedule;
  std::string story;  ///< the cluster's setup and its mishaps

 private:
  /// A standby that the directory exchanges for another one has no replica for some tenths of a
  /// second. Returns how long it took.
  Micros wait_for_standbys() {
    const Micros began_us = cluster->now_us();
    constexpr Micros exchange_us_max = 5 * second_us;
    const auto waits = [](const WorkerEntry& worker) {
      return worker.alive && !worker.standby_in_sync;
    };
    while (std::ranges::any_of(cluster->directory().map().workers, waits)) {
      if (cluster->now_us() - began_us > exchange_us_max) {
        ADD_FAILURE() << "a worker is without a standby in sync for more than 5 s";
        break;
      }
      run_until(cluster->now_us() + second_us / 20);
    }
    return cluster->now_us() - began_us;
  }
  void run_until(Micros us) {
    while (cluster->now_us() < us) {
      cluster->run_for(std::min(us - cluster->now_us(), second_us / 4));
      witness->look();
    }
  }
  std::unique_ptr<world::GameModule> game_;
  const bool apart_;
};

std::string lines(const std::vector<std::string>& all) {
  std::string out;
  for (std::size_t i = 0; i < all.size() && i < 12; ++i) out += "  " + all[i] + "\n";
  if (all.size() > 12) out += "  and " + std::to_string(all.size() - 12) + " more\n";
  return out;
}

/// The command that plays the seed alone.
std::string command_for(std::uint64_t seed) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return "PERIGEE_TEST_SEED=" + std::to_string(seed) +
         " build/release/tests/system/system_tests --gtest_filter=" + test->test_suite_name() +
         "." + test->name();
}

}  // namespace

std::string_view name_of(OrdealPlan::Players players) {
  constexpr std::array names{"Players", "Voyagers", "Sailors", "Diggers", "Fighters"};
  return names[static_cast<std::size_t>(players)];
}

void OutcomeLedger::note_sent(const VirtualPlayer& player) {
  std::set<Name>& known = sent_[player.client_id];
  for (const OutcomeEvent& event : player.client->outcomes()) {
    const Name name(event.tick.count, event.index, event.kind, event.actor, event.target,
                    event.amount);
    all_sent_.insert(name);
    if (known.insert(name).second) continue;
    twice_.push_back("client " + std::to_string(player.client_id) +
                     " was sent twice: " + describe(name));
  }
}

void OutcomeLedger::note_stored(const world::JournalEntry& entry) {
  stored_.emplace(entry.tick.count, entry.index, entry.kind, entry.actor, entry.target,
                  entry.amount);
}

std::vector<std::string> OutcomeLedger::wrong() const {
  std::vector<std::string> out = twice_;
  std::vector<Name> untrue;
  std::ranges::set_difference(all_sent_, stored_, std::back_inserter(untrue));
  for (const Name& name : untrue) out.push_back("sent, and never stored: " + describe(name));
  return out;
}

std::string OutcomeLedger::describe(const Name& name) {
  const auto& [tick, index, kind, actor, target, amount] = name;
  return "kind " + std::to_string(kind) + " of tick " + std::to_string(tick) + ", index " +
         std::to_string(index) + ", by " + std::to_string(actor) + " to " + std::to_string(target) +
         ", " + std::to_string(amount);
}

Lived live_through(std::uint64_t seed, const OrdealPlan& plan) {
  Ordeal ordeal(seed, plan);
  SCOPED_TRACE(command_for(seed) + "\n" + ordeal.story);
  EXPECT_TRUE(ordeal.settle(60)) << lines(ordeal.witness->amiss());
  ordeal.cluster->run_for(static_cast<Micros>(mix64(seed) % 5'000'000));
  ordeal.let_arrive();
  ordeal.witness->begin();
  ordeal.suffer();
  EXPECT_TRUE(ordeal.settle(45)) << lines(ordeal.witness->amiss());
  EXPECT_TRUE(ordeal.witness->broken().empty()) << lines(ordeal.witness->broken());
  if (plan.apart) {
    EXPECT_EQ(ordeal.witness->losses(), 0)
        << "every worker that dies has a standby in sync by then";
  }
  if (ordeal.witness->losses() == 0) {
    // A successor plays the ticks again that the dead worker has played and not replicated.
    if (ordeal.witness->failovers() == 0) {
      EXPECT_EQ(ordeal.witness->played_ticks().all().twice, 0) << "ticks of players";
    }
    ordeal.let_arrive();
    const auto missing = ordeal.witness->missing();
    EXPECT_TRUE(missing.empty()) << lines(missing);
  }
  const auto wrong = ordeal.outcomes.wrong();
  EXPECT_TRUE(wrong.empty()) << lines(wrong);
  return {.crossings = ordeal.witness->played_ticks().all().crossings,
          .failovers = ordeal.witness->failovers(),
          .losses = ordeal.witness->losses(),
          .mishaps = ordeal.schedule.size(),
          .outcomes = ordeal.outcomes.stored(),
          .lived_us = ordeal.cluster->now_us()};
}

}  // namespace perigee::lab
