// Whole matches of bots and NPCs, on bad links.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "perigee/world_store/store.hpp"
#include "players.hpp"
#include "records.hpp"

namespace hover_tag {
namespace {

using namespace perigee;
using test_bench::Bench;

constexpr Rules short_match{.match_ticks = 60 * 60, .break_ticks = 12 * 60};
constexpr std::size_t torches = 5;

test_bench::Options sixteen_bots() {
  test_bench::Options out;
  for (int i = 0; i < 16; ++i) out.players.push_back({bot, "P2"});
  return out;
}

bool long_run() {
  const char* length = std::getenv("PERIGEE_TEST_LENGTH");
  return length != nullptr && std::string_view(length) == "long";
}

/// Corrections, and those that no blow of the second before explains.
struct Corrections {
  explicit Corrections(const Bench& of) : bench(of), players(of.players()) {}

  /// Call it every tenth of a second.
  void watch(double now_s) {
    for (std::size_t i = 0; i < players.size(); ++i) {
      Seen& seen = players[i];
      if (bench.player(i).cues(blow_cue) != seen.blows) seen.blow_s = now_s;
      seen.blows = bench.player(i).cues(blow_cue);
      if (now_s - seen.blow_s > 1) unexplained += bench.player(i).corrections() - seen.corrections;
      seen.corrections = bench.player(i).corrections();
    }
  }

  struct Seen {
    std::uint64_t corrections = 0;
    std::uint32_t blows = 0;
    double blow_s = -10;
  };
  const Bench& bench;
  std::vector<Seen> players;
  std::uint64_t unexplained = 0;
};

void play_match(std::uint64_t seed, double seconds) {
  const Game game{Rules{}};
  test_bench::Options options = sixteen_bots();
  options.seed = seed;
  Bench bench(game, options);
  Corrections corrections(bench);
  for (double s = 0; s < seconds; s += 0.1) {
    bench.run_s(0.1);
    corrections.watch(s);
  }
  std::uint64_t all = 0;
  std::uint32_t blows = 0, score = 0;
  for (std::size_t i = 0; i < bench.players(); ++i) {
    all += bench.player(i).corrections();
    blows += bench.player(i).cues(blow_cue);
    score += bench.player(i).state<Runner>().score;
  }
  const double minutes = seconds / 60 * static_cast<double>(bench.players());
  std::printf(
      "seed %llu, %.0f player-minutes: %llu corrections, %llu outside of %u blows; %u points\n",
      static_cast<unsigned long long>(seed), minutes, static_cast<unsigned long long>(all),
      static_cast<unsigned long long>(corrections.unexplained), blows, score);
  EXPECT_LE(static_cast<double>(corrections.unexplained), 0.5 * minutes);
  EXPECT_GT(score, static_cast<std::uint32_t>(seconds / 6));
  EXPECT_TRUE(bench.impurities().empty()) << bench.impurities().front();
  EXPECT_TRUE(bench.faults().empty()) << bench.faults().front();
}

TEST(AMatch, IsCorrectedSeldom) {
  play_match(1, long_run() ? 180 : 60);
  if (!long_run()) return;
  play_match(2, 180);
  play_match(3, 180);
}

/// The books of a match: its journal in the world store, and what the workers have.
class Books {
 public:
  explicit Books(Bench& bench) : bench_(bench) {
    bench.cluster().after_stored = [this](const world::JournalEntry& entry) { keep(entry); };
  }

  std::size_t tags = 0, taken_twice = 0;
  std::map<Handle, std::int32_t> scores;  ///< by the tags of each runner
  std::set<Handle> taken;

  /// Lying and carried, on all workers; none while a part of the arena is changing hands.
  std::size_t torches_now() const {
    std::size_t out = 0;
    lab::VirtualCluster& cluster = bench_.cluster();
    for (std::size_t i = 0; i < cluster.workers(); ++i) {
      if (!cluster.runs(i) || !cluster.lives_by_the_map(i) || !cluster.worker(i).ready()) continue;
      const world::World& world = cluster.worker(i).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        out += !entity.remote && entity.type == torch_row;
      }
      cluster.worker(i).for_each_player(
          [&](const worker::Player& player) { out += player.game.as<Runner>().torch; });
    }
    return out;
  }

 private:
  void keep(const world::JournalEntry& entry) {
    if (entry.kind == tag) {
      ++tags;
      ++scores[entry.actor];
    }
    if (entry.kind == take_torch || entry.kind == take_power) {
      taken_twice += !taken.insert(entry.target).second;
    }
  }

  Bench& bench_;
};

/// The table in the world's state, its rows in the store, and the journal say the same.
void expect_results(Bench& bench, Books& books) {
  const auto rows = bench.cluster().store().read_results({});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), bench.players());
  const auto standings = bench.player(0).world_state<Standings>();
  ASSERT_TRUE(standings);
  EXPECT_EQ(standings->rows, rows->size());
  EXPECT_EQ(standings->runners, (std::array<std::uint16_t, 2>{8, 8})) << "teams are balanced";
  std::set<std::uint64_t> players;
  std::uint16_t place = 0, wins = 0;
  for (const world_store::ResultRow& row : *rows) {
    const auto result = read_result(row.payload);
    ASSERT_TRUE(result);
    EXPECT_EQ(row.match, 1U);
    EXPECT_EQ(row.place, ++place);
    players.insert(result->player_id);
    const Standings::TableRow& shown = standings->table[place - 1U];
    EXPECT_EQ(result->score, shown.score());
    EXPECT_EQ(result->score, books.scores[shown.runner]) << "each tag is one point";
    EXPECT_EQ(result->won, result->team == standings->outcome);
    if (place > 1) {
      EXPECT_LE(shown.score(), standings->table[place - 2U].score());
    }
    wins = static_cast<std::uint16_t>(wins + result->won);
    const auto stored = bench.cluster().store().read_profile(result->player_id);
    ASSERT_TRUE(stored.ok() && *stored);
    const auto profile = read_profile((*stored)->payload);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->points, result->score);
    EXPECT_EQ(profile->matches, 1);
    EXPECT_EQ(profile->wins, result->won);
  }
  EXPECT_EQ(players.size(), bench.players()) << "one row for each";
  EXPECT_EQ(wins, standings->outcome == Standings::Draw ? 0 : 8);
}

void play_with_a_loss(std::uint32_t workers, std::uint64_t seed) {
  const Game game(short_match);
  test_bench::Options options = sixteen_bots();
  options.seed = seed;
  options.workers = workers;
  options.cluster.regions = 2;
  options.cluster.standbys = true;
  options.cluster.world_store_us = 20'000;
  Bench bench(game, options);
  Books books(bench);
  bench.run_s(28);
  const std::size_t tags_before = books.tags;
  bench.cluster().kill_worker(0);
  std::size_t most_torches = 0, whole = 0;
  for (int s = 28; s < 58; ++s) {
    bench.run_s(1);
    most_torches = std::max(most_torches, books.torches_now());
    whole += books.torches_now() == torches;
  }
  bench.run_s(8);  // in the break, after the results
  std::printf("%u workers, seed %llu: %zu tags, %zu before the loss; %zu things taken\n", workers,
              static_cast<unsigned long long>(seed), books.tags, tags_before, books.taken.size());
  EXPECT_GT(tags_before, 2U);
  EXPECT_GT(books.tags, tags_before + 2) << "the match goes on";
  EXPECT_EQ(books.taken_twice, 0U);
  EXPECT_GT(books.taken.size(), 10U);
  EXPECT_LE(most_torches, torches);
  EXPECT_GT(whole, 10U) << "at other moments one is on its way";
  expect_results(bench, books);
  for (std::size_t i = 0; i < bench.players(); ++i) {
    const auto& player = bench.player(i);
    EXPECT_TRUE(player.playing());
    EXPECT_EQ(player.state<Runner>().score, books.scores[player.avatar()]);
    for (std::size_t other = 0; other < bench.players(); ++other) {
      const auto seen = player.state_of<Runner>(bench.player(other));
      ASSERT_TRUE(seen) << "everybody sees everybody's score";
      EXPECT_EQ(seen->score, books.scores[bench.player(other).avatar()]);
    }
  }
  EXPECT_TRUE(bench.impurities().empty()) << bench.impurities().front();
  EXPECT_TRUE(bench.faults().empty()) << bench.faults().front();
}

TEST(AMatch, IsWholeThoughAWorkerDies) {
  play_with_a_loss(2, 1);
  if (long_run()) play_with_a_loss(2, 2);
}

TEST(AMatch, IsWholeThoughAWorkerDiesAndAnotherTakesItsPlace) {
  play_with_a_loss(3, 3);
  if (long_run()) play_with_a_loss(3, 4);
}

}  // namespace
}  // namespace hover_tag
