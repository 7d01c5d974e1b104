#include "perigee/replication/sent_tracks.hpp"

#include <gtest/gtest.h>

namespace perigee::replication {
namespace {

constexpr TrackVersion seventh{7, Precision::Middle};
constexpr Tick start{1002};  // its phase in the send slots is 2

struct ASentTrack : testing::Test {
  SentTracks sent{8};
  /// With a block in each of the observer's slots.
  void send_until(Tick last) {
    for (Tick tick = start; not_after(tick, last); tick = tick + send_slot_ticks) {
      sent.note_block(tick);
    }
  }
  void send(Tick at) {
    sent.note(3, seventh, at);
    sent.note_block(at);
  }
};

TEST_F(ASentTrack, IsUnderWayThenHeld) {
  EXPECT_EQ(sent.of(3, start), TrackVersion{});
  send(start);
  EXPECT_EQ(sent.of(3, start + 4), seventh);
  EXPECT_EQ(sent.held(3, start + 4), TrackVersion{});
  sent.acknowledge(start, {1});
  EXPECT_EQ(sent.held(3, start + 5), seventh) << "at any tick, not only in its slots";
  EXPECT_EQ(sent.of(3, start + 8), seventh);
  send_until(start + 40'000);
  EXPECT_EQ(sent.of(3, start + 40'000), seventh);
  EXPECT_EQ(sent.of(4, start), TrackVersion{});
}

TEST_F(ASentTrack, IsLostIfALaterTickHasArrived) {
  send(start);
  send_until(start + 8);
  sent.acknowledge(start + 2, {1});  // an own section between the slots
  EXPECT_EQ(sent.of(3, start + 4), seventh) << "it may have been overtaken by a little";
  sent.acknowledge(start + 4, {1});
  EXPECT_EQ(sent.of(3, start + 8), TrackVersion{});
}

TEST_F(ASentTrack, IsHeldHoweverLateItsAcknowledgementComes) {
  send(start);
  send_until(start + 64);
  sent.acknowledge(start + 62, {0x80000000});  // 31 steps of 2 ticks ago
  EXPECT_EQ(sent.of(3, start + 64), seventh);
}

TEST_F(ASentTrack, IsLostAfterAWhileWithoutAnyAcknowledgement) {
  send(start);
  EXPECT_EQ(sent.of(3, start + 236), seventh);
  EXPECT_EQ(sent.of(3, start + 240), TrackVersion{});
}

TEST_F(ASentTrack, IgnoresAcknowledgementsOfWhatWasNeverSent) {
  send(start);
  sent.acknowledge(start + 1'000'000, {0xffffffff});
  EXPECT_EQ(sent.of(3, start + 4), seventh);
  EXPECT_EQ(sent.held(3, start + 4), TrackVersion{});
  sent.acknowledge(start - 4, {1});
  EXPECT_EQ(sent.held(3, start + 4), TrackVersion{});
}

TEST_F(ASentTrack, CanBeTakenFromAnotherWorkerAndForgotten) {
  sent.adopt(3, seventh);
  EXPECT_EQ(sent.held(3, start), seventh);
  EXPECT_EQ(sent.of(3, start + 100'000), seventh);
  sent.forget_all();
  EXPECT_EQ(sent.of(3, start), TrackVersion{});
}

// The heading alone is of no use to an observer that has lost the track for any reason.
TEST_F(ASentTrack, IsSentWholeAgainWhenItsHeadingIsLost) {
  send(start);
  sent.acknowledge(start, {1});
  sent.of(3, start + 4);
  ASSERT_TRUE(sent.has_track(3));
  sent.note_heading(3, 5, start + 4);
  send_until(start + 12);
  EXPECT_EQ(sent.of(3, start + 8).heading, 5) << "under way";
  EXPECT_EQ(sent.held(3, start + 8), (TrackVersion{7, Precision::Middle, 4}));
  sent.acknowledge(start + 8, {1});
  EXPECT_EQ(sent.of(3, start + 12), TrackVersion{});
  EXPECT_FALSE(sent.has_track(3));
}

TEST_F(ASentTrack, IsHeldWithItsNewHeading) {
  send(start);
  sent.acknowledge(start, {1});
  sent.of(3, start + 4);
  sent.note_heading(3, 6, start + 4);
  sent.note_block(start + 4);
  sent.acknowledge(start + 4, {1});
  EXPECT_EQ(sent.held(3, start + 5), (TrackVersion{7, Precision::Middle, 6}));
}

TEST(TrackVersions, NeverBecomeNone) {
  std::uint16_t version = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uint16_t before = std::exchange(version, next_version(version));
    ASSERT_NE(version, 0);
    ASSERT_NE(version, before);
    ASSERT_LT(version, 1 << track_version_bits);
  }
  EXPECT_EQ(heading_after(63), 0);
  EXPECT_EQ(heading_after(0, -1), 63);
}

TEST_F(ASentTrack, SurvivesTheWrapOfTicks) {
  const Tick late{0xfffffffe};
  sent.note(3, seventh, late);
  sent.note_block(late);
  EXPECT_EQ(sent.of(3, late + 8), seventh);
  sent.acknowledge(late + 8, {1});
  sent.note_block(late + 8);
  sent.acknowledge(late + 8, {1U | 1U << 4});
  EXPECT_EQ(sent.held(3, late + 8), seventh);
}

}  // namespace
}  // namespace perigee::replication
