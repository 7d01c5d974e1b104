// The talk's playout delay buffer, as implemented by the input timeline, and switches between
// timelines in play.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/input_timeline.hpp"

namespace perigee {
namespace {

constexpr SharedTechniques lead;
constexpr SharedTechniques lead_without_rollback{.rollback = false};
constexpr SharedTechniques playout{.timeline = Timeline::Playout, .rollback = false};
constexpr SharedTechniques playout_in_trouble{.timeline = Timeline::PlayoutInTrouble,
                                              .rollback = false};

PlayerInput input(Tick tick) {
  PlayerInput out;
  out.tick = tick;
  out.forward = static_cast<std::int8_t>(tick.count % 100 + 1);  // shows which input was applied
  return out;
}
PlayerInput tap(Tick tick) {
  PlayerInput out = input(tick);
  out.samples.push_back({.offset = 7, .pressed = button_jump});
  return out;
}

/// One player's packets with one input each, and the frames of the server.
struct APlayoutBuffer : testing::Test {
  InputTimeline timeline{InputTimeline::Settings{}};
  Tick next{1000};  ///< the server's next tick
  int taps = 0;

  APlayoutBuffer() { timeline.use(playout, next); }
  InputOffer arrives(const PlayerInput& packet) {
    timeline.on_packet(packet.tick, next);
    return timeline.offer(packet, next);
  }
  InputOffer arrives(std::uint32_t tick) { return arrives(input(Tick{tick})); }
  /// The tick modulo 100 of the input that the next frame applies; 0 = none.
  std::uint32_t apply() {
    const InputTimeline::Use use = timeline.take(next);
    taps += static_cast<int>(use.input.samples.size());
    ++next;
    return use.input.forward == 0 ? 0 : static_cast<std::uint32_t>(use.input.forward - 1);
  }
  std::vector<std::uint32_t> apply(int frames) {
    std::vector<std::uint32_t> out;
    for (int i = 0; i < frames; ++i) out.push_back(apply());
    return out;
  }
};
using Applied = std::vector<std::uint32_t>;

// K16, literally: frames 0..7 with arrivals 2, 5, 3, -, 1 (late), -, 5 (duplicate), -.
TEST_F(APlayoutBuffer, FollowsTheGoldenTraceK16) {
  Applied applied;
  const auto frame = [&] { applied.push_back(apply()); };
  EXPECT_EQ(arrives(1002), InputOffer::Waiting);
  frame();
  EXPECT_EQ(arrives(1005), InputOffer::Waiting);
  frame();
  EXPECT_EQ(arrives(1003), InputOffer::Waiting);  // K11: sorted into place
  frame();
  frame();
  EXPECT_EQ(arrives(1001), InputOffer::TooLate);  // K12: older than the last applied
  frame();
  frame();                                          // 4 never came: 3 again (K13)
  EXPECT_EQ(arrives(1005), InputOffer::Duplicate);  // K14
  frame();
  frame();  // empty: keep repeating (K15)
  EXPECT_EQ(applied, (Applied{0, 0, 0, 2, 3, 3, 5, 5}));
  EXPECT_EQ(apply(5), Applied(5, 5));
  EXPECT_EQ(apply(), 0U);  // K15: stop after a few frames
}

// K9, K10: four places, three pushes.
TEST_F(APlayoutBuffer, HoldsTheFirstInputForThreePushes) {
  arrives(1040);
  EXPECT_EQ(apply(4), (Applied{0, 0, 0, 40}));
}

TEST_F(APlayoutBuffer, DropsEdgesOfARepeatedInput) {
  PlayerInput jump = tap(Tick{1010});
  jump.held = button_run;
  arrives(jump);
  apply(3);
  EXPECT_EQ(pressed_mask(timeline.take(next).input), button_jump);
  const InputTimeline::Use repeated = timeline.take(next + 1);
  EXPECT_TRUE(repeated.guessed);
  EXPECT_EQ(pressed_mask(repeated.input), 0);
  EXPECT_EQ(repeated.input.held, button_run);
}

// K12 literally: not even its edges are applied out of order
TEST_F(APlayoutBuffer, DropsWhatIsOlderThanTheLastApplied) {
  arrives(1010);
  arrives(1012);
  apply(6);
  EXPECT_EQ(arrives(tap(Tick{1011})), InputOffer::TooLate);
  EXPECT_EQ(arrives(tap(Tick{1011})), InputOffer::Duplicate);
  arrives(1016);
  apply(6);
  EXPECT_EQ(taps, 0);
}

TEST_F(APlayoutBuffer, RefusesWhatIsTooFarAhead) {
  arrives(1010);
  EXPECT_EQ(timeline.offer(input(next + 91), next), InputOffer::TooEarly);
}

TEST_F(APlayoutBuffer, SurvivesTheTicksWrapAround) {
  next = Tick{0xffff'fffe};
  timeline.reset(next);
  arrives(input(Tick{0xffff'ffff}));
  EXPECT_EQ(arrives(input(Tick{0})), InputOffer::Waiting);
  EXPECT_EQ(apply(5), (Applied{0, 0, 0, 95, 0}));  // 2^32 - 1 and then 0, which looks like none
  EXPECT_EQ(timeline.last_applied(), Tick{0});
}

// K9 again after K15: if the path becomes longer than the buffer, the player is not locked out
TEST_F(APlayoutBuffer, BeginsAnewOnceItRanEmpty) {
  for (std::uint32_t i = 0; i < 20; ++i) {
    arrives(1000 + i);
    apply();
  }
  EXPECT_EQ(timeline.delay_ticks(), 3);
  apply(12);  // no packet for 200 ms, and all later ones have that extra delay
  std::uint32_t applied = 0;
  for (std::uint32_t i = 20; i < 60; ++i) {
    arrives(1000 + i);
    applied += apply() == i % 100 - 3;
  }
  EXPECT_EQ(timeline.delay_ticks(), 15);
  EXPECT_EQ(applied, 37U);
}

// The client's clock runs faster than the server's: its inputs do not wait longer and longer.
TEST_F(APlayoutBuffer, DoesNotFillUp) {
  arrives(1000);
  apply(4);
  arrives(1016);
  EXPECT_EQ(ticks_between(next, Tick{1016} + timeline.delay_ticks()), InputTimeline::pushes);
}

// K8-K14 as a property: if packets are delayed by less than the buffer, duplicated and reordered,
// the applied sequence is the sent one.
TEST_F(APlayoutBuffer, AppliesEveryInputOnceWhateverTheOrderInsideItsDelay) {
  const std::uint64_t seed = 0x9e1;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  std::vector<std::vector<std::uint32_t>> arrivals(400);
  arrivals[0].push_back(1);
  for (std::uint32_t tick = 2; tick < 90; ++tick) {
    const std::uint32_t frame = tick - 1 + random.below(4);  // up to three frames late
    arrivals[frame].push_back(tick);
    if (random.unit() < 0.3) arrivals[frame + random.below(5)].push_back(tick);
  }
  Applied applied;
  for (std::uint32_t frame = 0; frame < 92; ++frame) {
    std::vector<std::uint32_t>& now = arrivals[frame];
    std::reverse(now.begin(), now.end());
    for (const std::uint32_t tick : now) arrives(1000 + tick);
    if (const std::uint32_t tick = apply(); tick != 0) applied.push_back(tick);
  }
  for (std::uint32_t i = 0; i < 88; ++i) EXPECT_EQ(applied[i], i + 1);
}

// --- K17 -----------------------------------------------------------------------------------------

struct APlayoutBufferInTrouble : APlayoutBuffer {
  std::uint32_t sent = 1000;
  APlayoutBufferInTrouble() { timeline.use(playout_in_trouble, next); }
  /// One packet per frame, in time.
  void quiet(int frames) {
    for (int i = 0; i < frames; ++i) {
      arrives(sent++);
      apply();
    }
  }
  std::int32_t waits() const { return ticks_between(next, Tick{sent} + timeline.delay_ticks()); }
};

TEST_F(APlayoutBufferInTrouble, IsOffAfterAQuietTime) {
  quiet(600);
  EXPECT_EQ(waits(), 3);
  quiet(1);
  EXPECT_EQ(waits(), 1);
  quiet(1'000);
  EXPECT_EQ(waits(), 1);
}

TEST_F(APlayoutBufferInTrouble, IsOnAgainWithTheFirstPacketOutOfOrder) {
  quiet(700);
  arrives(sent + 1);
  apply();
  arrives(sent);
  apply();
  sent += 2;
  EXPECT_EQ(waits(), 3);
  quiet(500);
  EXPECT_EQ(waits(), 3);
}

TEST_F(APlayoutBufferInTrouble, IsOnAgainWithTheFirstPacketThatIsLate) {
  quiet(700);
  apply(3);
  arrives(sent++);
  EXPECT_EQ(timeline.delay_ticks(), 3);
}

TEST_F(APlayoutBufferInTrouble, LosesNoPressWhereverItIsTurned) {
  const auto press = [&](int packets) {
    for (int i = 0; i < packets; ++i) arrives(tap(Tick{sent++}));
    apply();
  };
  int turned = 0;
  std::int32_t delay = 0;
  for (int frame = 0; frame < 5'000; ++frame) {
    if (frame % 900 == 899) apply(2);  // two frames without a packet: the next one brings three
    press(frame % 900 == 899 ? 3 : 1);
    turned += timeline.delay_ticks() != delay;
    delay = timeline.delay_ticks();
  }
  apply(10);
  EXPECT_EQ(taps, static_cast<int>(sent - 1000));
  EXPECT_GE(turned, 9);
}

// --- switches ------------------------------------------------------------------------------------

struct ASwitch : APlayoutBuffer {
  std::uint32_t sent = 1000;
  int pressed = 0;
  Applied applied;
  explicit ASwitch() : APlayoutBuffer() { timeline = InputTimeline{InputTimeline::Settings{}}; }
  /// Two ticks ahead, as with the lead timeline; every input is a press.
  void play(int frames) {
    for (int i = 0; i < frames; ++i) {
      arrives(tap(Tick{sent++}));
      ++pressed;
      applied.push_back(apply());
    }
  }
};

TEST_F(ASwitch, ToPlayoutAndBackLosesNoPress) {
  play(50);
  timeline.use(playout, next);
  play(50);
  EXPECT_EQ(timeline.delay_ticks(), 3);
  timeline.use(lead, next);
  play(50);
  EXPECT_EQ(timeline.delay_ticks(), 0);
  apply(10);
  EXPECT_EQ(taps, pressed);
}

TEST_F(ASwitch, RepeatsWhatIsHeldForThreeTicksAndLaterSkipsThem) {
  play(10);
  timeline.use(playout, next);
  play(10);
  timeline.use(lead, next);
  play(2);
  EXPECT_EQ(applied,
            (Applied{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 10, 11, 12, 13, 14, 15, 16, 20, 21}));
}

TEST_F(ASwitch, AppliesNothingTwiceThatIsRepeatedAcrossIt) {
  play(30);
  timeline.use(playout, next);
  for (std::uint32_t back = 1; back < 16; ++back) {
    EXPECT_EQ(arrives(tap(Tick{sent - back})), InputOffer::Duplicate);
  }
  play(5);
  timeline.use(lead, next);
  for (std::uint32_t back = 1; back < 16; ++back) {
    EXPECT_EQ(arrives(tap(Tick{sent - back})), InputOffer::Duplicate);
  }
  play(5);
  apply(10);
  EXPECT_EQ(taps, pressed);
}

// S12: a switch of one player's window
TEST_F(ASwitch, OfTheWindowLeavesFinalWhatWasFinal) {
  play(10);
  timeline.use(lead_without_rollback, next);
  sent += 3;
  apply(3);  // three missing inputs are final at once
  EXPECT_EQ(timeline.final_before(next), next);
  timeline.use(lead, next);
  EXPECT_EQ(timeline.final_before(next), next);
  EXPECT_EQ(timeline.offer(input(next - 2), next), InputOffer::TooLate);
  apply();
  EXPECT_EQ(timeline.final_before(next), next - 1);
}

// The netcode's rule: without rollback, a late input's edges move to the next applied one.
TEST_F(ASwitch, ToNoRollbackKeepsATappedJump) {
  timeline.use(lead_without_rollback, next);
  play(10);
  apply(2);
  const PlayerInput late = tap(next - 2);
  EXPECT_EQ(arrives(late), InputOffer::EdgesKept);
  EXPECT_EQ(arrives(late), InputOffer::Duplicate);
  arrives(input(next + 1));
  EXPECT_TRUE(timeline.take(next).input.samples.empty());  // a guess contains no presses
  const InputTimeline::Use use = timeline.take(next + 1);
  EXPECT_EQ(pressed_mask(use.input), button_jump);
  const auto name = timeline.name_of_sample(next + 1, use, 0);  // S4: acknowledged by its own tick
  EXPECT_EQ(name.target, late.tick);
  EXPECT_EQ(name.index, 0);
}

TEST_F(ASwitch, ToNoRollbackForgetsAJumpThatIsOlderThanP) {
  timeline.use(lead_without_rollback, next);
  play(10);
  apply(16);
  EXPECT_EQ(arrives(tap(next - 16)), InputOffer::TooLate);
  EXPECT_EQ(arrives(tap(next - 15)), InputOffer::EdgesKept);
  apply(20);
  arrives(input(next));
  EXPECT_TRUE(timeline.take(next).input.samples.empty());
}

}  // namespace
}  // namespace perigee
