// Two worker processes and players who fly over the border between them.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "cluster.hpp"
#include "inputs.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

struct ABorderBetweenProcesses : ACluster {
  static constexpr std::array<unsigned, 2> workers{110, 111};
  double handoffs(unsigned worker, const std::string& result) const {
    return series(worker, "perigee_sim_handoffs_total{result=\"" + result + "\"}");
  }
};

// Nobody is disconnected, lost or doubled.
TEST_F(ABorderBetweenProcesses, IsCrossedBothWaysByPlayers) {
  start_all();
  for (const unsigned worker : workers) {
    ASSERT_TRUE(answers(worker, "/metrics", "perigee_sim_links{state=\"up\"} 1\n")) << outputs();
  }
  const auto before = owned();
  Child players(bots({"--count", "6", "--seconds", "600", "--voyage-m", "100", "--json"}));
  ASSERT_TRUE(players.says("playing 6")) << players.output();
  const auto crossed = [&] {
    return handoffs(110, "out") >= 3 && handoffs(111, "out") >= 3 && handoffs(110, "in") >= 3 &&
           handoffs(111, "in") >= 3;
  };
  EXPECT_TRUE(soon(crossed, 90)) << "out and in: " << handoffs(110, "out") << " "
                                 << handoffs(110, "in") << ", " << handoffs(111, "out") << " "
                                 << handoffs(111, "in");
  const auto all_there = [&] { return owned()["character"] == 6; };
  EXPECT_TRUE(soon(all_there)) << "each of them once";
  for (const unsigned worker : workers) {
    EXPECT_EQ(series(worker, "perigee_sim_drops_total{reason=\"malformed\"}"), 0);
    EXPECT_EQ(series(worker, "perigee_sim_links_lost_total{reason=\"silent\"}"), 0);
    EXPECT_EQ(series(worker, "perigee_sim_links_lost_total{reason=\"broken\"}"), 0);
    EXPECT_GT(series(worker, "perigee_sim_ghost_bytes_total"), 0);
  }
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_THAT(players.output(), HasSubstr("\"disconnects\":0,"));
  EXPECT_THAT(players.output(), HasSubstr("\"malformed\":0,"));
  EXPECT_TRUE(soon([&] { return owned() == before; })) << "the world is as large as before";
  RecordProperty("handoffs", static_cast<int>(handoffs(110, "in") + handoffs(111, "in")));
}

/// Looked at several times a second: who has it to answer for that inputs came too late? When this
/// machine lets processes stand still those of everybody do, also of who crosses no border just
/// then.
class LateInputs {
 public:
  void look(const Inputs& now) { looks_.push_back(now); }
  /// Of players who changed workers, while nobody else's were late within half a second.
  double of_handoffs_alone() const {
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
  static constexpr std::size_t around = 10;  ///< looks, 50 ms and more apart
  std::vector<Inputs> looks_;
};

struct ABorderCrossedOverAndOver : ABorderBetweenProcesses {
  const bool long_test = [] {
    const char* length = std::getenv("PERIGEE_TEST_LENGTH");
    return length != nullptr && std::string_view(length) == "long";
  }();
  const int wanted = long_test ? 1'000 : 10;
  const int bots_there = long_test ? 40 : 12;

  double crossings(const char* result) const {
    return handoffs(workers[0], result) + handoffs(workers[1], result);
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
};

// Each input that players sent is applied once, by whichever worker, at its tick. Each FINAL
// carries its hash, and one that came with another would be malformed.
TEST_F(ABorderCrossedOverAndOver, LosesNoInputAndAppliesNoneTwice) {
  start_all();
  for (const unsigned worker : workers) {
    ASSERT_TRUE(answers(worker, "/metrics", "perigee_sim_links{state=\"up\"} 1\n")) << outputs();
  }
  const auto before = owned();
  Child players(bots(
      {"--count", std::to_string(bots_there), "--seconds", "3600", "--voyage-m", "50", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(bots_there))) << players.output();
  LateInputs lateness;
  const auto often_enough = [&] {
    lateness.look(inputs());
    return crossings("in") >= wanted;
  };
  EXPECT_TRUE(soon(often_enough, long_test ? 1'000 : 180));
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_TRUE(soon([&] { return owned() == before; })) << "nothing is missing, or there twice";
  EXPECT_TRUE(soon([&] { return crossings("out") == crossings("in") + crossings("back"); }))
      << "whatever left has arrived, or is back: " << crossings("out") << " " << crossings("in");
  EXPECT_EQ(both("perigee_sim_drops_total{reason=\"malformed\"}"), 0) << "or another hash";
  EXPECT_EQ(both("perigee_sim_hard_resets_total"), 0);
  for (const char* nothing : {"\"disconnects\":0,", "\"avatars_changed\":0,", "\"malformed\":0,"}) {
    EXPECT_THAT(players.output(), HasSubstr(nothing));
  }

  const double sent = figure_of(players.output(), "inputs");
  const Inputs became = inputs();
  lateness.look(became);
  const double missing = sent - became.once() - became.void_ones();
  std::printf("%.0f groups handed over, %.0f came back; %.0f datagrams for who was not there\n",
              crossings("in"), crossings("back"),
              both("perigee_sim_drops_total{reason=\"unknown_session\"}"));
  std::printf("%.0f inputs: applied %.0f in time, %.0f by a rollback; twice %.0f, never %.0f\n",
              sent, became.applied, became.late, std::max(0.0, -missing), std::max(0.0, missing));
  std::printf("too late %.0f, about a handoff %.0f, of these alone %.0f, edges kept %.0f\n",
              became.too_late, became.too_late_moved, lateness.of_handoffs_alone(),
              became.edges_kept);
  EXPECT_GE(missing, 0) << "applied twice";
  // Who came back after a window has stood still, and begins anew.
  EXPECT_LE(missing, 64 * crossings("back")) << "lost";
  EXPECT_EQ(lateness.of_handoffs_alone(), 0) << "void, because of a handoff";
}

// Whoever has another key is no worker.
TEST_F(ABorderBetweenProcesses, IsClosedToAWorkerWithAnotherKey) {
  start_directory();
  start(PERIGEE_SIM_BINARY, {"--index", "0"});
  processes.emplace_back(std::vector<std::string>{PERIGEE_SIM_BINARY, "--port-base",
                                                  std::to_string(base), "--index", "1",
                                                  "--state-dir", (folder / "elsewhere").string()});
  for (const unsigned worker : workers) {
    ASSERT_TRUE(answers(worker, "/ready", "200 OK")) << outputs();
  }
  // Either may have the lower slot, and dial.
  const auto refused = [&](const std::string& reason) {
    const std::string name = "perigee_sim_link_refusals_total{reason=\"" + reason + "\"}";
    return series(110, name) + series(111, name) > 0;
  };
  EXPECT_TRUE(soon([&] { return refused("turned_away") && refused("wrong_secret"); }));
  for (const unsigned worker : workers) {
    EXPECT_EQ(series(worker, "perigee_sim_links{state=\"up\"}"), 0);
    EXPECT_EQ(series(worker, "perigee_sim_links{state=\"down\"}"), 1);
  }
}

// A worker that is killed and back is linked again, and so is one that stood still.
TEST_F(ABorderBetweenProcesses, IsOpenAgainAfterAWorkerWasAway) {
  start_all();
  for (const unsigned worker : workers) {
    ASSERT_TRUE(answers(worker, "/metrics", "perigee_sim_links{state=\"up\"} 1\n")) << outputs();
  }
  Child& sim = *std::next(processes.begin(), 3);
  sim.signal(SIGSTOP);
  EXPECT_TRUE(
      soon([&] { return series(110, "perigee_sim_links_lost_total{reason=\"silent\"}") == 1; }));
  sim.signal(SIGCONT);
  EXPECT_TRUE(answers(110, "/metrics", "perigee_sim_links{state=\"up\"} 1\n"));
  EXPECT_TRUE(answers(111, "/metrics", "perigee_sim_links{state=\"up\"} 1\n"));
  sim.signal(SIGKILL);
  sim.wait();
  EXPECT_TRUE(answers(110, "/metrics", "perigee_sim_links{state=\"up\"} 0\n"));
  start(PERIGEE_SIM_BINARY, {"--index", "1"});
  EXPECT_TRUE(answers(110, "/metrics", "perigee_sim_links{state=\"up\"} 1\n"));
  EXPECT_TRUE(answers(111, "/metrics", "perigee_sim_links{state=\"up\"} 1\n"));
}

}  // namespace
}  // namespace perigee::process_test
