/// Vehicle control: the driver of a body, the tick from which it steers, and its inputs.
#include "fixture.hpp"

namespace perigee::worker {
namespace {

constexpr test::YardOptions above_the_barge{
    .spawn = {0, 20.91, 0}, .barge = true, .barge_velocity = {}, .vehicle = true};

struct AVehicle : testing::Test {
  explicit AVehicle(const Settings& settings = {})
      : bench(above_the_barge, one_worker_map(), settings) {}
  Bench bench;
  Handle barge = no_entity;

  void SetUp() override {
    bench.join(0);
    bench.join(1);
    barge = bench.find(test::barge_row);
    bench.stand(40);  // both have the barge as their parent by now
    ASSERT_EQ(bench.player(1).parent, barge);
  }
  PlayerInput input() const {
    PlayerInput made;
    made.tick = bench.core->next_tick();
    return made;
  }
  void use(std::uint32_t n = 0) {
    PlayerInput pressed = input();
    pressed.samples.push_back({128, 0, ActionKind::Use, barge});
    bench.send(pressed, n);
    bench.tick();
  }
  const OwnSection& own() const {
    for (auto it = bench.blocks.rbegin(); it != bench.blocks.rend(); ++it) {
      if (it->own && it->session == session_of(0)) return *it->own;
    }
    return bench.last_own();
  }
  bool sits(std::uint32_t n = 0) const {
    return (bench.player(n).state.flags & actor_at_controls) != 0;
  }
  /// Waits from the promise to its tick.
  void wait(std::uint32_t n = 0) {
    for (int i = 0; i < 70 && bench.player(n).pending; ++i) bench.stand(1, n);
  }
};

struct AVehiclePromisedLate : AVehicle {
  static Settings late() {
    Settings settings = small_settings();
    settings.announce_ticks_min = 25;
    return settings;
  }
  AVehiclePromisedLate() : AVehicle(late()) {}
};

// The body does not run again, so late inputs cannot move what it has done since.
TEST_F(AVehiclePromisedLate, EndsAnOpenGapOfItsDriver) {
  use();
  PlayerInput now = input(), last = input();
  last.tick = now.tick - 1;
  bench.send(bench.frame_of({now, last}));
  bench.tick(20);
  ASSERT_TRUE(bench.player().pending);
  EXPECT_TRUE(bench.player().inputs.gap_open());
  bench.tick(20);
  EXPECT_TRUE(sits());
  EXPECT_FALSE(bench.player().inputs.gap_open());
}

TEST_F(AVehicle, IsTakenAtThePromisedTick) {
  use();
  ASSERT_TRUE(bench.player().pending);
  const Tick effect = bench.player().pending->effect;
  EXPECT_GE(ticks_between(bench.core->next_tick(), effect), 8);
  while (before(bench.core->next_tick(), effect)) {
    EXPECT_FALSE(sits());
    bench.stand(1);
  }
  bench.stand(1);
  EXPECT_TRUE(sits());
  EXPECT_EQ(bench.player().parent, barge);
  EXPECT_EQ(bench.player().state.position, bench.game.types()[test::barge_row].vehicle.seat);
  bench.stand(30);
  const auto sent = bench.sent<ParentSwitchEvent>();
  ASSERT_FALSE(sent.empty());
  EXPECT_EQ(sent.back().vehicle, VehicleChange::Take);
  EXPECT_EQ(sent.back().effect, effect);
  EXPECT_EQ(own().vehicle, VehiclePrediction::Free);
  ASSERT_FALSE(own().parents.empty());
  EXPECT_EQ(own().parents[0].handle, barge);
}

TEST_F(AVehicle, HasOneDriver) {
  use();
  use(1);  // while the first one is still waiting for its tick
  bench.stand(2);
  EXPECT_FALSE(bench.player(1).pending && bench.player(1).pending->vehicle == VehicleChange::Take);
  wait();
  ASSERT_TRUE(sits());
  bench.stand(5, 1);
  use(1);
  bench.stand(80, 1);
  EXPECT_FALSE(sits(1));
  const auto verdicts = bench.sent<EffectEvent>(session_of(1));
  ASSERT_GE(verdicts.size(), 2U);
  for (const EffectEvent& verdict : verdicts) {
    EXPECT_EQ(verdict.verdict, Verdict::Cancelled);
    EXPECT_EQ(verdict.reason, CancelReason::NotAllowed);
  }
}

TEST_F(AVehicle, MovesTheBodyAndLeavesItAfterUse) {
  use();
  wait();
  ASSERT_TRUE(sits());
  for (int i = 0; i < 60; ++i) {
    PlayerInput ahead = input();
    ahead.forward = 127;
    bench.send(ahead);
    bench.tick();
  }
  const Motion sailing = *bench.core->world().motion(barge, bench.core->next_tick());
  EXPECT_GT(sailing.velocity.z, 5);
  EXPECT_GT(length(to_double(own().vehicle_thrust)), 5);
  use();
  wait();
  bench.stand(1);
  EXPECT_FALSE(sits());
  EXPECT_EQ(bench.player().parent, barge);
  EXPECT_EQ(own().vehicle, VehiclePrediction::None);
}

// A body is not rewound: a late input finds its tick simulated with the held controls.
TEST_F(AVehicle, HoldsTheControlsOverALateInput) {
  use();
  wait();
  const auto drive = [&](bool late) {
    PlayerInput ahead = input();
    ahead.forward = 127;
    if (!late) bench.send(ahead);
    bench.tick();
    if (late) bench.send(ahead);
  };
  for (int i = 0; i < 30; ++i) drive(false);
  const auto speed = [&] {
    return bench.core->world().motion(barge, bench.core->next_tick())->velocity.z;
  };
  const double before = speed();
  drive(true);
  const double held = speed();
  EXPECT_GT(held, before);
  const Pose pose = *bench.core->world().pose(barge, bench.core->next_tick());
  const Tick then = bench.core->next_tick();
  drive(false);  // rewinds the driver, not the body
  EXPECT_EQ(*bench.core->world().pose(barge, then), pose);
  EXPECT_EQ(bench.count(metric.inputs_late), 1U);
  EXPECT_TRUE(sits());
}

TEST_F(AVehicle, IsFreeAgainWhenItsDriverQuits) {
  use();
  wait();
  ASSERT_TRUE(sits());
  bench.leave(0);
  bench.stand(5, 1);
  use(1);
  wait(1);
  EXPECT_TRUE(sits(1));
}

// K19, K44: of two bodies on a hinge the driver's is the root, and neither is predicted
TEST(AChain, IsSentRelativeToItsRootAndNotPredicted) {
  Bench bench({.spawn = {22, 20.91, 0},
               .barge = true,
               .barge_velocity = {},
               .second_barge = true,
               .vehicle = true});
  bench.join();
  bench.stand(60);
  const Handle first = bench.find(test::barge_row);
  const Handle second = bench.player().parent;
  ASSERT_NE(first, second);
  const auto frame_of_newest = [&](Handle handle) {
    for (auto it = bench.blocks.rbegin(); it != bench.blocks.rend(); ++it) {
      for (const auto& [frame, record] : it->records) {
        if (record.handle == handle) return frame.parent;
      }
    }
    ADD_FAILURE() << "no record of " << handle;
    return no_entity;
  };
  EXPECT_EQ(frame_of_newest(second), first);  // equal masses: the lowest id
  EXPECT_EQ(frame_of_newest(first), no_entity);
  PlayerInput use;
  use.tick = bench.core->next_tick();
  use.samples.push_back({128, 0, ActionKind::Use, second});
  bench.send(use);
  bench.tick();
  bench.stand(540);  // they rest: each is sent every 8 s
  ASSERT_NE(bench.player().state.flags & actor_at_controls, 0);
  EXPECT_EQ(frame_of_newest(first), second);
  EXPECT_EQ(frame_of_newest(second), no_entity);
  EXPECT_EQ(bench.last_own().vehicle, VehiclePrediction::Chained);
}

}  // namespace
}  // namespace perigee::worker
