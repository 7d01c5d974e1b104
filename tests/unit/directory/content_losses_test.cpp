// Where the content of a lost region comes from: another worker, a new creation, or the last
// checkpoint.
#include "perigee/directory/content_losses.hpp"

#include "components.hpp"
#include "perigee/directory/region_assignment.hpp"

namespace perigee::directory {
namespace {

struct ALoss : Components {
  void three_owners() {
    Components::three_owners();
    pass(one_second);
  }
  void end(WorkerSlot i) {
    members.end_worker(i);
    losses.lose_all(now_us, i);
    losses.judge();
  }
  RegionAssignment assignment{{.map = map,
                               .members = members,
                               .regions = regions,
                               .losses = losses,
                               .workers = 2,
                               .settle_us = 5 * one_second}};
};

TEST_F(ALoss, IsUndecidedUntilALaterHeartbeatOfAWorkerWithContent) {
  three_owners();
  end(WorkerSlot{0});
  EXPECT_TRUE(losses.undecided(RegionId{0}));
  assignment.assign(now_us);
  EXPECT_EQ(region(0).owner, std::nullopt);
  pass(one_second);
  beat(1);
  assignment.assign(now_us);
  EXPECT_FALSE(losses.undecided(RegionId{0}));
  EXPECT_TRUE(region(0).owner);
  EXPECT_FALSE(region(0).from_checkpoint) << "the world lives on, and may have some of it";
}

TEST_F(ALoss, OfAllContentIsRestoredFromTheCheckpoint) {
  three_owners();
  for (const WorkerSlot i : {WorkerSlot{0}, WorkerSlot{1}, WorkerSlot{2}}) end(i);
  for (const RegionEntry& each : map.regions) {
    EXPECT_FALSE(losses.undecided(each.region));
    EXPECT_TRUE(each.from_checkpoint);
  }
}

TEST_F(ALoss, IsNotJudgedByHeartbeatsThatAStallDelayed) {
  three_owners();
  end(WorkerSlot{0});
  losses.forgive_stall(now_us + 3 * one_second, 3 * one_second);
  pass(2 * one_second);
  beat(1);
  losses.judge();
  EXPECT_TRUE(losses.undecided(RegionId{0}));
  pass(2 * one_second);
  beat(1);
  losses.judge();
  EXPECT_FALSE(losses.undecided(RegionId{0}));
}

TEST_F(ALoss, OfARegionThatNeverCameToItsOwnerIsNoLoss) {
  three_owners();
  const HandleBase block = base_of(HandleBlock{9}, handles_per_worker);
  map.workers[0].handle_base = block;
  map.workers[0].standby = WorkerSlot{1};
  losses.begin_incarnation(std::nullopt, block);
  regions.hand_over(now_us, RegionId{1}, WorkerSlot{0});
  report(1, {.entities = 5, .regions = {{RegionId{1}, 5}}});
  members.end_worker(WorkerSlot{0});
  losses.lose(now_us, RegionId{1});
  EXPECT_FALSE(losses.undecided(RegionId{1}));
  EXPECT_TRUE(region(1).owner) << "another worker still has the content";
  EXPECT_NE(region(1).owner, WorkerSlot{0});
  EXPECT_NE(region(1).created_epoch, region(1).epoch);
}

TEST_F(ALoss, OfARegionThatItsOwnerMayHaveIsOne) {
  three_owners();
  const HandleBase block = base_of(HandleBlock{9}, handles_per_worker);
  map.workers[0].handle_base = block;
  map.workers[0].standby = WorkerSlot{1};
  losses.begin_incarnation(std::nullopt, block);
  losses.note_takes(block);
  regions.hand_over(now_us, RegionId{1}, WorkerSlot{0});
  report(1, {.entities = 5, .regions = {{RegionId{1}, 5}}});
  members.end_worker(WorkerSlot{0});
  losses.lose(now_us, RegionId{1});
  EXPECT_TRUE(losses.undecided(RegionId{1}));
  EXPECT_EQ(region(1).owner, std::nullopt);
}

TEST_F(ALoss, AWorkerHasContentIfItOwnsARegionThatIsNotLostOrHasEntities) {
  three_owners();
  join(3);
  EXPECT_TRUE(losses.has_content(WorkerSlot{0}));
  EXPECT_FALSE(losses.has_content(WorkerSlot{3}));
  report(3, {.entities = 1});
  EXPECT_TRUE(losses.has_content(WorkerSlot{3}));
  members.end_worker(WorkerSlot{3});
  EXPECT_FALSE(losses.has_content(WorkerSlot{3}));
}

TEST_F(ALoss, DeadOwnersKeepTheirRegionsWhileNoOtherWorkerSendsHeartbeats) {
  three_owners();
  for (const WorkerSlot i : {WorkerSlot{0}, WorkerSlot{1}, WorkerSlot{2}}) members.end_worker(i);
  pass(6 * one_second);
  assignment.assign(now_us);
  for (const WorkerSlot i : worker_slots(3))
    EXPECT_EQ(region_of(i).owner, i) << "they may all come back";
  join(3);
  assignment.assign(now_us);
  for (std::uint32_t id = 0; id < 3; ++id) {
    EXPECT_EQ(region(id).owner, WorkerSlot{3});
    EXPECT_TRUE(region(id).from_checkpoint) << "all content was lost at once";
  }
}

TEST_F(ALoss, ANewWorldsRegionsWaitForEnoughWorkersButNotForLong) {
  join(0);
  assignment.assign(now_us);
  EXPECT_EQ(region(0).owner, std::nullopt);
  assignment.assign(now_us + 5 * one_second);
  EXPECT_EQ(regions.owned_by(WorkerSlot{0}).size(), 3U);
}

TEST_F(ALoss, ANewWorldsRegionsAreSharedOutAmongItsWorkers) {
  join(0);
  join(1);
  assignment.assign(now_us);
  EXPECT_EQ(regions.owned_by(WorkerSlot{0}).size(), 2U);
  EXPECT_EQ(regions.owned_by(WorkerSlot{1}).size(), 1U);
}

}  // namespace
}  // namespace perigee::directory
