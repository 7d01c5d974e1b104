#include "perigee/world/neighbour_queries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheNeighbourQueries : public testing::Test {
 protected:
  Records world;
  NeighbourGrid grid{world.setup.limits};
  NeighbourQueries queries{{.entities = world.table,
                            .motions = world.motions,
                            .grid = grid,
                            .now = world.now,
                            .parenting = {}}};

  static Bounds around(const Vec3& at) { return inflated({at, at}, 2); }
  std::vector<Handle> gather(Handle self = no_entity) {
    Neighbours out;
    queries.gather(no_entity, around({}), world.now, self, out);
    std::vector<Handle> ids;
    for (const Neighbour& neighbour : out) ids.push_back(neighbour.id);
    return ids;
  }
};

TEST_F(TheNeighbourQueries, FindTheSameWithTheGridAndWithoutIt) {
  const EntityRecord& ground = world.add(Records::ground, {});
  const EntityRecord& actor = world.add(Records::walker, {0, 1, 0});
  const EntityRecord& far = world.add(Records::walker, {9, 1, 0});
  const auto expected = testing::ElementsAre(ground.entity.handle, actor.entity.handle);
  EXPECT_THAT(gather(), expected);
  grid.begin(world.now);
  for (const EntityRecord* r : {&far, &actor, &ground}) {
    grid.add(*r, *world.motions.bounds_over(*r, world.now));
  }
  EXPECT_THAT(gather(), expected);
  EXPECT_THAT(gather(actor.entity.handle), testing::ElementsAre(ground.entity.handle));
}

TEST_F(TheNeighbourQueries, KeepTheNearestOfTooMany) {
  for (int i = 0; i < 30; ++i) world.add(Records::walker, {1.5 - 0.05 * i, 0, 0});
  Neighbours out;
  EXPECT_EQ(queries.gather(no_entity, around({}), world.now, no_entity, out), 6U);
  EXPECT_EQ(out.size(), neighbours_max);
  for (const Neighbour& neighbour : out) EXPECT_LT(neighbour.pose.position.x, 1.5 - 0.05 * 5);
}

TEST_F(TheNeighbourQueries, OfParentsContainTheCurrentOneAlways) {
  const Handle ground = world.add(Records::ground, {}).entity.handle;
  const Handle box = world.add(Records::box, {1000, 0, 0}).entity.handle;
  ParentCandidates out;
  queries.parent_candidates({0, 1, 0}, world.now, box, out);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].handle, box);
  EXPECT_EQ(out[1].handle, ground);
  queries.parent_candidates({1000, 0, 0}, world.now, no_entity, out);
  EXPECT_EQ(out.size(), 0U);
}

TEST_F(TheNeighbourQueries, OfDistanceListOwnEntitiesById) {
  EntityRecord& first = world.add(Records::door, {});
  EntityRecord& second = world.add(Records::door, {});
  EntityRecord& remote = world.add(Records::door, {});
  world.table.set_remote(remote, true);
  for (EntityRecord* r : {&second, &first, &remote}) {
    grid.add_door(*r, world.motions.path_bounds(*r));
  }
  std::vector<Handle> found;
  queries.doors_within({}, 5, found);
  EXPECT_THAT(found, testing::ElementsAre(first.entity.handle, second.entity.handle));
  queries.doors_within({100, 0, 0}, 5, found);
  EXPECT_THAT(found, testing::IsEmpty());
  const Handle ground = world.add(Records::ground, {}).entity.handle;
  queries.parents_within({12, 0, 0}, 3, found);
  EXPECT_THAT(found, testing::ElementsAre(ground));
  queries.parents_within({12, 0, 0}, 1, found);
  EXPECT_THAT(found, testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::world
