// NPCs: actors that a game moves on the server. They step, migrate, survive their worker and come
// back from a checkpoint as players do, and are no players.
#include <gmock/gmock.h>

#include <algorithm>

#include "durability.hpp"
#include "pair.hpp"

namespace perigee::worker {
namespace {

using world::SpawnRefusal;

/// One NPC on the deck, which walks to +x and shows in its state how many ticks it has decided.
struct Walk {
  test::YardMischief mischief;
  test::YardOptions options = yard_at_the_border({15, person_m, 0});
  Tick spawns_at = Bench::start + 70;
  Vec3 from{20, person_m, 0};
  Handle npc = no_entity;

  Walk() {
    mischief.think = [this](world::ThinkContext& context) {
      const auto decks = context.own_of_type(test::deck_row);
      if (context.tick() != spawns_at || decks.empty()) return;
      world::NpcSpawn order{.type = test::person_row, .place = {decks[0], from, {}}};
      order.state.emplace(world::codec_of<test::Marksman>().initial);
      order.state->as<test::Marksman>().stones = 7;
      for (const char letter : std::string_view("Rover")) order.name.push_back(letter);
      const world::Spawned spawned = context.journal().spawn_npc(order);
      EXPECT_TRUE(spawned) << world::to_sentence(spawned.refusal);
      npc = spawned.entity;
    };
    mischief.drive_npc = [](const world::NpcView& view) {
      EXPECT_EQ(view.game.as<test::Marksman>().stones, 7);
      EXPECT_TRUE(view.place());
      PlayerInput input{.forward = 127, .yaw = to_plus_x};
      input.right = static_cast<std::int8_t>(view.random().below(3)) - 1;
      return input;
    };
    options.mischief = &mischief;
  }
};

const Player* npc_of(const Core& core, Handle npc) { return core.player_of(npc_client(npc)); }

Vec3 place_of(const Core& core, Handle npc) {
  const auto at = core.world().pose(npc, core.next_tick());
  EXPECT_TRUE(at);
  return at ? at->position : Vec3{};
}

// An NPC has no client: verdicts would wait for an acknowledgement for ever.
TEST(AnNpc, MayUseThingsAndIsToldNothing) {
  Walk walk;
  std::size_t used = 0;
  walk.mischief.drive_npc = [](const world::NpcView&) {
    PlayerInput input;
    input.samples.push_back({.action = ActionKind::Use, .target = 1});
    return input;
  };
  walk.mischief.use = [&](const world::World&, const world::UseAttempt&, world::UseOutcome&) {
    ++used;
  };
  Bench bench(walk.options);
  bench.join();
  bench.stand(75);
  ASSERT_NE(walk.npc, no_entity);
  const std::uint32_t observers = bench.core->summary().observers;
  bench.stand(60);
  EXPECT_GT(used, 50U);
  EXPECT_EQ(bench.core->summary().observers, observers);
}

TEST(AnNpc, WalksAsItsGameWantsAndIsDrawn) {
  Walk walk;
  walk.options.joined = nullptr;
  Settings settings = small_settings();
  settings.players_max = 1;
  settings.silence_ticks_max = 60;
  Bench bench(walk.options, one_worker_map(), settings);
  bench.join();
  bench.stand(80);
  ASSERT_NE(walk.npc, no_entity);
  const Vec3 before = place_of(*bench.core, walk.npc);
  bench.stand(120);
  const Vec3 after = place_of(*bench.core, walk.npc);
  EXPECT_NEAR(after.x - before.x, 2 * 5, 3);
  EXPECT_EQ(bench.core->report(std::nullopt).players, 1U) << "it takes no player's place";
  EXPECT_EQ(bench.core->summary().players, 1U);
  ASSERT_NE(npc_of(*bench.core, walk.npc), nullptr) << "silence does not end it";
  EXPECT_FALSE(npc_of(*bench.core, walk.npc)->records.find(bench.core->next_tick() - 1)->guessed);
  std::string name;
  for (const auto& event : bench.sent<PlayerNameEvent>()) {
    if (event.actor == walk.npc) name = text_of(event.name);
  }
  EXPECT_EQ(name, "Rover");
  const auto spawned = bench.sent<SpawnEvent>();
  EXPECT_TRUE(std::ranges::any_of(spawned, [&](const auto& e) { return e.handle == walk.npc; }));
}

TEST(AnNpc, IsRemovedOnceByTheGame) {
  Walk walk;
  int removed = 0;
  const auto spawns = walk.mischief.think;
  walk.mischief.think = [&](world::ThinkContext& context) {
    spawns(context);
    if (before(context.tick(), Bench::start + 90)) return;
    for (int i = 0; i < 3; ++i) {
      removed += context.journal().despawn(walk.npc) == SpawnRefusal::None;
    }
  };
  Bench bench(walk.options);
  bench.tick(100);
  EXPECT_EQ(removed, 1);
  EXPECT_EQ(npc_of(*bench.core, walk.npc), nullptr);
  EXPECT_EQ(bench.core->world().find(walk.npc), nullptr);
}

TEST(AnNpc, PressesNothingIfItsInputIsUnusable) {
  Walk walk;
  walk.mischief.drive_npc = [](const world::NpcView&) {
    return PlayerInput{.forward = 127, .pitch = 20'000, .held = 0x8000};
  };
  Bench bench(walk.options);
  bench.tick(100);
  EXPECT_EQ(place_of(*bench.core, walk.npc).x, deck_x + walk.from.x);
  const auto faults = bench.core->take_game_faults();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].value, world::GameValue::NpcInput);
  EXPECT_GT(bench.count(metric.game_values_refused), 20U);
}

TEST(AnNpc, PressesNothingIfAFieldOfItsInputIsOutOfItsRange) {
  InputLayout layout;
  layout.add({.name = "slot", .low = 1, .high = 5, .initial = 1});
  layout.close(1);
  Walk walk;
  walk.options.inputs = &layout;
  walk.mischief.drive_npc = [](const world::NpcView&) {
    PlayerInput input{.forward = 127};
    input.own.changed[0] = std::byte{77};
    return input;
  };
  Bench bench(walk.options);
  bench.tick(100);
  EXPECT_EQ(place_of(*bench.core, walk.npc).x, deck_x + walk.from.x);
  const auto faults = bench.core->take_game_faults();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].value, world::GameValue::NpcInput);
  EXPECT_EQ(faults[0].field, "slot");
}

TEST(AnNpc, IsRefusedBeyondTheWorkersLimit) {
  test::YardMischief mischief;
  std::vector<SpawnRefusal> answers;
  mischief.think = [&](world::ThinkContext& context) {
    const auto decks = context.own_of_type(test::deck_row);
    if (context.tick() != Bench::start + 5) return;
    const auto spawn = [&](world::TypeId type, const Vec3& at, Handle parent) {
      answers.push_back(
          context.journal().spawn_npc({.type = type, .place = {parent, at, {}}}).refusal);
    };
    spawn(test::deck_row, {}, no_entity);
    spawn(test::person_row, {}, 99'999);
    spawn(test::person_row, {90'000, 0, 0}, no_entity);
    for (int i = 0; i < 3; ++i) spawn(test::person_row, {2.0 * i, person_m, 5}, decks[0]);
  };
  Settings settings = small_settings();
  settings.npcs_max = 2;
  Bench bench({.mischief = &mischief}, one_worker_map(), settings);
  bench.tick(10);
  EXPECT_THAT(answers, testing::ElementsAre(SpawnRefusal::WrongKind, SpawnRefusal::BadParent,
                                            SpawnRefusal::OutsideOfWorld, SpawnRefusal::None,
                                            SpawnRefusal::None, SpawnRefusal::NpcLimit));
}

// An NPC collides with players. A late input of a player changes these collisions, and the ticks of
// both run again.
TEST(AnNpc, RunsAgainWhenALateInputChangesItsTicks) {
  Walk walk;
  walk.from = {4, person_m, 0};
  walk.options = {.mischief = &walk.mischief};
  walk.spawns_at = Bench::start + 10;
  const auto play = [&](std::int32_t late_ticks) {
    Bench bench(walk.options);
    bench.join();
    std::vector<PlayerInput> late;
    for (int i = 0; i < 90; ++i) {
      PlayerInput input = walking_at(bench.core->next_tick());
      input.yaw = to_plus_x;
      if (late_ticks > 0 && i >= 20 && i < 70) {
        late.push_back(input);
        if (static_cast<int>(late.size()) > late_ticks) {
          bench.send(late[late.size() - 1 - static_cast<std::size_t>(late_ticks)]);
        }
      } else {
        for (const PlayerInput& each : std::exchange(late, {})) bench.send(each);
        bench.send(input);
      }
      bench.tick();
    }
    return std::pair(place_of(*bench.core, walk.npc), bench.count(metric.rollback_ticks));
  };
  const auto [in_time, none] = play(0);
  const auto [late, ticks] = play(6);
  EXPECT_EQ(none, 0U);
  EXPECT_GT(ticks, 50U);
  EXPECT_EQ(in_time, late);
}

TEST(AnNpc, CrossesABorder) {
  Walk walk;
  walk.from = {30, person_m, 0};
  Pair both(walk.options, walk.options);
  both.there.join(3, 1);
  both.pass(100);
  ASSERT_NE(npc_of(*both.here.core, walk.npc), nullptr);
  const Player* arrived = nullptr;
  double last_x = 0;
  for (int i = 0; i < 600 && arrived == nullptr; ++i) {
    last_x = place_of(*both.here.core, walk.npc).x;
    both.pass();
    arrived = npc_of(*both.there.core, walk.npc);
    EXPECT_FALSE(arrived != nullptr && npc_of(*both.here.core, walk.npc) != nullptr);
  }
  ASSERT_NE(arrived, nullptr);
  EXPECT_GT(last_x, border_x - 1);
  EXPECT_EQ(arrived->game.as<test::Marksman>().stones, 7);
  EXPECT_EQ(text_of(arrived->account.name), "Rover");
  both.pass(60);
  EXPECT_NEAR(place_of(*both.there.core, walk.npc).x - last_x, 5, 1.5) << "it walks on";
}

TEST(AnNpc, WalksOnWhenItsWorkerDiesAsIfItHadLived) {
  const auto walk_on = [](bool dies) {
    Walk walk;
    walk.from = {-60, person_m, 0};
    Pair both(walk.options, walk.options);
    both.pass(150);
    EXPECT_NE(npc_of(*both.here.core, walk.npc), nullptr);
    if (dies) {
      both.kill();
      both.pass(8);
      both.record_failover();
    } else {
      both.pass(8);
    }
    both.pass(60);
    const Core& core = dies ? *both.there.core : *both.here.core;
    const Player* npc = npc_of(core, walk.npc);
    EXPECT_NE(npc, nullptr);
    EXPECT_EQ(core.next_tick(), Bench::start + 218);
    return npc != nullptr ? npc->state : ActorState{};
  };
  EXPECT_EQ(walk_on(true), walk_on(false)) << "the same inputs, bit for bit";
}

struct AnNpcOfACheckpoint : Durability {};

TEST_F(AnNpcOfACheckpoint, ComesBackWithItsStateAndWalksOn) {
  Walk walk;
  walk.options.center_x_m = 0;
  walk.spawns_at = at_checkpoint - 60;
  Bench bench(walk.options, one_worker_map(), without_claims());
  store(bench);
  tick_to(bench, at_checkpoint + 20);
  const Vec3 then = place_of(*bench.core, walk.npc);
  Successor after(bench.game, to_restore(bench.map), checkpoint(bench.game), at_checkpoint + 5000);
  const Player* npc = npc_of(*after.core, walk.npc);
  ASSERT_NE(npc, nullptr);
  EXPECT_TRUE(npc->npc());
  EXPECT_EQ(text_of(npc->account.name), "Rover");
  EXPECT_EQ(npc->game.as<test::Marksman>().stones, 7);
  for (int i = 0; i < 2'000; ++i) after.core->tick();
  ASSERT_NE(npc_of(*after.core, walk.npc), nullptr) << "it does not wait for a client";
  EXPECT_GT(place_of(*after.core, walk.npc).x, then.x + 5);
}

}  // namespace
}  // namespace perigee::worker
