#include "perigee/world/entity_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

TEST(AnEntityTable, FindsByHandleOfItsOwnBlockAndOfOthers) {
  Records world;
  EntityRecord& own = world.add(Records::box, {});
  auto made = world.make(Records::box, {});
  made->entity.handle = 777;
  EntityRecord& foreign = world.table.add(std::move(made));
  EXPECT_EQ(world.table.find(own.entity.handle), &own);
  EXPECT_EQ(world.table.find(Handle{777}), &foreign);
  EXPECT_EQ(world.table.find(foreign.entity.id), &foreign);
  EXPECT_EQ(world.table.find(Handle{778}), nullptr);
  EXPECT_THAT(world.table.handle_blocks(), testing::ElementsAre(HandleBlock{1}, HandleBlock{7}));
  world.table.remove(foreign);
  EXPECT_EQ(world.table.find(Handle{777}), nullptr);
  EXPECT_THAT(world.table.handle_blocks(), testing::ElementsAre(HandleBlock{1}));
}

TEST(AnEntityTable, ListsByEntityIdWhateverTheOrderOfTheCalls) {
  Records world;
  auto first = world.make(Records::walker, {});
  auto second = world.make(Records::walker, {});
  const Handle of_first = first->entity.handle, of_second = second->entity.handle;
  EntityRecord& late = world.table.add(std::move(second));
  EntityRecord& early = world.table.add(std::move(first));
  EXPECT_THAT(world.table.actors(), testing::ElementsAre(&early, &late));
  EXPECT_THAT(world.table.handles(), testing::ElementsAre(of_first, of_second));
  world.table.remove(early);
  EXPECT_THAT(world.table.actors(), testing::ElementsAre(&late));
  EXPECT_THAT(world.table.handles(), testing::ElementsAre(of_second));
}

TEST(AnEntityTable, ListsEntitiesByWhatTheyAre) {
  Records world;
  EntityRecord& ground = world.add(Records::ground, {});
  world.add(Records::door, {});
  EntityRecord& part = world.add(Records::door, {}, ground.entity.handle);
  EXPECT_THAT(world.table.fields(), testing::ElementsAre(&ground));
  EXPECT_THAT(world.table.eligible(), testing::ElementsAre(&ground));
  EXPECT_THAT(world.table.attached(), testing::ElementsAre(&part));
}

TEST(AnEntityTable, CountsOwnAndRemoteEntitiesByType) {
  Records world;
  EntityRecord& box = world.add(Records::box, {});
  world.add(Records::box, {});
  world.table.set_remote(box, true);
  EXPECT_EQ(world.table.present()[Records::box].own, 1U);
  EXPECT_EQ(world.table.present()[Records::box].remote, 1U);
  world.table.remove(box);
  EXPECT_EQ(world.table.present()[Records::box].remote, 0U);
}

TEST(AnEntityTable, GrantsEachHandleOfItsBlockOnce) {
  Records world;
  for (Handle i = 0; i < 100; ++i) ASSERT_EQ(world.table.grant_handle(), 100 + i);
  EXPECT_FALSE(world.table.has_handles());
  EXPECT_EQ(world.table.grant_handle(), no_entity);
}

}  // namespace
}  // namespace perigee::world
