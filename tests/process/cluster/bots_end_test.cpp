// Exit codes and reports of bots that the cluster does not let play.
#include "process/cluster/cluster.hpp"

namespace perigee::process_test {
namespace {

class BotsOfACluster : public ACluster {
 protected:
  Child& begin(const std::string& seconds) {
    start_all();
    Child& playing = processes.emplace_back(bots({"--count", "4", "--seconds", seconds, "--json"}));
    EXPECT_TRUE(playing.says("playing 4")) << playing.output();
    return playing;
  }
};

TEST_F(BotsOfACluster, EndOnTimeAndFailWhenTheGatewayDies) {
  Child& playing = begin("6");
  std::next(processes.begin())->signal(SIGKILL);
  EXPECT_EQ(playing.wait(), 1) << playing.output();
  EXPECT_EQ(figure_of(playing.output(), "joined"), 4) << playing.output();
  EXPECT_EQ(figure_of(playing.output(), "silent") + figure_of(playing.output(), "disconnects"), 4)
      << playing.output();
}

TEST_F(BotsOfACluster, EndOnTimeAndFailWhenTheGatewayStands) {
  Child& playing = begin("5");
  std::next(processes.begin())->signal(SIGSTOP);
  EXPECT_EQ(playing.wait(), 1) << playing.output();
  EXPECT_EQ(figure_of(playing.output(), "silent") + figure_of(playing.output(), "disconnects"), 4)
      << playing.output();
  std::next(processes.begin())->signal(SIGCONT);
}

TEST_F(BotsOfACluster, EndAtOnceAndFailWhenAllAreLost) {
  Child& playing = begin("3600");
  for (const char* name : {"bot-0", "bot-1", "bot-2", "bot-3"}) {
    Child kick({PERIGEE_CTL_BINARY, "--tls-dir", "none", "--session",
                "127.0.0.1:" + std::to_string(base + 12), "--directory",
                "127.0.0.1:" + std::to_string(base + 11), "kick", name});
    EXPECT_EQ(kick.wait(), 0) << kick.output();
  }
  EXPECT_EQ(playing.wait(), 1) << playing.output();
  EXPECT_EQ(figure_of(playing.output(), "disconnects"), 4) << playing.output();
}

}  // namespace
}  // namespace perigee::process_test
