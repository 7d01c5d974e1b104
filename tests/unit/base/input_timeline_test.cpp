#include "perigee/base/input_timeline.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/base/input_codec.hpp"

namespace perigee {
namespace {

PlayerInput input(std::uint32_t tick, int forward = 50) {
  PlayerInput out;
  out.tick = Tick{tick};
  out.forward = static_cast<std::int8_t>(forward);
  return out;
}

class AnInputTimeline : public ::testing::Test {
 protected:
  InputTimeline timeline{InputTimeline::Settings{}};
};

// S5b: inputs for a future tick wait for it, in order.
TEST_F(AnInputTimeline, KeepsFutureInputsUntilTheirTick) {
  EXPECT_EQ(timeline.offer(input(102, 2), Tick{100}), InputOffer::Waiting);
  EXPECT_EQ(timeline.offer(input(100, 1), Tick{100}), InputOffer::Waiting);
  EXPECT_EQ(timeline.take(Tick{100}).input.forward, 1);
  EXPECT_TRUE(timeline.take(Tick{101}).guessed);
  EXPECT_EQ(timeline.take(Tick{102}).input.forward, 2);
}

// K13, K15: repeat the held controls, then release them.
TEST_F(AnInputTimeline, GuessesTheHeldControlsForSixTicksOnly) {
  timeline.offer(input(10, 77), Tick{10});
  timeline.take(Tick{10});
  for (std::uint32_t t = 11; t <= 16; ++t) EXPECT_EQ(timeline.take(Tick{t}).input.forward, 77);
  EXPECT_EQ(timeline.take(Tick{17}).input.forward, 0);
}

TEST_F(AnInputTimeline, GoesOnByWhatItPlayedOnceWhatWaitsIsDropped) {
  for (std::uint32_t t = 10; t < 40; ++t) timeline.offer(input(t, t < 12 ? 77 : 5), Tick{10});
  timeline.take(Tick{10});
  timeline.take(Tick{11});
  timeline.drop_waiting(Tick{12});
  for (std::uint32_t t = 12; t < 40; ++t) {
    const InputTimeline::Use use = timeline.take(Tick{t});
    EXPECT_TRUE(use.guessed);
    EXPECT_EQ(use.input.forward, t <= 17 ? 77 : 0) << t;
  }
  EXPECT_EQ(timeline.last_applied(), Tick{11});
  EXPECT_EQ(timeline.offer(input(40, 9), Tick{40}), InputOffer::Waiting);
  EXPECT_EQ(timeline.take(Tick{40}).input.forward, 9);
}

// S7, S9: a late input inside P requests a re-simulation from its tick.
TEST_F(AnInputTimeline, AsksForARewindInsideTheWindow) {
  for (std::uint32_t t = 0; t < 30; ++t) timeline.take(Tick{t});
  EXPECT_EQ(timeline.offer(input(20), Tick{30}), InputOffer::Rewind);
  EXPECT_EQ(timeline.offer(input(20), Tick{30}), InputOffer::Duplicate);
  EXPECT_FALSE(timeline.take(Tick{20}).guessed);
}

// S12: a shorter window means smaller jumps.
TEST_F(AnInputTimeline, RefusesWhatHasLeftTheWindow) {
  for (std::uint32_t t = 0; t < 30; ++t) timeline.take(Tick{t});
  EXPECT_EQ(timeline.offer(input(14), Tick{30}), InputOffer::TooLate);
  EXPECT_EQ(timeline.offer(input(15), Tick{30}), InputOffer::Rewind);
}

// A resent input is recognized as the same input.
TEST_F(AnInputTimeline, RefusesOnceWhatIsSaidAgain) {
  for (std::uint32_t t = 20; t < 30; ++t) timeline.take(Tick{t});
  for (const std::uint32_t tick : {14U, 17U}) {  // outside of the window; before the first tick
    EXPECT_EQ(timeline.offer(input(tick), Tick{30}), InputOffer::TooLate);
    EXPECT_EQ(timeline.offer(input(tick), Tick{31}), InputOffer::Duplicate);
    EXPECT_TRUE(timeline.came_too_late(Tick{tick}));
  }
}

// S4: a suggestion can be refused.
TEST_F(AnInputTimeline, RefusesWhatIsMoreThanOneAndAHalfSecondsAhead) {
  EXPECT_EQ(timeline.offer(input(191), Tick{100}), InputOffer::TooEarly);
  EXPECT_EQ(timeline.offer(input(190), Tick{100}), InputOffer::Waiting);
}

// Waiting inputs are part of a player's state for another worker, and of a standby replica.
TEST_F(AnInputTimeline, KeepsWhatWaitsAsFarAheadAsItTakes) {
  const Tick next{1000};
  const std::uint32_t last = 1000 + 90;
  for (std::uint32_t t = 1000; t <= last; ++t) {
    ASSERT_EQ(timeline.offer(input(t), next), InputOffer::Waiting) << t;
  }
  std::array<std::byte, 32768> bytes{};
  for (const bool open : {false, true}) {
    ByteWriter writer(bytes);
    ASSERT_TRUE(open ? InputTimeline::walk_open(writer, timeline, next)
                     : InputTimeline::walk(writer, timeline, next));
    ByteReader reader({bytes.data(), writer.size()});
    InputTimeline copy{InputTimeline::Settings{}};
    ASSERT_TRUE(open ? InputTimeline::walk_open(reader, copy, next)
                     : InputTimeline::walk(reader, copy, next));
    EXPECT_TRUE(reader.at_end());
    for (std::uint32_t t = 1000; t <= last; ++t) {
      const InputTimeline::Use use = copy.take(Tick{t});
      ASSERT_FALSE(use.guessed) << t;
      EXPECT_EQ(use.input.tick, Tick{t});
    }
  }
}

TEST_F(AnInputTimeline, CallsAStateFinalOnceNoGuessInTheWindowIsOpen) {
  for (std::uint32_t t = 0; t < 40; ++t) {
    if (t != 33) timeline.offer(input(t), Tick{t});
    timeline.take(Tick{t});
  }
  EXPECT_EQ(timeline.final_before(Tick{40}), Tick{33});  // the guess of 33 can still be replaced
  timeline.offer(input(33), Tick{40});
  EXPECT_EQ(timeline.final_before(Tick{40}), Tick{40});
}

TEST_F(AnInputTimeline, CallsAGuessFinalWhenItLeavesTheWindow) {
  for (std::uint32_t t = 0; t < 40; ++t) {
    if (t != 20) timeline.offer(input(t), Tick{t});
    timeline.take(Tick{t});
  }
  EXPECT_EQ(timeline.final_before(Tick{40}), Tick{40});
}

// S6-S10 compared with the literal algorithm: with random lateness inside P, loss and duplication,
// the final input of each tick equals that of a run in which all inputs that arrived were in time.
TEST_F(AnInputTimeline, EndsAsIfEverythingHadComeInTime) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    InputTimeline late{InputTimeline::Settings{}};
    InputTimeline timely{InputTimeline::Settings{}};
    std::map<std::uint32_t, std::vector<PlayerInput>> arrivals;
    std::map<std::uint32_t, PlayerInput> in_time;
    for (std::uint32_t t = 20; t < 220; ++t) {
      const PlayerInput in = input(t, static_cast<int>(random.below(100)));
      if (random.unit() < 0.1) continue;  // lost for ever
      in_time[t] = in;
      const int copies = random.unit() < 0.2 ? 2 : 1;
      for (int c = 0; c < copies; ++c) arrivals[t - 5 + random.below(20)].push_back(in);
    }
    std::map<std::uint32_t, int> used;
    for (std::uint32_t now = 15; now < 240; ++now) {
      Tick from{now};
      for (const PlayerInput& in : arrivals[now]) {
        if (late.offer(in, Tick{now}) == InputOffer::Rewind && before(in.tick, from))
          from = in.tick;
      }
      for (Tick t = from; not_after(t, Tick{now}); ++t) used[t.count] = late.take(t).input.forward;
    }
    for (std::uint32_t t = 15; t < 220; ++t) {
      if (in_time.contains(t)) timely.offer(in_time[t], Tick{t});
      EXPECT_EQ(used[t], timely.take(Tick{t}).input.forward) << "tick " << t;
    }
  }
}

}  // namespace
}  // namespace perigee
