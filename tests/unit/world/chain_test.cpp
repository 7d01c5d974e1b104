/// Roots of chains, and the joints that hold bodies together.
#include "perigee/world/chain.hpp"

#include <gtest/gtest.h>

#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

EntityId id(std::uint32_t ordinal) { return make_entity_id(1, Tick{}, ordinal); }

// K19: a controlled one first, else the heaviest
TEST(AChainsRoot, IsTheLowestThatAnyPlayerControlsElseTheHeaviest) {
  std::vector<ChainMember> members{
      {id(1), 11, 300, false}, {id(2), 12, 500, false}, {id(3), 13, 500, false}};
  EXPECT_EQ(chain_root(members), 12U);
  members[2].controlled = true;
  EXPECT_EQ(chain_root(members), 13U);
  members[0].controlled = true;
  EXPECT_EQ(chain_root(members), 11U);
  EXPECT_EQ(chain_root({}), no_entity);
}

TEST(AChainsRoot, IsTheSameWhateverTheOrder) {
  const ChainMember a{id(1), 11, 300, false};
  const ChainMember b{id(2), 12, 300, false};
  EXPECT_EQ(chain_root(std::vector{a, b}), chain_root(std::vector{b, a}));
}

struct AWorldWithJoints : testing::Test {
  std::vector<EntityType> types{{.id = 0,
                                 .name = "link",
                                 .kind = EntityKind::Body,
                                 .shape = make_shape({{.half = {0.9, 0.2, 0.2}}}),
                                 .mass_kg = 100},
                                {.id = 1,
                                 .name = "rock",
                                 .kind = EntityKind::Static,
                                 .shape = make_shape({{.half = {1, 1, 1}}})}};
  World world{{.types = types}};

  Handle link(std::uint32_t ordinal) {
    return world.spawn({.id = id(ordinal), .local = {{2.0 * ordinal, 0, 0}, {}}});
  }
  bool hold(Handle a, Handle b) {
    return world.add_hinge({.a = a,
                            .b = b,
                            .frame_a = {{1, 0, 0}, {}},
                            .frame_b = {{-1, 0, 0}, {}},
                            .motor_n_m = 500});
  }
};

TEST_F(AWorldWithJoints, KnowsWhatHangsTogether) {
  const Handle a = link(0), b = link(1), c = link(2), d = link(3), e = link(4), f = link(5);
  EXPECT_TRUE(hold(b, c));
  EXPECT_TRUE(hold(a, b));
  EXPECT_TRUE(hold(c, a));  // a cycle is one chain, too
  EXPECT_TRUE(hold(e, d));
  ASSERT_EQ(world.chains().size(), 2U);
  EXPECT_EQ(world.chains()[0], (std::vector<Handle>{a, b, c}));
  EXPECT_EQ(world.chains()[1], (std::vector<Handle>{d, e}));
  EXPECT_FALSE(world.chained(a));  // only from the next step on
  world.step_bodies(world.now());
  EXPECT_TRUE(world.chained(a));
  EXPECT_TRUE(world.chained(e));
  EXPECT_FALSE(world.chained(f));
}

TEST_F(AWorldWithJoints, HoldsOwnBodiesOnce) {
  const Handle a = link(0), b = link(1);
  const Handle rock = world.spawn({.id = id(9), .type = 1});
  EXPECT_FALSE(hold(a, rock));
  EXPECT_FALSE(hold(a, a));
  EXPECT_FALSE(hold(a, 4711));
  EXPECT_TRUE(hold(a, b));
  EXPECT_FALSE(hold(a, b));
  EXPECT_FALSE(world.drive_hinge(a, b, 1));  // not in physics yet
  world.step_bodies(world.now());
  EXPECT_TRUE(world.drive_hinge(a, b, 1));
  for (int i = 0; i < 60; ++i) world.step_bodies(world.now());
  const Pose bent = relative(*world.pose(a, world.now()), *world.pose(b, world.now()));
  EXPECT_GT(length(rotation_vector(bent.rotation)), 0.3);
  EXPECT_LT(distance(transform(bent, {-1, 0, 0}), {1, 0, 0}), 0.02);  // still attached
}

TEST_F(AWorldWithJoints, LetsGoWhenABodyIsGone) {
  const Handle a = link(0), b = link(1), c = link(2);
  hold(a, b);
  hold(b, c);
  world.step_bodies(world.now());
  world.despawn(b);
  world.step_bodies(world.now());
  EXPECT_FALSE(world.chained(a));
  EXPECT_FALSE(world.chained(c));
  EXPECT_TRUE(world.chains().empty());
}

}  // namespace
}  // namespace perigee::world
