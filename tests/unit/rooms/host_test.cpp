// Rooms in one process: the real gateway, workers and clients, without a network.
#include "perigee/rooms/host.hpp"

#include <gmock/gmock.h>

#include <set>

#include "rooms_of_a_host.hpp"

namespace perigee::rooms {
namespace {

TEST_F(RoomsOfAHost, ArePlayedByThoseInvited) {
  const RoomId room = create({.label = "duel"}).id;
  EXPECT_EQ(figures(room).state, RoomState::Waiting);
  Player& one = join(room);
  Player& other = join(room);
  run(30);
  ASSERT_TRUE(one.client->playing());
  ASSERT_TRUE(other.client->playing());
  const Handle own = one.client->prediction().avatar();
  const auto mine = one.client->game_state(own);
  const auto seen = other.client->game_state(own);
  ASSERT_TRUE(mine && seen);
  EXPECT_GE(mine->as<first_game::Runner>().laps, 2U);
  EXPECT_EQ(mine->as<first_game::Runner>().laps, seen->as<first_game::Runner>().laps);
  EXPECT_EQ(one.client->telemetry().totals().corrections, 0U);
  EXPECT_EQ(other.client->player_name(own), "ada");
  const RoomFigures shown = figures(room);
  EXPECT_EQ(shown.state, RoomState::Playing);
  EXPECT_EQ(shown.plan.label, "duel");
  EXPECT_EQ(shown.players, 2U);
  EXPECT_EQ(shown.tick_p50_us, 50) << "by the clock that the owner passed in";
  EXPECT_EQ(ticking, room);
}

TEST_F(RoomsOfAHost, KeepTheirPlayersApart) {
  const RoomId first = create().id, second = create().id;
  std::vector<Player*> of_first, of_second;
  for (int i = 0; i < 2; ++i) of_first.push_back(&join(first));
  for (int i = 0; i < 3; ++i) of_second.push_back(&join(second));
  run(4);
  for (Player* player : of_first) {
    ASSERT_TRUE(player->client->playing());
    EXPECT_EQ(actors_seen(*player, now_us), 2U);
  }
  for (Player* player : of_second) {
    ASSERT_TRUE(player->client->playing());
    EXPECT_EQ(actors_seen(*player, now_us), 3U);
  }
  EXPECT_EQ(host.worker(first)->summary().observers, 2U);
  EXPECT_EQ(host.worker(second)->summary().observers, 3U);
}

TEST_F(RoomsOfAHost, DisconnectTheirClientsAtTheirEndAndNobodyElse) {
  const RoomId first = create().id, second = create().id;
  Player& one = join(first);
  Player& other = join(second);
  run(3);
  ASSERT_TRUE(one.client->playing());
  const auto ended_room = host.end(now_us, first);
  ASSERT_TRUE(std::holds_alternative<RoomFigures>(ended_room));
  EXPECT_EQ(std::get<RoomFigures>(ended_room).end_reason, EndReason::Asked);
  run(12);
  EXPECT_FALSE(one.client->in_session());
  EXPECT_TRUE(other.client->playing());
  EXPECT_EQ(host.worker(second)->summary().players, 1U) << "and did not come in here";
  EXPECT_EQ(figures(first).state, RoomState::Ended);
  EXPECT_EQ(std::get<Refusal>(invite(first)), Refusal::RoomEnded);
  EXPECT_THAT(ended, testing::ElementsAre(first));
  EXPECT_TRUE(std::holds_alternative<RoomFigures>(host.end(now_us, first))) << "again";
  EXPECT_EQ(std::get<Refusal>(host.end(now_us, RoomId{77})), Refusal::NoSuchRoom);
}

TEST_F(RoomsOfAHost, AreForgottenAWhileAfterTheirEnd) {
  const RoomId room = create({.key = "match-7"}).id;
  (void)host.end(now_us, room);
  EXPECT_EQ(create({.key = "match-7"}).id, room) << "the same order, repeated";
  run(static_cast<double>(Host::remembered_s) + 1);
  EXPECT_FALSE(host.figures(room));
  EXPECT_NE(create({.key = "match-7"}).id, room);
}

TEST_F(RoomsOfAHost, HaveOneRoomPerKey) {
  const RoomId room = create({.key = "a"}).id;
  EXPECT_EQ(create({.key = "a"}).id, room);
  EXPECT_NE(create({.key = "b"}).id, room);
  EXPECT_NE(create().id, create().id);
  EXPECT_EQ(began.size(), 4U);
}

TEST_F(RoomsOfAHost, EndWhenNobodyComesOrEverybodyHasLeft) {
  const RoomId unused = create({.empty_s = 5, .unused_s = 20}).id;
  const RoomId left = create({.empty_s = 5, .unused_s = 20}).id;
  const RoomId patient = create({.empty_s = 0, .unused_s = 0}).id;
  Player& one = join(left);
  run(3);
  one.client->disconnect(now_us);
  run(4);
  EXPECT_EQ(figures(left).state, RoomState::Playing);
  run(2);
  EXPECT_EQ(figures(left).end_reason, EndReason::Empty);
  EXPECT_EQ(figures(unused).state, RoomState::Waiting);
  run(12);
  EXPECT_EQ(figures(unused).end_reason, EndReason::Unused);
  run(100);
  EXPECT_EQ(figures(patient).state, RoomState::Waiting);
}

TEST_F(RoomsOfAHost, EndWhenTheirGameSaysSo) {
  const RoomId room = create({.stage = "short"}).id, other = create().id;
  run(2);
  EXPECT_EQ(figures(room).state, RoomState::Waiting);
  join(room);
  run(2);
  EXPECT_EQ(figures(room).end_reason, EndReason::Finished);
  EXPECT_EQ(figures(room).game_reason, 7U) << "the first call counts";
  EXPECT_EQ(figures(other).state, RoomState::Waiting);
}

TEST_F(RoomsOfAHost, EndAtTheirAgeThoughTheyArePlayed) {
  const RoomId room = create({.life_s = 6}).id;
  Player& one = join(room);
  run(5.5);
  EXPECT_TRUE(one.client->playing());
  run(1);
  EXPECT_EQ(figures(room).end_reason, EndReason::TooOld);
}

TEST_F(RoomsOfAHost, HaveNoSeatBeyondTheirPlayers) {
  const RoomId room = create({.players_max = 2}).id;
  const auto first = token(room, 11);
  const auto second = token(room, 12);
  EXPECT_EQ(std::get<Refusal>(invite(room, 13)), Refusal::RoomFull);
  EXPECT_TRUE(std::holds_alternative<transport::ConnectToken>(invite(room, 12))) << "the same";
  Player& one = dial(first);
  run(25);
  EXPECT_EQ(std::get<Refusal>(invite(room, 13)), Refusal::RoomFull);
  run(6);
  EXPECT_TRUE(one.client->playing());
  Player& third = dial(token(room, 13));
  Player& late = dial(second);
  run(5);
  EXPECT_TRUE(third.client->playing());
  EXPECT_FALSE(late.client->playing()) << "the token has expired";
}

// Its program crashed, and the matchmaker invites its player again.
TEST_F(RoomsOfAHost, LeadAPlayerBackToItsAvatar) {
  const RoomId room = create({.players_max = 1}).id;
  Player& one = dial(token(room, 11));
  run(8);
  const Handle avatar = one.client->prediction().avatar();
  one.unplugged = true;
  run(2);
  Player& again = dial(token(room, 11));
  run(4);
  ASSERT_TRUE(again.client->playing());
  EXPECT_EQ(again.client->prediction().avatar(), avatar);
  EXPECT_EQ(host.worker(room)->summary().players, 1U);
}

TEST_F(RoomsOfAHost, AreResumedByAClientAfterAnOutage) {
  create();
  const RoomId room = create().id;
  Player& one = join(room);
  run(5);
  const Handle avatar = one.client->prediction().avatar();
  one.unplugged = true;
  run(9);
  EXPECT_EQ(figures(room).players, 0U) << "its session has timed out";
  one.unplugged = false;
  run(6);
  ASSERT_TRUE(one.client->playing());
  EXPECT_EQ(one.client->prediction().avatar(), avatar);
  EXPECT_EQ(figures(room).players, 1U);
  host.worker(room)->for_each_player([](const worker::Player& player) {
    EXPECT_EQ(text_of(player.account.name), "ada") << "a resume token has the name, too";
  });
}

TEST_F(RoomsOfAHost, ArePlayedOnFromAnotherAddress) {
  const RoomId room = create().id;
  Player& one = join(room);
  run(4);
  one.address = Address::v4(10, 9, 9, 9, 1234);
  run(4);
  EXPECT_TRUE(one.client->playing());
  EXPECT_EQ(host.door().snapshot().counts[gateway::metric.sessions_moved], 1U);
}

TEST_F(RoomsOfAHost, ArePlayedByOneClientAfterTheOther) {
  Player& one = join(create().id);
  run(4);
  const RoomId next = create().id;
  join(next);
  one.client->disconnect(now_us);
  run(1);
  ASSERT_TRUE(one.client->begin(now_us, token(next)));
  run(4);
  ASSERT_TRUE(one.client->playing());
  EXPECT_EQ(actors_seen(one, now_us), 2U) << "nothing is left of the former room";
}

// The process stood still for a minute, as on a machine that was suspended.
TEST_F(RoomsOfAHost, GoOnFromNowAfterALongStall) {
  const RoomId first = create().id, second = create().id;
  Player& one = join(first);
  run(4);
  const Tick before = host.worker(second)->next_tick();
  now_us += 60'000'000;
  run(0.1);
  EXPECT_NEAR(static_cast<double>(host.ticks_skipped()), 3'600, 5);
  EXPECT_LT(ticks_between(before, host.worker(second)->next_tick()), 12);
  EXPECT_EQ(host.worker(first)->next_tick(), host.worker(second)->next_tick());
  Player& again = join(first);
  run(5);
  EXPECT_TRUE(again.client->playing());
  EXPECT_TRUE(one.client->playing());
}

TEST_F(RoomsOfAHost, AreRefusedWithTheReason) {
  EXPECT_EQ(refusal_of({.stage = "nowhere"}), Refusal::NoSuchStage);
  EXPECT_EQ(refusal_of({.stage = "other"}), std::nullopt);
  EXPECT_EQ(refusal_of({.label = std::string(65, 'x')}), Refusal::TooLong);
  EXPECT_EQ(refusal_of({.players_max = 17}), Refusal::PlayersMax);
  host.refuse_rooms();
  EXPECT_EQ(refusal_of({}), Refusal::Stopping);
  EXPECT_EQ(host.rooms(), 1U) << "which plays on";
}

TEST_F(RoomsOfAHost, AreRefusedWhileTicksAreLate) {
  create();
  for (int i = 0; i < 2'000; ++i) host.advance(now_us += 40'000);
  EXPECT_EQ(refusal_of({}), Refusal::Overloaded);
  run(11);
  EXPECT_EQ(refusal_of({}), std::nullopt);
}

// Without rooms nothing ticks that could show that the process has time again.
TEST_F(RoomsOfAHost, AreNotRefusedWhenTheLateOnesHaveEnded) {
  const RoomId room = create().id;
  for (int i = 0; i < 2'000; ++i) host.advance(now_us += 40'000);
  ASSERT_EQ(refusal_of({}), Refusal::Overloaded);
  (void)host.end(now_us, room);
  EXPECT_EQ(refusal_of({}), std::nullopt);
  run(0.1);
  EXPECT_EQ(refusal_of({}), std::nullopt) << "nor by the ticks of the former room";
}

TEST_F(RoomsOfAHost, BeginTheirTicksLaterThanThoseBefore) {
  const RoomId slow = create({.stage = "slow"}).id, other = create().id;
  run(0.5);
  EXPECT_LT(latest_us[slow], 5'000);
  EXPECT_GE(latest_us[other], 25'000) << "in every second turn the slow one ticks first";
}

TEST_F(RoomsOfAHost, EndWhenTheyTakeTheTimeOfAllOthers) {
  const RoomId slow = create({.stage = "slow"}).id, other = create().id;
  Player& one = join(other);
  run_busy(14);
  EXPECT_EQ(figures(slow).end_reason, EndReason::TooSlow);
  run_busy(6);
  EXPECT_EQ(figures(other).end_reason, EndReason::None);
  EXPECT_TRUE(one.client->playing());
  EXPECT_EQ(host.ticks_skipped(), 0U);
}

TEST_F(RoomsOfAHost, StayThoughSlowIfTheyAreAlone) {
  const RoomId slow = create({.stage = "slow"}).id;
  run_busy(20);
  EXPECT_EQ(figures(slow).end_reason, EndReason::None);
  EXPECT_GT(host.ticks_skipped(), 0U);
}

TEST_F(RoomsOfAHost, SkipTheTicksOfAStallThoughAnotherOneBeginsThen) {
  const RoomId room = create().id;
  Player& one = join(room);
  run(4);
  now_us += 60'000'000;
  const RoomId fresh = create().id;
  run(0.1);
  EXPECT_NEAR(static_cast<double>(host.ticks_skipped()), 3'600, 5);
  ASSERT_EQ(figures(room).end_reason, EndReason::None);
  EXPECT_EQ(host.worker(room)->next_tick(), host.worker(fresh)->next_tick());
  run(10);
  EXPECT_TRUE(one.client->playing());
}

TEST_F(RoomsOfAHost, StayWhileAnInvitationIsOpen) {
  const RoomId unused = create({.unused_s = 20}).id, played = create({.empty_s = 5}).id;
  Player& one = join(played);
  run(4);
  one.client->disconnect(now_us);
  run(4);
  const auto late = token(played);
  run(11);
  const auto first = token(unused);
  run(15);
  EXPECT_EQ(figures(unused).end_reason, EndReason::None);
  EXPECT_EQ(figures(played).end_reason, EndReason::None);
  Player& second = dial(first);
  Player& third = dial(late);
  run(2);
  EXPECT_TRUE(second.client->playing());
  EXPECT_TRUE(third.client->playing());
  (void)token(unused);
  second.client->disconnect(now_us);
  third.client->disconnect(now_us);
  run(6);
  EXPECT_EQ(figures(played).end_reason, EndReason::Empty);
  EXPECT_EQ(figures(played).players, 0U);
  run(25);
  EXPECT_EQ(figures(unused).end_reason, EndReason::None) << "of 60 s";
}

TEST_F(RoomsOfAHost, ShowNoPlayersAfterTheirEnd) {
  const RoomId room = create().id;
  join(room);
  run(3);
  ASSERT_EQ(figures(room).players, 1U);
  (void)host.end(now_us, room);
  EXPECT_EQ(figures(room).players, 0U);
}

// Their devices sleep; others get their seats when their avatars are gone.
TEST_F(RoomsOfAHost, HaveNoPlayerBeyondTheirSeatsThoughSomeComeBack) {
  const RoomId room = create({.players_max = 2, .empty_s = 0}).id;
  Player& one = dial(token(room, 11));
  Player& other = dial(token(room, 12));
  run(5);
  one.asleep = other.asleep = true;
  run(45);
  ASSERT_EQ(host.worker(room)->summary().players, 0U);
  Player& third = dial(token(room, 13));
  run(4);
  one.asleep = other.asleep = false;
  run(15);
  EXPECT_TRUE(third.client->in_session());
  EXPECT_NE(one.client->in_session(), other.client->in_session()) << "one seat was free";
  EXPECT_EQ(host.worker(room)->summary().players, 2U);
}

// A modified client keeps its tokens. Two invitations stand for one and its resume token.
TEST_F(RoomsOfAHost, AreEnteredByAFurtherInvitationOnlyAfterQuitting) {
  const RoomId room = create().id;
  const auto spare = token(room, 11);
  Player& one = dial(token(room, 11));
  run(4);
  ASSERT_TRUE(one.client->playing());
  one.client->disconnect(now_us);
  run(1);
  ASSERT_TRUE(one.client->begin(now_us, spare));
  run(4);
  EXPECT_FALSE(one.client->playing());
  EXPECT_EQ(host.door().snapshot().transport_drops[transport::Drop::ClaimRefused], 1U);
  one.client->disconnect(now_us);
  ASSERT_TRUE(one.client->begin(now_us, token(room, 11)));
  run(4);
  EXPECT_TRUE(one.client->playing());
}

TEST_F(RoomsOfAHost, LosePlayersThatTheMatchmakerRemoves) {
  const RoomId room = create({.players_max = 2}).id;
  Player& one = dial(token(room, 11));
  Player& other = dial(token(room, 12));
  run(4);
  EXPECT_EQ(host.remove_player(now_us, room, 11), std::nullopt);
  EXPECT_EQ(host.remove_player(now_us, room, 11), Refusal::NoSuchPlayer);
  EXPECT_EQ(host.remove_player(now_us, room, 0), Refusal::NoSuchPlayer);
  EXPECT_EQ(host.remove_player(now_us, RoomId{77}, 12), Refusal::NoSuchRoom);
  run(12);
  EXPECT_FALSE(one.client->in_session()) << "its resume token is void";
  EXPECT_TRUE(other.client->in_session());
  EXPECT_EQ(host.worker(room)->summary().players, 1U);
  Player& third = dial(token(room, 13));
  run(4);
  EXPECT_TRUE(third.client->playing());
}

TEST_F(RoomsOfAHost, AreNotReachedByAnInvitationThatWasTakenBack) {
  const RoomId room = create({.players_max = 1}).id;
  const auto first = token(room, 11);
  EXPECT_EQ(host.remove_player(now_us, room, 11), std::nullopt);
  const auto second = token(room, 12);
  Player& one = dial(first);
  Player& other = dial(second);
  run(5);
  EXPECT_FALSE(one.client->playing());
  EXPECT_TRUE(other.client->playing());
}

// Its first device has slept, and has a resume token.
TEST_F(RoomsOfAHost, HaveAPlayerOnceThoughItComesFromTwoDevices) {
  const RoomId room = create({.empty_s = 0}).id;
  Player& one = dial(token(room, 11));
  run(5);
  one.asleep = true;
  run(45);
  Player& other = dial(token(room, 11));
  run(4);
  one.asleep = false;
  run(15);
  EXPECT_TRUE(other.client->playing());
  EXPECT_EQ(host.worker(room)->summary().players, 1U);
}

TEST_F(RoomsOfAHost, AreNamedWhenPlayersJoinAndLeave) {
  const RoomId room = create({.stage = "watched"}).id;
  create();
  Player& one = join(room);
  run(3);
  one.client->disconnect(now_us);
  run(1);
  const auto& watched = static_cast<const WatchedJoins&>(*stages.back().game);
  EXPECT_THAT(watched.joined, testing::ElementsAre(room));
  EXPECT_THAT(watched.left, testing::ElementsAre(room));
}

TEST_F(RoomsOfAHost, AreEndedTogether) {
  Player& one = join(create().id);
  create();
  run(3);
  host.stop(now_us);
  run(1);
  EXPECT_FALSE(one.client->connected());
  EXPECT_EQ(host.rooms(), 0U);
  EXPECT_EQ(ended.size(), 2U);
  EXPECT_EQ(figures(ended.front()).end_reason, EndReason::Stopping);
}

TEST_F(RoomsOfAHost, DropGarbage) {
  const RoomId room = create().id;
  Player& one = join(room);
  run(2);
  for (std::uint32_t size = 1; size < 1500; size += 7) {
    std::vector<std::byte> bytes(size);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
    host.receive(now_us, now_us, Address::v4(10, 7, 7, 7, 7), bytes);
  }
  run(2);
  EXPECT_TRUE(one.client->playing());
}

struct OneRoomAtATime : RoomsOfAHost {
  OneRoomAtATime() : RoomsOfAHost({.rooms_max = 1}) {}
};

// The next room has the same worker slot, and another region.
TEST_F(OneRoomAtATime, RefusesTheTokenOfAFormerRoom) {
  const RoomId first = create().id;
  EXPECT_EQ(refusal_of({}), Refusal::RoomsFull);
  const auto unused = token(first);
  Player& one = join(first);
  run(3);
  (void)host.end(now_us, first);
  const RoomId second = create().id;
  EXPECT_NE(first, second);
  Player& stray = dial(unused);
  Player& other = join(second);
  run(12);
  EXPECT_FALSE(stray.client->playing());
  EXPECT_FALSE(one.client->in_session());
  EXPECT_TRUE(other.client->playing());
  EXPECT_EQ(actors_seen(other, now_us), 1U);
  EXPECT_EQ(host.worker(second)->summary().players, 1U);
}

struct FewClients : RoomsOfAHost {
  FewClients() : RoomsOfAHost({.clients_max = 3}) {}
};

TEST_F(FewClients, AreInvitedByAllRoomsTogether) {
  const RoomId first = create().id, second = create().id;
  Player& one = dial(token(first, 11));
  run(3);
  (void)token(first, 12);
  (void)token(second, 13);
  EXPECT_EQ(std::get<Refusal>(invite(second, 14)), Refusal::ClientsFull);
  EXPECT_TRUE(std::holds_alternative<transport::ConnectToken>(invite(first, 11))) << "has a seat";
  EXPECT_TRUE(std::holds_alternative<transport::ConnectToken>(invite(second, 13)));
  run(31);
  EXPECT_TRUE(one.client->playing());
  Player& late = dial(token(second, 14));
  run(3);
  EXPECT_TRUE(late.client->playing());
}

struct AThousandRooms : RoomsOfAHost {
  AThousandRooms() : RoomsOfAHost({.rooms_max = 1'000, .players_max = 1}) {}
};

TEST_F(AThousandRooms, TickTogether) {
  for (int i = 0; i < 1'000; ++i) create({.unused_s = 1});
  EXPECT_EQ(refusal_of({}), Refusal::RoomsFull);
  Player& last = join(began.back());
  run(0.9);
  EXPECT_TRUE(last.client->playing());
  std::set<std::uint32_t> next;
  for (const RoomId room : began) next.insert(host.worker(room)->next_tick().count);
  EXPECT_EQ(next.size(), 1U);
  run(1);
  EXPECT_EQ(host.rooms(), 1U);
}

}  // namespace
}  // namespace perigee::rooms
