// Hours of play while processes are killed, stopped and drained, the store stands still, clocks are
// set and the network is cut. No outcome is lost, all players go on, and no process grows. The test
// prints each deed, and three tables: the deeds, the gaps that players noticed, memory and
// descriptors.
//   PERIGEE_SOAK_MINUTES=60 PERIGEE_SOAK_SEED=7 build/release/tests/process/soak/process_soak
//   --gtest_filter='ASoak.*'
// PERIGEE_SOAK_LOGS is a folder in which the logs of all processes remain.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

#include "process/cluster/felt_gaps.hpp"
#include "soaked_cluster.hpp"

namespace perigee::process_test {
namespace {

using testing::IsEmpty;
using namespace std::chrono_literals;

long environment(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

double unix_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

class ASoak : public ASoakedCluster {
 protected:
  /// Time between two deeds: the end of a crash chain, and some undisturbed play.
  static constexpr auto rest = 14s;
  const std::uint64_t seed = static_cast<std::uint64_t>(environment("PERIGEE_SOAK_SEED", 1));
  struct Done {
    DeedKind kind{};
    double at_unix_s = 0;
    double worst_gap_ms = 0;
  };
  std::vector<Done> done;
  std::set<std::string> lost;

  void happen(std::chrono::minutes time) {
    Random random(seed);
    const auto began = Clock::now();
    while (Clock::now() - began < time) {
      play(rest);
      tell_lost_outcomes();
      const bool spares = 2 * (Clock::now() - began) > time;
      const Deed deed = draw_deed(random, spares);
      say(describe(deed));
      done.push_back({deed.kind, unix_now_s()});
      perform(deed);
    }
  }
  /// While they are news, so that the deed before them is known.
  void tell_lost_outcomes() {
    const auto sent = read_outcome_log(outcome_log);
    const auto looked = journal->look();
    if (!looked) return;  // the next look has the same rows
    for (const std::string& missing : journal->missing(sent)) {
      if (lost.insert(missing).second) say("OUTCOMES: " + missing);
    }
  }
  /// The longest time without news of any player during each deed and the rest after it.
  void find_gaps() {
    for (const Gap& gap : read_gaps(gap_log)) {
      const auto after =
          std::upper_bound(done.begin(), done.end(), gap.ended_s,
                           [](double at_s, const Done& deed) { return at_s < deed.at_unix_s; });
      if (after == done.begin()) continue;
      double& worst_ms = std::prev(after)->worst_gap_ms;
      worst_ms = std::max(worst_ms, gap.gap_ms);
    }
  }
  void print_deeds() const {
    std::printf("%-28s times   longest gap of any player: median   worst (ms)\n", "deed");
    for (unsigned kind = 0; kind <= static_cast<unsigned>(DeedKind::last); ++kind) {
      std::vector<double> gaps_ms;
      for (const Done& deed : done) {
        if (deed.kind == static_cast<DeedKind>(kind)) gaps_ms.push_back(deed.worst_gap_ms);
      }
      if (gaps_ms.empty()) continue;
      std::sort(gaps_ms.begin(), gaps_ms.end());
      std::printf("%-28s %5zu   %34.0f   %10.0f\n",
                  std::string(name_of(static_cast<DeedKind>(kind))).c_str(), gaps_ms.size(),
                  gaps_ms[gaps_ms.size() / 2], gaps_ms.back());
    }
  }
  void print_lives() const {
    std::printf("\n%s\n", Life::heading().c_str());
    for (const Life& life : past) {
      if (life.shows_growth()) std::printf("%s\n", life.row().c_str());
    }
  }
};

TEST_F(ASoak, LosesNoOutcomeAndNoPlayerAndGrowsNoProcess) {
  const long minutes_to_play = environment("PERIGEE_SOAK_MINUTES", 0);
  if (minutes_to_play == 0) GTEST_SKIP() << "PERIGEE_SOAK_MINUTES says how long it takes";
  if (const auto may = allowed(); !may) GTEST_SKIP() << may.error().message;
  begin();
  if (HasFatalFailure()) return;
  begin_players();
  if (HasFatalFailure()) return;
  happen(std::chrono::minutes(minutes_to_play));
  // The cluster is whole again, and all players play.
  play(30s);
  EXPECT_TRUE(in_sync({0, 1, 2}));
  EXPECT_EQ(owned_with(bots_there, {0, 1, 2})["character"], bots_there);
  play(1s);
  const std::string people = end_players();
  for (const auto& [name, process] : running) past.push_back(*process.life);
  play(2s);

  const auto sent = read_outcome_log(outcome_log);
  const auto missing = journal->missing(sent);
  EXPECT_THAT(missing, IsEmpty());
  EXPECT_THAT(sent_again(sent), IsEmpty());
  EXPECT_THAT(journal->contradictions(), IsEmpty());
  EXPECT_EQ(figure_of(people, "avatars_changed"), 0);
  EXPECT_EQ(figure_of(people, "disconnects"), 0);
  EXPECT_EQ(figure_of(people, "playing"), bots_there);
  for (const Life& life : past) EXPECT_EQ(life.grown(), "");

  const auto killed =
      std::count_if(done.begin(), done.end(), [](const Done& deed) { return kills(deed.kind); });
  find_gaps();
  std::printf("\nseed %llu, %ld minutes, %u bots, %zu deeds, %td kills\n",
              static_cast<unsigned long long>(seed), minutes_to_play, bots_there, done.size(),
              killed);
  std::printf("outcomes sent %zu, lost %zu\n", sent.size(), missing.size());
  for (const char* figure : {"disconnects", "resumes", "avatars_changed", "longest_gap_ms",
                             "stalled_ms", "corrections_per_min"}) {
    std::printf("%s %.1f\n", figure, figure_of(people, figure));
  }
  print_deeds();
  print_lives();
}

}  // namespace
}  // namespace perigee::process_test
