#include "perigee/world/lively_entities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheLively : public testing::Test {
 protected:
  Records world;
  NeighbourGrid grid{world.setup.limits};
  EntityNews news{world.table, world.motions, world.now};
  std::unique_ptr<PhysicsWorld> physics = make_bullet_world(16);
  LivelyEntities lively{{.entities = world.table,
                         .motions = world.motions,
                         .grid = grid,
                         .news = news,
                         .physics = *physics,
                         .now = world.now}};

  EntityRecord& add(TypeId type, const Vec3& at = {}) {
    EntityRecord& made = world.add(type, at);
    lively.enliven(made);
    return made;
  }
  void advance() {
    const Tick before = world.now;
    world.now = before + 1;
    lively.index(before);
  }
  std::size_t found_at(const Vec3& at) const {
    std::size_t found = 0;
    grid.find(inflated({at, at}, 0.1), [&](const EntityRecord&) { ++found; });
    return found;
  }
};

TEST_F(TheLively, AreByEntityId) {
  EntityRecord& first = world.add(Records::box, {});
  EntityRecord& second = world.add(Records::box, {});
  lively.enliven(second);
  lively.enliven(first);
  lively.enliven(first);
  EXPECT_THAT(lively.list(), testing::ElementsAre(&first, &second));
}

TEST_F(TheLively, LeaveStaticsSettledDoorsAndWheelsOut) {
  EntityRecord& ground = add(Records::ground);
  EntityRecord& door = add(Records::door);
  EntityRecord& wheel = add(Records::wheel);
  EntityRecord& walker = add(Records::walker);
  advance();
  EXPECT_THAT(lively.list(), testing::ElementsAre(&walker));
  EXPECT_TRUE(ground.still && door.still);
  EXPECT_TRUE(wheel.rounds && !wheel.still);
}

TEST_F(TheLively, KeepEntitiesAtRestInTheGrid) {
  EntityRecord& box = world.add(Records::box, {5, 0, 0});
  lively.settle(box, world.now);
  advance();
  EXPECT_EQ(found_at({5, 0, 0}), 1U);
  lively.rouse(box);
  EXPECT_EQ(found_at({5, 0, 0}), 1U) << "until the next tick is filed";
  EXPECT_THAT(lively.list(), testing::ElementsAre(&box));
  EXPECT_NE(box.motions->find(world.now), nullptr);
}

TEST_F(TheLively, DropMotionsFromBeforeARestInTime) {
  EntityRecord& box = world.add(Records::box, {});
  lively.settle(box, world.now);
  for (std::int32_t i = 0; i <= timeline_look_back_ticks; ++i) advance();
  EXPECT_NE(box.motions, nullptr);
  advance();
  EXPECT_EQ(box.motions, nullptr);
  EXPECT_FALSE(box.still->since);
  lively.rouse(box);
  EXPECT_NE(box.motions->find(world.now - 63), nullptr);
}

TEST_F(TheLively, ForgetWhatIsRemoved) {
  EntityRecord& box = world.add(Records::box, {5, 0, 0});
  lively.settle(box, world.now);
  EntityRecord& walker = add(Records::walker, {5, 0, 0});
  lively.remove(box);
  lively.remove(walker);
  world.table.remove(box);
  world.table.remove(walker);
  advance();
  EXPECT_EQ(found_at({5, 0, 0}), 0U);
  EXPECT_THAT(lively.list(), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::world
