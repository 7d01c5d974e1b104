#include "perigee/directory/handle_blocks.hpp"

#include <gtest/gtest.h>

#include "cluster_model.hpp"

namespace perigee::directory {
namespace {

constexpr Micros minute = 60'000'000;

TEST(HandleBlocks, AreGrantedInTurnAndTheLongestUnnamedFirstAfterwards) {
  HandleBlocks blocks(0, 0);
  for (std::uint32_t n = 1; n <= handle_blocks_max; ++n) {
    ASSERT_EQ(blocks.next(0), HandleBlock{n});
    blocks.grant(HandleBlock{n}, 0);
  }
  EXPECT_EQ(blocks.next(0), std::nullopt);
  EXPECT_EQ(blocks.left(0), 0U);
  blocks.all_reported(true, 0);
  for (std::uint32_t n = 1; n <= handle_blocks_max; ++n) {
    if (n != 77 && n != 5) blocks.name(HandleBlock{n}, minute);
  }
  blocks.name(HandleBlock{77}, 10);
  blocks.name(HandleBlock{5}, 20);
  EXPECT_EQ(blocks.next(minute), std::nullopt) << "not for a minute yet";
  EXPECT_EQ(blocks.left(minute + 20), 2U);
  EXPECT_EQ(blocks.next(minute + 20), HandleBlock{77});
  blocks.grant(HandleBlock{77}, minute + 20);
  EXPECT_EQ(blocks.next(minute + 20), HandleBlock{5});
}

TEST(HandleBlocks, AreNotFreeWhileAWorkerDoesNotReportWhatItKnows) {
  HandleBlocks blocks(handle_blocks_max, 0);
  blocks.all_reported(true, 0);
  blocks.all_reported(true, minute / 2);
  blocks.all_reported(false, minute - 1);
  EXPECT_EQ(blocks.next(2 * minute), std::nullopt);
  blocks.all_reported(true, 2 * minute);
  EXPECT_EQ(blocks.next(3 * minute - 1), std::nullopt);
  EXPECT_TRUE(blocks.next(3 * minute).has_value());
}

/// All blocks have been granted, and only two workers are alive.
ClusterModel nearly_used_up() {
  ClusterModel model({.regions = 2, .workers = 2});
  model.start(0);
  for (std::uint32_t incarnation = 2; incarnation < handle_blocks_max; ++incarnation)
    model.start(0);
  model.start(1);
  EXPECT_EQ(model.workers[1].block, HandleBlock{handle_blocks_max});
  return model;
}

TEST(HandleBlocks, ComeBackToAClusterThatHasUsedThemUp) {
  ClusterModel model = nearly_used_up();
  model.things.push_back(
      {{100, 0, 0}, 0.02, HandleBlock{3}, WorkerSlot{1}});  // of a former incarnation, still alive
  EXPECT_FALSE(model.start(2));
  pass(model, 59);
  EXPECT_FALSE(model.start(2));
  pass(model, 4);
  EXPECT_EQ(model.core->handle_blocks_left(model.now_us), handle_blocks_max - 3)
      << "all but those of the living workers and of the living entity";
  ASSERT_TRUE(model.start(2));
  EXPECT_EQ(model.workers[2].block, HandleBlock{1});
  ASSERT_TRUE(model.start(3));
  EXPECT_EQ(model.workers[3].block, HandleBlock{2});
  ASSERT_TRUE(model.start(4));
  EXPECT_EQ(model.workers[4].block, HandleBlock{4}) << "3 is in use";
}

TEST(HandleBlocks, StayAwayWhileTheContentOfARegionIsLost) {
  ClusterModel model = nearly_used_up();
  pass(model, 50);
  model.kill(1);
  pass(model, 120);
  EXPECT_EQ(model.core->handle_blocks_left(model.now_us), 0U)
      << "sim-1 may come back with what it had, for an hour";
  pass(model, 3600);
  EXPECT_GT(model.core->handle_blocks_left(model.now_us), 0U);
  EXPECT_FALSE(model.core->heartbeat(model.now_us, MemberKind::Worker, 1, "sim-1", 7,
                                     model.workers[1].instance))
      << "and then not any more";
}

TEST(HandleBlocks, StayAwayWhileTheDirectoryHasJustBegun) {
  ClusterModel model = nearly_used_up();
  pass(model, 100);
  model.restart_directory();
  EXPECT_FALSE(model.start(2));
  pass(model, 50);
  EXPECT_FALSE(model.start(2));
  pass(model, 15);
  EXPECT_TRUE(model.start(2));
}

}  // namespace
}  // namespace perigee::directory
