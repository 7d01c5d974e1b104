#include "perigee/world/entity_type.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "perigee/world/schema.hpp"

namespace perigee::world {
namespace {

class ATableWithGravity : public testing::Test {
 protected:
  ATableWithGravity() : types(2) {
    types[0] = {.id = 0,
                .name = "floor",
                .kind = EntityKind::Static,
                .shape = make_shape({{.half = {20, 0.5, 20}}}),
                .parent_eligible = true,
                .gravity = {{0, -9.81, 0}, {{-20, -5, -20}, {20, 30, 20}}}};
    types[1] = {
        .id = 1, .name = "person", .kind = EntityKind::Actor, .shape = actor_shape(ActorParams{})};
  }
  std::vector<EntityType> types;
};

TEST_F(ATableWithGravity, IsUsableIfActorsCanBeItsChildren) {
  const auto checked = check(types);
  EXPECT_TRUE(checked.ok()) << checked.error().message;
}

TEST_F(ATableWithGravity, IsRefusedWithTypeAndRemedyIfItWouldPullNoActor) {
  types[0].parent_eligible = false;
  const auto checked = check(types);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().message,
            "type 0 'floor' of the game's table has gravity and is no parent, so it would pull "
            "bodies, but no actors: set its parent_eligible = true");
  types[0].gravity.acceleration = {};
  EXPECT_TRUE(check(types).ok()) << "no gravity, no promise";
}

TEST_F(ATableWithGravity, MayPullBodiesAloneInAGameWithoutActors) {
  types[0].parent_eligible = false;
  types[1].kind = EntityKind::Body;
  types[1].mass_kg = 80;
  EXPECT_TRUE(check(types).ok());
}

TEST(AHashOfTypesDeathTest, EndsWithTheTypeThatHasNoShape) {
  const std::vector<EntityType> types{{.id = 0, .name = "cloud"}};
  StateHash hash;
  EXPECT_DEATH(add_types(hash, types), "type 0 'cloud' of the game's table has an invalid shape");
}

}  // namespace
}  // namespace perigee::world
