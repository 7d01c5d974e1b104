// Hard resets: a claim that is too far off, the epoch as a gate, and no endless loop of resets.
#include <deque>

#include "fixture.hpp"

namespace perigee::worker {
namespace {

/// A player at another place than the worker's state, that learns of that state after a delay.
struct Believer {
  Bench& bench;
  Vec3 off;               ///< error of the claim
  bool obeys = true;      ///< adopts the worker's state on a new epoch
  int latency_ticks = 6;  ///< in each direction
  std::uint8_t epoch = 0;
  Handle claimed_parent = no_entity;
  int view_ticks_ago = 0;  ///< age of what it displays, besides the latency
  std::deque<std::pair<Tick, ControlFrame>> up;
  std::deque<std::pair<Tick, std::uint8_t>> down;
  std::vector<PlayerInput> sent;  ///< newest first
  std::size_t blocks_read = 0;

  void tick() {
    const Tick now = bench.core->next_tick();
    PlayerInput input;
    input.tick = now + latency_ticks;
    sent.insert(sent.begin(), input);
    if (sent.size() > ControlFrame::inputs_max) sent.pop_back();
    ControlFrame frame = bench.frame_of(sent);  // redundancy, also for the old epoch's inputs
    frame.reset_epoch = epoch;
    frame.claimed_position = to_float(bench.player().state.position + off);
    if (claimed_parent != no_entity) frame.claimed_parent = claimed_parent;
    frame.view_sixteenths -= static_cast<std::uint32_t>(view_ticks_ago) << 4;
    up.emplace_back(now + latency_ticks, frame);
    while (!up.empty() && not_after(up.front().first, now)) {
      bench.send(up.front().second);
      up.pop_front();
    }
    bench.tick();
    for (; blocks_read < bench.blocks.size(); ++blocks_read) {
      const auto& own = bench.blocks[blocks_read].own;
      if (own) down.emplace_back(now + latency_ticks, own->reset_epoch);
    }
    while (!down.empty() && not_after(down.front().first, now)) {
      if (down.front().second != epoch) {
        epoch = down.front().second;
        if (obeys) off = {};
      }
      down.pop_front();
    }
  }
  void run(int ticks) {
    for (int i = 0; i < ticks; ++i) tick();
  }
};

struct AClaim : testing::Test {
  Bench bench;
  Believer player{bench, {}, true, 6, 0, no_entity, 0, {}, {}, {}, 0};
  std::uint8_t first_epoch = 0;
  AClaim() {
    bench.join();
    player.epoch = first_epoch = bench.player().reset_epoch;
    bench.tick(2);
    player.run(60);
    EXPECT_EQ(bench.count(metric.hard_resets), 0U);
  }
};

// A client that gets a new avatar starts over, even if the handle is the same.
TEST_F(AClaim, OfAFormerIncarnationIsOldAtOnce) {
  bench.leave();
  bench.tick();
  bench.join();
  EXPECT_NE(bench.player().reset_epoch, first_epoch);
  const std::uint64_t old = bench.count(metric.inputs_old_epoch);
  player.tick();
  EXPECT_GT(bench.count(metric.inputs_old_epoch), old);
}

// V6, V7: the claim is compared with the worker's own state; a large distance triggers a reset
TEST_F(AClaim, FarOffIsAHardReset) {
  player.off = {5.5, 0, 0};
  player.run(40);
  EXPECT_EQ(bench.count(metric.hard_resets), 1U);
  EXPECT_EQ(bench.last_own().reset_epoch, first_epoch + 1);
}

TEST_F(AClaim, NotQuiteAsFarOffIsPredictionsOwnMatter) {
  player.off = {4.5, 0, 0};
  player.run(600);
  EXPECT_EQ(bench.count(metric.hard_resets), 0U);
}

// Packets from a long queue are older than the final state that showed the loss of inputs.
TEST_F(AClaim, OfAClientThatHasNotSeenTheFinalStateIsNotReset) {
  player.off = {20, 0, 0};
  player.view_ticks_ago = 180;
  player.run(150);
  EXPECT_EQ(bench.count(metric.hard_resets), 0U);
  player.off = {};  // it has seen it, and has corrected itself
  player.view_ticks_ago = 0;
  player.run(60);
  EXPECT_EQ(bench.count(metric.hard_resets), 0U);
  EXPECT_FALSE(bench.player().far_off_since);
}

TEST_F(AClaim, OfAClientThatHasSeenTheFinalStateIsReset) {
  player.off = {20, 0, 0};
  player.view_ticks_ago = 180;
  player.run(150);
  player.view_ticks_ago = 0;  // it has seen it, and changes nothing
  player.run(40);
  EXPECT_EQ(bench.count(metric.hard_resets), 1U);
}

// V10: there must be no loop of resets that lasts until the player stops moving
TEST_F(AClaim, IsResetOnceIfTheClientObeys) {
  player.off = {20, 0, 0};
  player.run(1200);
  EXPECT_EQ(bench.count(metric.hard_resets), 1U);
  EXPECT_EQ(player.epoch, first_epoch + 1);
  EXPECT_FALSE(bench.last_own().speculative());  // its inputs count again
}

TEST_F(AClaim, IsResetAtMostOncePerSecondIfTheClientDoesNot) {
  player.obeys = false;
  player.off = {20, 0, 0};
  player.run(1200);
  EXPECT_GE(bench.count(metric.hard_resets), 5U);
  EXPECT_LE(bench.count(metric.hard_resets), 20U);
}

// V8, V9: inputs sent before the reset are void, also when redundancy sends them again
TEST_F(AClaim, OfTheOldEpochAndItsInputsAreDropped) {
  player.off = {20, 0, 0};
  while (bench.count(metric.hard_resets) == 0) player.tick();
  const Tick at = bench.core->next_tick();
  const std::uint64_t old = bench.count(metric.inputs_old_epoch);
  const Vec3 stood = bench.player().state.position;
  PlayerInput walk;
  walk.forward = 127;
  for (int i = 0; i < 8; ++i) {
    walk.tick = bench.core->next_tick();
    ControlFrame frame = bench.frame_of({walk});
    frame.reset_epoch = first_epoch;
    bench.send(frame);
    bench.tick();
  }
  EXPECT_EQ(bench.count(metric.inputs_old_epoch), old + 8);
  EXPECT_LT(distance(bench.player().state.position, stood), 1e-9);
  for (Tick t = at; before(t, at + 8); ++t) EXPECT_TRUE(bench.player().records.find(t)->guessed);
  walk.tick = bench.core->next_tick();
  bench.send(walk);  // with the new epoch
  bench.tick();
  EXPECT_FALSE(bench.player().records.find(walk.tick)->guessed);
}

// Void inputs for ticks before the reset do not come back in the new epoch either.
TEST_F(AClaim, DoesNotBringBackInputsOfTicksBeforeTheReset) {
  player.off = {20, 0, 0};
  while (bench.count(metric.hard_resets) == 0) player.tick();
  const std::uint64_t rewound = bench.count(metric.rollback_ticks);
  PlayerInput old;
  old.tick = bench.core->next_tick() - 2;
  bench.send(old);
  bench.tick();
  EXPECT_EQ(bench.count(metric.rollback_ticks), rewound);
  EXPECT_GE(bench.count(metric.inputs_too_late), 1U);
}

TEST_F(AClaim, OfAnotherParentForASecondIsAHardReset) {
  player.claimed_parent = 0xbeef;
  player.run(50);
  player.claimed_parent = no_entity;  // an announced switch looks like this for a moment
  player.run(30);
  EXPECT_EQ(bench.count(metric.hard_resets), 0U);
  player.claimed_parent = 0xbeef;
  player.run(100);
  EXPECT_EQ(bench.count(metric.hard_resets), 1U);
}

}  // namespace
}  // namespace perigee::worker
