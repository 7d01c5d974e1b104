// Two worker processes and players that fly over the border between them.
#include <array>
#include <map>
#include <vector>

#include "border.hpp"

namespace perigee::process_test {
namespace {

// No player is disconnected, lost or duplicated.
TEST_F(ABorderBetweenProcesses, IsCrossedBothWaysByPlayers) {
  start_linked();
  const auto before = owned();
  Child players(bots({"--count", "6", "--seconds", "600", "--voyage-m", "100", "--json"}));
  ASSERT_TRUE(players.says("playing 6")) << players.output();
  const auto crossed = [&] {
    return migrations(110, "out") >= 3 && migrations(111, "out") >= 3 &&
           migrations(110, "in") >= 3 && migrations(111, "in") >= 3;
  };
  EXPECT_TRUE(soon(crossed, 90)) << "out and in: " << migrations(110, "out") << " "
                                 << migrations(110, "in") << ", " << migrations(111, "out") << " "
                                 << migrations(111, "in");
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
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "malformed"), 0) << players.output();
  EXPECT_TRUE(soon([&] { return owned() == before; })) << "the world is as large as before";
  RecordProperty("migrations", static_cast<int>(migrations(110, "in") + migrations(111, "in")));
}

// Each FINAL carries a hash of the state; one with a wrong hash would count as malformed.
TEST_F(ABorderCrossedOverAndOver, LosesNoInputAndAppliesNoneTwice) {
  const int wanted = long_run() ? 1'000 : 10;
  const int bots_there = long_run() ? 40 : 12;
  start_linked();
  const auto before = owned();
  Child players(bots(
      {"--count", std::to_string(bots_there), "--seconds", "3600", "--voyage-m", "50", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(bots_there))) << players.output();
  LateInputs lateness;
  const auto often_enough = [&] {
    lateness.look(inputs());
    return crossings("in") >= wanted;
  };
  EXPECT_TRUE(soon(often_enough, long_run() ? 1'000 : 180));
  expect_nothing_lost(players, before, lateness);
}

// At 50 m/s, as one group, with all players that walk about on its deck.
TEST_F(ABorderCrossedOverAndOver, ByAShipWithItsCrewLosesNoneOfThem) {
  const unsigned crew = long_run() ? 100 : 12;
  const unsigned wanted = long_run() ? 20 : 2;
  start_linked(PERIGEE_CREW_SIM_BINARY);
  const auto before = owned();
  Child players(bots({"--count", std::to_string(crew), "--seconds", "3600", "--region", "0",
                      "--settled", "--json"},
                     PERIGEE_CREW_BOTS_BINARY));
  ASSERT_TRUE(players.says("playing " + std::to_string(crew))) << players.output();
  LateInputs lateness;
  std::array<unsigned, 2> aboard{};
  unsigned went_over = 0, apart = 0;
  const auto often_enough = [&] {
    lateness.look(inputs());
    const std::array<unsigned, 2> now{status(20).players(), status(21).players()};
    apart += now[0] % crew != 0 || now[1] % crew != 0;  // both report up to 0.1 s late
    went_over += now[0] == crew && aboard[1] == crew;
    went_over += now[1] == crew && aboard[0] == crew;
    if (now[0] == crew || now[1] == crew) aboard = now;
    return went_over >= wanted;
  };
  EXPECT_TRUE(soon(often_enough, long_run() ? 900 : 180)) << went_over;
  EXPECT_EQ(apart, 0U) << "the whole crew, or nobody";
  expect_nothing_lost(players, before, lateness);
}

// A worker that was killed and restarted is linked again, and so is one that stalled.
TEST_F(ABorderBetweenProcesses, IsOpenAgainAfterAWorkerWasAway) {
  start_linked();
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
