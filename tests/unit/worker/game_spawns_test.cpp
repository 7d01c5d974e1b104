// A game adds and removes entities in commits, when messages arrive, and in its server logic.
// Refusals have reasons, and no effect is lost or doubled when a worker dies.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "pair.hpp"

namespace perigee::worker {
namespace {

using world::SpawnRefusal;

constexpr std::uint8_t take_wish = test::first_aimless_wish;

std::size_t count_of(const Core& core, world::TypeId type) {
  std::size_t out = 0;
  for (const Handle handle : core.world().in_order()) {
    const world::Entity& entity = *core.world().find(handle);
    out += entity.type == type && !entity.remote ? 1U : 0U;
  }
  return out;
}

world::ThingSpawn pillar_at(const Vec3& place) {
  return {.type = test::pillar_row, .at = {place, {}}};
}

TEST(AGamesJournal, AddsAndRemovesWhatItsServerLogicWants) {
  test::YardMischief mischief;
  Handle made = no_entity;
  mischief.think = [&](world::ThinkContext& context) {
    if (context.tick() == Bench::start + 3) {
      const world::Spawned spawned = context.journal().spawn(pillar_at({5, 0, 5}));
      EXPECT_TRUE(spawned);
      made = spawned.entity;
      EXPECT_NE(context.world().find(made), nullptr) << "known at once";
    }
    if (context.tick() == Bench::start + 30) {
      EXPECT_EQ(context.journal().despawn(made), SpawnRefusal::None);
      EXPECT_EQ(context.journal().despawn(made), SpawnRefusal::NoSuchEntity);
    }
  };
  Bench bench({.mischief = &mischief});
  bench.join();
  bench.stand(20);
  ASSERT_NE(made, no_entity);
  const auto told = [&](auto matches) { return std::ranges::any_of(bench.events, matches); };
  const auto spawned = [&](const auto& each) {
    const auto* event = std::get_if<SpawnEvent>(&each.second);
    return event != nullptr && event->handle == made;
  };
  EXPECT_TRUE(told(spawned)) << "clients draw it";
  bench.stand(40);
  EXPECT_EQ(bench.core->world().find(made), nullptr);
  const auto despawned = [&](const auto& each) {
    const auto* event = std::get_if<DespawnEvent>(&each.second);
    return event != nullptr && event->handle == made;
  };
  EXPECT_TRUE(told(despawned));
  EXPECT_EQ(bench.count(metric.game_spawned), 1U);
  EXPECT_EQ(bench.count(metric.game_despawned), 1U);
  EXPECT_EQ(bench.count(metric.game_changes_refused), 1U);
  EXPECT_EQ(bench.core->take_game_faults().size(), 0U) << "to come too late is no fault";
}

TEST(AGamesJournal, SaysWhyItRefuses) {
  test::YardMischief mischief;
  std::vector<SpawnRefusal> refusals;
  mischief.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 5) return;
    const auto spawn = [&](const world::ThingSpawn& thing) {
      refusals.push_back(context.journal().spawn(thing).refusal);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    spawn({.type = 99});
    spawn({.type = test::person_row});
    spawn({.type = test::door_row, .parent = 77'777});
    spawn({.type = test::pillar_row, .parent = context.own_of_type(test::deck_row).at(0)});
    spawn(pillar_at({nan, 0, 0}));
    spawn(pillar_at({9'000, 0, 0}));
    spawn({.type = test::barge_row, .at = {{0, 50, 0}, {}}, .velocity = {0, 5'000, 0}});
    context.for_each_actor([&](const world::ThinkActor& actor) {
      spawn({.type = test::door_row, .parent = actor.handle});
      refusals.push_back(context.journal().despawn(actor.handle));
    });
  };
  Bench bench({.mischief = &mischief});
  bench.join();
  bench.stand(10);
  EXPECT_THAT(refusals, testing::ElementsAre(SpawnRefusal::UnknownType, SpawnRefusal::WrongKind,
                                             SpawnRefusal::BadParent, SpawnRefusal::BadParent,
                                             SpawnRefusal::BadPose, SpawnRefusal::OutsideOfWorld,
                                             SpawnRefusal::BadVelocity, SpawnRefusal::BadParent,
                                             SpawnRefusal::OfPlayer));
  EXPECT_EQ(bench.count(metric.game_changes_refused), refusals.size());
  EXPECT_EQ(bench.count(metric.game_values_refused), refusals.size());
  std::vector<std::string_view> fields;
  for (const world::GameFault& fault : bench.core->take_game_faults())
    fields.push_back(fault.field);
  EXPECT_EQ(fields.size(), refusals.size() - 1) << "one door is like the other";
  EXPECT_THAT(fields, testing::IsSupersetOf({"position.x", "velocity.y"}));
  EXPECT_EQ(count_of(*bench.core, test::pillar_row), 0U);
}

// A mistake of the game: the worker goes on.
TEST(AGamesJournal, InterruptsEntitiesThatAnswerEachOtherForEver) {
  test::YardMischief mischief;
  std::size_t read = 0;
  mischief.on_message = [&](world::Journal& journal, const world::Message& message) {
    ++read;
    world::Message answer = message;
    std::swap(answer.from, answer.to);
    journal.send(answer);
  };
  mischief.think = [&](world::ThinkContext& context) {
    if (context.tick() != Bench::start + 5) return;
    const Handle one = context.journal().spawn(pillar_at({5, 0, 5})).entity;
    const Handle other = context.journal().spawn(pillar_at({8, 0, 5})).entity;
    context.journal().send({.tick = context.tick(), .from = one, .to = other});
  };
  Bench bench({.mischief = &mischief});
  bench.tick(40);
  EXPECT_EQ(read, 8U) << "a worker with peers continues in the next tick";
}

TEST(AGamesJournal, MakesNoMoreThanItsLimitInATick) {
  test::YardMischief mischief;
  std::size_t made = 0, refused = 0;
  mischief.think = [&](world::ThinkContext& context) {
    if (before(context.tick(), Bench::start + 5) || before(Bench::start + 6, context.tick()))
      return;
    for (int i = 0; i < 300; ++i) {
      const auto spawned = context.journal().spawn(pillar_at({100.0 + i, 0, 0}));
      spawned ? ++made : ++refused;
      EXPECT_TRUE(spawned || spawned.refusal == SpawnRefusal::LimitOfTick);
    }
  };
  Bench bench({.mischief = &mischief});
  bench.tick(10);
  EXPECT_EQ(made, 2 * world::journal_changes_per_tick_max);
  EXPECT_EQ(refused, 600 - made);
  EXPECT_EQ(count_of(*bench.core, test::pillar_row), made);
  EXPECT_EQ(bench.count(metric.game_values_refused), refused);
  EXPECT_EQ(bench.core->take_game_faults().size(), 1U) << "logged once";
}

TEST(AGamesJournal, SaysThatTheWorldIsFullAndGoesOn) {
  test::YardMischief mischief;
  SpawnRefusal last = SpawnRefusal::None;
  mischief.think = [&](world::ThinkContext& context) {
    last = context.journal().spawn(pillar_at({100, 0, 0})).refusal;
  };
  Settings settings;
  settings.entities_max = 20;
  Bench bench({.mischief = &mischief}, one_worker_map(), settings);
  bench.tick(30);
  EXPECT_EQ(last, SpawnRefusal::TableFull);
  EXPECT_EQ(bench.core->world().size(), 19U) << "one place of 16 is kept for those that arrive";
}

TEST(TheServerLogic, SeesOwnActorsAndTheirFinalStates) {
  test::YardMischief mischief;
  int calls = 0, seen = 0, compared = 0;
  std::map<std::uint32_t, Vec3> places;  // at the end of each tick
  mischief.think = [&](world::ThinkContext& context) {
    ++calls;
    EXPECT_EQ(context.regions().size(), 1U);
    EXPECT_EQ(ticks_between(context.settled(), context.tick()), window_ticks + 1);
    context.for_each_actor([&](const world::ThinkActor& actor) {
      ++seen;
      places[context.tick().count] = actor.state.position;
      const auto final = context.final_actor(actor.handle);
      if (!final) return;
      const auto then = places.find((context.settled() + 1).count);
      if (then == places.end()) return;
      EXPECT_EQ(final->state.position, then->second);
      ++compared;
    });
    EXPECT_FALSE(context.final_actor(12'345));
  };
  Bench bench({.mischief = &mischief});
  bench.join();
  for (int i = 0; i < 60; ++i) {
    bench.send(walking_at(bench.core->next_tick()));
    bench.tick();
  }
  EXPECT_EQ(calls, 60);
  EXPECT_EQ(seen, 60);
  EXPECT_GT(compared, 40);
}

/// A player that wants the next post in each tick, and gets a stone for each one that it takes.
struct Harvest {
  std::vector<Handle> posts;
  test::YardMischief mischief;
  test::YardOptions options = yard_at_the_border({15, person_m, 0});

  Harvest() {
    mischief.step = [this](world::ActorContext& context) {
      if (posts.empty() || context.tick().count % 2 == 0) return;
      const std::size_t which = context.tick().count / 2 % posts.size();
      context.propose({.kind = take_wish, .target = posts[which]}, 0);
    };
    mischief.on_commit = [](world::Journal& journal, const world::Outcome& outcome) {
      if (outcome.wish.kind != take_wish) return;
      const Handle post = outcome.wish.target;
      if (journal.despawn(post) != SpawnRefusal::None) return;
      journal.notify(outcome.actor, {.kind = test::stone_news, .tick = outcome.tick});
    };
    mischief.populate = [](world::World& world, std::uint32_t spawner) {
      for (std::uint32_t i = 0; i < 200; ++i) {
        const Vec3 place{deck_x - 140 + 2.5 * (i % 50), 0, 60 + 2.5 * (i / 50)};
        test::Yard::spawn_post(world, spawner, i, place);
      }
    };
    options.mischief = &mischief;
  }
  /// The posts are another worker's: a message takes one there, and another one pays for it.
  void take_by_message() {
    options.spawn = {60, person_m, 0};
    mischief.on_commit = [](world::Journal& journal, const world::Outcome& outcome) {
      if (outcome.wish.kind != take_wish) return;
      const Handle post = outcome.wish.target;
      journal.send({outcome.tick, outcome.wish.index, take_wish, outcome.actor, post});
    };
    mischief.on_message = [](world::Journal& journal, const world::Message& message) {
      if (message.kind != take_wish) return;
      if (journal.despawn(message.to) != SpawnRefusal::None) return;
      journal.send({message.tick, message.index, test::stone_news, message.from, message.from});
    };
  }
  void fill(const Core& core) {
    for (const Handle handle : core.world().in_order()) {
      if (core.world().find(handle)->type == test::pillar_row) posts.push_back(handle);
    }
  }
};

std::size_t stones_of(const Bench& bench) {
  const Player& player = bench.player();
  std::size_t out = player.game.as<test::Marksman>().stones;
  for (const world::GameEvent& event : player.events) out += event.kind == test::stone_news;
  return out;
}

TEST(AGamesJournal, LosesAndDoublesNothingWhicheverTickIsTheLast) {
  for (int steps = 0; steps < 6; ++steps) {
    for (const bool last_arrives : {true, false}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, the last one arrives: " << last_arrives);
      Harvest harvest;
      Pair both(harvest.options, harvest.options);
      both.here.join();
      both.pass(60);
      harvest.fill(*both.here.core);
      ASSERT_EQ(harvest.posts.size(), 200U);
      for (int i = 0; i < 60 + steps; ++i) {
        both.send_here(walking(0));
        both.pass();
      }
      ASSERT_GT(stones_of(both.here), 10U);
      EXPECT_EQ(stones_of(both.here) + count_of(*both.here.core, test::pillar_row), 200U);
      if (!last_arrives) both.fate = [](const Border::Word&) { return std::nullopt; };
      both.send_here(walking(0));
      both.pass();
      both.fate = nullptr;
      both.kill();
      both.pass(3);
      harvest.posts.clear();
      both.record_failover();
      ASSERT_NE(both.there.core->player_of(100), nullptr);
      both.pass(40);
      EXPECT_EQ(stones_of(both.there) + count_of(*both.there.core, test::pillar_row), 200U);
    }
  }
}

TEST(AGamesJournal, LosesAndDoublesNothingAcrossABorder) {
  for (int steps = 0; steps < 6; ++steps) {
    for (const bool last_arrives : {true, false}) {
      SCOPED_TRACE(testing::Message() << steps << " steps, the last one arrives: " << last_arrives);
      Harvest harvest;
      harvest.take_by_message();
      Pair both(harvest.options, harvest.options);
      both.pass(30);
      both.there.join(0, 1);
      both.pass(60);
      harvest.fill(*both.here.core);
      ASSERT_EQ(count_of(*both.here.core, test::pillar_row), 200U);
      ASSERT_NE(both.there.core->player_of(100), nullptr);
      both.pass(60 + steps);
      ASSERT_GT(stones_of(both.there), 5U);
      if (!last_arrives) both.fate = [](const Border::Word&) { return std::nullopt; };
      both.pass();
      both.fate = nullptr;
      both.kill();
      both.pass(3);
      both.record_failover();
      both.pass(20);
      harvest.posts.clear();
      both.pass(120);
      EXPECT_EQ(stones_of(both.there) + count_of(*both.there.core, test::pillar_row), 200U);
    }
  }
}

}  // namespace
}  // namespace perigee::worker
