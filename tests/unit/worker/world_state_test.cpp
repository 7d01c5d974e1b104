// The world's state: one for all workers and clients, at any distance.
#include <gmock/gmock.h>

#include "pair.hpp"
#include "posts.hpp"

namespace perigee::worker {
namespace {

using world::SpawnRefusal;

/// Far from the border on both sides: nothing else is a ghost.
struct Scored {
  test::YardMischief mischief;
  test::YardOptions home, abroad;

  Scored() {
    home = yard_at_the_border({});
    home.center_x_m = border_x - 150 - 1'000;
    home.score = true;
    home.mischief = &mischief;
    abroad = home;
  }
  static void add_one(world::Journal& journal) {
    auto state = journal.world_state();
    ASSERT_TRUE(state);
    ++state->as<test::Post>().takes;
    EXPECT_EQ(journal.set_world_state(*state), SpawnRefusal::None);
  }
};

TEST(TheWorldsState, IsKnownToAllWorkersAndChangedByItsOwnerAlone) {
  Scored scored;
  int owners = 0, others = 0;
  scored.mischief.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 40) return;
    world::Journal& journal = context.journal();
    ASSERT_NE(journal.world_entity(), no_entity);
    if (context.owns_world()) {
      ++owners;
      Scored::add_one(journal);
    } else {
      ++others;
      EXPECT_TRUE(journal.world_state());
      EXPECT_EQ(journal.set_world_state(post_state({})), SpawnRefusal::NotOwned);
    }
  };
  Border border(scored.home, scored.abroad);
  border.step(46);
  EXPECT_EQ(owners, 1);
  EXPECT_EQ(others, 1);
  const Handle entity = border.there.core->world().world_entity();
  EXPECT_THAT(ghosts_of(*border.there.core), testing::ElementsAre(entity));
  EXPECT_EQ(post_of(*border.there.core, entity).takes, 1);
  border.step(400);
  EXPECT_THAT(ghosts_of(*border.there.core), testing::ElementsAre(entity)) << "it stays";
}

TEST(TheWorldsState, IsToldToEachPlayerOnceAndAfterEachChange) {
  Scored scored;
  scored.mischief.think = [&](world::ThinkContext& context) {
    if (context.tick() == Bench::start + 60) Scored::add_one(context.journal());
  };
  Bench bench(scored.home);
  bench.join();
  bench.stand(30);
  auto told = bench.sent<WorldStateEvent>();
  ASSERT_EQ(told.size(), 1U) << "also while it is initial";
  EXPECT_EQ(told[0].version, 0U);
  EXPECT_TRUE(told[0].game.empty());
  bench.stand(60);
  told = bench.sent<WorldStateEvent>();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[1].version, 1U);
  const world::GameStateCodec& codec = *bench.game.types()[test::score_row].state;
  world::GameState state;
  ASSERT_TRUE(codec.read(told[1].game, codec.initial, world::SeenBy::Everybody, state));
  EXPECT_EQ(state.as<test::Post>().takes, 1);
  EXPECT_EQ(told[1].identity, bench.core->world().find(bench.find(test::score_row))->id.bits);
  for (const SpawnEvent& spawn : bench.sent<SpawnEvent>()) EXPECT_NE(spawn.type, test::score_row);
}

TEST(TheWorldsState, ThatChangesInEachTickIsToldFifteenTimesASecond) {
  Scored scored;
  scored.mischief.think = [&](world::ThinkContext& context) {
    const std::int32_t at = ticks_between(Bench::start, context.tick());
    if (at > 30 && at <= 90) Scored::add_one(context.journal());
  };
  Bench bench(scored.home);
  bench.join();
  bench.stand(120);
  const auto told = bench.sent<WorldStateEvent>();
  EXPECT_THAT(told.size(), testing::AllOf(testing::Ge(15U), testing::Le(18U)));
  EXPECT_EQ(told.back().version, 60U);
}

TEST(TheWorldsState, ReachesThePlayersOfOtherWorkers) {
  Scored scored;
  scored.mischief.think = [&](world::ThinkContext& context) {
    if (context.tick() == Bench::start + 90 && context.owns_world()) {
      Scored::add_one(context.journal());
    }
  };
  test::YardOptions abroad = scored.abroad;
  abroad.spawn = {border_x + 1'000, 30, 0};
  Border border(scored.home, abroad);
  border.step(30);
  border.there.join(0, 1);
  border.step(90);
  ASSERT_NE(border.there.core->player_of(100), nullptr);
  const auto told = border.there.sent<WorldStateEvent>();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[1].version, 1U);
}

// Messages to its entity reach the owner from any worker; the owner dies in any tick.
TEST(TheWorldsState, CountsEachMessageOnceWhicheverTickIsTheLast) {
  for (int steps = 0; steps < 6; ++steps) {
    for (const bool last_arrives : {true, false}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, the last one arrives: " << last_arrives);
      Scored scored;
      std::uint16_t sent = 0;
      Handle post = no_entity;
      bool sends = true;
      scored.mischief.think = [&](world::ThinkContext& context) {
        world::Journal& journal = context.journal();
        if (!sends || context.owns_world() || context.tick().count % 3 != 0) return;
        if (journal.world_entity() == no_entity) return;
        if (post == no_entity) {
          const Vec3 place{border_x + 500, 0, 0};
          post = journal.spawn({.type = test::pillar_row, .at = {place, {}}}).entity;
        }
        sent += journal.send({.tick = context.tick(),
                              .kind = tally_wish,
                              .from = post,
                              .to = journal.world_entity()});
      };
      scored.mischief.on_message = [](world::Journal& journal, const world::Message& message) {
        if (message.kind == tally_wish) Scored::add_one(journal);
      };
      Pair both(scored.home, scored.abroad);
      both.pass(60 + steps);
      ASSERT_GT(sent, 5);
      if (!last_arrives) both.fate = [](const Border::Word&) { return std::nullopt; };
      both.pass();
      both.fate = nullptr;
      both.kill();
      both.pass(3);
      both.record_failover();
      both.pass(60);
      sends = false;
      both.pass(200);
      const Handle entity = both.there.core->world().world_entity();
      ASSERT_NE(entity, no_entity);
      EXPECT_FALSE(both.there.core->world().find(entity)->remote);
      EXPECT_EQ(post_of(*both.there.core, entity).takes, sent);
    }
  }
}

}  // namespace
}  // namespace perigee::worker
