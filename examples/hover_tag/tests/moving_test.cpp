// The motion of a runner: pads, balls and tags are predicted, on usual and on long links.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "players.hpp"

namespace hover_tag {
namespace {

using namespace perigee;
using test_bench::Bench;
using test_bench::Moment;

/// From pad to pad across the arena, hovering whenever it is in the air.
PlayerInput hop(const Moment& moment) {
  static const Game game{Rules{}};
  const auto pads = game.level().points_like("pad.");
  const auto errand = static_cast<std::size_t>(moment.seconds / 6) % pads.size();
  const Vec3 way = pads[errand].pose.position - place_of(moment);
  PlayerInput input{.forward = 127, .yaw = yaw_towards(way)};
  if ((moment.motion().flags & actor_grounded) == 0) input.held = button_jump;
  return input;
}

/// Throws balls at the other player, from near enough.
PlayerInput throw_balls(const Moment& moment) {
  PlayerInput input;
  const Handle own = moment.client.prediction().avatar();
  for (const auto& entity : moment.client.entities().all()) {
    const bool player = entity->type == runner_row && entity->handle != own &&
                        moment.client.player_name(entity->handle) != npc_name;
    const auto at =
        player ? moment.client.entities().expected_at(*entity, moment.tick) : std::optional<Pose>();
    if (!at) continue;
    const Vec3 way = at->position - place_of(moment);
    input.yaw = yaw_towards(way);
    if (length(way) > 12) input.forward = 127;
    if (length(way) < 15) input.held = button_fire;
  }
  return input;
}

/// The first player begins beyond the walls.
struct ArenaWithAHole final : Game {
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out = Game::spawn_state(world, region, ordinal);
    if (!std::exchange(fell, true)) out.state.position.z = 100;
    return out;
  }
  mutable bool fell = false;
};

TEST(ARunner, BeginsAnewWhenItHasLeftTheArena) {
  const ArenaWithAHole game;
  Bench bench(game, {.players = {{stand}}});
  bench.run_s(5);
  const auto own = bench.player(0).sees(bench.player(0));
  EXPECT_TRUE(game.fell);
  ASSERT_TRUE(own);
  EXPECT_LT(std::abs(own->world.position.z), 30);
  EXPECT_EQ(bench.player(0).corrections(), 0U);
}

/// On each link.
class Moving : public testing::TestWithParam<const char*> {
 protected:
  static void expect_no_corrections(Bench& bench) {
    for (std::size_t i = 0; i < bench.players(); ++i) {
      EXPECT_EQ(bench.player(i).corrections(), 0U) << "player " << i;
      EXPECT_EQ(bench.player(i).cues_cancelled(blow_cue), 0U) << "player " << i;
      EXPECT_EQ(bench.player(i).cues_cancelled(hop_cue), 0U) << "player " << i;
    }
    EXPECT_TRUE(bench.impurities().empty()) << bench.impurities().front();
    EXPECT_TRUE(bench.faults().empty()) << bench.faults().front();
  }
  const Game game{Rules{}};
};
INSTANTIATE_TEST_SUITE_P(Link, Moving, testing::Values("P2", "P3"),
                         [](const auto& link) { return std::string(link.param); });

TEST_P(Moving, OverPadsAndTheMiddleIsNeverCorrected) {
  Bench bench(game, {.players = {{hop, GetParam()}, {hop, GetParam()}}});
  bench.run_s(60);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto hops = static_cast<std::ptrdiff_t>(bench.player(i).cues(hop_cue));
    EXPECT_GE(hops, 3);
    const Handle hopper = bench.player(i).avatar();  // NPCs hop, too
    const auto of_other =
        std::ranges::count_if(bench.player(1 - i).heard(), [&](const auto& heard) {
          return heard.cue.entity == hopper && heard.cue.effect == hop_cue;
        });
    EXPECT_GE(of_other, hops - 1) << "the last one may be under way";
    EXPECT_LE(of_other, hops);
  }
  expect_no_corrections(bench);
}

TEST_P(Moving, ByTheBlowOfABallIsNeverCorrected) {
  Bench bench(game, {.players = {{throw_balls, GetParam()}, {stand, GetParam()}}});
  bench.run_s(120);
  EXPECT_GE(bench.player(1).cues(blow_cue), 5U);
  expect_no_corrections(bench);
}

TEST_P(Moving, ByTheBlowsOfTagsIsNeverCorrected) {
  test_bench::Options options;
  for (int i = 0; i < 14; ++i) options.players.push_back({bot, GetParam()});
  Bench bench(game, options);
  std::uint32_t tagged = 0, powers = 0;
  bench.run_s(120);
  for (std::size_t i = 0; i < bench.players(); ++i) {
    tagged += bench.player(i).state<Runner>().tagged;
    powers += bench.player(i).state<Runner>().powers;
  }
  EXPECT_GE(tagged, 4U);
  EXPECT_GE(powers, 4U);
  expect_no_corrections(bench);
}

}  // namespace
}  // namespace hover_tag
