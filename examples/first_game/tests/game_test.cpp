// The game in a whole cluster on virtual time: two workers, a gateway, and players with bad links.
#include <gtest/gtest.h>

#include <cmath>

#include "game.hpp"
#include "perigee/test_bench/bench.hpp"

namespace first_game {
namespace {

using namespace perigee;
using test_bench::Bench;
using test_bench::Moment;

/// Runs to the far end of the floor and back.
PlayerInput run_laps(const Moment& moment) {
  const bool back = moment.state<Runner>().on_far_side != 0;
  return {.forward = 127, .yaw = static_cast<std::uint16_t>(back ? 32768 : 0), .held = button_run};
}

PlayerInput stand(const Moment&) { return {}; }

TEST(TheGame, CountsLapsThatEverybodySees) {
  const Game game;
  Bench bench(game, {.players = {{run_laps, "P5"}, {stand, "P2"}}});
  const auto& runner = bench.player(0);
  const auto& watcher = bench.player(1);
  ASSERT_TRUE(bench.run_until([&] { return runner.cues(lap_cue) == 2; }, 60));
  bench.run_s(2);
  EXPECT_EQ(runner.state<Runner>().laps, 2);
  EXPECT_EQ(runner.state_on_server<Runner>()->laps, 2);
  ASSERT_TRUE(watcher.sees(runner));
  EXPECT_EQ(watcher.state_of<Runner>(runner)->laps, 2);
  EXPECT_EQ(runner.cues_cancelled(lap_cue), 0U) << "no lap was predicted that did not happen";
}

TEST(TheGame, IsPredictedWithoutCorrections) {
  const Game game;
  Bench bench(game, {.players = {{run_laps, "P3"}}});
  bench.run_s(20);
  EXPECT_TRUE(bench.player(0).playing());
  EXPECT_EQ(bench.player(0).corrections(), 0U);
  EXPECT_TRUE(bench.impurities().empty()) << bench.impurities().front();
  EXPECT_TRUE(bench.faults().empty()) << bench.faults().front();
}

TEST(TheGame, LeavesAPlayerThatStandsWhereItBegan) {
  const Game game;
  Bench bench(game, {.players = {{stand}}});
  bench.run_s(3);
  const double first_m = bench.player(0).motion().position.z;
  bench.run_s(5);
  EXPECT_NEAR(bench.player(0).motion().position.z, first_m, 1e-6);
  EXPECT_EQ(bench.player(0).state<Runner>().laps, 0);
}

}  // namespace
}  // namespace first_game
