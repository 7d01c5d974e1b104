// An entity that migrates: what its new owner sends to a client that knows it.
#include <gtest/gtest.h>

#include "sky.hpp"

namespace perigee::replication {
namespace {

constexpr Handle rock = 7, beacon = 8;
constexpr int all_rings_ticks = 64;

/// A rock that rests, known to a client. The client has heard of both workers.
struct ANewOwner : testing::Test {
  Sky former, next;
  Observer at_former, at_next;
  Received of_former, of_next;

  ANewOwner() {
    former.add(rock, {100, 0, 0}).resting = true;
    former.add(beacon, {200, 0, 0}).resting = true;
    next.add(beacon, {200, 0, 0}).resting = true;
  }
  void hear(int ticks) {
    former.run(ticks, at_former, of_former);
    next.run(ticks, at_next, of_next);
    of_next = {};
  }
  void migrate() {
    const TrackVersion has = former.publisher.held_by(at_former, rock);
    EXPECT_NE(has.version, 0) << "the client has its track";
    const auto tracks = former.publisher.tracks_of(rock);
    former.publisher.let_go(at_former, rock);
    former.remove(rock);
    next.add(rock, {100, 0, 0}).resting = true;
    next.publish();
    next.publisher.adopt_tracks(rock, tracks);
    next.publisher.adopt(at_next, rock, has);
  }
};

// The client takes the rock for that of the worker that sent its last record.
TEST_F(ANewOwner, RepeatsTheTrackOfWhatRests) {
  hear(all_rings_ticks);
  migrate();
  next.run(10 * all_rings_ticks, at_next, of_next);
  ASSERT_EQ(of_next.ticks_of(rock).size(), 1U);
  EXPECT_EQ(of_next.records.front().record.track.tick, of_former.records.front().record.track.tick);
  EXPECT_EQ(of_next.spawns_of(rock), 0U);
  const std::uint32_t counted = next.publisher.take_tally(at_next).bytes;
  EXPECT_LT(counted, of_next.records.size() * 40) << "on one worker there is no repetition";
}

TEST_F(ANewOwner, RepeatsItUntilTheClientHasIt) {
  hear(all_rings_ticks);
  migrate();
  next.acknowledges = false;
  next.run(300, at_next, of_next);
  EXPECT_GT(of_next.ticks_of(rock).size(), 1U) << "after 240 ticks it counts as lost";
  next.acknowledges = true;
  next.run(2 * all_rings_ticks, at_next, of_next);
  of_next = {};
  next.run(10 * all_rings_ticks, at_next, of_next);
  EXPECT_TRUE(of_next.ticks_of(rock).empty());
}

TEST_F(ANewOwner, PassesOnWhatTheClientHasBeforeItHasSentAnything) {
  hear(all_rings_ticks);
  const TrackVersion has = former.publisher.held_by(at_former, rock);
  migrate();
  EXPECT_EQ(next.publisher.held_by(at_next, rock), has);
}

// The first block of a stream may make the client forget what it had from an earlier one.
TEST_F(ANewOwner, SpawnsItForAClientThatHasNotHeardOfThisWorker) {
  former.run(all_rings_ticks, at_former, of_former);
  migrate();
  EXPECT_FALSE(next.publisher.knows(at_next, rock));
  next.run(2 * all_rings_ticks, at_next, of_next);
  EXPECT_EQ(of_next.spawns_of(rock), 1U);
  EXPECT_EQ(of_next.ticks_of(rock).size(), 1U);
}

}  // namespace
}  // namespace perigee::replication
