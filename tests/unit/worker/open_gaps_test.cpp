// Inputs that are missing for longer than P: late ones fill the gap, for the late player alone.
#include "perigee/worker/players/open_gaps.hpp"
#include "fixture.hpp"

namespace perigee::worker {
namespace {

PlayerInput walk_at(Tick tick) {
  PlayerInput input;
  input.tick = tick;
  input.forward = 127;
  return input;
}

struct AGap : testing::Test {
  explicit AGap(const Settings& settings = {}) : bench({}, one_worker_map(), settings) {
    bench.join();
    walk(20);
    begin = bench.core->next_tick();
  }
  void walk(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      const Tick t = bench.core->next_tick();
      if (i == 0) bench.send(walk_at(t));
      if (i > 0) bench.send(bench.frame_of({walk_at(t), walk_at(t - 1)}));
      bench.tick();
    }
  }
  /// The inputs of all ticks from `from` to the present, in one packet.
  void send_all_from(Tick from) {
    std::vector<PlayerInput> inputs;
    for (Tick t = bench.core->next_tick(); !before(t, from); t = t - 1)
      inputs.push_back(walk_at(t));
    bench.send(bench.frame_of(inputs));
  }
  /// Where a player ends that sent each input in time.
  Vec3 in_time(int ticks) const {
    Bench other({}, one_worker_map(), {});
    other.join();
    for (int i = 0; i < ticks; ++i) {
      other.send(walk_at(other.core->next_tick()));
      other.tick();
    }
    return other.player().state.position;
  }
  Bench bench;
  Tick begin;
};

TEST_F(AGap, OfTwoSecondsAndAHalfIsFilledAsIfAllHadComeInTime) {
  bench.tick(150);
  EXPECT_EQ(bench.count(metric.gaps_opened), 1U);
  EXPECT_EQ(bench.last_own().final_tick, begin) << "its inputs may still come";
  send_all_from(begin);
  bench.tick();
  EXPECT_EQ(bench.player().state.position, in_time(171));
  EXPECT_EQ(bench.player().inputs.final_before(bench.core->next_tick()), bench.core->next_tick());
  EXPECT_EQ(bench.count(metric.inputs_too_late), 0U);
  EXPECT_EQ(bench.count(metric.gaps_given_up), 0U);
}

// The guess stands still, five metres in front of a door. The late inputs lead to it.
TEST(AGapOfAStandingPlayer, IsFilledWithTheDoorsOnItsRealWay) {
  const test::YardOptions far_from_door{.spawn = {-5, 0.91, 0}};
  const auto input_at = [](Tick tick, Tick runs_from) {
    PlayerInput input = walking_at(tick, before(tick, runs_from) ? 0 : 127);
    input.yaw = to_plus_x;
    return input;
  };
  Bench in_time(far_from_door), late(far_from_door);
  in_time.join();
  late.join();
  const Tick runs_from = late.core->next_tick() + 20;
  for (int i = 0; i < 170; ++i) {
    const Tick t = in_time.core->next_tick();
    in_time.send(in_time.frame_of({input_at(t, runs_from), input_at(t - 1, runs_from)}));
    if (i < 20) late.send(late.frame_of({input_at(t, runs_from), input_at(t - 1, runs_from)}));
    in_time.tick();
    late.tick();
  }
  EXPECT_LT(late.player().state.position.x, -4) << "the guess";
  std::vector<PlayerInput> inputs;
  for (Tick t = late.core->next_tick(); !before(t, runs_from); t = t - 1)
    inputs.push_back(input_at(t, runs_from));
  late.send(late.frame_of(inputs));
  in_time.send(input_at(in_time.core->next_tick(), runs_from));
  late.tick();
  in_time.tick();
  EXPECT_LT(in_time.player().state.position.x, 2) << "the door is shut";
  EXPECT_GT(in_time.player().state.position.x, 1);
  EXPECT_EQ(late.player().state.position, in_time.player().state.position);
}

TEST_F(AGap, OfMoreThanThreeSecondsIsGivenUp) {
  bench.tick(185);
  EXPECT_EQ(bench.count(metric.gaps_given_up), 1U);
  EXPECT_EQ(bench.player().inputs.final_before(bench.core->next_tick()),
            bench.core->next_tick() - 15);
  bench.send(walk_at(begin));
  EXPECT_EQ(bench.count(metric.inputs_too_late), 1U);
}

// A queue of a second: each input comes late, and none is lost.
TEST_F(AGap, ThatMovesAlongLosesNothing) {
  for (int i = 0; i < 300; ++i) {
    if (i >= 60) bench.send(walk_at(begin + (i - 60)));
    bench.tick();
  }
  EXPECT_EQ(bench.count(metric.inputs_too_late), 0U);
  EXPECT_GE(ticks_between(begin, bench.player().inputs.final_before(bench.core->next_tick())), 238);
  EXPECT_LT(bench.count(metric.rollback_ticks), 240U * 8) << "guesses run again now and then";
}

// An input that the client never sends delays its final states by a second at most.
TEST_F(AGap, WithNothingInItEndsSoon) {
  bench.tick(20);
  walk(80);
  EXPECT_GE(ticks_between(bench.player().inputs.final_before(bench.core->next_tick()),
                          bench.core->next_tick()),
            0);
  EXPECT_LE(ticks_between(bench.player().inputs.final_before(bench.core->next_tick()),
                          bench.core->next_tick()),
            15);
}

struct ARecordedGap : AGap {
  static Settings recorded() {
    Settings settings = small_settings();
    settings.recorder = replay::RecorderSettings{};
    return settings;
  }
  ARecordedGap() : AGap(recorded()) {}
  /// Ticks up to the newest final one. Each begins with the state that the one before led to.
  void expect_whole() {
    const auto ticks = bench.player().recorder->without_things({}).ticks;
    ASSERT_FALSE(ticks.empty());
    EXPECT_EQ(ticks.back().tick + 1, bench.player().inputs.final_before(bench.core->next_tick()));
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      EXPECT_EQ(ticks[i].tick, ticks[i - 1].tick + 1);
      EXPECT_EQ(ticks[i].before.position, ticks[i - 1].after.position) << ticks[i].tick.count;
    }
  }
};

TEST_F(ARecordedGap, HasAllItsTicksWhenItIsFilled) {
  bench.tick(150);
  send_all_from(begin);
  bench.tick();
  expect_whole();
}

TEST_F(ARecordedGap, HasAllItsTicksWhenItIsGivenUp) {
  bench.tick(185);
  expect_whole();
}

// When the lost input is given up, the ticks behind it become final at once if their inputs came.
TEST_F(ARecordedGap, HasTheStepsOfLateInputsBehindALostOne) {
  for (int i = 0; i < 280; ++i) {
    if (i > 40) bench.send(walk_at(begin + (i - 40)));
    bench.tick();
    expect_whole();
  }
  EXPECT_EQ(bench.count(metric.gaps_given_up), 0U);
  for (const world::StepRecord& step : bench.player().recorder->without_things({}).ticks) {
    EXPECT_TRUE(!step.guessed || step.tick == begin) << ticks_between(begin, step.tick);
  }
}

struct AGapWithoutMemory : AGap {
  static Settings none() {
    Settings settings = small_settings();
    settings.gap_steps_max = 10;
    return settings;
  }
  AGapWithoutMemory() : AGap(none()) {}
};

TEST_F(AGapWithoutMemory, IsGivenUpWhenTheStepsOfAllPlayersAreUsed) {
  bench.tick(60);
  EXPECT_EQ(bench.count(metric.gaps_given_up), 1U);
  send_all_from(begin);
  bench.tick();
  EXPECT_GT(bench.count(metric.inputs_too_late), 0U);
}

struct AGapOfAPoorPlayer : AGap {
  static Settings few() {
    Settings settings = small_settings();
    settings.gap_replays_max = 30;
    return settings;
  }
  AGapOfAPoorPlayer() : AGap(few()) {}
};

TEST_F(AGapOfAPoorPlayer, CostsNoMoreThanItsAllowance) {
  for (int i = 0; i < 600; ++i) {
    if (i >= 110) bench.send(walk_at(begin + (i - 110)));
    bench.tick();
  }
  EXPECT_LT(bench.count(metric.rollback_ticks), 600U + 30 + 8 * 120);
  EXPECT_GT(bench.count(metric.gaps_given_up), 0U);
}

TEST(StepRecords, KeepOlderStepsOnlyWhileAsked) {
  const auto pool = std::make_shared<StepPool>(50);
  StepRecords records;
  records.use(pool);
  const Tick first{1000};
  records.claim(first).tick = first;
  records.keep_from(first);
  for (int i = 1; i < 70; ++i) records.claim(first + i).tick = first + i;
  ASSERT_NE(records.find(first), nullptr);
  EXPECT_EQ(records.find(first)->tick, first);
  EXPECT_EQ(pool->left(), 50U - 38);
  records.keep_from(first + 20);
  EXPECT_EQ(records.find(first), nullptr);
  EXPECT_EQ(pool->left(), 50U - 18);
  EXPECT_EQ(pool->most_used(), 38U) << "of all times, not of now";
  for (int i = 70; i < 110; ++i) records.claim(first + i).tick = first + i;
  EXPECT_GT(ticks_between(first + 20, *records.kept_from()), 0) << "the pool was empty";
  records.keep_from(std::nullopt);
  EXPECT_EQ(pool->left(), 50U);
  EXPECT_EQ(pool->most_used(), 50U);
}

}  // namespace
}  // namespace perigee::worker
