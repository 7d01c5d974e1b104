// Claims, resume tokens and kicks, with the session service simulated by the test.
#include "fixture.hpp"

namespace perigee::gateway {
namespace {

using Answer = transport::Server::ClaimAnswer;

struct Resuming : GatewayTest {
  struct Sent {
    std::uint32_t number = 0;
    Bytes token;
  };
  /// The resume tokens that `player` received on the gateway's own stream.
  static std::vector<Sent> sent(const Player& player) {
    std::vector<Sent> tokens;
    for (const auto& payload : player.payloads) {
      for (const FromClientSide& frame : payload) {
        if (frame.stream != stream_gateway) continue;
        const auto resume = read_resume(frame.bytes);
        if (!resume) continue;
        if (resume->part == 0) tokens.push_back({.number = resume->number, .token = {}});
        Bytes& token = tokens.back().token;
        token.insert(token.end(), resume->bytes.begin(), resume->bytes.end());
      }
    }
    return tokens;
  }
  void acknowledge(Player& player, std::uint32_t number) {
    Bytes bytes(resume_received_bytes);
    ByteWriter writer(bytes);
    ASSERT_TRUE(write_resume_received(writer, number));
    send_frames(player, frame(stream_gateway, bytes));
  }
};

TEST_F(Resuming, AsksForATokenOnceAPlayerPlays) {
  const auto player = connect(1);
  pass_time(100'000, {player.get()});
  EXPECT_TRUE(out.resumes_wanted.empty()) << "not before it has an avatar";
  session = take<JoinRecord>().at(0).session;
  from_worker(WorkerSlot{0}, JoinedRecord{session, 77});
  pass_time(50'000, {player.get()});
  EXPECT_THAT(out.resumes_wanted, testing::ElementsAre(1));
  pass_time(ResumeTokens::retry_us, {player.get()});
  EXPECT_EQ(out.resumes_wanted.size(), 2U) << "nobody answered: asked again";
}

TEST_F(Resuming, SendsTheTokenUntilTheClientHasIt) {
  const auto player = join(1);
  const transport::ConnectToken given = resume_token(1);
  core->on_resume_token(now_us, 1, given);
  pass_time(1'200'000, {player.get()});
  auto frames = sent(*player);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].number, frames[2].number);
  Bytes whole = frames[0].token;
  whole.resize(transport::connect_token_bytes);
  EXPECT_EQ(whole, bytes_of(given)) << "only zeros were left out";
  EXPECT_TRUE(player->client.set_spare(now_us, whole));
  acknowledge(*player, frames[0].number + 1);
  pass_time(600'000, {player.get()});
  EXPECT_EQ(sent(*player).size(), 4U) << "that was another number";
  acknowledge(*player, frames[0].number);
  pass_time(2'000'000, {player.get()});
  EXPECT_EQ(sent(*player).size(), 4U);
  EXPECT_EQ(counted(metric.resume_tokens_acknowledged), 1U);
}

TEST_F(Resuming, GivesUpOnClientsThatDoNotKnowOfTokens) {
  const auto player = join(1);
  core->on_resume_token(now_us, 1, resume_token(1));
  pass_time(30'000'000, {player.get()});
  EXPECT_EQ(sent(*player).size(), ResumeTokens::repeats_max);
}

TEST_F(Resuming, RenewsTheTokenLongBeforeItExpires) {
  const auto player = join(1);
  pass_time(20'000, {player.get()});
  core->on_resume_token(now_us, 1, resume_token(1));
  send_down(*player);
  acknowledge(*player, sent(*player).at(0).number);
  out.resumes_wanted.clear();
  pass_time(ResumeTokens::renewal_us - 100'000, {player.get()});
  EXPECT_TRUE(out.resumes_wanted.empty());
  pass_time(ResumeTokens::spread_us + 200'000, {player.get()});
  ASSERT_FALSE(out.resumes_wanted.empty());
  const std::uint32_t before = sent(*player).back().number;
  core->on_resume_token(now_us, 1, resume_token(1));
  send_down(*player);
  EXPECT_EQ(sent(*player).back().number, before + 1);
}

TEST_F(Resuming, IgnoresTokensOfNobodyAndTokensTooLong) {
  const auto player = join(1);
  core->on_resume_token(now_us, 2, resume_token(2));
  core->on_resume_token(now_us, 1, Bytes(2048));
  core->on_resume_token(now_us, 1, filled(2048, 7));
  pass_time(1'000'000, {player.get()});
  EXPECT_TRUE(sent(*player).empty());
}

TEST_F(Resuming, SaysHowSessionsEnded) {
  const auto quits = join(1);
  quits->client.disconnect(now_us);
  send_up(*quits);
  EXPECT_FALSE(take<LeaveRecord>(WorkerSlot{0}).at(0).lost);
  from_worker(WorkerSlot{0}, LeftRecord{session});
  const auto falls_silent = join(2);
  pass_time(200'000, {falls_silent.get()});  // it has sent packets
  pass_time(6'000'000);
  EXPECT_TRUE(take<LeaveRecord>(WorkerSlot{0}).at(0).lost);
  from_worker(WorkerSlot{0}, LeftRecord{session});
  const auto is_kicked = join(3);
  core->kick_client(now_us, 3);
  EXPECT_FALSE(take<LeaveRecord>(WorkerSlot{0}).at(0).lost);
  from_worker(WorkerSlot{0}, LeftRecord{session});
  send_down(*is_kicked);
  EXPECT_FALSE(is_kicked->client.connected());
  EXPECT_EQ(counted(metric.sessions_kicked), 1U);
  core->kick_client(now_us, 3);
  EXPECT_EQ(counted(metric.sessions_kicked), 1U) << "is not here any more";
  const auto is_let_go = join(4);
  core->disconnect_all(now_us);
  EXPECT_TRUE(take<LeaveRecord>(WorkerSlot{0}).at(0).lost) << "the next gateway may have it";
  using End = Collected::End;
  EXPECT_THAT(out.releases,
              testing::ElementsAre(End{1, 0, Release::Left}, End{2, 0, Release::Lost},
                                   End{3, 0, Release::Left}, End{4, 0, Release::Lost}));
}

TEST_F(Resuming, SaysWhichOfAClientsConnectionsEnded) {
  const auto dial = [&](std::uint64_t issue) {
    auto player = std::make_unique<Player>();
    player->at = player_address(1);
    EXPECT_TRUE(player->client.begin(now_us, token(1, pass(100, wire_version, issue))));
    pass_time(50'000, {player.get()});
    EXPECT_TRUE(player->client.connected());
    return player;
  };
  const auto falls_silent = dial(5);
  pass_time(200'000, {falls_silent.get()});  // it has sent packets
  pass_time(6'000'000);
  const auto comes_back = dial(8);
  comes_back->client.disconnect(now_us);
  send_up(*comes_back);
  using End = Collected::End;
  EXPECT_THAT(out.releases,
              testing::ElementsAre(End{1, 5, Release::Lost}, End{1, 8, Release::Left}));
}

struct WithAnotherGateway : Resuming {
  /// Number of living gateways besides this one.
  void map_with(int others) {
    map.gateways.clear();
    for (int i = 0; i <= 3 + others; ++i) {
      const auto slot = GatewaySlot::at(i);
      map.gateways.push_back(
          {.slot = slot,
           .fabric = Address::v4(10, 0, 0, 20, static_cast<std::uint16_t>(40'030 + i)),
           .public_udp = Address::v4(203, 0, 113, 1, static_cast<std::uint16_t>(40'000 + i)),
           .alive = i >= 3});
    }
    ++map.version;
    core->on_map(now_us, map);
  }
  void give_token(Player& player) {
    core->on_resume_token(now_us, 1, resume_token(1));
    send_down(player);
    acknowledge(player, sent(player).back().number);
    out.resumes_wanted.clear();
  }
};

TEST_F(WithAnotherGateway, RenewsTokensSoonAfterOneHasComeOrGone) {
  map_with(0);
  const auto player = join(1);
  pass_time(20'000, {player.get()});
  give_token(*player);
  for (const int others : {1, 2, 1}) {
    map_with(others);
    pass_time(ResumeTokens::settle_us - 10'000, {player.get()});
    EXPECT_TRUE(out.resumes_wanted.empty()) << "the session service may not have received it";
    pass_time(ResumeTokens::change_spread_us + 20'000, {player.get()});
    EXPECT_FALSE(out.resumes_wanted.empty()) << others;
    give_token(*player);
  }
  map_with(1);
  pass_time(ResumeTokens::change_spread_us + ResumeTokens::settle_us, {player.get()});
  EXPECT_TRUE(out.resumes_wanted.empty()) << "nothing has changed";
}

TEST_F(WithAnotherGateway, KnowsWhenEverybodyCouldComeBackByIt) {
  map_with(0);
  const auto player = join(1);
  pass_time(20'000, {player.get()});
  give_token(*player);
  EXPECT_TRUE(core->could_all_come_back()) << "there is no other one";
  map_with(1);
  EXPECT_FALSE(core->could_all_come_back()) << "its token is of before";
  core->prepare_farewell(now_us);
  pass_time(ResumeTokens::settle_us + ResumeTokens::farewell_spread_us, {player.get()});
  ASSERT_FALSE(out.resumes_wanted.empty());
  core->on_resume_token(now_us, 1, resume_token(1));
  send_down(*player);
  EXPECT_FALSE(core->could_all_come_back()) << "sent, not acknowledged";
  acknowledge(*player, sent(*player).back().number);
  EXPECT_TRUE(core->could_all_come_back());
}

// The token is requested again, and the late one does not delay that.
TEST_F(WithAnotherGateway, TakesNoTokenThatWasAskedForBeforeItCame) {
  map_with(0);
  const auto player = join(1);
  pass_time(20'000, {player.get()});
  ASSERT_THAT(out.resumes_wanted, testing::ElementsAre(1));
  map_with(1);
  give_token(*player);
  EXPECT_FALSE(core->could_all_come_back());
  pass_time(ResumeTokens::change_spread_us + ResumeTokens::settle_us, {player.get()});
  ASSERT_FALSE(out.resumes_wanted.empty());
  give_token(*player);
  EXPECT_TRUE(core->could_all_come_back());
}

struct Claiming : Resuming {
  Claiming() {
    settings.transport.claims = true;
    start();
  }
};

TEST_F(Claiming, LetsNobodyInBeforeTheTokenIsGranted) {
  Player player;
  player.at = player_address(1);
  ASSERT_TRUE(player.client.begin(now_us, token(1, pass(100))));
  pass_time(50'000, {&player});
  ASSERT_EQ(out.claims.size(), 1U);
  EXPECT_EQ(out.claims[0].client_id, 1U);
  EXPECT_FALSE(player.client.connected());
  core->on_claim(now_us, out.claims[0].claim_id, Answer::Granted);
  pass_time(20'000, {&player});
  EXPECT_TRUE(player.client.connected());
  EXPECT_EQ(take<JoinRecord>().size(), 1U);
}

TEST_F(Claiming, DeniesATokenThatIsRefused) {
  Player player;
  player.at = player_address(1);
  ASSERT_TRUE(player.client.begin(now_us, token(1, pass(100))));
  pass_time(50'000, {&player});
  core->on_claim(now_us, out.claims.at(0).claim_id, Answer::Refused);
  pass_time(20'000, {&player});
  EXPECT_EQ(player.client.state(), transport::ClientState::Denied);
}

// The former session of the client is at the same gateway: the join is for the same avatar.
TEST_F(Claiming, HandsASessionOverToItsClientsNextOne) {
  Player player;
  player.at = player_address(1);
  ASSERT_TRUE(player.client.begin(now_us, token(1, pass(100))));
  pass_time(50'000, {&player});
  core->on_claim(now_us, out.claims.at(0).claim_id, Answer::Granted);
  session = take<JoinRecord>().at(0).session;
  from_worker(WorkerSlot{0}, JoinedRecord{session, 77});
  pass_time(50'000, {&player});
  ASSERT_TRUE(player.client.set_spare(now_us, token(1, pass(100))));
  ASSERT_TRUE(player.client.redial(now_us));
  pass_time(50'000, {&player});
  core->on_claim(now_us, out.claims.at(1).claim_id, Answer::Granted);
  core->flush();
  const auto leaves = take<LeaveRecord>(WorkerSlot{0});
  ASSERT_EQ(leaves.size(), 1U);
  EXPECT_TRUE(leaves[0].lost);
  EXPECT_TRUE(out.releases.empty()) << "it is still the same player";
}

}  // namespace
}  // namespace perigee::gateway
