// The controller in a closed loop with a path: a queue that packets fill and a rate that drains it.
#include "perigee/worker/snapshots/rate_control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

constexpr std::int32_t second_ticks = 60;

/// A downlink with one queue. A block leaves every second tick.
struct NarrowPath {
  double bytes_per_s = 1e9;
  double others_bytes_per_s = 0;  ///< share the queue, and do not give way
  double queue_s_max = 2;
  std::int32_t base_ticks = 6;
  std::int32_t jitter_ticks = 0;
  bool interrupted = false;
  bool late_inputs = false;

  RateControl control{};
  Random random{5};
  Tick now{1000};
  double queued_bytes = 0;
  double wanted_bytes_per_s = 8'000;
  struct Arrival {
    Tick at;
    std::int32_t round_trip_ticks;
  };
  std::deque<Arrival> acknowledged{};
  double sent_in_period = 0, carried_bytes = 0;
  std::uint32_t blocks = 0, blocks_arrived = 0;

  double rate() const { return std::min(wanted_bytes_per_s, control.limit().value_or(1e9)); }
  double queue_s() const { return queued_bytes / bytes_per_s; }

  void send_block() {
    const double bytes = rate() * 2 / second_ticks;
    sent_in_period += bytes;
    ++blocks;
    if (interrupted || queue_s() > queue_s_max) return;
    queued_bytes += bytes;
    carried_bytes += bytes;
    const auto waits_ticks = static_cast<std::int32_t>(queue_s() * second_ticks);
    const auto jitter =
        static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(jitter_ticks) + 1));
    const std::int32_t round_trip = base_ticks + waits_ticks + jitter;
    acknowledged.push_back({now + round_trip, round_trip});
  }
  void tick() {
    if (now.count % 2 == 0) send_block();
    queued_bytes += others_bytes_per_s / second_ticks;
    queued_bytes = std::min(queued_bytes, queue_s_max * bytes_per_s);
    queued_bytes = std::max(0.0, queued_bytes - bytes_per_s / second_ticks);
    std::erase_if(acknowledged, [&](const Arrival& arrival) {
      if (before(now, arrival.at)) return false;
      control.note_round_trip(arrival.round_trip_ticks * 1'000'000 / second_ticks);
      ++blocks_arrived;
      return true;
    });
    if (now.count % second_ticks == 0) {
      const bool held_back = rate() < wanted_bytes_per_s;
      control.update(now, {std::exchange(sent_in_period, 0), held_back, std::exchange(blocks, 0),
                           std::exchange(blocks_arrived, 0), late_inputs});
    }
    ++now;
  }
  void run(std::int32_t seconds) {
    for (std::int32_t i = 0; i < seconds * second_ticks; ++i) tick();
  }
  /// Longest queue while that time passes, in seconds.
  double longest_queue_s(std::int32_t seconds) {
    double longest = 0;
    for (std::int32_t i = 0; i < seconds * second_ticks; ++i) {
      tick();
      longest = std::max(longest, queue_s());
    }
    return longest;
  }
};

TEST(RateControl, LeavesAWidePathAlone) {
  NarrowPath path{.bytes_per_s = 100'000, .jitter_ticks = 4};
  path.run(120);
  EXPECT_FALSE(path.control.limit());
}

TEST(RateControl, EmptiesTheQueueOfANarrowPathAndUsesThePath) {
  for (const double capacity : {3'000.0, 4'000.0, 6'000.0, 7'500.0}) {
    SCOPED_TRACE(capacity);
    NarrowPath path{.bytes_per_s = capacity, .jitter_ticks = 2};
    path.run(60);
    path.carried_bytes = 0;
    EXPECT_LT(path.longest_queue_s(120), 0.6);
    EXPECT_GT(path.carried_bytes / 120, 0.75 * capacity);
  }
}

/// How often a limit was in force in the next seconds.
int seconds_limited(NarrowPath& path, int seconds) {
  int out = 0;
  for (int i = 0; i < seconds; ++i) {
    path.run(1);
    out += path.control.limit() ? 1 : 0;
  }
  return out;
}

TEST(RateControl, DoesNotGiveWayToAQueueOfOthersThroughWhichAllArrives) {
  NarrowPath path{.bytes_per_s = 100'000, .queue_s_max = 1};
  path.run(25);
  for (int i = 0; i < 20; ++i) {  // a download that fills the queue and backs off
    path.others_bytes_per_s = 120'000;
    EXPECT_EQ(seconds_limited(path, 8), 0);
    path.others_bytes_per_s = 0;
    EXPECT_EQ(seconds_limited(path, 3), 0);
  }
}

TEST(RateControl, GivesUpOnAQueueThatDoesNotYield) {
  NarrowPath path{.bytes_per_s = 100'000};
  path.run(25);
  path.others_bytes_per_s = 150'000;  // of blocks that find the queue full nothing arrives
  EXPECT_LT(seconds_limited(path, 600), 100) << "each try is half as frequent as the one before";
}

// A player crosses borders all the time.
TEST(RateControl, GoesOnAtTheNextWorkers) {
  NarrowPath path{.bytes_per_s = 4'000, .jitter_ticks = 2};
  path.run(60);
  path.carried_bytes = 0;
  for (int i = 0; i < 20; ++i) {
    const auto limit = path.control.limit();
    ASSERT_TRUE(limit) << i;
    path.control = RateControl(path.control.knowledge());
    EXPECT_EQ(path.control.limit(), limit);
    EXPECT_LT(path.longest_queue_s(7), 0.6) << i;
  }
  EXPECT_GT(path.carried_bytes / 140, 0.75 * path.bytes_per_s);
}

TEST(RateControl, StillKnowsAtTheNextWorkersThatAQueueBelongsToOthers) {
  NarrowPath path{.bytes_per_s = 100'000};
  path.run(25);
  path.others_bytes_per_s = 150'000;
  for (int i = 0; i < 60 && path.control.knowledge().paused_for_us < 25'000'000; ++i) path.run(1);
  ASSERT_GE(path.control.knowledge().paused_for_us, 25'000'000);
  path.control = RateControl(path.control.knowledge());
  EXPECT_EQ(seconds_limited(path, 20), 0);
}

// A worker sees the shortest round trip for a minute at most, however often the player moves.
TEST(RateControl, ForgetsTheShortestRoundTripAtTheNextWorkersAsAtOne) {
  NarrowPath path{};
  path.run(20);
  path.base_ticks += 30;
  for (int i = 0; i < 10; ++i) {
    path.control = RateControl(path.control.knowledge());
    path.run(7);
  }
  EXPECT_LT(path.control.queue_us(), PathQueue::standing_us);
}

TEST(RateControl, DoesNotGiveWayToAQueueOnTheOtherWay) {
  NarrowPath path{.bytes_per_s = 4'000, .late_inputs = true};
  EXPECT_EQ(seconds_limited(path, 60), 0);
}

TEST(RateControl, IgnoresThatThePathItselfHasBecomeLonger) {
  NarrowPath path{.bytes_per_s = 100'000};
  path.run(25);
  path.base_ticks = 48;
  EXPECT_EQ(seconds_limited(path, 120), 0);
  EXPECT_EQ(path.control.queue_us(), 0);
}

TEST(RateControl, RegainsTheRateWhenThePathHasBecomeWider) {
  NarrowPath path{.bytes_per_s = 4'000};
  path.run(60);
  ASSERT_TRUE(path.control.limit());
  path.bytes_per_s = 100'000;
  path.run(60);
  EXPECT_FALSE(path.control.limit());
}

TEST(RateControl, LearnsNothingFromAnOutage) {
  NarrowPath path{.bytes_per_s = 100'000};
  path.run(25);
  path.interrupted = true;
  path.run(5);
  path.interrupted = false;
  path.run(5);
  EXPECT_FALSE(path.control.limit());
}

// A client that acknowledges late, early or what was never sent changes its own rate only, and
// within these limits.
TEST(RateControl, StaysWithinItsLimitsWhateverIsAcknowledged) {
  RateControl control{};
  Random random(9);
  Tick now{1000};
  for (int i = 0; i < 20'000; ++i) {
    for (std::uint32_t n = random.below(4); n > 0; --n) {
      control.note_round_trip(17'000 * (Micros{random.below(2'000'000'000)} - 1'000));
      control.note_round_trip(17'000 * Micros{random.below(300)});
    }
    const double sent = random.unit() * 64'000;
    control.update(now, {sent, random.below(2) == 0, random.below(100), random.below(100)});
    if (control.limit()) {
      ASSERT_GE(*control.limit(), RateControl::least_bytes_per_s);
      ASSERT_LE(*control.limit(), 128'000);
    }
    now = now + static_cast<std::int32_t>(random.below(120));
  }
}

}  // namespace
}  // namespace perigee::worker
