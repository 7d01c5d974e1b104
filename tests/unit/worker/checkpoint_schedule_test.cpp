// When checkpoints are taken, and by which workers. (R6)
#include "perigee/worker/checkpoint_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::worker {
namespace {

constexpr Tick boundary{100 * cut_every_ticks};

/// Two workers, of which the first owns the only region.
struct ACutSchedule : testing::Test {
  ACutSchedule() {
    map.workers = {{.slot = 1, .alive = true}, {.slot = 2, .alive = true}};
    map.regions = {{.region = 1, .owner = WorkerSlot{1}}};
    schedule.on_map();
  }
  ClusterMap map;
  ClusterView cluster{map, 1};
  CutSchedule schedule{cluster};
};

TEST_F(ACutSchedule, IsDueAtEachBoundaryOnceTheWorkersHaveBeenTheSameForLong) {
  EXPECT_FALSE(schedule.due(boundary)) << "the set of workers is new";
  EXPECT_FALSE(schedule.due(boundary + CutSchedule::same_workers_ticks)) << "no boundary";
  EXPECT_TRUE(schedule.due(boundary + cut_every_ticks));
  EXPECT_THAT(schedule.slots(), testing::ElementsAre(1, 2));
}

TEST_F(ACutSchedule, WaitsAgainWhenAWorkerEnds) {
  schedule.due(boundary);
  const Tick next = boundary + cut_every_ticks;
  map.workers[1].alive = false;
  schedule.on_map();
  EXPECT_FALSE(schedule.due(next));
  EXPECT_TRUE(schedule.due(next + cut_every_ticks));
  EXPECT_THAT(schedule.slots(), testing::ElementsAre(1));
}

TEST_F(ACutSchedule, DoesNotWaitAgainForAMapWithTheSameWorkers) {
  schedule.due(boundary);
  schedule.on_map();
  EXPECT_TRUE(schedule.due(boundary + cut_every_ticks));
}

TEST_F(ACutSchedule, IsNotDueWhileARegionHasNoOwner) {
  schedule.due(boundary);
  map.regions[0].owner.reset();
  EXPECT_FALSE(schedule.due(boundary + cut_every_ticks));
}

// A worker without a world has no ticks of its own: it is asked at any time.
TEST_F(ACutSchedule, TellsAnIdleWorkerOfEachBoundaryOnce) {
  EXPECT_EQ(schedule.idle(boundary + 5), std::nullopt) << "the first call only notes the time";
  EXPECT_EQ(schedule.idle(boundary + 6), std::nullopt);
  const Tick next = boundary + cut_every_ticks;
  EXPECT_EQ(schedule.idle(next + 3), next);
  EXPECT_EQ(schedule.idle(next + 4), std::nullopt);
}

}  // namespace
}  // namespace perigee::worker
