// States of entities that are not actors: set by the game, told to clients and other workers, and
// kept when a worker dies.
#include <gmock/gmock.h>

#include <algorithm>

#include "pair.hpp"
#include "posts.hpp"

namespace perigee::worker {
namespace {

using world::SpawnRefusal;

std::vector<GameStateEvent> told_of(const Bench& bench, Handle thing, std::uint32_t n = 0) {
  std::vector<GameStateEvent> out;
  for (const GameStateEvent& event : bench.sent<GameStateEvent>(session_of(n))) {
    if (event.handle == thing) out.push_back(event);
  }
  return out;
}
test::Post read_of(const Bench& bench, const GameStateEvent& event) {
  const world::GameStateCodec& codec = *bench.game.types()[test::pillar_row].state;
  world::GameState state;
  EXPECT_TRUE(codec.read(event.game, codec.initial, world::SeenBy::Everybody, state));
  return state.as<test::Post>();
}

TEST(AThingsState, IsToldToClientsThatKnowItAndToLaterOnes) {
  OnePost one;
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 30) return;
    EXPECT_EQ(context.journal().set_state(one.post,
                                          post_state({.taken_by = 77, .takes = 1, .secret = 5})),
              SpawnRefusal::None);
    EXPECT_EQ(context.journal().state(one.post)->as<test::Post>().secret, 5) << "at once";
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(60);
  const auto told = told_of(bench, one.post);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].version, 1U);
  EXPECT_EQ(read_of(bench, told[0]).taken_by, 77U);
  EXPECT_EQ(read_of(bench, told[0]).secret, 0) << "for workers only";
  bench.join(1);
  bench.stand(30, 1);
  const auto later = told_of(bench, one.post, 1);
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].game, told[0].game);
  EXPECT_EQ(bench.count(metric.game_stated), 1U);
}

TEST(AThingsState, IsNotToldToThoseThatDoNotKnowTheThing) {
  OnePost one({}, {0, 0, 600});  // pillars are small: they are replicated up to 120 m
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() == Bench::start + 30) {
      context.journal().set_state(one.post, post_state({.takes = 1}));
    }
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(60);
  EXPECT_TRUE(told_of(bench, one.post).empty());
  EXPECT_EQ(post_of(*bench.core, one.post).takes, 1);
}

TEST(AThingsState, ThatChangesInEachTickIsToldFifteenTimesASecond) {
  OnePost one;
  one.think = [&](world::ThinkContext& context) {
    const std::int32_t at = ticks_between(Bench::start, context.tick());
    if (at <= 30 || at > 90) return;
    context.journal().set_state(one.post,
                                post_state({.takes = static_cast<std::uint16_t>(at - 30)}));
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(120);
  const auto told = told_of(bench, one.post);
  EXPECT_THAT(told.size(), testing::AllOf(testing::Ge(15U), testing::Le(16U)));
  EXPECT_EQ(read_of(bench, told.back()).takes, 60) << "the last one is told";
  EXPECT_EQ(told.back().version, 60U);
}

TEST(AThingsState, WithAChangeForWorkersAloneIsNotTold) {
  OnePost one;
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() == Bench::start + 30) {
      context.journal().set_state(one.post, post_state({.secret = 5}));
    }
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(60);
  EXPECT_TRUE(told_of(bench, one.post).empty());
}

// A timer that clients do not see, and an owner that they see.
TEST(AThingsState, IsToldAfterAnyNumberOfChangesForWorkersAlone) {
  constexpr std::int32_t ticks = 260;
  OnePost one;
  one.think = [&](world::ThinkContext& context) {
    const std::int32_t at = ticks_between(Bench::start, context.tick());
    if (at < 30 || at > 30 + ticks) return;
    const std::uint32_t owner = at < 30 + ticks ? 1 : 2;
    std::uint16_t timer = 0;
    while (
        context.journal().set_state(one.post, post_state({.taken_by = owner, .secret = ++timer})) ==
        SpawnRefusal::None) {
    }
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(30 + ticks + 30);
  const auto told = told_of(bench, one.post);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(read_of(bench, told[1]).taken_by, 2U);
  EXPECT_EQ(told[1].version - told[0].version, ticks * world::journal_changes_per_tick_max);
}

// A player that stays away holds it, and is removed at the end of a tick.
TEST(AThingsState, OfOnLeaveIsTold) {
  Settings settings = small_settings();
  settings.silence_ticks_max = 60;
  OnePost one;
  one.mischief.on_leave = [&](world::Journal& journal, const world::Participant&) {
    EXPECT_EQ(journal.set_state(one.post, post_state({.takes = 9})), SpawnRefusal::None);
  };
  Bench bench(one.options, one_worker_map(), settings);
  bench.join();
  bench.join(1);
  bench.stand(30, 1);
  EXPECT_TRUE(told_of(bench, one.post, 1).empty());
  bench.stand(60, 1);
  const auto told = told_of(bench, one.post, 1);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(read_of(bench, told[0]).takes, 9);
}

TEST(AThingsState, MayBeSetByDriveAndAtItsSpawn) {
  OnePost one;
  Handle made = no_entity;
  one.mischief.drive = [&](world::World& world, Tick tick) {
    if (tick != Bench::start + 30) return;
    EXPECT_TRUE(world.set_state(one.post, post_state({.takes = 3})));
  };
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 5) return;
    made = context.journal()
               .spawn({.type = test::pillar_row,
                       .at = {{5, 0, 5}, {}},
                       .state = post_state({.taken_by = 4})})
               .entity;
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(60);
  ASSERT_EQ(told_of(bench, one.post).size(), 1U);
  EXPECT_EQ(read_of(bench, told_of(bench, one.post)[0]).takes, 3);
  ASSERT_EQ(told_of(bench, made).size(), 1U);
  EXPECT_EQ(read_of(bench, told_of(bench, made)[0]).taken_by, 4U);
}

TEST(AThingsState, IsRefusedWithAReason) {
  OnePost one;
  std::vector<SpawnRefusal> refusals;
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 5) return;
    world::Journal& journal = context.journal();
    const auto set = [&](Handle thing) {
      refusals.push_back(journal.set_state(thing, post_state({.takes = 1})));
    };
    set(12'345);
    set(context.own_of_type(test::deck_row).at(0));
    context.for_each_actor([&](const world::ThinkActor& actor) { set(actor.handle); });
    refusals.push_back(journal.spawn({.type = test::deck_row, .state = post_state({})}).refusal);
    for (std::uint32_t i = 0; i < world::journal_changes_per_tick_max; ++i) set(one.post);
    EXPECT_EQ(refusals.back(), SpawnRefusal::None);
    set(one.post);
    const SpawnRefusal last = refusals.back();
    refusals.resize(4);
    refusals.push_back(last);
  };
  Bench bench(one.options);
  bench.join();
  bench.stand(10);
  EXPECT_THAT(refusals, testing::ElementsAre(SpawnRefusal::NoSuchEntity, SpawnRefusal::NoState,
                                             SpawnRefusal::OfActor, SpawnRefusal::NoState,
                                             SpawnRefusal::LimitOfTick));
  EXPECT_EQ(bench.count(metric.game_changes_refused), 5U);
  EXPECT_EQ(bench.count(metric.game_values_refused), 4U) << "an entity that is gone is no fault";
}

TEST(AThingsState, IsTheOwnersAloneAndKnownToItsNeighbours) {
  OnePost one(yard_at_the_border({15, person_m, 0}), {deck_x, 0, 5});
  std::optional<SpawnRefusal> theirs;
  one.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 40) return;
    const SpawnRefusal refusal = context.journal().set_state(one.post, post_state({.secret = 9}));
    if (context.world().find(one.post)->remote) {
      theirs = refusal;
      EXPECT_FALSE(context.journal().state(one.post));
    } else {
      EXPECT_EQ(refusal, SpawnRefusal::None);
    }
  };
  Border border(one.options, one.options);
  border.step(43);
  EXPECT_EQ(theirs, SpawnRefusal::NotOwned);
  EXPECT_EQ(post_of(*border.there.core, one.post).secret, 9) << "workers know all of it";
  EXPECT_EQ(border.there.core->world().state(one.post)->version, 1U);
}

TEST(AThingsState, ReachesANeighbourThatHasLostMessages) {
  OnePost one(yard_at_the_border({15, person_m, 0}), {deck_x, 0, 5});
  one.think = [&](world::ThinkContext& context) {
    context.journal().set_state(
        one.post, post_state({.takes = static_cast<std::uint16_t>(context.tick().count)}));
  };
  Border border(one.options, one.options);
  Random random(5);
  border.fate = [&](const Border::Word&) {
    return random.below(10) == 0 ? std::nullopt : std::optional(0);
  };
  border.step(200);
  border.fate = nullptr;
  border.step(60);
  const std::uint16_t here = post_of(*border.here.core, one.post).takes;
  EXPECT_NEAR(post_of(*border.there.core, one.post).takes, here, 1);
}

// More bytes in each tick than a message to a neighbour has.
TEST(AThingsState, LeavesRoomForOtherThingsAndForLaterHandles) {
  constexpr std::uint32_t posts = 200;
  OnePost one(yard_at_the_border({15, person_m, 0}));
  one.mischief.populate = [](world::World& world, std::uint32_t spawner) {
    for (std::uint32_t i = 0; i < posts; ++i) {
      test::Yard::spawn_post(world, spawner, i, {deck_x, 0, 5 + 0.2 * i});
    }
  };
  one.think = [](world::ThinkContext& context) {
    if (ticks_between(Bench::start, context.tick()) < 60) return;
    test::Post post;
    post.ledger.fill(context.tick().count);
    for (const Handle each : context.own_of_type(test::pillar_row)) {
      EXPECT_EQ(context.journal().set_state(each, post_state(post)), SpawnRefusal::None);
    }
  };
  Border border(one.options, one.options);
  border.step(90);
  border.here.join();
  border.step(30);
  EXPECT_THAT(ghosts_of(*border.there.core), testing::Contains(border.here.player().avatar));
  EXPECT_GT(border.here.count(metric.ghost_news_deferred), 0U);
  const world::World& there = border.there.core->world();
  std::uint32_t compared = 0;
  for (const Handle each : ghosts_of(*border.there.core)) {
    if (there.find(each)->type != test::pillar_row) continue;
    const std::uint32_t newest = border.here.core->world().state(each)->version;
    EXPECT_NEAR(there.state(each)->version, newest, 6);
    ++compared;
  }
  EXPECT_EQ(compared, posts);
}

TEST(AThingsState, MayBeSetSoManyTimesByDriveInATick) {
  OnePost one;
  std::vector<bool> set;
  one.mischief.drive = [&](world::World& world, Tick tick) {
    if (tick != Bench::start + 30 && tick != Bench::start + 31) return;
    for (std::uint16_t i = 0; i <= world::journal_changes_per_tick_max; ++i) {
      const auto takes = static_cast<std::uint16_t>(i + 1 + tick.count % 2 * 1000);
      set.push_back(world.set_state(one.post, post_state({.takes = takes})));
    }
  };
  Bench bench(one.options);
  bench.tick(30);
  EXPECT_EQ(bench.count(metric.game_values_refused), 0U);
  bench.tick(2);
  ASSERT_EQ(set.size(), 2U * (world::journal_changes_per_tick_max + 1));
  EXPECT_EQ(std::count(set.begin(), set.end(), false), 2);
  EXPECT_FALSE(set.back());
  EXPECT_EQ(bench.count(metric.game_values_refused), 2U);
}

/// A barge with players aboard. Its state changes once.
struct OneBarge {
  test::YardMischief mischief;
  test::YardOptions aboard{.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {3, 0, 1}};
  test::YardOptions without = aboard;

  explicit OneBarge(std::uint32_t posts_there = 0) {
    mischief.think = [](world::ThinkContext& context) {
      if (context.tick() != Bench::start + 20) return;
      for (const Handle barge : context.own_of_type(test::barge_row)) {
        context.journal().set_state(barge, post_state({.taken_by = 6, .secret = 3}));
      }
    };
    aboard.mischief = without.mischief = &mischief;
    without.barge = false;
    without.posts = posts_there;
  }
};

TEST(AThingsState, GoesWithAGroupAndIsToldToItsClientsOnce) {
  OneBarge one;
  Bench here(one.aboard), there(one.without);
  here.join();
  here.stand(40);
  there.tick(40);
  const Handle barge = here.find(test::barge_row);
  ASSERT_TRUE(here.core->can_send_group(barge));
  ASSERT_TRUE(there.core->receive_group(here.core->send_group(barge).bytes));
  EXPECT_EQ(post_of(*there.core, barge).taken_by, 6U);
  EXPECT_EQ(post_of(*there.core, barge).secret, 3);
  there.stand(30);
  const auto told = told_of(there, barge);
  ASSERT_EQ(told.size(), 1U) << "the former owner may have died with its event";
  EXPECT_EQ(told[0].version, 1U);
}

// Its worker died, and another one goes on with the group as it had arrived there.
TEST(AThingsState, OfAGroupThatIsKnownFromItsArrivalIsNewerThanLostChanges) {
  OneBarge one;
  Bench here(one.aboard), there(one.without);
  here.join();
  here.stand(40);
  there.tick(40);
  const Handle barge = here.find(test::barge_row);
  const std::uint32_t of_player = here.player().sent_game_version;
  ASSERT_TRUE(there.core->receive_group(here.core->send_group(barge).bytes,
                                        GroupTransfer::Subscribers::Ahead));
  constexpr std::uint32_t lost = world::ThingState::lost_changes_max;
  EXPECT_EQ(there.player().sent_game_version, of_player + lost);
  there.stand(30);
  const auto told = told_of(there, barge);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front().version, 1 + lost);
}

/// A barge comes with a player whose client has no room for events of the barge's new owner.
struct ABargeThatCameToAFullWindow : testing::Test {
  OneBarge one{700};  // more than a client's window of events
  Bench here{one.aboard}, there{one.without, two_worker_map(-1000), {}, WorkerSlot{1}};
  Handle barge = no_entity;

  void SetUp() override {
    here.join();
    here.stand(40);
    const Vec3 beside_posts{125, 1, 208};
    for (int i = 0; i < 4; ++i) {
      const ObserverRecord record{
          session_of(0), there.core->next_tick() + 6, beside_posts, {}, 3000, 1};
      there.core->on_fabric(there.now_fine(), worker_address,
                            there.datagram(record, FabricSender::Worker, 0));
      there.tick(10);
      there.acknowledges = false;  // it has heard of this worker
    }
    barge = here.find(test::barge_row);
    const std::uint64_t deferred = there.count(metric.events_deferred);
    ASSERT_TRUE(there.core->receive_group(here.core->send_group(barge).bytes));
    here.tick(2);
    there.stand(2);
    ASSERT_GT(there.count(metric.events_deferred), deferred) << "its window is not full";
  }
};

TEST_F(ABargeThatCameToAFullWindow, HasItsStateToldLater) {
  there.acknowledges = true;
  there.stand(200);
  const auto told = told_of(there, barge);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(read_of(there, told.back()).taken_by, 6U);
}

TEST_F(ABargeThatCameToAFullWindow, IsKnownToTheClientWhenItLeavesAgain) {
  const auto spawns = [&] {
    const auto all = here.sent<SpawnEvent>();
    return std::ranges::count(all, barge, &SpawnEvent::handle);
  };
  ASSERT_EQ(spawns(), 1);
  ASSERT_TRUE(here.core->receive_group(there.core->send_group(barge).bytes));
  here.stand(100);
  EXPECT_EQ(spawns(), 1) << "a client that is not said to have it is not told of its end either";
}

/// A player that counts at a post in every other tick, and gets a stone for it.
struct Counting {
  OnePost one{yard_at_the_border({15, person_m, 0}), {deck_x, 0, 5}};

  Counting() {
    one.mischief.step = [this](world::ActorContext& context) {
      if (one.post == no_entity || context.tick().count % 2 == 0) return;
      context.propose({.kind = tally_wish, .target = one.post}, 0);
    };
    one.mischief.on_commit = [](world::Journal& journal, const world::Outcome& outcome) {
      if (outcome.wish.kind != tally_wish) return;
      auto post = journal.state(outcome.wish.target);
      if (!post) return;
      ++post->as<test::Post>().takes;
      if (journal.set_state(outcome.wish.target, *post) != SpawnRefusal::None) return;
      journal.notify(outcome.actor, {.kind = test::stone_news, .tick = outcome.tick});
    };
  }
};
std::size_t stones_at(const Bench& bench) {
  const Player& player = bench.player();
  std::size_t out = player.game.as<test::Marksman>().stones;
  for (const world::GameEvent& event : player.events) out += event.kind == test::stone_news;
  return out;
}

// Clients have changes of the dead worker that no other worker has, and drop older versions.
TEST(AThingsState, OfASuccessorIsNewerThanWhatTheDeadWorkerTold) {
  Counting count;
  count.one.think = [&](world::ThinkContext& context) {
    auto post = context.journal().state(count.one.post);
    if (!post) return;
    ++post->as<test::Post>().secret;
    EXPECT_EQ(context.journal().set_state(count.one.post, *post), SpawnRefusal::None);
  };
  Pair both(count.one.options, count.one.options);
  both.here.join();
  both.pass(60);
  const auto walk = [&](int turns) {
    for (int i = 0; i < turns; ++i) {
      both.send_here(walking(0));
      both.pass();
    }
  };
  walk(30);
  both.fate = [](const Border::Word&) { return std::nullopt; };
  walk(10);
  both.fate = nullptr;
  both.kill();
  both.pass(3);
  both.record_failover();
  ASSERT_NE(both.there.core->player_of(100), nullptr);
  const auto version = [&](const Bench& at) {
    return at.core->world().state(count.one.post)->version;
  };
  EXPECT_GT(version(both.there), version(both.here));
  EXPECT_GT(both.there.player().sent_game_version, both.here.player().sent_game_version);
  both.pass(40);
  const auto told = told_of(both.there, count.one.post);
  ASSERT_FALSE(told.empty());
  EXPECT_GT(told.front().version, version(both.here));
}

TEST(AThingsState, AgreesWithThePlayersWhicheverTickIsTheLast) {
  for (int steps = 0; steps < 6; ++steps) {
    for (const bool last_arrives : {true, false}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, the last one arrives: " << last_arrives);
      Counting count;
      Pair both(count.one.options, count.one.options);
      both.here.join();
      both.pass(60);
      for (int i = 0; i < 60 + steps; ++i) {
        both.send_here(walking(0));
        both.pass();
      }
      ASSERT_GT(stones_at(both.here), 10U);
      EXPECT_EQ(stones_at(both.here), post_of(*both.here.core, count.one.post).takes);
      if (!last_arrives) both.fate = [](const Border::Word&) { return std::nullopt; };
      both.send_here(walking(0));
      both.pass();
      both.fate = nullptr;
      both.kill();
      both.pass(3);
      both.record_failover();
      ASSERT_NE(both.there.core->player_of(100), nullptr);
      EXPECT_EQ(stones_at(both.there), post_of(*both.there.core, count.one.post).takes);
      const std::size_t before = stones_at(both.there);
      both.pass(40);
      EXPECT_EQ(stones_at(both.there), post_of(*both.there.core, count.one.post).takes);
      EXPECT_GE(stones_at(both.there), before);
    }
  }
}

}  // namespace
}  // namespace perigee::worker
