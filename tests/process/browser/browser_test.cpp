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
  Child player({"/usr/bin/env", "node", PERIGEE_BROWSER_TESTS "/play.mjs", PERIGEE_BROWSER_DIST,
                token_file(folder, base), "4"});
  ASSERT_EQ(player.wait(), 0) << player.output() << outputs();
  unsigned tick = 0;
  double joined_ms = 0, walked_m = 0;
  int corrections = -1;
  ASSERT_EQ(std::sscanf(player.output().c_str(),
                        "playing at tick %u, joined in %lf ms, walked %lf m, %d corrections", &tick,
                        &joined_ms, &walked_m, &corrections),
            4)
      << player.output();
  EXPECT_GT(walked_m, 4) << "four seconds of walking";
  EXPECT_EQ(corrections, 0) << player.output();
  EXPECT_NE(player.output().find("character"), std::string::npos) << player.output();
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
