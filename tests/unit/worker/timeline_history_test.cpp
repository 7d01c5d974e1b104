// A newcomer receives only those entries of a door's log that affect its pose from now on.
#include "perigee/worker/snapshots/timeline_history.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

constexpr world::Travel lift{.slide = {0, 4, 0}, .ticks = 30};

/// The log of a client that had none before.
world::TimelineLog received(const world::TimelineLog& log, const TimelineHistory& sent) {
  world::TimelineLog out(sent.goal);
  for (std::size_t i = sent.first; i < log.size(); ++i) out.add(log[i], lift);
  return out;
}

TEST(ANewcomer, ReceivesAsMuchOfADoorsHistoryAsDefinesItsPoseFromNowOn) {
  std::size_t left_out = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    world::TimelineLog log(static_cast<std::uint8_t>(random.below(2)));
    Tick effect{0xffffff80U};  // across the wrap-around of ticks
    std::uint16_t version = 0;
    for (std::uint32_t i = random.below(2 * world::TimelineLog::changes_max); i > 0; --i) {
      effect = effect + static_cast<std::int32_t>(1 + random.below(50));
      const auto goal = static_cast<std::uint8_t>(random.below(2));
      log.add({.object = 1, .effect = effect, .goal = goal, .version = ++version}, lift);
    }
    const Tick now = Tick{0xffffff80U} + static_cast<std::int32_t>(random.below(500));
    const TimelineHistory sent = timeline_history(lift, log, now);
    const world::TimelineLog there = received(log, sent);
    for (std::int32_t t = 0; t < 600; ++t) {
      ASSERT_EQ(world::travelled(lift, there, now + t), world::travelled(lift, log, now + t))
          << "seed " << seed << ", " << t;
    }
    EXPECT_EQ(there.last_version(), version) << "seed " << seed;
    left_out += sent.first;
  }
  EXPECT_GT(left_out, 600U) << "of 3700 or so";
}

}  // namespace
}  // namespace perigee::worker
