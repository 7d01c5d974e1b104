// The record of the own sections sent to a client, and the motions announced to all clients.
#include "perigee/worker/players/own_told.hpp"

#include <gtest/gtest.h>

#include "perigee/worker/snapshots/announced_motions.hpp"
#include "yard.hpp"

namespace perigee::worker {
namespace {

constexpr Tick start{6000};
constexpr Handle ship = 77;

struct AToldClient : testing::Test {
  OwnTold told;
  replication::SentTracks arrivals{8};
  Tick now = start;

  /// A section each second tick.
  void send(int sections = 1) {
    for (int i = 0; i < sections; ++i, now = now + 2) {
      OwnSection own;
      own.becomes_basis = told.basis_due(now);
      own.exact = told.exact_due(now);
      bases += own.becomes_basis;
      exact += own.exact;
      arrivals.note_block(now);
      told.note(own, now);
    }
  }
  void acknowledge(Tick tick) { arrivals.acknowledge(tick, {1}); }
  int bases = 0, exact = 0;
};

TEST_F(AToldClient, KeepsABasisEachEightTicksAndAnExactStateEachSecond) {
  send(120);
  EXPECT_EQ(bases, 30);
  EXPECT_EQ(exact, 4);
}

TEST_F(AToldClient, GetsSectionsOnTheNewestBasisThatArrived) {
  send(20);
  EXPECT_EQ(told.basis(arrivals, now), nullptr);
  acknowledge(start + 8);
  ASSERT_NE(told.basis(arrivals, now), nullptr);
  EXPECT_EQ(told.basis(arrivals, now)->tick, start + 8);
  acknowledge(start + 18);  // not a basis
  EXPECT_EQ(told.basis(arrivals, now)->tick, start + 8);
  acknowledge(start + 24);
  EXPECT_EQ(told.basis(arrivals, now)->tick, start + 24);
}

TEST_F(AToldClient, GetsWholeSectionsWhenItsAcknowledgementsStop) {
  send(4);
  acknowledge(start);
  EXPECT_NE(told.basis(arrivals, now), nullptr);
  send(60);
  EXPECT_NE(told.basis(arrivals, now), nullptr);
  send(8);
  EXPECT_EQ(told.basis(arrivals, now), nullptr);
}

TEST_F(AToldClient, IsToldAMotionOnceAndAgainIfItIsLost) {
  EXPECT_TRUE(told.owes_motion(ship, start, arrivals, now));
  send(3);
  EXPECT_FALSE(told.owes_motion(ship, start, arrivals, now));
  acknowledge(start + 4);
  EXPECT_TRUE(told.owes_motion(ship, start, arrivals, now)) << "a later block has arrived";
  send();
  acknowledge(now - 2);
  EXPECT_FALSE(told.owes_motion(ship, start, arrivals, now));
  EXPECT_TRUE(told.owes_motion(ship, now, arrivals, now)) << "another announcement";
}

TEST_F(AToldClient, IsToldAMotionAgainAfterItWasElsewhere) {
  EXPECT_TRUE(told.owes_motion(ship, start, arrivals, now));
  send();
  acknowledge(start);
  EXPECT_FALSE(told.owes_motion(ship, start, arrivals, now));
  told.keep_motions({});
  EXPECT_TRUE(told.owes_motion(ship, start, arrivals, now));
}

struct AnAnnouncement : testing::Test {
  test::Yard yard{{.barge = true}};
  AnnouncedMotions announced;
  const world::EntityType& type = yard.types()[test::barge_row];
};

TEST_F(AnAnnouncement, HoldsWhileTheBodyFollowsItUpToItsAge) {
  Motion motion;
  motion.velocity = {50, 0, 0};
  motion.angular_velocity = {0, 0.2, 0};
  int announcements = 0;
  Tick last;
  for (std::int32_t t = 0; t < 300; ++t) {
    const Motion there = world::extrapolate(motion, t);
    const auto& told = announced.current(ship, type, there, start + t);
    announcements += t == 0 || told.tick != last;
    last = told.tick;
    const Motion at_client = world::extrapolate(told.motion, ticks_between(told.tick, start + t));
    ASSERT_LT(distance(at_client.pose.position, there.pose.position), 0.002);
  }
  EXPECT_EQ(announcements, 2);
}

// A hull on a circle at 39 m/s. Clients are up to 18 ticks ahead of the worker.
TEST_F(AnAnnouncement, HoldsThroughASteadyTurn) {
  constexpr double radius_m = 90, rad_s = 25 * pi / 180;
  const world::Travel circle{.hinge = {-radius_m, 0, 0},
                             .turn_rad = 2 * pi,
                             .ticks = static_cast<std::int32_t>(2 * pi / rad_s / seconds_per_tick),
                             .endless = true};
  const auto at = [&](Tick tick) { return world::timeline_motion(circle, {}, {}, tick); };
  int announcements = 0;
  double off_max_m = 0;
  for (Tick now = start; now != start + 300; now = now + 1) {
    const auto& told = announced.current(ship, type, at(now), now);
    announcements += told.tick == now;
    for (const std::int32_t lead : {0, 6, 12, 18}) {
      const Motion at_client =
          world::extrapolate(told.motion, ticks_between(told.tick, now + lead));
      off_max_m =
          std::max(off_max_m, distance(at_client.pose.position, at(now + lead).pose.position));
    }
  }
  EXPECT_LT(off_max_m, 0.003);
  EXPECT_LE(announcements, 6);
}

TEST_F(AnAnnouncement, EndsWithinTicksOfAChange) {
  Motion motion;
  motion.velocity = {10, 0, 0};
  announced.current(ship, type, motion, start);
  int late_ticks = 0;
  for (std::int32_t t = 1; t < 20; ++t) {
    motion.acceleration = {3, 0, 0};
    motion.velocity.x += 3 * seconds_per_tick;
    motion.pose.position.x += motion.velocity.x * seconds_per_tick;
    if (announced.current(ship, type, motion, start + t).tick != start) break;
    ++late_ticks;
  }
  EXPECT_LE(late_ticks, 1);
}

}  // namespace
}  // namespace perigee::worker
