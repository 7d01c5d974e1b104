// A browser's side of the cluster: the WebAssembly client in node, over UDP.
#include <cstdio>

#include "process/cluster/cluster.hpp"
#include "process/cluster/token_file.hpp"

namespace perigee::process_test {
namespace {

class APlayerInWebAssembly : public ACluster {
 protected:
  void SetUp() override {
    Child node({"/bin/sh", "-c", "command -v node"});
    if (node.wait() != 0) GTEST_SKIP() << "node is not installed (package nodejs)";
  }
};

TEST_F(APlayerInWebAssembly, JoinsAndWalksWithoutACorrection) {
  start_all();
  int corrections = -1;
  for (int i = 0; i < 3 && corrections != 0; ++i) {  // a busy machine may stop the player for long
    Child player({"/usr/bin/env", "node", PERIGEE_BROWSER_TESTS "/play.mjs", PERIGEE_BROWSER_DIST,
                  token_file(folder, base), "3"});
    ASSERT_EQ(player.wait(), 0) << player.output() << outputs();
    unsigned tick = 0, rested_ticks = 0;
    double joined_ms = 0, walked_m = 0;
    ASSERT_EQ(std::sscanf(player.output().c_str(),
                          "playing at tick %u, joined in %lf ms, walked %lf m, %d corrections, %u",
                          &tick, &joined_ms, &walked_m, &corrections, &rested_ticks),
              5)
        << player.output();
    EXPECT_GT(walked_m, 3) << "three seconds of walking";
    EXPECT_GE(rested_ticks, 30U) << "datagrams keep a session alive that nobody draws";
    EXPECT_NE(player.output().find("character"), std::string::npos) << player.output();
  }
  EXPECT_EQ(corrections, 0);
}

TEST_F(APlayerInWebAssembly, IsToldWhenItsTokenIsNone) {
  std::ofstream(folder / "token") << "no token";
  Child player({"/usr/bin/env", "node", PERIGEE_BROWSER_TESTS "/play.mjs", PERIGEE_BROWSER_DIST,
                (folder / "token").string(), "1"});
  EXPECT_EQ(player.wait(), 1);
  EXPECT_NE(player.output().find("these 8 bytes are no connect token; log in again"),
            std::string::npos)
      << player.output();
}

}  // namespace
}  // namespace perigee::process_test
