// Two gateways: players that lose one reconnect through the other.
#include <array>
#include <cstdio>

#include "cluster.hpp"

namespace perigee::process_test {
namespace {

struct TwoGateways : ACluster {
  static constexpr int bots_there = 10;
  static constexpr std::array<unsigned, 2> gateways{100, 181};

  Child& start_gateway(unsigned index) {
    return start(PERIGEE_GATEWAY_BINARY, {"--gateway-index", std::to_string(index)});
  }
  double playing_at(unsigned gateway) const {
    return series(gateways[gateway], "perigee_gateway_sessions_playing");
  }
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
  start_directory();
  Child& first = start_gateway(0);
  start_gateway(1);
  start(PERIGEE_SIM_BINARY, {"--index", "0"});
  start(PERIGEE_SIM_BINARY, {"--index", "1"});
  start(PERIGEE_SESSION_BINARY);
  for (const unsigned port : {102U, 100U, 181U, 110U, 111U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  Child players(bots({"--count", std::to_string(bots_there), "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing " + std::to_string(bots_there))) << players.output();
  const double at_first = playing_at(0);
  EXPECT_GT(at_first, 0);
  EXPECT_GT(playing_at(1), 0);
  EXPECT_EQ(at_first + playing_at(1), bots_there);
  ASSERT_TRUE(all_could_come_back()) << outputs();

  first.signal(SIGKILL);
  first.wait();
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

}  // namespace
}  // namespace perigee::process_test
