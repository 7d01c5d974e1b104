#include "perigee/world/entity_news.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheNews : public testing::Test {
 protected:
  Records world;
  EntityNews news{world.table, world.motions, world.now};
  std::vector<Handle> visited, gone;

  void take(std::vector<EntityRecord*> lively = {}) {
    visited.clear();
    gone.clear();
    news.take(
        lively,
        [&](const Entity& entity, const Motion&, const Bounds&) {
          visited.push_back(entity.handle);
        },
        [&](Handle handle) { gone.push_back(handle); });
  }
};

TEST_F(TheNews, AreOfLivelyOwnEntitiesEachTime) {
  EntityRecord& own = world.add(Records::box, {});
  EntityRecord& remote = world.add(Records::box, {});
  world.table.set_remote(remote, true);
  for (int i = 0; i < 2; ++i) {
    take({&own, &remote});
    EXPECT_THAT(visited, testing::ElementsAre(own.entity.handle));
    EXPECT_THAT(gone, testing::IsEmpty());
  }
}

TEST_F(TheNews, AreOnceOfAnEntityThatCameToRest) {
  EntityRecord& box = world.add(Records::box, {});
  box.still = {.since = world.now, .at = {}, .bounds = {}};
  news.note_touched(box.entity.handle);
  news.note_touched(box.entity.handle);
  take();
  EXPECT_THAT(visited, testing::ElementsAre(box.entity.handle));
  take();
  EXPECT_THAT(visited, testing::IsEmpty());
}

TEST_F(TheNews, NameWhatIsGoneOrAnotherWorkers) {
  EntityRecord& given = world.add(Records::box, {});
  EntityRecord& removed = world.add(Records::box, {});
  const Handle handle = removed.entity.handle;
  world.table.set_remote(given, true);
  news.note_touched(given.entity.handle);
  world.table.remove(removed);
  news.note_gone(handle);
  take();
  EXPECT_THAT(gone, testing::UnorderedElementsAre(given.entity.handle, handle));
}

TEST_F(TheNews, ListTheCreatedOnce) {
  news.note_created(7);
  EXPECT_THAT(news.take_created(), testing::ElementsAre(7U));
  EXPECT_THAT(news.take_created(), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::world
