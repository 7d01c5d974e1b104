/// Doors, lifts and wheels as functions of tick and log.
#include "perigee/world/timeline.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

constexpr Handle door_handle = 3;
TimelineChange change(std::uint32_t effect, std::uint8_t goal, std::uint16_t version) {
  return {.object = door_handle, .effect = Tick{effect}, .goal = goal, .version = version};
}

constexpr Travel door{.slide = {0, 0, 2}};
constexpr Travel trap{.axis = {0, 0, 1}, .hinge = {1, 0, 0}, .turn_rad = pi / 2};
constexpr Travel wheel{.turn_rad = 2 * pi, .ticks = 720, .endless = true};

TEST(ASlidingDoor, OpensInItsTimeAndStaysOpen) {
  const Pose rest{{1, 2, 3}, yaw_rotation(pi / 2)};
  TimelineLog log;
  log.add(change(100, 1, 1), door);
  EXPECT_EQ(timeline_pose(door, rest, log, Tick{100}), (rest * Pose{}));
  EXPECT_DOUBLE_EQ(travelled(door, log, Tick{115}), 0.5);
  EXPECT_DOUBLE_EQ(travelled(door, log, Tick{130}), 1);
  EXPECT_DOUBLE_EQ(travelled(door, log, Tick{5000}), 1);
  EXPECT_NEAR(timeline_pose(door, rest, log, Tick{130}).position.x, 3, 1e-9);
}

TEST(ASlidingDoor, ReversesWhereItIs) {
  TimelineLog log;
  log.add(change(100, 1, 1), door);
  log.add(change(110, 0, 2), door);
  EXPECT_DOUBLE_EQ(travelled(door, log, Tick{110}), 10 / 30.0);
  EXPECT_DOUBLE_EQ(travelled(door, log, Tick{115}), 5 / 30.0);
  EXPECT_DOUBLE_EQ(travelled(door, log, Tick{120}), 0);
}

TEST(ASlidingDoor, ThatIsShutIsNotMovedByClosing) {
  TimelineLog log;
  log.add(change(100, 0, 1), {});
  EXPECT_DOUBLE_EQ(travelled({}, log, Tick{100}), 0);
}

TEST(ASlidingDoor, NeverJumpsWhateverTheLog) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    TimelineLog log;
    std::uint32_t effect = 0xffffff00U;  // across the wrap-around of ticks
    for (std::uint16_t i = 0; i < TimelineLog::changes_max; ++i) {
      effect += random.below(40);
      log.add(change(effect, static_cast<std::uint8_t>(random.below(2)), i), door);
    }
    double last = travelled(door, log, Tick{0xfffffe00U});
    for (Tick tick{0xfffffe01U}; tick.count != 1500; ++tick) {
      const double now = travelled(door, log, tick);
      ASSERT_LE(std::abs(now - last), 1 / 30.0 + 1e-12) << "seed " << seed;
      last = now;
    }
  }
}

TEST(ATrapDoor, TurnsAboutItsHinge) {
  const Pose rest{{-30, 4, -12}, {}};
  TimelineLog log;
  log.add(change(100, 1, 1), trap);
  const auto point = [&](const Vec3& own, std::uint32_t tick) {
    return transform(timeline_pose(trap, rest, log, Tick{tick}), own);
  };
  for (const std::uint32_t tick : {99U, 107U, 115U, 130U, 900U}) {
    EXPECT_LT(distance(point({1, 0, 0}, tick), {-29, 4, -12}), 1e-8) << tick;  // the hinge stays
    EXPECT_NEAR(distance(point({-1, 0, 0}, tick), {-29, 4, -12}), 2, 1e-8) << tick;
  }
  EXPECT_LT(distance(point({-1, 0, 0}, 130), {-29, 2, -12}), 1e-8);  // it hangs down
}

TEST(AWheel, NeverRestsWhateverIsAnnounced) {
  TimelineLog log;
  log.add(change(100, 0, 1), wheel);
  for (std::uint32_t tick = 1; tick < 2000; ++tick) {
    const Pose before = timeline_pose(wheel, {}, log, Tick{tick - 1});
    const Pose now = timeline_pose(wheel, {}, log, Tick{tick});
    const Vec3 turned = rotation_vector(now.rotation * conjugate(before.rotation));
    ASSERT_NEAR(turned.y / seconds_per_tick, pi / 6, 1e-6) << tick;  // 30 deg/s
  }
}

// A settled object keeps its pose in all later ticks.
TEST(ATimelineObject, ThatHasSettledStaysWhereItIs) {
  Random random(4);
  int settled_ones = 0;
  for (int round = 0; round < 500; ++round) {
    const Travel& travel = round % 3 == 0 ? wheel : round % 3 == 1 ? trap : door;
    TimelineLog log(static_cast<std::uint8_t>(round % 2));
    std::uint32_t effect = 100;
    for (std::uint16_t i = 0; i < random.below(6); ++i) {
      log.add(change(effect += random.below(60), static_cast<std::uint8_t>(random.below(2)), i),
              travel);
    }
    for (Tick tick{90}; before(tick, Tick{500}); ++tick) {
      if (!settled(travel, log, tick)) continue;
      const Motion now = timeline_motion(travel, {}, log, tick);
      EXPECT_TRUE(now.rests());
      for (std::int32_t on = 1; on < 100; ++on) {
        EXPECT_EQ(timeline_pose(travel, {}, log, tick + on), now.pose);
      }
      ++settled_ones;
      break;
    }
  }
  EXPECT_GT(settled_ones, 300);
}

// Its reported velocities equal its actual motion, for all kinds of paths and announced changes.
TEST(ATimelineObject, HasTheVelocitiesThatLedWhereItIs) {
  const Pose rest{{3, 1, -7}, yaw_rotation(0.4)};
  for (const Travel& travel : {door, trap, wheel, Travel{.slide = {0, 4, 0}, .turn_rad = 1}}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Random random(seed);
      TimelineLog log;
      std::uint32_t effect = 10;
      for (std::uint16_t i = 0; i < 10; ++i) {
        effect += 1 + random.below(50);
        log.add(change(effect, static_cast<std::uint8_t>(i % 2 == 0), i), travel);
      }
      Motion before = timeline_motion(travel, rest, log, Tick{10});
      for (Tick tick{11}; tick.count < 600; ++tick) {
        const Motion now = timeline_motion(travel, rest, log, tick);
        const Vec3 moved = now.pose.position - before.pose.position;
        const Vec3 turned = rotation_vector(now.pose.rotation * conjugate(before.pose.rotation));
        ASSERT_LT(distance(moved / seconds_per_tick, now.velocity), 1e-6) << seed;
        ASSERT_LT(distance(turned / seconds_per_tick, now.angular_velocity), 1e-5) << seed;
        const Quat turn = now.pose.rotation * conjugate(before.pose.rotation);
        const Vec3 faster = (now.velocity - before.velocity) / seconds_per_tick;
        ASSERT_LT(distance(rotate(turn, faster), now.acceleration), 1e-6);
        const Vec3 spun_up = (now.angular_velocity - before.angular_velocity) / seconds_per_tick;
        ASSERT_LT(distance(rotate(turn, spun_up), now.angular_acceleration), 1e-6);
        before = now;
      }
    }
  }
}

TEST(TimelineLog, ArrivalOrderDoesNotMatter) {
  TimelineLog a;
  TimelineLog b;
  for (const auto& c : {change(10, 1, 1), change(20, 0, 2), change(20, 1, 3)}) a.add(c, {});
  for (const auto& c : {change(20, 1, 3), change(10, 1, 1), change(20, 0, 2)}) b.add(c, {});
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]);
  EXPECT_EQ(a.goal_at(Tick{20}), 1);
  EXPECT_EQ(a.goal_at(Tick{9}), 0);
  EXPECT_EQ(a.last_version(), 3);
}

TEST(TimelineLog, TakesEachVersionOnce) {
  TimelineLog log;
  EXPECT_EQ(log.add(change(10, 1, 1), door), TimelineLog::Added::Stored);
  EXPECT_EQ(log.add(change(10, 1, 1), door), TimelineLog::Added::Duplicate);
  for (std::uint16_t i = 2; i <= TimelineLog::changes_max + 1; ++i) {
    log.add(change(10U + 100U * i, static_cast<std::uint8_t>(i % 2), i), door);
  }
  EXPECT_EQ(log.size(), TimelineLog::changes_max);
  EXPECT_EQ(log.add(change(10, 1, 1), door), TimelineLog::Added::TooOld);
  EXPECT_EQ(log.add(change(210, 0, 2), door), TimelineLog::Added::Duplicate);
}

/// An object for which changes are requested at a random rate, and scheduled as in a world.
struct Mashed {
  Travel travel;
  double eagerness = 0;  ///< requested changes per tick
  TimelineLog log;
  std::vector<TimelineChange> announced;
  std::uint64_t refused = 0;

  void want_change(Random& random, Tick now) {
    if (random.unit() >= eagerness) return;
    if (!log.has_room(now)) {
      ++refused;
      return;
    }
    Tick effect = now + static_cast<std::int32_t>(random.below(12));
    if (!announced.empty()) effect = later_of(effect, announced.back().effect + 1);
    const auto version = static_cast<std::uint16_t>(log.last_version() + 1);
    announced.push_back({1, effect, static_cast<std::uint8_t>(random.below(2)), version});
    ASSERT_EQ(log.add(announced.back(), travel), TimelineLog::Added::Stored);
  }
};

TEST(AMashedThing, NeverJumpsAndIsRememberedAsItWas) {
  std::uint64_t refused = 0, announced = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Mashed thing{.travel = {.slide = {0, 4, 0}, .ticks = 5 + static_cast<int>(random.below(400))},
                 .eagerness = random.unit()};
    TimelineLog client;  // receives each change `late` ticks later
    std::size_t received = 0;
    const auto late = static_cast<std::int32_t>(random.below(60));
    const Tick start{0xfffffc00U};  // across the wrap-around of ticks
    std::vector<double> history;    // state in each tick
    std::vector<std::size_t> announced_by;
    const auto was = [&](std::int32_t t) { return history[static_cast<std::size_t>(t)]; };
    const double most = 1.0 / thing.travel.ticks + 1e-12;
    for (std::int32_t t = 0; t < 2'000; ++t) {
      const Tick now = start + t;
      thing.want_change(random, now);
      history.push_back(travelled(thing.travel, thing.log, now));
      announced_by.push_back(thing.announced.size());
      ASSERT_LE(std::abs(was(t) - was(std::max(t - 1, 0))), most) << t;
      const std::int32_t back = std::min<std::int32_t>(t, timeline_look_back_ticks);
      for (const std::int32_t ago : {1, 17, 64, timeline_look_back_ticks}) {
        if (ago > back) continue;
        ASSERT_EQ(travelled(thing.travel, thing.log, now - ago), was(t - ago)) << t << ' ' << ago;
      }
      if (t < late) continue;
      for (; received < announced_by[static_cast<std::size_t>(t - late)]; ++received) {
        client.add(thing.announced[received], thing.travel);
      }
      for (std::int32_t ago = 0; ago <= std::min(t - late, timeline_look_back_ticks); ago += 7) {
        ASSERT_EQ(travelled(thing.travel, client, now - late - ago), was(t - late - ago))
            << t << ' ' << ago;
      }
    }
    refused += thing.refused;
    announced += thing.announced.size();
  }
  EXPECT_GT(announced, 5'000U);
  EXPECT_GT(refused, 5'000U) << "more than 15 changes within two seconds";
}

TEST(AThingThatIsAtRest, StaysThereHoweverFarTheTicksGo) {
  TimelineLog log;
  log.add(change(100, 1, 1), door);
  log.forget_finished(door, Tick{129});
  EXPECT_EQ(log.size(), 1U) << "not yet at its end";
  log.forget_finished(door, Tick{130});
  EXPECT_EQ(log.size(), 0U);
  EXPECT_EQ(log.last_version(), 1);
  for (Tick tick{130};; tick = tick + (1 << 28)) {
    ASSERT_EQ(travelled(door, log, tick), 1) << tick.count;
    ASSERT_TRUE(settled(door, log, tick));
    if (tick.count > 0xf0000000U) break;
  }
  EXPECT_EQ(log.add(change(100, 1, 1), door), TimelineLog::Added::TooOld);
  EXPECT_EQ(log.add(change(0x80000100U, 0, 2), door), TimelineLog::Added::Stored);
  EXPECT_EQ(travelled(door, log, Tick{0x80000110U}), 14 / 30.0);
}

TEST(Trigger, TakesEffectAfterTheAnnouncementAndNeverBeforeItsTarget) {
  EXPECT_EQ(effect_tick(Tick{100}, Tick{95}, 9), Tick{109});
  EXPECT_EQ(effect_tick(Tick{100}, Tick{103}, 9), Tick{112});
}

}  // namespace
}  // namespace perigee::world
