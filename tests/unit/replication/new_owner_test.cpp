// What the new owner of a migrated entity sends to a client that knows the entity.
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
  next.publisher.take_tally(at_next);
  migrate();
  next.run(10 * all_rings_ticks, at_next, of_next);
  ASSERT_EQ(of_next.ticks_of(rock).size(), 1U);
  EXPECT_EQ(of_next.records.front().record.track.tick, of_former.records.front().record.track.tick);
  EXPECT_EQ(of_next.spawns_of(rock), 0U);
  EXPECT_EQ(next.publisher.take_tally(at_next).bytes, 0U) << "on one worker nothing is repeated";
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

/// The client does not know the rock: it does not acknowledge blocks with records of it.
struct ANewOwnerOfWhatTheClientForgot : ANewOwner {
  int refused = 0;
  void refuse(int ticks) {
    next.acknowledges = false;
    for (int i = 0; i < ticks; ++i, ++next.now) {
      const std::size_t records = of_next.ticks_of(rock).size();
      next.publish();
      next.write(at_next, of_next);
      const bool refuses = of_next.ticks_of(rock).size() > records && of_next.spawns_of(rock) == 0;
      refused += refuses;
      if (!refuses && at_next.turn(next.now, send_slot_ticks)) next.acknowledge(at_next, of_next);
    }
  }
};

TEST_F(ANewOwnerOfWhatTheClientForgot, SpawnsItAgain) {
  hear(all_rings_ticks);
  migrate();
  refuse(3 * all_rings_ticks);
  EXPECT_EQ(of_next.spawns_of(rock), 1U);
  EXPECT_EQ(refused, 1);
  EXPECT_GE(of_next.ticks_of(rock).size(), 2U) << "its track follows";
}

// After the death of a worker all tracks are sent again.
TEST_F(ANewOwnerOfWhatTheClientForgot, SpawnsItAgainAlsoAfterADeath) {
  hear(all_rings_ticks);
  migrate();
  next.publisher.send_all_again(at_next);
  refuse(3 * all_rings_ticks);
  EXPECT_EQ(of_next.spawns_of(rock), 1U);
  EXPECT_EQ(of_next.spawns_of(beacon), 0U) << "it has arrived";
}

// No track is ever known to be lost, if each slot has a newer one.
TEST_F(ANewOwnerOfWhatTheClientForgot, SpawnsItAgainAlthoughItTurnsAbout) {
  hear(all_rings_ticks);
  migrate();
  next.at(rock).resting = false;
  refuse(100);
  EXPECT_EQ(of_next.spawns_of(rock), 1U);
  EXPECT_GE(refused, 10);
}

// There are no records of it that the client could refuse.
TEST_F(ANewOwner, SpawnsTheAvatarOfTheClientAgain) {
  hear(all_rings_ticks);
  at_next.avatar = rock;
  migrate();
  next.run(10 * all_rings_ticks, at_next, of_next);
  EXPECT_EQ(of_next.spawns_of(rock), 1U);
  EXPECT_TRUE(of_next.ticks_of(rock).empty());
}

TEST_F(ANewOwner, DoesNotSpawnWhatTheClientHas) {
  hear(all_rings_ticks);
  migrate();
  next.at(rock).resting = false;
  next.run(400, at_next, of_next);
  EXPECT_EQ(of_next.spawns_of(rock), 0U);
}

}  // namespace
}  // namespace perigee::replication
