#include "perigee/netcode/playout_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "perigee/netcode/hash.hpp"

namespace perigee {
namespace {

PlayerInput input(std::uint32_t tick) {
  PlayerInput out;
  out.tick = Tick{tick};
  out.forward = static_cast<std::int8_t>(tick % 100 + 1);  // tells which input was applied
  return out;
}

class APlayoutBuffer : public ::testing::Test {
 protected:
  PlayoutBuffer buffer;
  /// The tick whose controls the next frame applies; 0 = none.
  std::uint32_t apply() {
    const auto taken = buffer.take();
    return taken ? static_cast<std::uint32_t>(taken->forward - 1) : 0;
  }
};

// K16, literally: frames 0..7 with arrivals 2, 5, 3, -, 1 (late), -, 5 (duplicate), -.
TEST_F(APlayoutBuffer, FollowsTheGoldenTraceK16) {
  std::vector<std::uint32_t> applied;
  EXPECT_EQ(buffer.offer(input(2)), Offer::Stored);
  applied.push_back(apply());
  EXPECT_EQ(buffer.offer(input(5)), Offer::Stored);
  applied.push_back(apply());
  EXPECT_EQ(buffer.offer(input(3)), Offer::Stored);  // K11: sorted into place
  applied.push_back(apply());
  applied.push_back(apply());
  EXPECT_EQ(buffer.offer(input(1)), Offer::Late);  // K12: older than the last applied
  applied.push_back(apply());
  applied.push_back(apply());                           // 4 never came: 3 again (K13)
  EXPECT_EQ(buffer.offer(input(5)), Offer::Duplicate);  // K14
  applied.push_back(apply());
  applied.push_back(apply());  // empty: keep repeating (K15)
  EXPECT_EQ(applied, (std::vector<std::uint32_t>{0, 0, 0, 2, 3, 3, 5, 5}));
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(apply(), 5U);
  EXPECT_EQ(apply(), 0U);  // K15: stop after a few frames
}

// K9, K10: four places, three pushes.
TEST_F(APlayoutBuffer, HoldsTheFirstInputForThreePushes) {
  buffer.offer(input(40));
  EXPECT_EQ(apply(), 0U);
  EXPECT_EQ(apply(), 0U);
  EXPECT_EQ(apply(), 0U);
  EXPECT_EQ(apply(), 40U);
}

TEST_F(APlayoutBuffer, DropsEdgesOfARepeatedInput) {
  PlayerInput jump = input(10);
  jump.held = button_run;
  jump.samples.push_back({0, button_jump, ActionKind::None, no_entity});
  buffer.offer(jump);
  for (int i = 0; i < 3; ++i) buffer.take();
  EXPECT_EQ(pressed_mask(*buffer.take()), button_jump);
  const auto repeated = buffer.take();
  EXPECT_EQ(pressed_mask(*repeated), 0);
  EXPECT_EQ(repeated->held, button_run);
}

TEST_F(APlayoutBuffer, RefusesWhatIsTooFarAhead) {
  buffer.offer(input(10));
  EXPECT_EQ(buffer.offer(input(10 + PlayoutBuffer::capacity_ticks)), Offer::TooEarly);
}

TEST_F(APlayoutBuffer, SurvivesTheTicksWrapAround) {
  PlayerInput first = input(0);
  first.tick = Tick{0xffff'ffff};
  PlayerInput second = input(7);
  second.tick = Tick{0};
  buffer.offer(first);
  EXPECT_EQ(buffer.offer(second), Offer::Stored);
  for (int i = 0; i < 4; ++i) buffer.take();
  EXPECT_EQ(apply(), 7U);
}

// K8-K14 as a property: however packets are delayed by less than the buffer, doubled and mixed, the
// applied sequence is the sent one.
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
  std::vector<std::uint32_t> applied;
  for (std::uint32_t frame = 0; frame < 92; ++frame) {
    std::vector<std::uint32_t>& now = arrivals[frame];
    std::reverse(now.begin(), now.end());
    for (const std::uint32_t tick : now) buffer.offer(input(tick));
    if (const std::uint32_t tick = apply(); tick != 0) applied.push_back(tick);
  }
  for (std::uint32_t i = 0; i < applied.size(); ++i) EXPECT_EQ(applied[i], i + 1);
  EXPECT_GE(applied.size(), 88U);
}

}  // namespace
}  // namespace perigee
