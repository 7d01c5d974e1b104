#include "perigee/world/drawn_world.hpp"

#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

class TheDrawnWorld : public testing::Test {
 protected:
  Records world;
  NeighbourGrid grid{world.setup.limits};
  DrawnWorld drawn{{.entities = world.table, .motions = world.motions, .grid = grid}};
  DrawnAt at{.view = Tick{990}, .part = 0.5, .own = Tick{1000}};

  EntityRecord& moving_box() {
    EntityRecord& box = world.add(Records::box, {});
    for (std::uint32_t i = 0; i <= 20; ++i) {
      box.motions->claim(Tick{980 + i}) = {.pose = {{i * 1.0, 0, 0}, {}}};
    }
    return box;
  }
};

TEST_F(TheDrawnWorld, HasBodiesBetweenTwoTicksAndASteeredOneAtItsOwn) {
  const Handle box = moving_box().entity.handle;
  EXPECT_EQ(drawn.pose(box, at)->position.x, 10.5);
  at.steered = box;
  EXPECT_EQ(drawn.pose(box, at)->position.x, 20);
}

TEST_F(TheDrawnWorld, KeepsAnActorThatTeleportedAtItsOldPlace) {
  EntityRecord& actor = world.add(Records::walker, {});
  actor.drawn->claim(Tick{990}) = {no_entity, {1, 0, 0}, {}};
  actor.drawn->claim(Tick{991}) = {no_entity, {2, 0, 0}, {}};
  EXPECT_EQ(drawn.pose(actor.entity.handle, at)->position.x, 1.5);
  actor.drawn->claim(Tick{991}) = {no_entity, {200, 0, 0}, {}};
  EXPECT_EQ(drawn.pose(actor.entity.handle, at)->position.x, 1);
}

TEST_F(TheDrawnWorld, IsHitWhereItWasDrawn) {
  const EntityRecord& box = moving_box();
  const EntityRecord& behind = world.add(Records::ground, {0, -10, 0});
  const auto shoot = [&](double x) {
    return drawn.cast({x, 5, 0}, {0, -1, 0}, 100, no_entity, at);
  };
  for (const bool filed : {false, true}) {
    if (filed) {
      grid.begin(world.now);
      grid.add(box, {{19, -1, -1}, {21, 1, 1}});
      grid.add(behind, *world.motions.bounds_over(behind, world.now));
    }
    ASSERT_TRUE(shoot(10.5));
    EXPECT_EQ(shoot(10.5)->entity, box.entity.handle);
    EXPECT_EQ(shoot(10.5)->away_m, 4.5);
    ASSERT_TRUE(shoot(0));
    EXPECT_EQ(shoot(0)->entity, behind.entity.handle);
    EXPECT_FALSE(shoot(20));
  }
}

}  // namespace
}  // namespace perigee::world
