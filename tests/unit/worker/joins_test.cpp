#include "fixture.hpp"

namespace perigee::worker {
namespace {

TEST(AWorker, LetsAPlayerIn) {
  Bench bench;
  bench.join();
  bench.tick(2);
  ASSERT_EQ(bench.joined.size(), 1U);
  EXPECT_EQ(bench.joined[0].session, session_of(0));
  EXPECT_EQ(bench.joined[0].avatar, bench.player().avatar);
  EXPECT_GE(bench.joined[0].avatar, bench.map.workers[0].handle_base.number);
  const world::Entity* avatar = bench.core->world().find(bench.joined[0].avatar);
  ASSERT_NE(avatar, nullptr);
  EXPECT_EQ(avatar->type, test::person_row);
  EXPECT_EQ(bench.last_own().avatar, bench.joined[0].avatar);
  EXPECT_EQ(bench.blocks[0].header.cluster_id, 7);
}

TEST(AWorker, AnswersARepeatedJoinWithTheSameAvatar) {
  Bench bench;
  bench.join();
  bench.join();
  bench.tick();
  bench.join();
  bench.tick();
  ASSERT_EQ(bench.joined.size(), 3U);
  EXPECT_EQ(bench.joined[1].avatar, bench.joined[0].avatar);
  EXPECT_EQ(bench.joined[2].avatar, bench.joined[0].avatar);
  EXPECT_EQ(bench.core->summary().players, 1U);
}

// K1: the limit is the operator's
TEST(AWorker, RefusesMorePlayersThanItsLimit) {
  Settings settings = small_settings();
  settings.players_max = 2;
  Bench bench({}, one_worker_map(), settings);
  for (std::uint32_t n = 0; n < 3; ++n) bench.join(n);
  bench.tick();
  EXPECT_EQ(bench.joined.size(), 2U);
  ASSERT_EQ(bench.refused.size(), 1U);
  EXPECT_EQ(bench.refused[0].session, session_of(2));
  EXPECT_EQ(bench.refused[0].reason, RefuseReason::Full);
  bench.leave(0);
  bench.join(2);
  bench.tick();
  EXPECT_EQ(bench.joined.size(), 3U);
}

TEST(AWorker, SaysThatItHasNoSuchPlayerNowAndThen) {
  Bench bench;
  bench.join(0);
  bench.tick();
  bench.leave(0);
  for (int i = 0; i < 60; ++i) {
    bench.send(PlayerInput{.tick = bench.core->next_tick()});
    bench.tick();
  }
  EXPECT_EQ(bench.count(metric.drop_unknown_session), 60U);
  ASSERT_GE(bench.refused.size(), 5U);
  EXPECT_LE(bench.refused.size(), 12U);
  EXPECT_EQ(bench.refused[0].session, session_of(0));
  EXPECT_EQ(bench.refused[0].reason, RefuseReason::NotOwner);
}

// The gateway is notified, so that the client joins again: the client may have lost an avatar that
// all workers believe it knows.
TEST(AWorker, SaysThatItHasLetGoOfWhoWasSilent) {
  Bench bench;
  bench.join(0);
  bench.tick(Settings{}.silence_ticks_max + 2);
  EXPECT_EQ(bench.core->summary().players, 0U);
  ASSERT_EQ(bench.refused.size(), 1U);
  EXPECT_EQ(bench.refused[0].session, session_of(0));
  EXPECT_EQ(bench.refused[0].reason, RefuseReason::NotOwner);
}

TEST(AWorker, RefusesWhatItDoesNotOwn) {
  Bench bench({}, two_worker_map());
  bench.join(0, 1);   // the neighbour's
  bench.join(1, 77);  // does not exist
  bench.tick();
  EXPECT_TRUE(bench.joined.empty());
  ASSERT_EQ(bench.refused.size(), 2U);
  EXPECT_EQ(bench.refused[0].reason, RefuseReason::NotOwner);
  EXPECT_EQ(bench.refused[1].reason, RefuseReason::NotOwner);
  EXPECT_EQ(bench.count(metric.joins_refused), 2U);
}

// A region may be split, and not every part of it has a place for players
TEST(AWorker, RefusesPlayersInARegionWithoutAPlaceForThem) {
  test::YardOptions options;
  options.players_below_x = 500;
  ClusterMap map = two_worker_map();
  map.regions[1].owner = WorkerSlot{0};
  Bench bench(options, map);
  bench.join(0, 1);
  bench.join(1, 0);
  bench.tick();
  ASSERT_EQ(bench.refused.size(), 1U);
  EXPECT_EQ(bench.refused[0].session, session_of(0));
  EXPECT_EQ(bench.refused[0].reason, RefuseReason::NoPlace);
  ASSERT_EQ(bench.joined.size(), 1U);
  bench.join(1, 1);
  bench.tick();
  EXPECT_EQ(bench.joined.size(), 2U) << "its avatar is in the world already";
}

TEST(AWorker, IsNotReadyBeforeItOwnsARegion) {
  ClusterMap map = one_worker_map();
  map.regions[0].owner.reset();
  Bench bench({}, map);
  EXPECT_FALSE(bench.core->ready());
  bench.join();
  EXPECT_EQ(bench.count(metric.joins_refused), 1U);
  map.version = 2;
  map.regions[0].owner = WorkerSlot{0};
  bench.core->on_map(map, Tick{9000});
  EXPECT_TRUE(bench.core->ready());
  EXPECT_EQ(bench.core->next_tick(), Tick{9000});
  bench.tick();
  ASSERT_EQ(bench.refused.size(), 1U);
  EXPECT_EQ(bench.refused[0].reason, RefuseReason::NotReady);
}

TEST(AWorker, IgnoresAnOlderMap) {
  Bench bench;
  ClusterMap old = bench.map;
  old.version = 0;
  old.gateways.clear();
  bench.core->on_map(old, Tick{1});
  bench.join();
  bench.tick();
  EXPECT_EQ(bench.joined.size(), 1U);
  EXPECT_EQ(bench.count(metric.drop_unknown_sender), 0U);
}

TEST(AWorker, TakesALeaverOut) {
  Bench bench;
  bench.join();
  bench.tick();
  const Handle avatar = bench.joined[0].avatar;
  bench.leave();
  bench.tick(2);
  ASSERT_EQ(bench.left.size(), 1U);
  EXPECT_EQ(bench.left[0].session, session_of(0));
  EXPECT_EQ(bench.core->world().find(avatar), nullptr);
  EXPECT_EQ(bench.core->summary().players, 0U);
  EXPECT_EQ(bench.core->summary().observers, 0U);
  const std::size_t blocks = bench.blocks.size();
  bench.tick(10);
  EXPECT_EQ(bench.blocks.size(), blocks);
}

TEST(AWorker, AcknowledgesALeaverItNeverKnew) {
  Bench bench;
  bench.leave(5);
  bench.leave(5);
  bench.tick();
  EXPECT_EQ(bench.left.size(), 2U);
}

TEST(AWorker, TakesOutPlayersThatAreSilentForThirtySeconds) {
  Bench bench;
  bench.join(0);
  bench.join(1);
  bench.tick();
  const Handle silent = bench.player(1).avatar;
  bench.stand(1790);
  EXPECT_EQ(bench.core->summary().players, 2U);
  bench.stand(20);
  EXPECT_EQ(bench.core->summary().players, 1U);
  EXPECT_NE(bench.core->player_of(100), nullptr);
  EXPECT_EQ(bench.core->world().find(silent), nullptr);
}

TEST(AWorker, GivesEveryNewcomerAnotherIdentity) {
  Bench bench;
  std::set<Handle> avatars;
  for (std::uint32_t n = 0; n < 20; ++n) {
    bench.join(n);
    bench.tick();
    avatars.insert(bench.player(n).avatar);
    bench.leave(n);
    bench.tick();
  }
  EXPECT_EQ(avatars.size(), 20U);
}

// E1: no reliance on luck: same events, same hash
TEST(AWorker, HasTheSameHashForTheSameEvents) {
  Bench a({.barge = true});
  Bench b({.barge = true});
  for (Bench* bench : {&a, &b}) {
    bench->join(0);
    bench->join(1);
    bench->tick();
    bench->stand(100, 1);
  }
  EXPECT_EQ(a.core->hash(), b.core->hash());
  PlayerInput walk{.tick = a.core->next_tick()};
  walk.forward = 127;
  a.send(walk);
  a.tick(2);
  b.tick(2);
  EXPECT_NE(a.core->hash(), b.core->hash());
}

}  // namespace
}  // namespace perigee::worker
