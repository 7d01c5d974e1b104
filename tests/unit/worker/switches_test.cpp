// Techniques requested by a player's packets: their effect on the same inputs.
#include "fixture.hpp"

namespace perigee::worker {
namespace {

struct ASwitch : testing::Test {
  Bench bench;
  SharedTechniques techniques;
  ASwitch() { bench.join(); }
  void send(const PlayerInput& input) {
    ControlFrame frame = bench.frame_of({input});
    frame.techniques = techniques;
    bench.send(frame);
  }
  /// One input per tick, in time.
  void walk(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      send(walking_at(bench.core->next_tick(),
                      std::int8_t(bench.core->next_tick().count % 100 + 1)));
      bench.tick();
    }
  }
  const world::StepRecord& record(Tick tick) const { return *bench.player().records.find(tick); }
};

TEST_F(ASwitch, IsAnsweredInTheOwnSection) {
  walk(4);
  EXPECT_EQ(bench.last_own().techniques, SharedTechniques{});
  techniques = {Timeline::Suggested, false, false};
  walk(4);
  EXPECT_EQ(bench.last_own().techniques, techniques);
  EXPECT_EQ(bench.count(metric.technique_switches), 1U);
}

TEST_F(ASwitch, IsNotTurnedBackByAnOlderPacket) {
  walk(4);
  ControlFrame old = bench.frame_of({walking_at(bench.core->next_tick())});
  techniques.timeline = Timeline::Playout;
  ControlFrame news = bench.frame_of({walking_at(bench.core->next_tick() + 1)});
  news.techniques = techniques;
  bench.send(news);
  bench.send(old);
  bench.tick();
  EXPECT_EQ(bench.player().inputs.techniques(), techniques);
}

// K9, K10, K28: applied three pushes later, and reported so; the echo has the client's tick
TEST_F(ASwitch, ToPlayoutAppliesInputsThreeTicksLater) {
  walk(10);
  techniques = {Timeline::Playout, false, true};
  walk(20);
  const Tick now = bench.core->next_tick();
  EXPECT_EQ(record(now - 1).input.tick, now - 4);
  EXPECT_EQ(record(now - 1).input.forward, static_cast<int>((now - 4).count % 100 + 1));
  const OwnSection& own = bench.last_own();
  EXPECT_EQ(own.delay_ticks, 3);
  EXPECT_EQ(own.echo, own.final_tick - 4);
  EXPECT_EQ(own.echo_age_ticks, 0);
  EXPECT_EQ(own.final_state, bench.player().state);
  EXPECT_EQ(bench.count(metric.hard_resets), 0U);
}

// V6: a claim is compared with the state after the same inputs, whenever they were applied
TEST_F(ASwitch, ToPlayoutComparesClaimsAtTheirOwnInputs) {
  techniques = {Timeline::Playout, false, true};
  std::map<std::uint32_t, Vec3> after;  // by the input's target tick
  for (int i = 0; i < 200; ++i) {
    const Tick name = bench.core->next_tick();
    ControlFrame frame = bench.frame_of({walking_at(name)});
    frame.techniques = techniques;
    const Vec3 ahead{0, 0, i < 20 ? 0 : 5.0 * 3 / 60};  // the distance that it walks in three ticks
    frame.claimed_position = to_float(bench.player().state.position + ahead * 20);
    bench.send(frame);
    bench.tick();
  }
  EXPECT_EQ(bench.count(metric.hard_resets), 0U) << "five metres, but not more";
}

TEST_F(ASwitch, ToPlayoutAnswersAnActionByItsOwnName) {
  bench.stand(70);
  techniques = {Timeline::Playout, false, true};
  walk(5);
  PlayerInput use = walking_at(bench.core->next_tick(), 0);
  use.samples.push_back({.action = ActionKind::Use, .target = bench.find(test::door_row)});
  send(use);
  bench.tick();
  walk(8);
  const auto verdicts = bench.sent<EffectEvent>();
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].target, use.tick);
}

// The rule: without rollback a tapped jump is kept, and no tick is simulated again
TEST_F(ASwitch, ToNoRollbackKeepsATappedJumpThatCameLate) {
  techniques.rollback = false;
  walk(20);
  const double floor = bench.player().state.position.y;
  PlayerInput jump = walking_at(bench.core->next_tick());
  jump.samples.push_back({.pressed = button_jump});
  bench.tick(5);
  send(jump);
  walk(6);
  EXPECT_GT(bench.player().state.position.y, floor + 0.2);
  EXPECT_EQ(bench.count(metric.inputs_edges_kept), 1U);
  EXPECT_EQ(bench.count(metric.rollback_ticks), 0U);
}

TEST_F(ASwitch, ToNoRollbackMakesEveryStateFinalAtOnce) {
  techniques.rollback = false;
  walk(10);
  bench.tick(4);
  EXPECT_FALSE(bench.last_own().speculative());
  EXPECT_EQ(bench.last_own().final_tick, bench.core->next_tick());
}

// The client's view is 6 ticks behind its newest input, and it has newer blocks.
TEST_F(ASwitch, OfParentsIsAnnouncedForTheNewestBlockThatArrived) {
  walk(3 * PathLength::remembered_ticks);
  EXPECT_LE(bench.player().ahead.longest_ticks(), 2);
  bench.frozen_newest_block = bench.core->next_tick();
  walk(60);
  EXPECT_EQ(bench.player().ahead.longest_ticks(), 6) << "overtaken: the view knows more";
}

// The guess walks off the deck. The client may have stopped, and would learn of the change too
// late.
TEST(AGuessedPlace, ChangesNoParent) {
  Bench bench({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {5, 0, 0}});
  bench.join();
  const Handle barge = bench.find(test::barge_row);
  const auto play = [&](int ticks, std::int8_t forward) {
    for (int i = 0; i < ticks; ++i) {
      bench.send(walking_at(bench.core->next_tick(), forward));
      bench.tick();
    }
  };
  play(60, 0);
  ASSERT_EQ(bench.player().parent, barge);
  play(117, 127);
  ASSERT_EQ(bench.player().parent, barge);
  const std::uint64_t switches = bench.count(metric.parent_switches);
  bench.tick(InputTimeline::Settings{}.gap_ticks_max - 20);
  const Vec3& at = bench.player().state.position;
  EXPECT_GT(std::max(std::abs(at.x), std::abs(at.z)), 10) << "it is beyond the deck";
  EXPECT_EQ(bench.player().parent, barge);
  EXPECT_EQ(bench.count(metric.parent_switches), switches);
  bench.tick(120);
  EXPECT_NE(bench.player().parent, barge) << "inputs that are later do not count";
}

// K33, K34: aboard, but in the world's frame; with the ship's gravity
TEST(AWorldFrame, HasNoParentsThatMove) {
  Bench bench({.spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {1, 0, 0}});
  bench.join();
  const auto stand = [&](bool relative, int ticks) {
    for (int i = 0; i < ticks; ++i) {
      ControlFrame frame = bench.frame_of({walking_at(bench.core->next_tick(), 0)});
      frame.techniques.relative_prediction = relative;
      bench.send(frame);
      bench.tick();
    }
  };
  stand(true, 60);
  EXPECT_EQ(bench.player().parent, bench.find(test::barge_row));
  stand(false, 60);
  EXPECT_EQ(bench.player().parent, no_entity);
  const double before_m = bench.player().state.position.x;
  stand(false, 60);
  EXPECT_NEAR(bench.player().state.position.x - before_m, 1, 0.05) << "carried by the deck";
  EXPECT_NEAR(bench.player().state.position.y, 20.9, 0.05) << "and pulled down to it";
  stand(true, 60);
  EXPECT_EQ(bench.player().parent, bench.find(test::barge_row));
  EXPECT_EQ(bench.count(metric.hard_resets), 0U);
}

}  // namespace
}  // namespace perigee::worker
