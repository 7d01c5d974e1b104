// Two gateways: players that lose one reconnect through the other.
#include <array>
#include <cstdio>

#include "cluster.hpp"
#include "process/stepped_clock.hpp"

namespace perigee::process_test {
namespace {

struct TwoGateways : ACluster {
  static constexpr int bots_there = 10;
  static constexpr std::array<unsigned, 3> gateways{100, 181, 182};

  Child& start_gateway(unsigned index) {
    return start(PERIGEE_GATEWAY_BINARY, {"--gateway-index", std::to_string(index)});
  }
  double playing_at(unsigned gateway) const {
    return series(gateways[gateway], "perigee_gateway_sessions_playing");
  }
  /// All that the players need besides, with that clock of the session service.
  void start_all_with_two(const SteppedClock* clock = nullptr) {
    start_directory();
    start_gateway(0);
    start_gateway(1);
    start(PERIGEE_SIM_BINARY, {"--index", "0"});
    start(PERIGEE_SIM_BINARY, {"--index", "1"});
    const auto session = command(PERIGEE_SESSION_BINARY);
    processes.emplace_back(clock == nullptr ? session : clock->with(session));
    for (const unsigned port : {102U, 100U, 181U, 110U, 111U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
  }
  Child& first_gateway() { return *std::next(processes.begin()); }
  double both_workers(const std::string& name) const {
    return series(110, name) + series(111, name);
  }
  /// All players have a resume token.
  bool all_could_come_back() const {
    const std::string handed = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
    return soon(
        [&] { return series(gateways[0], handed) + series(gateways[1], handed) >= bots_there; });
  }
};

TEST_F(TwoGateways, ShareThePlayersAndOneThatDiesLosesNoneToo) {
  start_all_with_two();
  Child players(bots({"--count", std::to_string(bots_there), "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(bots_there))) << players.output();
  const double at_first = playing_at(0);
  EXPECT_GT(at_first, 0);
  EXPECT_GT(playing_at(1), 0);
  EXPECT_EQ(at_first + playing_at(1), bots_there);
  ASSERT_TRUE(all_could_come_back()) << outputs();

  first_gateway().signal(SIGKILL);
  first_gateway().wait();
  EXPECT_TRUE(soon([&] { return playing_at(1) == bots_there; })) << playing_at(1);
  EXPECT_TRUE(soon([&] { return both_workers("perigee_sim_players_resumed_total") >= at_first; }))
      << "each to the own avatar";
  EXPECT_EQ(owned()["character"], bots_there) << "and nobody has a second one";

  start_gateway(0);
  ASSERT_TRUE(answers(gateways[0], "/ready", "200 OK")) << outputs();
  std::list<Child> newcomers;  // retried, because the session service may not know the gateway yet
  ASSERT_TRUE(soon([&] {
    Child& two = newcomers.emplace_back(bots({"--count", "2", "--seconds", "600"}));
    return two.says("playing 2") && playing_at(0) > 0;
  })) << "it has players again\n"
      << newcomers.back().output() << outputs();
  EXPECT_EQ(playing_at(0) + playing_at(1), bots_there + 2 * static_cast<double>(newcomers.size()));

  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  for (const char* none : {"disconnects", "avatars_changed"}) {
    EXPECT_EQ(figure_of(players.output(), none), 0) << none;
  }
  EXPECT_EQ(figure_of(players.output(), "resumes"), at_first)
      << "the players of the other gateway noticed nothing";
  const double longest_gap_ms = figure_of(players.output(), "longest_gap_ms");
  ASSERT_GE(longest_gap_ms, 0);
  std::printf("%.0f players were without news for up to %.0f ms\n", at_first, longest_gap_ms);
}

// Its resume tokens would open no gateway once its clock is right again, so players keep those that
// they have.
TEST_F(TwoGateways, LoseNobodyThoughTheSessionServicesClockWasHoursBehind) {
  if (slowness > 1) GTEST_SKIP() << "sanitizers want to be the first library of a process";
  const SteppedClock clock(folder / "clock");
  start_all_with_two(&clock);
  Child players(bots({"--count", std::to_string(bots_there), "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(bots_there))) << players.output();
  const double at_first = playing_at(0);
  ASSERT_TRUE(all_could_come_back()) << outputs();

  clock.set(-7'200);
  start_gateway(2);  // all players get new tokens
  const std::string refused = "perigee_gateway_resume_tokens_total{step=\"refused\"}";
  EXPECT_TRUE(soon([&] {
    return series(gateways[0], refused) >= at_first &&
           series(gateways[1], refused) >= bots_there - at_first;
  }));
  clock.set(0);
  first_gateway().signal(SIGKILL);
  first_gateway().wait();
  EXPECT_TRUE(soon([&] { return playing_at(1) + playing_at(2) == bots_there; }));
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  EXPECT_EQ(figure_of(players.output(), "avatars_changed"), 0);
}

// gRPC's timers stand still after a step back.
TEST_F(TwoGateways, NoticeASessionServiceThatStandsStillAfterAStepBack) {
  if (slowness > 1) GTEST_SKIP() << "sanitizers want to be the first library of a process";
  const SteppedClock clock(folder / "clock");
  start_directory();
  Child& gateway =
      processes.emplace_back(clock.with(command(PERIGEE_GATEWAY_BINARY, {"--gateway-index", "0"})));
  start(PERIGEE_SIM_BINARY, {"--index", "0"});
  start(PERIGEE_SIM_BINARY, {"--index", "1"});
  Child& session = start(PERIGEE_SESSION_BINARY);
  for (const unsigned port : {102U, 100U, 110U, 111U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  Child players(bots({"--count", "2", "--seconds", "600"}));
  ASSERT_TRUE(players.says("playing 2")) << players.output();

  clock.set(-3'600);
  session.signal(SIGSTOP);
  players.signal(SIGINT);  // the gateway releases their sessions
  players.wait();
  EXPECT_TRUE(gateway.says("the session service does not answer")) << gateway.output();
  session.signal(SIGCONT);
  EXPECT_TRUE(gateway.says("the session service answers again")) << gateway.output();
}

}  // namespace
}  // namespace perigee::process_test
