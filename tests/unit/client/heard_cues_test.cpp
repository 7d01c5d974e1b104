// Cues of others: when they are played, and where.
#include "perigee/client/heard_cues.hpp"

#include "hand_server.hpp"
#include "track_records.hpp"

namespace perigee::client {
namespace {

constexpr Handle walker = 77;
constexpr Tick start = HandServer::start;

struct HeardCuesTest : testing::Test {
  HandServer server;
  EntityStore store{server.game.types()};
  HeardCues cues{store};
  ViewPoint seen{start, 0, 15, {}};

  HeardCuesTest() {
    for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
    seen.eye = {0, 0.91, 0};
  }
  /// A walker at 5 m/s along x.
  void spawn_walker() {
    store.spawn({.handle = walker, .type = test::person_row}, 1);
    store.record({}, test::straight(walker, start, {10, 0, 0}, {5, 0, 0}), 1);
    store.heard(1, start + 120);
  }
  void receive(std::int32_t tick, Handle entity = walker, std::uint8_t effect = 1) {
    cues.on_cue({entity, start + tick, effect});
  }
  std::span<const HeardCue> at(double view_ticks) {
    seen.ticks = view_ticks;
    cues.advance(seen, server.avatar);
    return cues.news();
  }
};

TEST_F(HeardCuesTest, AreHeardWhenThePictureHasReachedTheirTick) {
  spawn_walker();
  receive(10);
  EXPECT_TRUE(at(9.9).empty());
  const auto news = at(10.4);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].entity, walker);
  EXPECT_EQ(news[0].tick, start + 10);
  EXPECT_NEAR(news[0].place.x, 10 + 5 * 10.4 / 60, 0.02) << "where the walker is drawn";
  EXPECT_TRUE(at(10.5).empty()) << "once";
  EXPECT_EQ(cues.counts().heard, 1U);
}

TEST_F(HeardCuesTest, AreHeardOnceAlthoughTheyComeTwice) {
  spawn_walker();
  receive(10);
  receive(10);
  EXPECT_EQ(at(11).size(), 1U);
  receive(10);
  EXPECT_TRUE(at(12).empty());
  EXPECT_EQ(cues.counts().repeated, 2U);
  receive(10, walker, 2);
  EXPECT_EQ(at(13).size(), 1U) << "another effect of the tick";
}

TEST_F(HeardCuesTest, AreInTheOrderOfTheirTicks) {
  spawn_walker();
  for (const int tick : {12, 10, 11}) receive(tick);
  const auto news = at(12);
  ASSERT_EQ(news.size(), 3U);
  for (std::int32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(news[static_cast<std::size_t>(i)].tick, start + 10 + i);
  }
}

TEST_F(HeardCuesTest, WaitABitForTheirEntity) {
  receive(10);
  EXPECT_TRUE(at(20).empty());
  spawn_walker();
  EXPECT_EQ(at(21).size(), 1U);
}

TEST_F(HeardCuesTest, OfEntitiesThatNeverComeAreDropped) {
  receive(10);
  EXPECT_TRUE(at(10 + HeardCues::held_ticks).empty());
  EXPECT_EQ(cues.counts().unknown, 0U);
  EXPECT_TRUE(at(11 + HeardCues::held_ticks).empty());
  EXPECT_EQ(cues.counts().unknown, 1U);
  spawn_walker();
  EXPECT_TRUE(at(12 + HeardCues::held_ticks).empty());
}

TEST_F(HeardCuesTest, AreDroppedWhenTheyComeASecondLate) {
  spawn_walker();
  EXPECT_TRUE(at(100).empty());
  receive(100 - cue_age_ticks_max - 1);
  receive(100 - cue_age_ticks_max);
  EXPECT_EQ(at(100).size(), 1U);
  EXPECT_EQ(cues.counts().late, 1U);
}

TEST_F(HeardCuesTest, AtAPlaceNeedNoEntity) {
  cues.on_cue({4711, start + 10, 1, 5, 42, Vec3f{1, 2, 3}});
  EXPECT_TRUE(at(9).empty());
  const auto news = at(10);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].place, (Vec3{1, 2, 3}));
  EXPECT_EQ(news[0].detail, 5);
  EXPECT_EQ(news[0].subject, 42U);
}

TEST_F(HeardCuesTest, AtTwoPlacesInOneTickAreTwo) {
  for (const float x : {1.0F, 50.0F}) {
    cues.on_cue({no_entity, start + 10, 1, 0, no_entity, Vec3f{x, 0, 0}});
  }
  EXPECT_EQ(at(10).size(), 2U);
  EXPECT_EQ(cues.counts().repeated, 0U);
}

TEST_F(HeardCuesTest, OfAnEntityThatHasLeftAreHeardWhereItWasDrawn) {
  spawn_walker();
  receive(10);
  EXPECT_TRUE(at(7).empty());
  store.despawn(walker);
  EXPECT_TRUE(at(9).empty());
  const auto news = at(10);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_NEAR(news[0].place.x, 10 + 5 * 7.0 / 60, 0.02);
}

// The own avatar is drawn at the own tick, so a cue that the game orders for it is heard at once.
TEST_F(HeardCuesTest, OfTheOwnAvatarAreHeardInThePresent) {
  receive(12, server.avatar);
  ASSERT_EQ(at(0).size(), 1U);
  EXPECT_EQ(cues.news()[0].place, seen.eye);
}

// The door is beside the player: drawn at the own tick, in which it is felt.
TEST_F(HeardCuesTest, OfAScheduledObjectAreHeardWhenItIsDrawn) {
  receive(12, server.door);
  receive(12, server.deck);
  ASSERT_EQ(at(0).size(), 1U);
  EXPECT_EQ(cues.news()[0].entity, server.door);
}

TEST_F(HeardCuesTest, AreBounded) {
  spawn_walker();
  for (std::int32_t tick = 0; tick < 400; ++tick) receive(tick);
  EXPECT_EQ(cues.counts().crowded_out, 400 - HeardCues::waiting_max);
  cues.forget_world();
  EXPECT_TRUE(at(50).empty());
  receive(10);
  EXPECT_EQ(at(50).size(), 1U) << "of another world, it is another one";
  for (std::uint32_t i = 0; i < 3 * HeardCues::remembered_max; ++i) {
    cues.on_cue({1'000 + i, start + 50, 1, 0, no_entity, Vec3f{}});
    at(50);
  }
  EXPECT_EQ(cues.counts().heard, 1 + 3 * HeardCues::remembered_max);
}

}  // namespace
}  // namespace perigee::client
