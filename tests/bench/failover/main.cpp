// bench_failover: three worker processes with bots that shoot each other. One of them is killed, or
// stopped for two seconds, again and again; measures how long its players receive no snapshot of
// their avatars, and checks that no outcome is lost that they were sent.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>

#include "bench/common/fleet.hpp"
#include "bench/common/suite.hpp"
#include "perigee/base/hash.hpp"
#include "process/journal_watch.hpp"

namespace perigee::bench {
namespace {

constexpr unsigned workers = 3;

double unix_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

struct Blow {
  double at_s = 0;
  bool kills = true;
};

bool caused_by(const Blow& blow, const Gap& gap) {
  return gap.from_s < blow.at_s + 0.1 && gap.to_s > blow.at_s;
}

/// The bots' gaps at each blow, without the time in which their own process stalled.
void add_blackouts(const std::vector<Gap>& gaps, const std::vector<Blow>& blows, bool kills,
                   const std::string& prefix, Figures& figures) {
  std::vector<double> ms;
  for (const Blow& blow : blows) {
    if (blow.kills != kills) continue;
    for (const Gap& gap : gaps) {
      if (caused_by(blow, gap)) ms.push_back(gap.ms - gap.stalled_ms);
    }
  }
  const auto at = [&](double share) { return ms.empty() ? 0.0 : percentile(ms, share); };
  figures.add(prefix + "blackout_p50_ms", at(0.5), "ms");
  figures.add(prefix + "blackout_p99_ms", at(0.99), "ms");
  figures.add(prefix + "blackout_max_ms", at(1), "ms");
  figures.add(prefix + "blackouts", static_cast<double>(ms.size()), "");
}

/// Gaps between blows: while a worker catches up, restarts, and gets its share again.
void add_other_gaps(const std::vector<Gap>& gaps, const std::vector<Blow>& blows,
                    Figures& figures) {
  std::vector<double> ms;
  for (const Gap& gap : gaps) {
    const bool caused = std::any_of(blows.begin(), blows.end(),
                                    [&](const Blow& blow) { return caused_by(blow, gap); });
    if (!caused) ms.push_back(gap.ms - gap.stalled_ms);
  }
  figures.add("other_gaps", static_cast<double>(ms.size()), "");
  figures.add("other_gap_p99_ms", ms.empty() ? 0 : percentile(ms, 0.99), "ms");
  figures.add("other_gap_max_ms", ms.empty() ? 0 : percentile(ms, 1), "ms");
}

/// Gaps this long are not explained by a failover: reports the blow that each followed, for
/// debugging.
void print_longest_gaps(const std::vector<Gap>& gaps, const std::vector<Blow>& blows) {
  std::map<std::size_t, std::vector<double>> lasted_s;
  for (const Gap& gap : gaps) {
    if (gap.ms < 1'000) continue;
    std::size_t blow = 0;
    while (blow + 1 < blows.size() && blows[blow + 1].at_s < gap.from_s + 0.1) ++blow;
    lasted_s[blow].push_back(gap.ms * 1e-3);
  }
  for (const auto& [blow, seconds] : lasted_s) {
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    print_progress("blow " + std::to_string(blow + 1) + " (" +
                   (blows[blow].kills ? "kill" : "stop") + "): " + std::to_string(seconds.size()) +
                   " players without a snapshot for " + std::to_string(*least) + " to " +
                   std::to_string(*most) + " s");
  }
}

/// Fails if an outcome that a player was sent is not in the journal, or contradicts another one.
Result<Ok> add_outcomes(const Fleet& fleet, const process_test::JournalWatch& journal,
                        Figures& figures) {
  const auto sent = process_test::read_outcome_log(fleet.outcome_log());
  figures.add("outcomes_received", static_cast<double>(sent.size()), "");
  for (const auto& wrong : {journal.missing(sent), journal.contradictions()}) {
    if (wrong.empty()) continue;
    for (const std::string& sentence : wrong) print_progress(sentence);
    return Error{"outcomes that players were sent are lost or contradict each other: " +
                 std::to_string(wrong.size())};
  }
  return Ok{};
}

/// With as many crates as make ticks cost about 4 ms on this machine at present: with fewer, a
/// successor has less to catch up; with more, the cores are saturated before a worker dies.
Result<std::unique_ptr<Fleet>> begin(const Run& run, Figures& figures) {
  constexpr double wanted_ms = 4;
  FleetWorld world{.fights = true, .logs = run.logs};
  for (int tries = run.quick ? 1 : 4;; --tries) {
    auto fleet = std::make_unique<Fleet>(workers, run.quick ? 6 : 100, world);
    if (!fleet->play()) return Error{"the cluster did not begin to play within 30 s"};
    const double tick_ms = mean_tick_ms(fleet->consumed_in(run.quick ? 4 : 10));
    const auto better = static_cast<int>(std::lround(world.layers * wanted_ms / tick_ms));
    const int next = std::clamp(better, 1, FleetWorld::layers_max);
    if (tries == 1 || next == world.layers || std::abs(tick_ms / wanted_ms - 1) < 0.15) {
      figures.add("tick_cpu_ms", tick_ms, "ms");
      figures.add("crates", FleetWorld::layer_crates * world.layers, "");
      return fleet;
    }
    print_progress("ticks cost " + std::to_string(tick_ms) + " ms with " +
                   std::to_string(world.layers) + " layers of crates; next with " +
                   std::to_string(next));
    world.layers = next;
  }
}

Result<Ok> failover(const Run& run, Figures& figures) {
  const unsigned each = run.quick ? 1 : 50;
  auto began = begin(run, figures);
  if (!began) return began.error();
  Fleet& fleet = **began;
  auto store = world_store::open_sqlite(fleet.world_store());
  if (!store) return store.error();
  process_test::JournalWatch journal(std::move(*store));
  if (const auto looked = journal.look(); !looked) return looked.error();
  std::vector<Blow> blows;
  std::uint64_t random = 1;
  for (unsigned i = 0; i < 2 * each; ++i) {
    random = mix64(random);
    auto victim = static_cast<unsigned>(random % workers);
    for (unsigned asked = 0; fleet.of_worker(victim, "perigee_sim_players") <= 0; ++asked) {
      if (asked > 30 * workers) return Error{"no worker has had players for 30 s"};
      if (asked % workers == workers - 1) std::this_thread::sleep_for(std::chrono::seconds(1));
      victim = (victim + 1) % workers;
    }
    const bool kills = i % 2 == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(random % 1'000));
    blows.push_back({unix_s(), kills});
    fleet.worker(victim).signal(kills ? SIGKILL : SIGSTOP);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    if (kills) {
      fleet.start_worker(victim);
    } else {
      fleet.worker(victim).signal(SIGCONT);
    }
    // A worker that was stopped exports its old state until it has received the map.
    std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
    if (const auto looked = journal.look(); !looked) return looked.error();
    if (!fleet.in_sync()) return Error{"no standby was in sync again within 30 s"};
    print_progress(std::to_string(i + 1) + " of " + std::to_string(2 * each) +
                   " blows: " + (kills ? "killed" : "stopped") + " sim-" + std::to_string(victim) +
                   " at " + std::to_string(blows.back().at_s));
  }
  const auto listed = fleet.gaps();
  if (!listed) return listed.error();
  const std::vector<Gap>& gaps = *listed;
  print_longest_gaps(gaps, blows);
  figures.add("kills", each, "");
  add_blackouts(gaps, blows, true, "", figures);
  figures.add("stalls", each, "");
  add_blackouts(gaps, blows, false, "stall_", figures);
  add_other_gaps(gaps, blows, figures);
  const auto noticed = [&](const Blow& blow) {
    return std::any_of(gaps.begin(), gaps.end(),
                       [&](const Gap& gap) { return caused_by(blow, gap); });
  };
  if (std::none_of(blows.begin(), blows.end(), noticed)) {
    return Error{"no blow was noticed by anybody: were there any?"};
  }
  if (const auto looked = journal.look(); !looked) return looked.error();
  if (const auto kept = add_outcomes(fleet, journal, figures); !kept) return kept;
  if (const std::string lost = fleet.lost(); !lost.empty()) return Error{lost};
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("failover", argc, argv, perigee::bench::failover);
}
