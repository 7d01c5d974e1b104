/// Doors as functions of tick and log.
#include "perigee/world/timeline.hpp"

#include <gtest/gtest.h>

#include "perigee/netcode/hash.hpp"

namespace perigee::world {
namespace {

constexpr Handle door_handle = 3;
TimelineChange change(std::uint32_t effect, std::uint8_t goal, std::uint16_t version) {
  return {.object = door_handle, .effect = Tick{effect}, .goal = goal, .version = version};
}

TEST(SlidingDoor, OpensInItsTimeAndStaysOpen) {
  const SlidingDoor door{.closed = {{1, 2, 3}, yaw_rotation(pi / 2)}, .slide = {0, 0, 2}};
  TimelineLog log;
  log.add(change(100, 1, 1));
  EXPECT_EQ(door_pose(door, log, Tick{100}), (door.closed * Pose{}));
  EXPECT_DOUBLE_EQ(door_opening(door, log, Tick{115}), 0.5);
  EXPECT_DOUBLE_EQ(door_opening(door, log, Tick{130}), 1);
  EXPECT_DOUBLE_EQ(door_opening(door, log, Tick{5000}), 1);
  EXPECT_NEAR(door_pose(door, log, Tick{130}).position.x, 3, 1e-9);
}

TEST(SlidingDoor, ReversesWhereItIs) {
  const SlidingDoor door{.slide = {2, 0, 0}};
  TimelineLog log;
  log.add(change(100, 1, 1));
  log.add(change(110, 0, 2));
  EXPECT_DOUBLE_EQ(door_opening(door, log, Tick{110}), 10 / 30.0);
  EXPECT_DOUBLE_EQ(door_opening(door, log, Tick{115}), 5 / 30.0);
  EXPECT_DOUBLE_EQ(door_opening(door, log, Tick{120}), 0);
}

TEST(SlidingDoor, ClosingAShutDoorMovesNothing) {
  TimelineLog log;
  log.add(change(100, 0, 1));
  EXPECT_DOUBLE_EQ(door_opening({}, log, Tick{100}), 0);
}

TEST(SlidingDoor, NeverJumpsWhateverTheLog) {
  const SlidingDoor door{.slide = {2, 0, 0}};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    TimelineLog log;
    std::uint32_t effect = 0xffffff00U;  // across the tick's wrap-around
    for (std::uint16_t i = 0; i < TimelineLog::changes_max; ++i) {
      effect += random.below(40);
      log.add(change(effect, static_cast<std::uint8_t>(random.below(2)), i));
    }
    double last = door_opening(door, log, Tick{0xfffffe00U});
    for (Tick tick{0xfffffe01U}; tick.count != 1500; ++tick) {
      const double now = door_opening(door, log, tick);
      ASSERT_LE(std::abs(now - last), 1 / 30.0 + 1e-12) << "seed " << seed;
      last = now;
    }
  }
}

TEST(TimelineLog, ArrivalOrderDoesNotMatter) {
  TimelineLog a;
  TimelineLog b;
  for (const auto& c : {change(10, 1, 1), change(20, 0, 2), change(20, 1, 3)}) a.add(c);
  for (const auto& c : {change(20, 1, 3), change(10, 1, 1), change(20, 0, 2)}) b.add(c);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]);
  EXPECT_EQ(a.goal_at(Tick{20}), 1);
  EXPECT_EQ(a.goal_at(Tick{9}), 0);
  EXPECT_EQ(a.last_version(), 3);
}

TEST(TimelineLog, RefusesDuplicatesAndForgetsTheOldestWhenFull) {
  TimelineLog log;
  EXPECT_EQ(log.add(change(10, 1, 1)), TimelineLog::Added::Stored);
  EXPECT_EQ(log.add(change(10, 1, 1)), TimelineLog::Added::Duplicate);
  for (std::uint16_t i = 2; i <= TimelineLog::changes_max + 1; ++i) {
    log.add(change(10U + 100U * i, static_cast<std::uint8_t>(i % 2), i));
  }
  EXPECT_EQ(log.size(), TimelineLog::changes_max);
  EXPECT_EQ(log.base_goal(), 1);
  EXPECT_DOUBLE_EQ(door_opening({}, log, Tick{200}), 1);
  EXPECT_EQ(log.add(change(5, 0, 99)), TimelineLog::Added::TooOld);
}

TEST(Trigger, TakesEffectAfterTheAnnouncementAndNeverBeforeItsTarget) {
  EXPECT_EQ(effect_tick(Tick{100}, Tick{95}, 9), Tick{109});
  EXPECT_EQ(effect_tick(Tick{100}, Tick{103}, 9), Tick{112});
}

}  // namespace
}  // namespace perigee::world
