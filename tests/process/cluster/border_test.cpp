// Two worker processes and players who fly over the border between them.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "cluster.hpp"

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

// Over and over: each input that bots made is applied once, by whichever worker, at its tick. Each
// FINAL carries its hash, and one that came with another would be malformed.
TEST_F(ABorderBetweenProcesses, LosesNoInputHoweverOftenItIsCrossed) {
  const char* length = std::getenv("PERIGEE_TEST_LENGTH");
  const bool long_test = length != nullptr && std::string_view(length) == "long";
  const int wanted = long_test ? 1'000 : 10;
  const int bots_there = long_test ? 40 : 12;
  start_all();
  for (const unsigned worker : workers) {
    ASSERT_TRUE(answers(worker, "/metrics", "perigee_sim_links{state=\"up\"} 1\n")) << outputs();
  }
  const auto before = owned();
  Child players(bots(
      {"--count", std::to_string(bots_there), "--seconds", "3600", "--voyage-m", "50", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(bots_there))) << players.output();
  const auto both = [&](const std::string& name) {
    return series(workers[0], name) + series(workers[1], name);
  };
  const auto crossings = [&](const char* result) {
    return handoffs(workers[0], result) + handoffs(workers[1], result);
  };
  EXPECT_TRUE(soon([&] { return crossings("in") >= wanted; }, long_test ? 3'000 : 180));
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_TRUE(soon([&] { return owned() == before; })) << "nothing is missing, or there twice";
  EXPECT_TRUE(soon([&] { return crossings("out") == crossings("in") + crossings("back"); }))
      << "whatever left has arrived, or is back: " << crossings("out") << " " << crossings("in");
  EXPECT_EQ(both("perigee_sim_drops_total{reason=\"malformed\"}"), 0) << "or another hash";
  EXPECT_EQ(both("perigee_sim_drops_total{reason=\"unknown_session\"}"), 0);
  EXPECT_EQ(both("perigee_sim_hard_resets_total"), 0);
  for (const char* nothing : {"\"disconnects\":0,", "\"avatars_changed\":0,", "\"malformed\":0,"}) {
    EXPECT_THAT(players.output(), HasSubstr(nothing));
  }

  const auto inputs = [&](const char* result) {
    return both(std::string("perigee_sim_inputs_total{result=\"") + result + "\"}");
  };
  const std::string key = "\"inputs\":";
  const double made = std::stod(players.output().substr(players.output().find(key) + key.size()));
  // What a stall of this machine made too late is not lost by a handoff; what was under way when
  // the bots stopped was applied by nobody.
  const double once = inputs("applied") + inputs("late");
  const double void_ones = inputs("too_late") + inputs("edges_kept");
  std::printf(
      "%.0f groups over, %.0f came back; of %.0f inputs %.0f applied in time, %.0f late, %.0f too "
      "late; %.0f ticks with a guess\n",
      crossings("in"), crossings("back"), made, inputs("applied"), inputs("late"), void_ones,
      inputs("guessed"));
  EXPECT_LE(once, made) << "an input was applied twice";
  EXPECT_LE(made - once - void_ones, 10 * bots_there) << "lost";
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
