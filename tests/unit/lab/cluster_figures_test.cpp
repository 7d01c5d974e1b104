#include "perigee/lab/cluster_figures.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct SomeClusterFigures : testing::Test, PlayerParts {
  ClusterFigures figures{{queue, processes, players, thin_players, stages, flights}};
};

TEST_F(SomeClusterFigures, BeginAnew) {
  stages.hold_us.push_back(3);
  start_players();
  run_for(second_us);
  figures.restart();
  EXPECT_TRUE(stages.hold_us.empty());
  EXPECT_EQ(figures.rolled_back(), 0U);
  EXPECT_FALSE(flights.worst());
}

TEST_F(SomeClusterFigures, CountThePlayersThatPlay) {
  EXPECT_EQ(figures.playing(), 0U);
  start_players();
  run_for(2 * second_us);
  EXPECT_EQ(connected(), 2U);
  EXPECT_EQ(figures.playing(), 0U) << "no worker gives them an avatar";
}

TEST_F(SomeClusterFigures, HaveAHashOfAllStates) {
  const std::uint64_t before = figures.hash();
  EXPECT_EQ(figures.hash(), before);
  processes.end(1);
  const std::uint64_t without_worker = figures.hash();
  EXPECT_NE(without_worker, before);
  start_players();
  EXPECT_NE(figures.hash(), without_worker);
}

}  // namespace
}  // namespace perigee::lab
