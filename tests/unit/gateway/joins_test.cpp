#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct JoinsOfSessions : WithJoins {
  using WithJoins::WithJoins;
  std::uint32_t slot = connect(1);

  void change_map() {
    links.on_map(map);
    joins.on_map(now_us, false);
  }
  void play_at(WorkerSlot worker) {
    joins.start(now_us, slot, RegionId{100U + worker.number});
    joins.on_joined(now_us, slot, worker);
    out.fabric.clear();
    (void)joins_to(worker);
  }
  void pass(Micros span_us) {
    for (const Micros end = now_us + span_us; now_us < end;) joins.advance(now_us += 10'000);
  }
};

TEST_F(JoinsOfSessions, AskTheOwnerOfTheRegionUntilItAnswers) {
  joins.start(now_us, slot, RegionId{101});
  pass(2 * Joins::join_period_us);
  const auto asked = joins_to(WorkerSlot{1});
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[0].session, id(slot));
  EXPECT_EQ(asked[0].client_id, 1U);
  EXPECT_EQ(asked[0].region, RegionId{101});
  EXPECT_EQ(asked[0].issue, 7U);
  joins.on_joined(now_us, slot, WorkerSlot{1});
  EXPECT_TRUE(sessions.is_playing(slot));
  pass(1'000'000);
  EXPECT_TRUE(joins_to(WorkerSlot{1}).empty());
}

TEST_F(JoinsOfSessions, EndInADisconnectIfNoWorkerAnswersOrOneIsFull) {
  joins.start(now_us, slot, RegionId{100});
  pass(Joins::join_limit_us - 10'000);
  EXPECT_TRUE(kicked.empty());
  joins.advance(now_us += 10'000);
  EXPECT_THAT(kicked, testing::ElementsAre(slot));
  const std::uint32_t other = connect(2);
  joins.start(now_us, other, RegionId{100});
  joins.on_refused(now_us, other, WorkerSlot{0}, RefuseReason::NotReady);
  EXPECT_EQ(kicked.size(), 1U) << "it may become ready";
  joins.on_refused(now_us, other, WorkerSlot{0}, RefuseReason::Full);
  EXPECT_THAT(kicked, testing::ElementsAre(slot, other));
}

TEST_F(JoinsOfSessions, GoToAnotherRegionIfOneHasNoPlaceForPlayers) {
  joins.start(now_us, slot, RegionId{100});
  (void)joins_to(WorkerSlot{0});
  joins.on_refused(now_us, slot, WorkerSlot{0}, RefuseReason::NoPlace);
  ASSERT_EQ(joins_to(WorkerSlot{1}).size(), 1U) << "at once";
  const std::uint32_t other = connect(2);
  joins.start(now_us, other, RegionId{100});
  const auto asked = joins_to(WorkerSlot{1});
  ASSERT_EQ(asked.size(), 1U) << "the gateway remembers it";
  EXPECT_EQ(asked[0].region, RegionId{101});
  change_map();
  const std::uint32_t third = connect(3);
  joins.start(now_us, third, RegionId{100});
  EXPECT_EQ(joins_to(WorkerSlot{0}).size(), 1U) << "another map may have places there";
}

// Its region was split while it played, and a worker without its avatar owns the empty part.
TEST_F(JoinsOfSessions, BeginAnewElsewhereForALostAvatarOfARegionWithoutAPlace) {
  play_at(WorkerSlot{0});
  joins.on_refused(now_us, slot, WorkerSlot{0}, RefuseReason::NoPlace);
  EXPECT_TRUE(sessions.is_joining(slot));
  joins.advance(now_us);
  ASSERT_EQ(joins_to(WorkerSlot{0}).size(), 1U);
  joins.on_refused(now_us, slot, WorkerSlot{0}, RefuseReason::NoPlace);
  EXPECT_EQ(joins_to(WorkerSlot{1}).size(), 1U);
}

TEST_F(JoinsOfSessions, GoOnWhereNoRegionHasAPlaceForPlayers) {
  joins.start(now_us, slot, RegionId{100});
  (void)joins_to(WorkerSlot{0});
  joins.on_refused(now_us, slot, WorkerSlot{0}, RefuseReason::NoPlace);
  joins.on_refused(now_us, slot, WorkerSlot{1}, RefuseReason::NoPlace);
  (void)joins_to(WorkerSlot{0});
  pass(Joins::join_period_us);
  EXPECT_EQ(joins_to(WorkerSlot{1}).size(), 1U) << "a place may come";
  joins.on_refused(now_us, slot, WorkerSlot{1}, RefuseReason::NoPlace);
  EXPECT_EQ(joins_to(WorkerSlot{0}).size(), 1U);
  joins.on_joined(now_us, slot, WorkerSlot{0});
  EXPECT_TRUE(sessions.is_playing(slot));
  EXPECT_TRUE(kicked.empty());
}

TEST_F(JoinsOfSessions, SendTheFormerWorkerALeaveWhenTheRegionMoves) {
  joins.start(now_us, slot, RegionId{100});
  map.regions[0].owner = WorkerSlot{1};
  pass(Joins::join_period_us);
  EXPECT_TRUE(leaves.pending(id(slot), WorkerSlot{0}));
  EXPECT_EQ(joins.worker(slot), WorkerSlot{1});
  joins.end(now_us, slot, false);
  EXPECT_TRUE(leaves.pending(id(slot), WorkerSlot{1}));
}

TEST_F(JoinsOfSessions, FollowTheSuccessorOfALostWorkerForAWhile) {
  play_at(WorkerSlot{0});
  map.workers[0].alive = false;
  map.failover_records.push_back(
      {.handle_base = map.workers[0].handle_base, .successor = WorkerSlot{1}});
  change_map();
  EXPECT_EQ(joins.worker(slot), WorkerSlot{1});
  EXPECT_TRUE(sessions.is_playing(slot));
  EXPECT_EQ(counts[metric.sessions_taken_over], 1U);
  joins.on_refused(now_us, slot, WorkerSlot{1}, RefuseReason::NotOwner);
  joins.give_up_successors(now_us + Joins::successor_limit_us - 1);
  EXPECT_TRUE(sessions.is_playing(slot)) << "it may not know yet that it is the successor";
  joins.give_up_successors(now_us + Joins::successor_limit_us);
  EXPECT_TRUE(sessions.is_joining(slot));
}

TEST_F(JoinsOfSessions, BeginAnewWithoutASuccessorAndHaveMoreTime) {
  play_at(WorkerSlot{0});
  map.workers[0].incarnation = map.workers[0].incarnation.next();
  change_map();
  EXPECT_TRUE(sessions.is_joining(slot));
  pass(Joins::rejoin_limit_us - 10'000);
  EXPECT_TRUE(kicked.empty());
  EXPECT_FALSE(joins_to(WorkerSlot{0}).empty());
}

TEST_F(JoinsOfSessions, AreRepeatedForAnAvatarThatHasFallenSilent) {
  play_at(WorkerSlot{0});
  joins.note_own_data(now_us, slot);
  joins.search_avatars(now_us + Joins::own_silence_us);
  EXPECT_TRUE(joins_to(WorkerSlot{0}).empty()) << "the client is silent, too";
  server.disconnect(now_us, slot);
  now_us += Joins::own_silence_us;
  while (server.take_event()) {
  }
  sessions.end(slot);
  slot = connect(2);
  play_at(WorkerSlot{0});
  joins.note_own_data(now_us - Joins::own_silence_us, slot);
  joins.search_avatars(now_us + Joins::search_period_us);
  EXPECT_EQ(joins_to(WorkerSlot{0}).size(), 1U);
  EXPECT_EQ(counts[metric.avatars_searched], 1U);
}

/// Each region is a room: no player may come into another one.
struct JoinsInRooms : JoinsOfSessions {
  JoinsInRooms() : JoinsOfSessions(true) {}
  void end_room_of(WorkerSlot worker) {
    std::erase_if(map.workers, [&](const WorkerEntry& entry) { return entry.slot == worker; });
    std::erase_if(map.regions, [&](const RegionEntry& entry) { return entry.owner == worker; });
    change_map();
  }
};

TEST_F(JoinsInRooms, AreRefusedForARoomThatIsGone) {
  joins.start(now_us, slot, RegionId{77});
  EXPECT_THAT(kicked, testing::ElementsAre(slot));
  EXPECT_TRUE(joins_to(WorkerSlot{0}).empty());
  EXPECT_TRUE(joins_to(WorkerSlot{1}).empty());
  EXPECT_EQ(counts[metric.sessions_without_room], 1U);
}

TEST_F(JoinsInRooms, WaitForAPlaceInTheirOwnRoom) {
  joins.start(now_us, slot, RegionId{100});
  (void)joins_to(WorkerSlot{0});
  joins.on_refused(now_us, slot, WorkerSlot{0}, RefuseReason::NoPlace);
  pass(2 * Joins::join_period_us);
  EXPECT_EQ(joins_to(WorkerSlot{0}).size(), 2U);
  EXPECT_TRUE(joins_to(WorkerSlot{1}).empty());
  pass(Joins::join_limit_us);
  EXPECT_FALSE(kicked.empty()) << "not for ever";
}

TEST_F(JoinsInRooms, EndWithTheRoomOfASessionThatPlays) {
  play_at(WorkerSlot{0});
  const std::uint32_t other = connect(2);
  joins.start(now_us, other, RegionId{101});
  joins.on_joined(now_us, other, WorkerSlot{1});
  (void)joins_to(WorkerSlot{1});
  end_room_of(WorkerSlot{0});
  EXPECT_THAT(kicked, testing::ElementsAre(slot));
  EXPECT_TRUE(joins_to(WorkerSlot{1}).empty());
  EXPECT_TRUE(sessions.is_playing(other));
}

TEST_F(JoinsInRooms, EndWithTheRoomOfASessionThatIsJoining) {
  joins.start(now_us, slot, RegionId{100});
  end_room_of(WorkerSlot{0});
  EXPECT_THAT(kicked, testing::ElementsAre(slot));
}

TEST_F(JoinsInRooms, AreRepeatedUnderAnotherIncarnationOfTheMap) {
  play_at(WorkerSlot{0});
  joins.on_map(now_us, true);
  EXPECT_TRUE(kicked.empty());
  EXPECT_TRUE(sessions.is_joining(slot));
  joins.advance(now_us);
  EXPECT_EQ(joins_to(WorkerSlot{0}).size(), 1U);
}

}  // namespace
}  // namespace perigee::gateway
