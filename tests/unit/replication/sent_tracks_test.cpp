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

// A difference may be one to an acknowledged track alone.
TEST_F(ASentTrack, IsABasisOnceItIsAcknowledged) {
  send(start);
  EXPECT_FALSE(sent.basis(3, Precision::Middle, start + 4).any());
  sent.acknowledge(start, {1});
  sent.of(3, start + 4);
  EXPECT_EQ(sent.basis(3, Precision::Middle, start + 4).version, 7);
  EXPECT_FALSE(sent.basis(3, Precision::Fine, start + 4).any()) << "of another class";
}

// A new version in each slot: the newest acknowledged one counts, by the slot in which it was sent.
TEST_F(ASentTrack, IsABasisThoughNewerOnesAreUnderWay) {
  for (std::int32_t i = 0; i < 6; ++i) {
    const Tick now = start + i * send_slot_ticks;
    sent.of(3, now);
    sent.note(3, {static_cast<std::uint16_t>(7 + i), Precision::Middle}, now);
    sent.note_block(now);
  }
  const Tick now = start + 6 * send_slot_ticks;
  EXPECT_FALSE(sent.basis(3, Precision::Middle, now).any());
  sent.acknowledge(start + 8, {0b00001});
  EXPECT_EQ(sent.basis(3, Precision::Middle, now).sent, start + 8);
  sent.acknowledge(start + 16, {0b10101});
  EXPECT_EQ(sent.basis(3, Precision::Middle, now).sent, start + 16);
}

// After a lost track later ones can still be read: the last basis stays.
TEST_F(ASentTrack, LeavesTheBasisBeforeItWhileItIsUnderWay) {
  send(start);
  sent.acknowledge(start, {1});
  sent.of(3, start + 4);
  for (std::uint16_t i = 1; i < 40; ++i) {
    const Tick now = start + 400 + i * send_slot_ticks;
    sent.note(3, {static_cast<std::uint16_t>(7 + i), Precision::Middle}, now);
    const HeldBasis basis = sent.basis(3, Precision::Middle, now + 4);
    EXPECT_EQ(basis.version, 7);
    EXPECT_FALSE(basis.sent);
  }
}

// Other workers may hand over more entities than one observer can know from one worker. A page has
// room for 16 slots, so these are in pages of their own.
TEST(SentTracksOfMany, RememberNoMoreThanAnObserverCanKnow) {
  constexpr std::uint32_t page = 16;
  SentTracks many(3 * page * known_entities_max);
  for (std::uint32_t i = 0; i < 2 * known_entities_max; ++i) many.adopt(page * i, seventh);
  constexpr std::uint32_t last = page * (known_entities_max - 1), beyond = last + page;
  EXPECT_EQ(many.of(last, start), seventh);
  EXPECT_EQ(many.of(beyond, start), TrackVersion{}) << "sent with each look";
  many.note(beyond, seventh, start);
  EXPECT_EQ(many.of(beyond, start + 4), TrackVersion{});
  many.forget(5 * page);
  many.note(beyond, seventh, start);
  EXPECT_EQ(many.of(beyond, start + 4), seventh);
  many.forget_all();
  for (std::uint32_t i = 0; i < known_entities_max; ++i) many.adopt(page * i + 1, seventh);
  EXPECT_EQ(many.of(last + 1, start), seventh) << "all pages are free again";
  EXPECT_EQ(many.of(last, start), TrackVersion{});
}

TEST_F(ASentTrack, ThatIsLostTakesItsBasisAlong) {
  send(start);
  sent.acknowledge(start, {1});
  sent.of(3, start + 4);
  sent.note(3, {8, Precision::Middle}, start + 4);
  send_until(start + 12);
  sent.acknowledge(start + 8, {1});
  EXPECT_EQ(sent.of(3, start + 12), TrackVersion{});
  EXPECT_FALSE(sent.basis(3, Precision::Middle, start + 12).any()) << "the whole is sent again";
}

TEST_F(ASentTrack, FromAnotherWorkerIsNoBasis) {
  sent.adopt(3, seventh);
  sent.of(3, start);
  EXPECT_FALSE(sent.basis(3, Precision::Middle, start).any());
  sent.note(3, {8, Precision::Middle}, start);
  sent.note_block(start);
  EXPECT_FALSE(sent.basis(3, Precision::Middle, start + 4).any());
  sent.acknowledge(start, {1});
  sent.of(3, start + 4);
  EXPECT_EQ(sent.basis(3, Precision::Middle, start + 4).version, 8);
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
