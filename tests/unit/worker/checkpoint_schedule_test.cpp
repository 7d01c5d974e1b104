// When checkpoints are taken, and by which workers. (R6)
#include "perigee/worker/durability/checkpoint_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::worker {
namespace {

constexpr Tick boundary{100 * checkpoint_every_ticks};

/// Two workers, of which the first owns the only region.
struct ACheckpointSchedule : testing::Test {
  ACheckpointSchedule() {
    map.workers = {{.slot = WorkerSlot{1}, .alive = true}, {.slot = WorkerSlot{2}, .alive = true}};
    map.regions = {{.region = RegionId{1}, .owner = WorkerSlot{1}}};
    schedule.on_map();
  }
  ClusterMap map;
  ClusterView cluster{map, WorkerSlot{1}};
  CheckpointSchedule schedule{cluster};
};

TEST_F(ACheckpointSchedule, IsDueAtEachBoundaryOnceTheWorkersHaveBeenTheSameForLong) {
  EXPECT_FALSE(schedule.due(boundary)) << "the set of workers is new";
  EXPECT_FALSE(schedule.due(boundary + CheckpointSchedule::same_workers_ticks)) << "no boundary";
  EXPECT_TRUE(schedule.due(boundary + checkpoint_every_ticks));
  EXPECT_THAT(schedule.slots(), testing::ElementsAre(WorkerSlot{1}, WorkerSlot{2}));
}

TEST_F(ACheckpointSchedule, WaitsAgainWhenAWorkerEnds) {
  schedule.due(boundary);
  const Tick next = boundary + checkpoint_every_ticks;
  map.workers[1].alive = false;
  schedule.on_map();
  EXPECT_FALSE(schedule.due(next));
  EXPECT_TRUE(schedule.due(next + checkpoint_every_ticks));
  EXPECT_THAT(schedule.slots(), testing::ElementsAre(WorkerSlot{1}));
}

TEST_F(ACheckpointSchedule, DoesNotWaitAgainForAMapWithTheSameWorkers) {
  schedule.due(boundary);
  schedule.on_map();
  EXPECT_TRUE(schedule.due(boundary + checkpoint_every_ticks));
}

TEST_F(ACheckpointSchedule, IsNotDueWhileARegionHasNoOwner) {
  schedule.due(boundary);
  map.regions[0].owner.reset();
  EXPECT_FALSE(schedule.due(boundary + checkpoint_every_ticks));
}

// A worker without a world has no ticks of its own: it is asked at any time.
TEST_F(ACheckpointSchedule, TellsAnIdleWorkerOfEachBoundaryOnce) {
  EXPECT_EQ(schedule.idle(boundary + 5), std::nullopt) << "the first call only notes the time";
  EXPECT_EQ(schedule.idle(boundary + 6), std::nullopt);
  const Tick next = boundary + checkpoint_every_ticks;
  EXPECT_EQ(schedule.idle(next + 3), next);
  EXPECT_EQ(schedule.idle(next + 4), std::nullopt);
}

}  // namespace
}  // namespace perigee::worker
