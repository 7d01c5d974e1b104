/// Two worker processes, and the checks for players that cross the border between them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "inputs.hpp"
#include "long_run.hpp"

namespace perigee::process_test {

struct ABorderBetweenProcesses : ACluster {
  static constexpr std::array<unsigned, 2> workers{110, 111};
  void start_linked(const std::string& sim = PERIGEE_SIM_BINARY) {
    start_all({}, sim);
    for (const unsigned worker : workers) {
      ASSERT_TRUE(answers(worker, "/metrics", "perigee_sim_links{state=\"up\"} 1\n")) << outputs();
    }
  }
  double migrations(unsigned worker, const std::string& result) const {
    return series(worker, "perigee_sim_migrations_total{result=\"" + result + "\"}");
  }
};

/// Samples the counts of late inputs several times a second, to find those caused by a migration.
/// If this machine stalls processes, inputs of players that cross no border are late at the same
/// time.
class LateInputs {
 public:
  void look(const Inputs& now) { looks_.push_back(now); }
  /// Late inputs of players that changed workers, while no other player's were late within half a
  /// second.
  double of_migrations_alone() const {
    double alone = 0;
    for (std::size_t i = 1; i < looks_.size(); ++i) {
      const Inputs& from = looks_[i > around ? i - 1 - around : 0];
      const Inputs& to = looks_[std::min(i + around, looks_.size() - 1)];
      if (to.too_late == from.too_late) {
        alone += looks_[i].too_late_moved - looks_[i - 1].too_late_moved;
      }
    }
    return alone;
  }

 private:
  static constexpr std::size_t around = 10;  ///< samples, at least 50 ms apart
  std::vector<Inputs> looks_;
};

struct ABorderCrossedOverAndOver : ABorderBetweenProcesses {
  double crossings(const char* result) const {
    return migrations(workers[0], result) + migrations(workers[1], result);
  }
  double both(const std::string& name) const {
    return series(workers[0], name) + series(workers[1], name);
  }
  Inputs inputs() const {
    Inputs sum;
    for (const unsigned worker : workers) {
      const std::string metrics = http_get(base + worker, "/metrics");
      sum.add([&](const std::string& series) { return value_of(metrics, series); });
    }
    return sum;
  }
  /// Ends the players; `before`: the owned entities without them.
  void expect_nothing_lost(Child& players, const Things& before, LateInputs& lateness) const {
    players.signal(SIGINT);
    EXPECT_EQ(players.wait(), 0) << players.output();
    EXPECT_TRUE(soon([&] { return owned() == before; })) << "nothing is missing, or there twice";
    expect_all_arrived(players.output());
    expect_each_input_once(players.output(), lateness);
  }
  /// All groups that left have arrived or are back in their sent state, and no player was spawned
  /// anew.
  void expect_all_arrived(const std::string& of_players) const {
    EXPECT_TRUE(soon([&] { return crossings("out") == crossings("in") + crossings("back"); }))
        << crossings("out") << " " << crossings("in");
    EXPECT_EQ(both("perigee_sim_drops_total{reason=\"malformed\"}"), 0) << "or another hash";
    EXPECT_EQ(both("perigee_sim_hard_resets_total"), 0);
    for (const char* none : {"disconnects", "avatars_changed", "malformed"}) {
      EXPECT_EQ(figure_of(of_players, none), 0) << none;
    }
  }
  /// Each input that players sent is applied once, by one of the workers, at its tick.
  void expect_each_input_once(const std::string& of_players, LateInputs& lateness) const {
    const double sent = figure_of(of_players, "inputs");
    const Inputs became = inputs();
    lateness.look(became);
    const double missing = sent - became.once() - became.void_ones();
    std::printf("%.0f groups migrated, %.0f came back; %.0f datagrams for absent avatars\n",
                crossings("in"), crossings("back"),
                both("perigee_sim_drops_total{reason=\"unknown_session\"}"));
    std::printf("%.0f inputs: applied %.0f in time, %.0f by a rollback; twice %.0f, never %.0f\n",
                sent, became.applied, became.late, std::max(0.0, -missing), std::max(0.0, missing));
    std::printf("too late %.0f, about a migration %.0f, of these alone %.0f, edges kept %.0f\n",
                became.too_late, became.too_late_moved, lateness.of_migrations_alone(),
                became.edges_kept);
    EXPECT_GE(missing, 0) << "applied twice";
    // A player of a group that came back stood still for longer than the window, and its input
    // timeline begins anew.
    EXPECT_LE(missing, 64 * crossings("back")) << "lost";
    EXPECT_EQ(lateness.of_migrations_alone(), 0) << "void, because of a migration";
  }
};

}  // namespace perigee::process_test
