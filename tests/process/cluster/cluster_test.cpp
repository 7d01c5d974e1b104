// A whole cluster of processes on loopback, with bots as its players; and its worker alone.
#include "operator.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

// D1, D5: real processes; the bots log in over gRPC
TEST_F(ACluster, LetsBotsPlayAndStopsInOrder) {
  start_all();
  Child players(bots({"--count", "5", "--seconds", "10", "--profile", "P1", "--json"}));
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "joined"), 5) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "malformed"), 0) << players.output();
  EXPECT_GT(figure_of(players.output(), "moving_share"), 0);

  for (const unsigned sim : {110U, 111U}) {
    EXPECT_GT(series(sim, "perigee_sim_inputs_total{result=\"applied\"}"), 0)
        << "both have players";
    EXPECT_EQ(series(sim, "perigee_sim_drops_total{reason=\"malformed\"}"), 0);
    EXPECT_GT(series(sim, "perigee_sim_fabric_transit_seconds_count"), 0);
    EXPECT_GT(series(sim, "perigee_sim_input_wait_seconds_count"), 0);
    EXPECT_TRUE(answers(sim, "/metrics", "perigee_sim_players 0\n")) << "all said goodbye";
  }
  EXPECT_EQ(series(100, "perigee_gateway_session_events_total{event=\"joined\"}"), 5);
  for (const char* stage :
       {"gateway_tick_to_gateway", "gateway_block_hold", "client_sample_interval",
        "client_view_delay", "client_input_to_display"}) {
    EXPECT_GT(series(100, std::string("perigee_") + stage + "_seconds_count"), 0) << stage;
  }
  const auto reply = status(20);
  EXPECT_EQ(reply.name(), "sim-0");
  EXPECT_TRUE(reply.registered());
  EXPECT_EQ(reply.regions_size(), 1);
  EXPECT_GT(reply.tick(), 300U);
  EXPECT_GT(reply.entities_size(), 0);
  EXPECT_GT(reply.tick_p99_us(), 0);
  for (Child& process : processes) process.signal(SIGTERM);
  for (Child& process : processes) EXPECT_EQ(process.wait(), 0) << process.output();
}

// A worker without a standby dies and is restarted before its death is noticed: its players join
// its new incarnation.
TEST_F(ACluster, GivesPlayersBackToAWorkerThatWasRestartedAtOnce) {
  start_all({"--directory-standbys=false"});
  Child& sim = *std::next(processes.begin(), 2);
  Child players(bots({"--count", "4", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 4")) << players.output();
  sim.signal(SIGKILL);
  sim.wait();
  start(PERIGEE_SIM_BINARY, {"--index", "0"});
  ASSERT_TRUE(answers(110, "/metrics", "perigee_sim_players 2\n")) << outputs();
  EXPECT_EQ(series(100, "perigee_gateway_session_events_total{event=\"join_repeated\"}"), 2);
  const std::string applied = "perigee_sim_inputs_total{result=\"applied\"}";
  EXPECT_TRUE(soon([&] { return series(110, applied) >= 120; })) << "their inputs count again";
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_THAT(players.output(), HasSubstr("corrections on static ground"));
}

// D6
TEST_F(ACluster, ShowsMetricsThatPromtoolAccepts) {
  Child found({"/bin/sh", "-c", "command -v promtool"});
  if (found.wait() != 0) GTEST_SKIP() << "promtool is not installed (package prometheus)";
  start_all();
  expect_clean_metrics(100);
  expect_clean_metrics(110);
}

TEST_F(ACluster, TellsBotsOnceWhyTheyMayNotLogIn) {
  start_all();
  const std::string wrong = (folder / "wrong").string();
  std::ofstream(wrong) << "not the secret of this cluster\n";
  fs::permissions(wrong, fs::perms::owner_read | fs::perms::owner_write);
  Child players(bots({"--count", "3", "--seconds", "1", "--secret-file", wrong}));
  EXPECT_EQ(players.wait(), 1);
  const std::size_t first = players.output().find("log-in refused: wrong credential");
  ASSERT_NE(first, std::string::npos) << players.output();
  EXPECT_EQ(players.output().find("log-in refused", first + 1), std::string::npos);
  EXPECT_THAT(players.output(), HasSubstr("log-ins refused"));
}

TEST_F(ACluster, LetsBotsEndEarlyWithTheirTable) {
  start_all();
  Child players(bots({"--count", "2", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 2")) << players.output();
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_THAT(players.output(), HasSubstr("corrections on static ground"));
}

// An operator lists the sessions and kicks one of them; the kicked player may log in again.
TEST_F(AnOperator, ListsAndKicks) {
  start_all();
  Child players(bots({"--count", "3", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 3")) << players.output();
  EXPECT_THAT(says({"sessions"}, 0),
              testing::AllOf(HasSubstr("bot-0"), HasSubstr("playing"), HasSubstr("3 sessions")));
  EXPECT_THAT(says({"kick", "bot-0"}, 0), HasSubstr("1 sessions kicked"));
  ASSERT_TRUE(players.says("playing 2")) << players.output();
  EXPECT_TRUE(players.says("the session was ended")) << "its resume token is worth nothing";
  EXPECT_TRUE(answers(110, "/metrics", "perigee_sim_players 1\n") &&
              answers(111, "/metrics", "perigee_sim_players 1\n"))
      << "of two beside each other one is gone at once";
  Child again(bots({"--count", "2", "--seconds", "1", "--json"}));
  EXPECT_EQ(again.wait(), 0) << "bot-0 may log in again: " << again.output();
  EXPECT_THAT(says({"kick", "Eve"}, 1), HasSubstr("no player of that name"));
  says({"kik"}, 2);
  EXPECT_THAT(says({"--help"}, 0), HasSubstr("examples:"));
}

TEST_F(AnOperator, BansAPlayerInTheMiddleOfPlay) {
  start_all();
  Child players(bots({"--count", "2", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 2")) << players.output();
  EXPECT_THAT(says({"ban", "bot-0", "--hours", "1", "--reason", "griefing"}, 0),
              HasSubstr("1 sessions kicked"));
  ASSERT_TRUE(players.says("playing 1")) << players.output();
  const std::vector<std::string> only_bot_0{"--count", "1", "--seconds", "1"};
  Child banned(bots(only_bot_0));
  EXPECT_NE(banned.wait(), 0);
  EXPECT_THAT(banned.output(),
              testing::AllOf(HasSubstr("you are banned until 20"), HasSubstr("UTC: griefing")));
  EXPECT_THAT(says({"bans"}, 0), testing::AllOf(HasSubstr("bot-0"), HasSubstr("1 bans")));
  says({"unban", "bot-0"}, 0);
  Child again(bots(only_bot_0));
  EXPECT_EQ(again.wait(), 0) << again.output();
}

using AWorkerProcess = ACluster;

TEST_F(AWorkerProcess, WaitsForTheDirectoryAndSaysSo) {
  Child& sim = start(PERIGEE_SIM_BINARY);
  EXPECT_TRUE(sim.says("is perigee-directory running?")) << sim.output();
  EXPECT_TRUE(answers(110, "/ready", "503"));
  EXPECT_TRUE(answers(110, "/joined", "503"));
  sim.signal(SIGTERM);
  EXPECT_EQ(sim.wait(), 0) << sim.output();
}

TEST_F(AWorkerProcess, HasJoinedAlsoWithoutARegion) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1"});
  start(PERIGEE_SIM_BINARY);
  ASSERT_TRUE(answers(110, "/ready", "200 OK")) << outputs();
  start(PERIGEE_SIM_BINARY, {"--index", "1"});
  EXPECT_TRUE(answers(111, "/joined", "200 OK")) << outputs();
  EXPECT_TRUE(answers(111, "/ready", "has not assigned a region")) << outputs();
}

TEST_F(AWorkerProcess, RefusesABusyPortWithTheRemedy) {
  Child& first = start(PERIGEE_SIM_BINARY);
  ASSERT_TRUE(answers(110, "/ready", "503")) << first.output();
  Child& second = start(PERIGEE_SIM_BINARY);
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.output(), HasSubstr("--port-base"));
}

TEST_F(AWorkerProcess, RefusesRingsThatDoNotRise) {
  Child& sim = start(PERIGEE_SIM_BINARY, {"--replication-rings-m", "80,60,800,3000"});
  EXPECT_EQ(sim.wait(), 2);
  EXPECT_THAT(sim.output(), HasSubstr("replication.rings_m"));
}

TEST_F(AWorkerProcess, BuildsItsWorldAnewForADirectoryThatBeginsANewWorld) {
  const std::vector<std::string> one{"--directory-workers", "1", "--directory-regions", "1"};
  Child& directory = start(PERIGEE_DIRECTORY_BINARY, one);
  Child& sim = start(PERIGEE_SIM_BINARY);
  ASSERT_TRUE(answers(110, "/ready", "200 OK")) << outputs();
  directory.signal(SIGKILL);
  directory.wait();
  start(PERIGEE_DIRECTORY_BINARY,
        {"--directory-workers", "1", "--directory-regions", "1", "--new-world"});
  ASSERT_TRUE(sim.says("the cluster id has changed")) << sim.output();
  EXPECT_TRUE(sim.says("world created", sim.output().find("the cluster id has changed")))
      << sim.output();
  const std::string ticks = "perigee_sim_ticks_total";
  const double before = series(110, ticks);
  EXPECT_TRUE(soon([&] { return series(110, ticks) > before; }))
      << "time goes on in the new incarnation";
  sim.signal(SIGTERM);
  EXPECT_EQ(sim.wait(), 0) << sim.output();
}

}  // namespace
}  // namespace perigee::process_test
