// A user's own game on a cluster's workers, as described in docs/your_first_game.md.
#include "process/cluster/cluster.hpp"

namespace perigee::process_test {
namespace {

using AGameOfOnesOwn = ACluster;

TEST_F(AGameOfOnesOwn, RunsOnAWorkerOfThreeLines) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"});
  Child& worker = start(PERIGEE_FIRST_GAME_SIM_BINARY);
  ASSERT_TRUE(worker.says("ready name=sim-0")) << worker.output();
  EXPECT_THAT(http_get(base + 110, "/metrics"), testing::HasSubstr("perigee_sim_ticks_total "));
  Child& of_another_game = start(PERIGEE_SIM_BINARY, {"--index", "1"});
  EXPECT_TRUE(of_another_game.says("run another game")) << of_another_game.output();
}

}  // namespace
}  // namespace perigee::process_test
