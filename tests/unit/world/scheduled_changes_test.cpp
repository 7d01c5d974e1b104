#include "perigee/world/scheduled_changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheScheduledChanges : public testing::Test {
 protected:
  Records world;
  NeighbourGrid grid{world.setup.limits};
  EntityNews news{world.table, world.motions, world.now};
  GameCalls calls{world.table, world.now};
  std::unique_ptr<PhysicsWorld> physics = make_bullet_world(16);
  LivelyEntities lively{{.entities = world.table,
                         .motions = world.motions,
                         .grid = grid,
                         .news = news,
                         .physics = *physics,
                         .now = world.now}};
  ScheduledChanges changes{
      {.entities = world.table, .lively = lively, .calls = calls, .now = world.now}};
};

TEST_F(TheScheduledChanges, AreAnnouncedOnceAndRouseTheirObject) {
  EntityRecord& door = world.add(Records::door, {});
  lively.settle(door, world.now);
  const TimelineChange open = changes.propose(door.entity.handle, world.now, 1, 30);
  EXPECT_EQ(changes.announce(open), TimelineLog::Added::Stored);
  EXPECT_EQ(changes.announce(open), TimelineLog::Added::Duplicate);
  EXPECT_FALSE(door.still);
  EXPECT_THAT(lively.list(), testing::ElementsAre(&door));
  std::vector<TimelineChange> out;
  changes.take_announced(out);
  EXPECT_EQ(out.size(), 1U);
  changes.take_announced(out);
  EXPECT_THAT(out, testing::IsEmpty());
}

TEST_F(TheScheduledChanges, AreProposedAfterAllAnnouncedOnes) {
  const Handle door = world.add(Records::door, {}).entity.handle;
  const TimelineChange late = changes.propose(door, world.now + 100, 1, 30);
  changes.announce(late);
  const TimelineChange next = changes.propose(door, world.now, 0, 30);
  EXPECT_EQ(next.effect, late.effect + 1);
  EXPECT_EQ(next.version, late.version + 1);
}

TEST_F(TheScheduledChanges, AreRefusedForOtherEntitiesAndForThePast) {
  EntityRecord& box = world.add(Records::box, {});
  const Handle door = world.add(Records::door, {}).entity.handle;
  EXPECT_EQ(changes.log(box.entity.handle), nullptr);
  EXPECT_EQ(changes.announce({.object = box.entity.handle}), TimelineLog::Added::TooOld);
  TimelineChange past = changes.propose(door, world.now, 1, 0);
  past.effect = world.now - 1;
  EXPECT_EQ(changes.announce(past), TimelineLog::Added::TooOld);
  EXPECT_EQ(calls.faults().total(), 2U);
}

}  // namespace
}  // namespace perigee::world
