// Sessions from connecting through joining to leaving.
#include "fixture.hpp"
#include "perigee/base/wire_world.hpp"

namespace perigee::gateway {
namespace {

using Sessions = GatewayTest;

TEST_F(Sessions, AskTheOwnerOfTheHomeRegionUntilItAnswers) {
  const auto player = connect(1, 101);
  auto joins = take<JoinRecord>(WorkerSlot{1});
  ASSERT_EQ(joins.size(), 1u);
  session = joins[0].session;
  EXPECT_EQ(joins[0].client_id, 1u);
  EXPECT_EQ(joins[0].region, RegionId{101});
  EXPECT_EQ(session_gateway(session), GatewaySlot{3});
  EXPECT_EQ(session_client_slot(session), 0u);
  pass_time(1'000'000, {player.get()});
  EXPECT_NEAR(static_cast<double>(take<JoinRecord>(WorkerSlot{1}).size()), 10, 1);
  EXPECT_EQ(core->snapshot().playing, 0u);
  from_worker(WorkerSlot{1}, JoinedRecord{session, 5});
  EXPECT_EQ(core->snapshot().playing, 1u);
  pass_time(1'000'000, {player.get()});
  EXPECT_TRUE(take<JoinRecord>().empty());
}

// Regions are split and merged while a token is on its way.
TEST_F(Sessions, BeginElsewhereWhenTheHomeRegionIsGone) {
  const auto player = connect(1, 7'777);
  const auto joins = take<JoinRecord>();
  ASSERT_EQ(joins.size(), 1u);
  EXPECT_NE(map.region(joins[0].region), nullptr);
  pass_time(1'000'000, {player.get()});
  for (const JoinRecord& again : take<JoinRecord>()) EXPECT_EQ(again.region, joins[0].region);
}

TEST_F(Sessions, EndWhenNoWorkerAnswersInTime) {
  const auto player = connect(1);
  pass_time(7'900'000, {player.get()});
  EXPECT_TRUE(player->client.connected());
  take<JoinRecord>();
  pass_time(200'000, {player.get()});
  EXPECT_EQ(player->client.state(), transport::ClientState::Disconnected);
  EXPECT_EQ(counted(metric.joins_unanswered), 1u);
  EXPECT_FALSE(
      take<LeaveRecord>(WorkerSlot{0}).empty());  // it may have joined, and the reply was lost
}

TEST_F(Sessions, EndWhenTheWorkerIsFull) {
  const auto player = connect(1);
  session = take<JoinRecord>().at(0).session;
  from_worker(WorkerSlot{0}, RefusedRecord{session, RefuseReason::Full});
  send_down(*player);
  EXPECT_EQ(player->client.state(), transport::ClientState::Disconnected);
  EXPECT_EQ(core->snapshot().sessions, 0u);
  pass_time(500'000);
  EXPECT_TRUE(take<LeaveRecord>().empty());
}

TEST_F(Sessions, FollowTheMapWhenTheAskedWorkerIsNotTheOwner) {
  const auto player = connect(1);
  session = take<JoinRecord>(WorkerSlot{0}).at(0).session;
  from_worker(WorkerSlot{0}, RefusedRecord{session, RefuseReason::NotOwner});
  EXPECT_TRUE(player->client.connected());
  map.regions[0].owner = WorkerSlot{1};
  ++map.version;
  core->on_map(now_us, map);
  pass_time(110'000, {player.get()});
  EXPECT_EQ(take<JoinRecord>(WorkerSlot{1}).size(), 1u);
  // This reply of the first worker is too late: it has been ordered to drop the session.
  from_worker(WorkerSlot{0}, JoinedRecord{session, 5});
  EXPECT_EQ(core->snapshot().playing, 0u);
  from_worker(WorkerSlot{1}, JoinedRecord{session, 5});
  EXPECT_EQ(core->snapshot().playing, 1u);
}

// If a worker dies before it can report the avatar's arrival, the gateway never learns of it; and a
// client that receives nothing about its avatar does not report that either.
TEST_F(Sessions, AskForAnAvatarThatNoWorkerReports) {
  const auto player = connect(1);
  session = take<JoinRecord>(WorkerSlot{0}).at(0).session;
  from_worker(WorkerSlot{0}, JoinedRecord{session, 5});
  for (std::uint32_t i = 0; i < 30; ++i) {
    BlockHeader header;
    header.tick = Tick{100 + i};
    std::array<std::byte, 64> bytes;
    from_worker(WorkerSlot{0}, BlockRecord{session, 0, BlockWriter(bytes, header).bytes()});
    pass_time(100'000, {player.get()});
  }
  EXPECT_TRUE(take<JoinRecord>().empty());
  pass_time(Joins::own_silence_us + Joins::search_period_us, {player.get()});
  EXPECT_FALSE(take<JoinRecord>(WorkerSlot{0}).empty());
  EXPECT_EQ(core->snapshot().playing, 1U) << "who has it answers, and nothing has changed";
  from_worker(WorkerSlot{0}, RefusedRecord{session, RefuseReason::NotOwner});
  EXPECT_EQ(core->snapshot().playing, 0U);
  EXPECT_GE(counted(metric.avatars_searched), 1U);
  pass_time(20'000'000, {player.get()});
  EXPECT_TRUE(player->client.connected()) << "whoever has it may stand still";
  pass_time(11'000'000, {player.get()});
  EXPECT_FALSE(player->client.connected());
}

// The client plays at another gateway, and if it has quit there, no new avatar must be spawned for
// it.
TEST_F(Sessions, AskForNoAvatarOfWhoSaysNothing) {
  const auto player = connect(1);
  session = take<JoinRecord>(WorkerSlot{0}).at(0).session;
  from_worker(WorkerSlot{0}, JoinedRecord{session, 5});
  pass_time(4'000'000);
  EXPECT_EQ(core->snapshot().playing, 1U);
  EXPECT_TRUE(take<JoinRecord>().empty());
}

TEST_F(Sessions, JoinAnewWhenTheirWorkerHasNoRoomForThem) {
  const auto player = join(1);
  from_worker(WorkerSlot{0}, RefusedRecord{session, RefuseReason::Full});
  EXPECT_EQ(core->snapshot().playing, 0U);
  EXPECT_TRUE(player->client.connected());
}

TEST_F(Sessions, AreNotRemovedFromAWorkerThatIsAskedAgain) {
  const auto player = connect(1);
  for (const WorkerSlot owner : {WorkerSlot{1}, WorkerSlot{0}}) {
    map.regions[0].owner = owner;
    ++map.version;
    core->on_map(now_us, map);
    pass_time(110'000, {player.get()});
  }
  take<LeaveRecord>();
  pass_time(300'000, {player.get()});
  EXPECT_TRUE(take<LeaveRecord>(WorkerSlot{0}).empty());
  EXPECT_EQ(core->snapshot().leaving, 1u);  // worker 1, which lost the region again
}

TEST_F(Sessions, HaveAddressesAndEveryChangeOfThemIsCounted) {
  EXPECT_TRUE(core->client_addresses().empty());
  const auto before = core->client_changes();
  const auto player = connect(1);
  EXPECT_THAT(core->client_addresses(), ::testing::ElementsAre(player->at));
  EXPECT_GT(core->client_changes(), before);
  const auto during = core->client_changes();
  pass_time(100'000, {player.get()});
  EXPECT_EQ(core->client_changes(), during) << "nobody came, went or moved";
  player->client.disconnect(now_us);
  send_up(*player);
  EXPECT_TRUE(core->client_addresses().empty());
  EXPECT_GT(core->client_changes(), during);
}

TEST_F(Sessions, OfARestartedGatewayHaveOtherIds) {
  const auto before = join(1);
  const SessionId old = session;
  start();
  const auto after = join(2);
  EXPECT_EQ(session_client_slot(session), session_client_slot(old));
  EXPECT_NE(session, old);
}

TEST_F(Sessions, OfARestartedGatewayHaveOtherIdsWhateverItDraws) {
  random = seeded(5);
  start();
  const auto before = join(1);
  const SessionId old = session;
  for (int again = 0; again < 63; ++again) {
    ++settings.transport.started_at_s;
    random = seeded(5);
    start();
    const auto after = join(2);
    EXPECT_NE(session, old);
  }
}

TEST_F(Sessions, WaitForARegionThatHasNoOwnerYet) {
  map.regions[0].owner.reset();
  ++map.version;
  core->on_map(now_us, map);
  const auto player = connect(1);
  pass_time(1'000'000, {player.get()});
  EXPECT_TRUE(take<JoinRecord>().empty());
  map.regions[0].owner = WorkerSlot{0};
  ++map.version;
  core->on_map(now_us, map);
  pass_time(110'000, {player.get()});
  EXPECT_FALSE(take<JoinRecord>(WorkerSlot{0}).empty());
}

TEST_F(Sessions, JoinAnewWhenTheirWorkerIsGone) {
  const auto player = join(1);
  map.workers[0].alive = false;
  map.regions[0].owner = WorkerSlot{1};
  ++map.version;
  core->on_map(now_us, map);
  EXPECT_EQ(core->snapshot().playing, 0u);
  pass_time(20'000, {player.get()});
  const auto joins = take<JoinRecord>(WorkerSlot{1});
  ASSERT_EQ(joins.size(), 1u);
  EXPECT_EQ(joins[0].session, session);
  from_worker(WorkerSlot{1}, JoinedRecord{session, 5});
  send_frames(*player, frame(stream_owner, filled(4, 1)));
  EXPECT_EQ(take<InputRecord>(WorkerSlot{1}).size(), 1u);
}

TEST_F(Sessions, ForgetWhatAWorkerWithoutASuccessorHasSent) {
  const auto player = join(1);
  const auto block_of = [&](std::uint32_t tick) {
    Bytes bytes(64);
    BlockHeader header;
    header.cluster_id = static_cast<std::uint16_t>(map.cluster_id);
    header.stream_epoch = 7;
    header.tick = Tick{tick};
    const BlockWriter empty(bytes, header);
    return bytes_of(empty.bytes());
  };
  for (const std::uint32_t tick : {100U, 99U}) {
    const Bytes sent = block_of(tick);
    from_worker(WorkerSlot{1}, BlockRecord{session, 1, sent});
  }
  pass_time(20'000, {player.get()});
  player->payloads.clear();
  const auto endings = [&] {
    int count = 0;
    for (const auto& payload : player->payloads) {
      for (const FromClientSide& frame : payload) {
        const auto header = read_block_header(frame.bytes);
        if (frame.stream != stream_of_worker(WorkerSlot{1}) || !header) continue;
        EXPECT_NE(header->stream_epoch, 7);
        EXPECT_EQ(header->tick, Tick{101});
        ++count;
      }
    }
    return count;
  };
  const auto change = [&](auto how) {
    how();
    ++map.version;
    core->on_map(now_us, map);
    pass_time(50'000, {player.get()});
  };
  change([&] { map.workers[1].alive = false; });
  EXPECT_EQ(endings(), 0) << "it may be back: its region is its own";
  change([&] { map.regions[1].owner = WorkerSlot{0}; });
  EXPECT_EQ(endings(), 0) << "the successor first sends the entities that it has again";
  pass_time(1'000'000, {player.get()});
  EXPECT_EQ(endings(), 1);
  pass_time(3'000'000, {player.get()});
  EXPECT_GE(endings(), 3) << "packets are lost";
  pass_time(10'000'000, {player.get()});
  EXPECT_EQ(endings(), 6);
}

TEST_F(Sessions, ForgetNothingOfAWorkerWithASuccessorBeforeItsNextIncarnation) {
  const auto player = join(1);
  Bytes bytes(64);
  BlockHeader header;
  header.tick = Tick{100};
  const BlockWriter empty(bytes, header);
  from_worker(WorkerSlot{1}, BlockRecord{session, 1, empty.bytes()});
  pass_time(20'000, {player.get()});
  player->payloads.clear();
  map.workers[1].alive = false;
  map.workers[1].handle_base = HandleBase{4096};
  map.regions[1].owner = WorkerSlot{0};
  map.failover_records.push_back({HandleBase{4096}, WorkerSlot{0}, HandleBase{}, Epoch{2}});
  ++map.version;
  core->on_map(now_us, map);
  pass_time(100'000, {player.get()});
  const auto frames_of_it = [&] {
    std::size_t count = 0;
    for (const auto& payload : player->payloads) {
      for (const FromClientSide& frame : payload)
        count += frame.stream == stream_of_worker(WorkerSlot{1});
    }
    return count;
  };
  EXPECT_EQ(frames_of_it(), 0U);
  map.workers[1].alive = true;
  map.workers[1].incarnation = Incarnation{2};
  ++map.version;
  core->on_map(now_us, map);
  pass_time(1'020'000, {player.get()});
  EXPECT_EQ(frames_of_it(), 1U);
}

TEST_F(Sessions, JoinAnewWhenTheirWorkerDoesNotKnowThem) {
  const auto player = join(1);
  from_worker(WorkerSlot{0}, RefusedRecord{session, RefuseReason::NotReady});
  EXPECT_EQ(core->snapshot().playing, 1u) << "that is of a join of before";
  from_worker(WorkerSlot{0}, RefusedRecord{session, RefuseReason::NotOwner});
  EXPECT_EQ(core->snapshot().playing, 0u);
  EXPECT_EQ(counted(metric.joins_repeated_for_lost_owner), 1u);
  pass_time(20'000, {player.get()});
  ASSERT_EQ(take<JoinRecord>().size(), 1u);
  from_worker(WorkerSlot{0}, JoinedRecord{session, 5});
  EXPECT_EQ(core->snapshot().playing, 1u);
}

TEST_F(Sessions, JoinAnewWhenTheirWorkerBeganAnotherIncarnation) {
  const auto player = join(1);
  const auto other = join(2, 101);
  const SessionId of_other = session;
  ++map.version;
  core->on_map(now_us, map);
  EXPECT_EQ(core->snapshot().playing, 2u) << "the same incarnation goes on";

  map.workers[0].incarnation = map.workers[0].incarnation.next();
  ++map.version;
  core->on_map(now_us, map);
  EXPECT_EQ(core->snapshot().playing, 1u);
  EXPECT_EQ(counted(metric.joins_repeated_for_lost_owner), 1u);
  pass_time(20'000, {player.get(), other.get()});
  const auto joins = take<JoinRecord>();
  ASSERT_EQ(joins.size(), 1u);
  EXPECT_EQ(joins[0].client_id, 1u);
  EXPECT_NE(joins[0].session, of_other);
  from_worker(WorkerSlot{0}, JoinedRecord{joins[0].session, 5});
  EXPECT_EQ(core->snapshot().playing, 2u);
  ++map.version;
  core->on_map(now_us, map);
  EXPECT_EQ(core->snapshot().playing, 2u) << "one new incarnation, one new join";
  pass_time(200'000, {player.get(), other.get()});
  EXPECT_TRUE(take<JoinRecord>().empty());
  EXPECT_TRUE(take<LeaveRecord>().empty());
}

// A directory that lost its store: same slots and worker incarnations, but other worlds.
TEST_F(Sessions, AllJoinAnewInAnotherClusterId) {
  const auto player = join(1);
  const auto other = join(2, 101);
  ++map.cluster_id;
  map.version = 1;
  core->on_map(now_us, map);
  EXPECT_EQ(core->snapshot().playing, 0u);
  pass_time(20'000, {player.get(), other.get()});
  const auto joins = take<JoinRecord>();
  ASSERT_EQ(joins.size(), 2u);
}

TEST_F(Sessions, OlderMapsAreIgnored) {
  ClusterMap old = map;
  ++map.version;
  core->on_map(now_us, map);
  old.workers.clear();
  core->on_map(now_us, old);
  const auto player = connect(1);
  EXPECT_EQ(take<JoinRecord>(WorkerSlot{0}).size(), 1u);
}

TEST_F(Sessions, SayLeaveUntilTheWorkerConfirms) {
  const auto player = join(1);
  player->client.disconnect(now_us);
  send_up(*player);
  EXPECT_EQ(core->snapshot().sessions, 0u);
  EXPECT_EQ(core->snapshot().playing, 0u);
  EXPECT_EQ(take<LeaveRecord>(WorkerSlot{0}).size(), 1u);
  pass_time(310'000);
  EXPECT_EQ(take<LeaveRecord>(WorkerSlot{0}).size(), 3u);
  from_worker(WorkerSlot{0}, LeftRecord{session});
  EXPECT_EQ(core->snapshot().leaving, 0u);
  pass_time(1'000'000);
  EXPECT_TRUE(take<LeaveRecord>().empty());
}

TEST_F(Sessions, TakeTheWordOfWhomTheLeaveWasPassedOnTo) {
  const auto player = join(1);
  player->client.disconnect(now_us);
  send_up(*player);
  EXPECT_EQ(take<LeaveRecord>(WorkerSlot{0}).size(), 1u);
  from_worker(WorkerSlot{1}, LeftRecord{session + 1});
  EXPECT_EQ(core->snapshot().leaving, 1u) << "that was another one";
  from_worker(WorkerSlot{1}, LeftRecord{session});
  EXPECT_EQ(core->snapshot().leaving, 0u);
  EXPECT_EQ(counted(metric.leaves_unanswered), 0u);
}

TEST_F(Sessions, SayLeaveTwentyTimesAtMost) {
  const auto player = join(1);
  player->client.disconnect(now_us);
  send_up(*player);
  pass_time(10'000'000);
  EXPECT_EQ(take<LeaveRecord>(WorkerSlot{0}).size(), Leaves::repeats_max);
  EXPECT_EQ(counted(metric.leaves_unanswered), 1u);
}

TEST_F(Sessions, SayLeaveWhenTheClientFallsSilent) {
  const auto player = join(1);
  pass_time(200'000, {player.get()});  // it has sent packets
  pass_time(5'200'000);
  EXPECT_EQ(counted(metric.sessions_timed_out), 1u);
  EXPECT_FALSE(take<LeaveRecord>(WorkerSlot{0}).empty());
}

TEST_F(Sessions, GetANewIdWhenTheirSlotIsTakenAgain) {
  const auto first = join(1);
  const SessionId before = session;
  first->client.disconnect(now_us);
  send_up(*first);
  const auto second = connect(2);
  session = take<JoinRecord>().at(0).session;
  EXPECT_NE(session, before);
  EXPECT_EQ(session_client_slot(session), session_client_slot(before));
  // Records for the former session do not reach the new one.
  from_worker(WorkerSlot{0}, JoinedRecord{before, 5}, BlockRecord{before, 0, filled(9, 9)});
  EXPECT_EQ(dropped(Drop::FabricUnknownSession), 2u);
  EXPECT_EQ(core->snapshot().playing, 0u);
}

TEST_F(Sessions, WithAForeignPassEndAtOnce) {
  Player stranger;
  stranger.at = player_address(1);
  ASSERT_TRUE(stranger.client.begin(now_us, token(1, transport::UserData{})));
  pass_time(5'000, {&stranger});
  EXPECT_FALSE(stranger.client.connected());
  EXPECT_EQ(dropped(Drop::PassMalformed), 1u);
  Player old;
  old.at = player_address(2);
  ASSERT_TRUE(old.client.begin(now_us, token(2, pass(100, wire_version + 1))));
  pass_time(5'000, {&old});
  EXPECT_FALSE(old.client.connected());
  EXPECT_EQ(dropped(Drop::PassWrongVersion), 1u);
  EXPECT_TRUE(take<JoinRecord>().empty());
  EXPECT_EQ(core->snapshot().sessions, 0u);
}

TEST_F(Sessions, KeepWhatTheirTokenSaysAboutThePlayer) {
  transport::PlayerPass of_ada{.wire_version = wire_version, .home_region = RegionId{100}};
  of_ada.player_id = 77;
  of_ada.set_claims(R"({"team":"red"})");
  Player ada;
  ada.at = player_address(1);
  ASSERT_TRUE(ada.client.begin(now_us, token(1, transport::write_user_data(of_ada))));
  pass_time(5'000, {&ada});
  std::uint32_t seen = 0;
  core->for_each_player([&](const Session& session, const Core::PlayerFigures&) {
    ++seen;
    EXPECT_EQ(session.client.account.player_id, 77U);
    EXPECT_EQ(session.client.account.claims, of_ada.player_claims);
  });
  EXPECT_EQ(seen, 1U);
}

struct AnotherGame : Sessions {
  std::unique_ptr<Player> dial(std::uint8_t n, std::uint64_t schema_hash) {
    auto player = std::make_unique<Player>();
    player->at = player_address(n);
    const auto of_game = transport::write_user_data(
        {.wire_version = wire_version, .schema_hash = schema_hash, .home_region = RegionId{100}});
    EXPECT_TRUE(player->client.begin(now_us, token(n, of_game)));
    pass_time(5'000, {player.get()});
    return player;
  }
  void workers_run(std::uint64_t schema_hash) {
    map.schema_hash = schema_hash;
    ++map.version;
    core->on_map(now_us, map);
  }
};

TEST_F(AnotherGame, IsNotPlayedByWhoHasATokenForIt) {
  workers_run(7);
  const auto of_before = dial(1, 6);
  EXPECT_FALSE(of_before->client.connected());
  EXPECT_EQ(dropped(Drop::PassOtherGame), 1U);
  EXPECT_TRUE(take<JoinRecord>().empty());
  EXPECT_TRUE(dial(2, 7)->client.connected());
  EXPECT_TRUE(dial(3, 0)->client.connected()) << "a foreign issuer does not say";
}

TEST_F(AnotherGame, EndsTheSessionsOfTheFormerOne) {
  workers_run(7);
  const auto of_before = dial(1, 7);
  EXPECT_TRUE(of_before->client.connected());
  workers_run(8);
  send_down(*of_before);
  EXPECT_FALSE(of_before->client.connected()) << "it would misread what it receives";
  EXPECT_EQ(counted(metric.sessions_of_other_game), 1U);
  EXPECT_TRUE(dial(3, 8)->client.connected());
}

TEST_F(Sessions, AllEndWhenTheGatewayShutsDown) {
  const auto a = join(1);
  const auto b = join(2);
  core->disconnect_all(now_us);
  EXPECT_EQ(take<LeaveRecord>(WorkerSlot{0}).size(), 2u);
  send_down(*a);
  send_down(*b);
  EXPECT_FALSE(a->client.connected());
  EXPECT_FALSE(b->client.connected());
  EXPECT_EQ(counted(metric.sessions_ended_by_gateway), 2u);
}

TEST_F(Sessions, ACrashedPlayerIsBackWithoutWaiting) {
  const auto crashed = join(1);
  const SessionId before = session;
  now_us += 1'000'000;
  const auto back = std::make_unique<Player>();
  back->at = player_address(50);
  ASSERT_TRUE(back->client.begin(now_us, token(1, pass(100))));
  pass_time(5'000, {back.get()});
  EXPECT_TRUE(back->client.connected());
  EXPECT_EQ(counted(metric.sessions_replaced), 1u);
  const auto leaves = take<LeaveRecord>(WorkerSlot{0});
  ASSERT_EQ(leaves.size(), 1u);
  EXPECT_EQ(leaves[0].session, before);
}

}  // namespace
}  // namespace perigee::gateway
