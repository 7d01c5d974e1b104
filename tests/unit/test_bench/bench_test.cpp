#include "perigee/test_bench/bench.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "game.hpp"

namespace {

using namespace perigee::test_bench;
using perigee::PlayerInput;

PlayerInput run_on(const Moment&) { return {.forward = 127, .held = perigee::button_run}; }
PlayerInput stand(const Moment&) { return {}; }

const first_game::Game game;

TEST(ABench, RepeatsARunWithTheSameSeed) {
  const auto hash_with = [](std::uint64_t seed) {
    Bench bench(game, {.players = {{run_on, "P5"}, {stand, "P1"}}, .seed = seed});
    bench.run_s(5);
    return bench.cluster().hash();
  };
  EXPECT_EQ(hash_with(3), hash_with(3));
  EXPECT_NE(hash_with(3), hash_with(4));
}

TEST(ABench, GivesEachPlayerItsOwnLink) {
  Bench bench(game, {.players = {{stand, "P0"}, {stand, "delay-ms=200"}}});
  bench.run_s(5);
  const auto round_trip_ms = [&](std::size_t player) {
    return static_cast<double>(bench.player(player).client().telemetry().rtt_us()) * 1e-3;
  };
  EXPECT_LT(round_trip_ms(0), 60);
  EXPECT_GT(round_trip_ms(1), 390);
}

TEST(ABench, TellsAScriptTheTimeAndThePredictedState) {
  double seconds = 0, first_m = 0, last_m = 0;
  Bench bench(game, {.players = {{[&](const Moment& moment) {
                       if (moment.seconds == 0) first_m = moment.motion().position.z;
                       seconds = moment.seconds;
                       last_m = moment.motion().position.z;
                       return run_on(moment);
                     }}}});
  ASSERT_TRUE(bench.run_until([&] { return seconds >= 3; }, 10));
  EXPECT_GT(last_m, first_m + 5);
}

TEST(ABench, WaitsForAConditionOnlyAsLongAsItIsTold) {
  Bench bench(game, {.players = {{stand}}});
  const perigee::Micros begun_us = bench.cluster().now_us();
  EXPECT_FALSE(bench.run_until([] { return false; }, 2));
  EXPECT_EQ(bench.cluster().now_us() - begun_us, 2'000'000);
  EXPECT_TRUE(bench.run_until([&] { return bench.player(0).playing(); }, 10));
}

TEST(ABench, ShowsWhatAPlayerSeesAndWhoOwnsIt) {
  Bench bench(game, {.players = {{stand}, {stand}}});
  EXPECT_FALSE(bench.player(0).sees(bench.player(1)));
  EXPECT_FALSE(bench.player(0).worker());
  EXPECT_FALSE(bench.player(0).state_on_server<first_game::Runner>());
  bench.run_s(5);
  ASSERT_TRUE(bench.player(0).sees(bench.player(1)));
  EXPECT_FALSE(bench.player(0).sees(perigee::no_entity));
  const auto place = bench.player(0).sees(bench.player(1))->world.position;
  EXPECT_LT(length(place - bench.player(1).sees(bench.player(1).avatar())->world.position), 0.05);
  EXPECT_TRUE(bench.player(0).worker());
  EXPECT_TRUE(bench.player(0).state_on_server<first_game::Runner>());
  EXPECT_TRUE(bench.impurities().empty());
}

/// Answers each message with its name.
struct Answering : first_game::Game {
  void on_message(perigee::world::Journal& journal, const perigee::world::Participant& who,
                  std::span<const std::byte> message) const override {
    if (message.size() == 1) journal.tell(who.actor, perigee::as_bytes_of("yes", 3));
  }
};

TEST(ABench, PassesMessagesBothWays) {
  const Answering answering;
  Bench bench(answering, {.players = {{stand, "P5"}, {stand}}});
  bench.run_s(3);
  const auto word = perigee::as_bytes_of("?", 1);
  EXPECT_EQ(bench.player(0).send_message(word), perigee::client::MessageRefusal::None);
  bench.run_s(2);
  ASSERT_EQ(bench.player(0).messages().size(), 1U);
  EXPECT_EQ(bench.player(0).messages()[0].size(), 3U);
  EXPECT_TRUE(bench.player(1).messages().empty());
}

/// Counts its own calls in its state, which no player predicts.
struct Impure : first_game::Game {
  void step(perigee::world::ActorContext&, perigee::world::GameState& state) const override {
    state.as<first_game::Runner>().laps = static_cast<std::uint16_t>(++calls);
  }
  mutable unsigned calls = 0;
};

TEST(ABench, NamesAGameThatIsNotPure) {
  const Impure impure;
  Bench bench(impure, {.players = {{stand}}});
  bench.run_s(3);
  ASSERT_EQ(bench.impurities().size(), 1U);
  EXPECT_TRUE(bench.impurities().front().starts_with("step of actor ")) << bench.impurities()[0];
  EXPECT_NE(bench.impurities().front().find("field 1 of the state"), std::string::npos);
}

/// A place and a type that do not exist.
struct Mistaken : first_game::Game {
  perigee::world::ActorSpawn spawn_state(const perigee::world::World& world,
                                         const perigee::world::Bounds& region,
                                         std::uint32_t ordinal) const override {
    perigee::world::ActorSpawn out = Game::spawn_state(world, region, ordinal);
    out.state.position.y = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
  void on_join(perigee::world::Journal& journal,
               const perigee::world::Participant&) const override {
    journal.spawn({.type = 99});
  }
};

TEST(ABench, HasTheMistakesOfTheGameThatWorkersNoted) {
  const Mistaken mistaken;
  Bench bench(mistaken, {.players = {{stand}}});
  EXPECT_TRUE(bench.faults().empty());
  bench.run_s(3);
  ASSERT_EQ(bench.faults().size(), 2U);
  EXPECT_TRUE(bench.faults()[0].starts_with("spawn_state: state (type runner, entity "))
      << bench.faults()[0];
  EXPECT_TRUE(bench.faults()[0].ends_with(
      ", field position.y): the player starts in the middle of the region, at rest"))
      << bench.faults()[0];
  EXPECT_TRUE(bench.faults()[1].starts_with("spawn: type (type unknown, tick "))
      << bench.faults()[1];
  EXPECT_TRUE(bench.faults()[1].ends_with("): not spawned: no such type in the table"))
      << bench.faults()[1];
}

/// Its players begin beyond the walls, where nothing pulls.
struct Beyond : first_game::Game {
  perigee::world::ActorSpawn spawn_state(const perigee::world::World& world,
                                         const perigee::world::Bounds& region,
                                         std::uint32_t ordinal) const override {
    perigee::world::ActorSpawn out = Game::spawn_state(world, region, ordinal);
    out.state.position.x = 60;
    return out;
  }
};

TEST(ABench, NamesAPlayerThatNothingPulls) {
  const Beyond beyond;
  Bench bench(beyond, {.players = {{stand}}});
  EXPECT_TRUE(bench.run_until([&] { return !bench.faults().empty(); }, 20));
  bench.run_s(10);
  ASSERT_EQ(bench.faults().size(), 1U);
  EXPECT_TRUE(bench.faults()[0].starts_with("place of an actor: no gravity (type runner, entity "))
      << bench.faults()[0];
}

struct Shapeless : first_game::Game {
  Shapeless() : rows(Game::types().begin(), Game::types().end()) { rows[0].shape = nullptr; }
  std::span<const perigee::world::EntityType> types() const override { return rows; }
  std::vector<perigee::world::EntityType> rows;
};

TEST(ABenchDeathTest, EndsWithTheErrorOfTypesThatNoWorkerTakes) {
  const Shapeless shapeless;
  EXPECT_DEATH(Bench(shapeless, {.players = {{stand}}}),
               "type 0 'floor' of the game's table has an invalid shape");
}

}  // namespace
