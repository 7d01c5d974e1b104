// Actors that a game has probably lost are noted: in the air without gravity, outside of the world.
#include "perigee/worker/players/stray_actors.hpp"

#include "fixture.hpp"

namespace perigee::worker {
namespace {

using world::GameFault;
using world::GameValue;

struct AnActorOnItsOwn : testing::Test {
  static constexpr int patience = StrayActors::adrift_ticks_max;

  void begin() {
    options.mischief = &mischief;
    bench.emplace(options);
    bench->join();
  }
  /// The faults of so many ticks in which the player presses nothing.
  std::vector<GameFault> faults_in(int ticks) {
    bench->stand(ticks);
    std::vector<GameFault> out;
    for (const GameFault& fault : bench->core->take_game_faults()) out.push_back(fault);
    return out;
  }

  test::YardMischief mischief;
  test::YardOptions options{.spawn = {205, 5, 0}};  // beside the deck's gravity, which ends at 200
  std::optional<Bench> bench;
};

TEST_F(AnActorOnItsOwn, IsNotedOnceAfterFiveSecondsInTheAirWithoutGravity) {
  begin();
  EXPECT_TRUE(faults_in(patience - 1).empty());
  const auto faults = faults_in(1);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].value, GameValue::ActorAdrift);
  EXPECT_EQ(faults[0].type, test::person_row);
  EXPECT_EQ(faults[0].entity, bench->player().avatar);
  EXPECT_EQ(faults[0].tick, bench->core->next_tick());
  EXPECT_EQ(faults[0].place, (Vec3{205, 5, 0}));
  EXPECT_EQ(bench->count(metric.game_values_refused), 1U);
  EXPECT_TRUE(faults_in(2 * patience).empty());
  EXPECT_EQ(bench->count(metric.game_values_refused), 1U) << "counted once, too";
  EXPECT_EQ(world::to_sentence(faults[0], bench->game.types()),
            "place of an actor: no gravity (type person, entity " +
                std::to_string(faults[0].entity) + ", tick " +
                std::to_string(faults[0].tick.count) +
                ", at (205.0, 5.0, 0.0)): nothing is done: it has been in the air for 5 s, and its "
                "parent's gravity does not reach it; give the floor a larger gravity box, or put "
                "the actor elsewhere, e.g. with Journal::respawn");
}

TEST_F(AnActorOnItsOwn, IsNotedAfterItHasWalkedOverTheEdgeOfGravity) {
  mischief.spawn = [](world::ActorSpawn& spawn) { spawn.state.velocity = {10, 2, 0}; };
  options.spawn = {195, 5, 0};
  begin();
  const auto faults = faults_in(patience + 60);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].value, GameValue::ActorAdrift);
  EXPECT_GT(faults[0].place->x, 200);
}

TEST_F(AnActorOnItsOwn, MayDriftAfterItHasFlown) {
  mischief.spawn = [](world::ActorSpawn& spawn) { spawn.state.flags = actor_jetpack; };
  begin();
  EXPECT_TRUE(faults_in(patience + 10).empty());
  PlayerInput off{.tick = bench->core->next_tick()};
  off.samples.push_back({.pressed = button_jetpack});
  bench->send(off);
  bench->tick();
  ASSERT_EQ(bench->player().state.flags & actor_jetpack, 0);
  EXPECT_TRUE(faults_in(patience + 10).empty());
}

TEST_F(AnActorOnItsOwn, MayBePushedAlongByItsGame) {
  mischief.step = [](world::ActorContext& context) {
    const double turn = context.tick().count % 2 == 0 ? 1 : -1;
    context.impulse({0, turn, 0});
  };
  begin();
  EXPECT_TRUE(faults_in(patience + 10).empty());
}

TEST_F(AnActorOnItsOwn, MayDriftInAWorldWithoutGravity) {
  options.gravity = false;
  begin();
  EXPECT_TRUE(faults_in(patience + 10).empty());
}

TEST_F(AnActorOnItsOwn, MayStandAndFall) {
  options.spawn = {0, 150, 0};
  begin();
  EXPECT_TRUE(faults_in(3 * patience).empty());
  EXPECT_NE(bench->player().state.flags & actor_grounded, 0);
}

TEST_F(AnActorOnItsOwn, IsNotedWhenItLeavesTheWorld) {
  options.spawn = {7'990, 5, 0};
  mischief.spawn = [](world::ActorSpawn& spawn) {
    spawn.state.flags = actor_jetpack;
    spawn.state.velocity = {20, 0, 0};
  };
  mischief.step = [](world::ActorContext& context) { context.impulse({1, 0, 0}); };
  begin();
  EXPECT_TRUE(faults_in(10).empty()) << "it is in the world yet";
  const auto faults = faults_in(2 * StrayActors::outside_ticks);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].value, GameValue::ActorOutside);
  EXPECT_GT(faults[0].place->x, 8'000);
  faults_in(3 * StrayActors::outside_ticks);
  EXPECT_EQ(bench->count(metric.game_values_refused), 1U) << "once for each time that it leaves";
}

}  // namespace
}  // namespace perigee::worker
