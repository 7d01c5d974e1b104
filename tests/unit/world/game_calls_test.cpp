#include "perigee/world/game_calls.hpp"

#include <gtest/gtest.h>

#include "records.hpp"

namespace perigee::world {
namespace {

TEST(GameCallsOfAGame, NoteEachRefusalWithTypeAndTick) {
  Records world;
  GameCalls calls(world.table, world.now);
  const EntityRecord& box = world.add(Records::box, {});
  EXPECT_FALSE(calls.refuse(GameValue::Impulse, box));
  world.now = world.now + 1;
  EXPECT_FALSE(calls.refuse(GameValue::BodyName, Handle{99}));
  EXPECT_EQ(calls.faults().total(), 2U);
  const auto unsent = calls.faults().take_unsent();
  ASSERT_EQ(unsent.size(), 2U);
  EXPECT_EQ(unsent[0],
            (GameFault{GameValue::Impulse, Records::box, box.entity.handle, Tick{1000}}));
  EXPECT_EQ(unsent[1], (GameFault{GameValue::BodyName, GameFault::no_type, 99, Tick{1001}}));
}

TEST(GameCallsOfAGame, RunFromBeginToEnd) {
  Records world;
  GameCalls calls(world.table, world.now);
  EXPECT_FALSE(calls.running());
  calls.begin();
  EXPECT_TRUE(calls.running());
  calls.end();
  EXPECT_FALSE(calls.running());
}

}  // namespace
}  // namespace perigee::world
