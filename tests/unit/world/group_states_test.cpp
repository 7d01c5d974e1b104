#include "perigee/world/group_states.hpp"

#include <gtest/gtest.h>

#include <array>

#include "parts.hpp"
#include "perigee/world/group.hpp"

namespace perigee::world {
namespace {

struct GroupParts : Parts {
  GroupStates states{{.entities = table,
                      .motions = motions,
                      .grid = grid,
                      .joints = joints,
                      .spawner = spawner,
                      .now = now}};
};

TEST(TheGroupStates, GoOnElsewhereWithTheirHistoryAndHinges) {
  GroupParts from, to;
  EntityRecord& a = from.spawn(Records::box, {});
  const EntityRecord& b = from.spawn(Records::box, {2, 0, 0});
  const std::array members{a.entity.handle, b.entity.handle};
  a.motions->claim(from.now - 1) = {.pose = {{-1, 0, 0}, {}}};
  from.joints.add({.a = members[0], .b = members[1]});
  const GroupPast group = from.states.extract(members);
  from.states.release(members);
  EXPECT_EQ(from.table.size(), 0U);
  EXPECT_TRUE(from.joints.all().empty());
  ASSERT_TRUE(to.states.insert(group));
  EXPECT_EQ(to.motions.pose(members[0], to.now - 1)->position.x, -1);
  EXPECT_EQ(to.joints.all().size(), 1U);
}

TEST(TheGroupStates, AreMovedOnIfTheyAreLateAndKeptIfTheyAreTooLate) {
  for (const std::int32_t late_ticks : {6, catch_up_ticks + 1}) {
    GroupParts from, to;
    EntityRecord& box = from.spawn(Records::box, {});
    box.motions->claim(from.now) = {.velocity = {6, 0, 0}};
    to.now = to.now + late_ticks;
    ASSERT_TRUE(to.states.insert(from.states.extract(std::array{box.entity.handle})));
    const auto pose = to.motions.pose(box.entity.handle, to.now);
    ASSERT_TRUE(pose);
    EXPECT_NEAR(pose->position.x, late_ticks == 6 ? 0.6 : 0, 1e-9);
  }
}

TEST(TheGroupStates, AreRefusedIfAnIdOrHandleIsTaken) {
  GroupParts from, to;
  const Handle box = from.spawn(Records::box, {}).entity.handle;
  const GroupPast group = from.states.extract(std::array{box});
  ASSERT_TRUE(to.states.insert(group));
  EXPECT_FALSE(to.states.insert(group)) << "its own now";
  to.remote.set_remote(box, true);
  EXPECT_TRUE(to.states.insert(group)) << "replaces a remote copy";
  EXPECT_FALSE(to.table.find(box)->entity.remote);
}

}  // namespace
}  // namespace perigee::world
