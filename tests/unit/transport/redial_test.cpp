// A client with a spare token reconnects by itself.
#include "fixture.hpp"

namespace perigee::transport {
namespace {

class Redial : public TransportTest {
 protected:
  static constexpr Micros silence_us = 1'000'000;
  const Address home = player_address(1);

  Redial() {
    settings.issue_of = issue_of;
    start_server();
    EXPECT_TRUE(client.begin(now_us, make(spec(7, 1))));
    pass(30'000, client, home);
    EXPECT_TRUE(client.connected());
  }
  ConnectToken resume_token(std::uint64_t issue) {
    auto s = spec(7, issue);
    s.expire_time_s = unix_s() + 300;
    return make(s);
  }
  void mute_server() {
    lose_down = [](const Bytes&) { return true; };
  }
  Client client;
};

TEST_F(Redial, AfterASecondOfSilenceTheSpareTokenOpensANewSession) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  mute_server();
  pass(silence_us - 30'000, client, home);
  EXPECT_TRUE(client.connected());
  pass(40'000, client, home);
  EXPECT_TRUE(client.reconnecting());
  EXPECT_FALSE(client.has_spare());
  lose_down = nullptr;
  pass(200'000, client, home);
  EXPECT_TRUE(client.connected());
  EXPECT_FALSE(client.reconnecting());
  EXPECT_EQ(client.sessions(), 2u);
  EXPECT_EQ(server->clients(), 1u);
  EXPECT_EQ(events.at(1).reason, DisconnectReason::Replaced);
}

// The path carried nothing for longer than a second, and the server is still there.
TEST_F(Redial, APayloadOfTheSilentSessionEndsTheDialling) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  lose_up = lose_down = [](const Bytes&) { return true; };
  pass(1'500'000, client, home);
  EXPECT_TRUE(client.reconnecting());
  EXPECT_TRUE(client.in_session());
  lose_up = lose_down = nullptr;
  up_payloads.clear();
  ASSERT_TRUE(client.send_payload(now_us, text("still here")));
  deliver_up(client, home);
  EXPECT_EQ(up_payloads, std::vector<Bytes>{text("still here")}) << "under the session's keys";
  while (client.poll_send()) {
  }
  server->send_payload(now_us, 0, text("welcome back"));
  deliver_down(client, home);
  EXPECT_TRUE(client.connected());
  EXPECT_TRUE(client.has_spare()) << "it was not used";
  EXPECT_EQ(client.sessions(), 1U);
  EXPECT_EQ(client.returns(), 1U);
  pass(500'000, client, home);
  EXPECT_EQ(server->clients(), 1U);
  EXPECT_TRUE(client.connected());
}

TEST_F(Redial, TheNewSessionStartsFromFreshState) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  for (int i = 0; i < 100; ++i) {
    client.send_payload(now_us, text("x"));
    deliver_up(client, home);
  }
  client.redial(now_us);
  const auto request = client.poll_send();
  ASSERT_TRUE(request);
  EXPECT_TRUE(is_request(request->datagram));
  EXPECT_FALSE(client.poll_send());
  pass(200'000, client, home);
  ASSERT_TRUE(client.connected());
  up_payloads.clear();
  EXPECT_LT(*client.send_payload(now_us, text("again")) & 0xffff'ffff, 10u);
  deliver_up(client, home);
  EXPECT_EQ(up_payloads, std::vector<Bytes>{text("again")});
}

TEST_F(Redial, AServerThatRestartedGetsItsClientBack) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  settings.started_at_s = unix_s();
  settings.claims = true;
  start_server();
  for (int i = 0; i < 300 && server->clients() == 0; ++i) {
    pass(10'000, client, home);
    if (postbag.claims.empty()) continue;
    server->on_claim(now_us, postbag.claims[0].claim_id, Server::ClaimAnswer::Granted);
    postbag.claims.clear();
  }
  pass(50'000, client, home);
  EXPECT_TRUE(client.connected());
  EXPECT_EQ(client.sessions(), 2u);
}

TEST_F(Redial, ItKeepsDiallingWhileTheServerIsAway) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  mute_server();
  pass(12'000'000, client, home);
  EXPECT_TRUE(client.reconnecting());
  lose_down = nullptr;
  pass(200'000, client, home);
  EXPECT_TRUE(client.connected());
}

// A response opened the session, and then no packet got through for longer than its timeout. The
// token is used: the client can only reconnect to that session.
TEST_F(Redial, ASessionThatItsClientDidNotLearnOfIsStillThereAfterAnOutage) {
  for (const Micros outage_us : {4'000'000, 7'000'000, 12'000'000}) {
    SCOPED_TRACE(outage_us);
    start_server();
    ASSERT_TRUE(client.begin(now_us, make(spec(7, 1))));
    pass(200'000, client, home);
    ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
    const std::uint32_t sessions = client.sessions();
    lose_down = [&](const Bytes&) { return client.state() != ClientState::SendingRequest; };
    lose_up = [&](const Bytes& bytes) { return client.connected() && !is_request(bytes); };
    for (int i = 0; i < 200 && client.state() != ClientState::SendingResponse; ++i) {
      pass(10'000, client, home);
    }
    pass(50'000, client, home);
    ASSERT_EQ(server->clients(), 1u) << "its response arrived";
    lose_up = lose_down = [](const Bytes&) { return true; };
    pass(outage_us, client, home);
    EXPECT_TRUE(client.reconnecting());
    lose_up = lose_down = nullptr;
    pass(500'000, client, home);
    EXPECT_TRUE(client.connected());
    EXPECT_EQ(client.sessions(), sessions + 1);
    EXPECT_EQ(server->clients(), 1u);
  }
}

TEST_F(Redial, ItGivesUpAfterItsLimit) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  lose_up = [](const Bytes&) { return true; };
  mute_server();
  pass(17'000'000, client, home);
  EXPECT_EQ(client.state(), ClientState::RequestTimedOut);
  EXPECT_FALSE(client.reconnecting());
}

TEST_F(Redial, ASparesLifeCountsFromWhenItWasGiven) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  pass(298'000'000, client, home);
  ASSERT_TRUE(client.connected());
  mute_server();
  pass(2'500'000, client, home);
  EXPECT_EQ(client.state(), ClientState::Expired);
}

TEST_F(Redial, TheLastSpareGivenCounts) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  const ConnectToken last = resume_token(3);
  ASSERT_TRUE(client.set_spare(now_us, last));
  EXPECT_FALSE(client.set_spare(now_us, text("no token")));
  ASSERT_TRUE(client.redial(now_us));
  const auto out = client.poll_send();
  ASSERT_TRUE(out);
  Drop why{};
  EXPECT_EQ(bytes_of(read_request(out->datagram, perigee_protocol_id, why)->sealed),
            bytes_of(read_connect_token(last)->sealed));
}

TEST_F(Redial, WithoutASpareSilenceEndsInATimeOutAsBefore) {
  EXPECT_FALSE(client.redial(now_us));
  mute_server();
  pass(5'100'000, client, home);
  EXPECT_EQ(client.state(), ClientState::TimedOut);
}

TEST_F(Redial, ALateFrameThatReceivesFirstDoesNotDial) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  pass_server(1'500'000);  // the client's process stalled; keep-alives are waiting for it
  deliver_down(client, home);
  client.advance(now_us);
  EXPECT_TRUE(client.connected());
  EXPECT_EQ(client.sessions(), 1u);
}

TEST_F(Redial, ADeniedSpareEndsTheAttempt) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  settings.clients_max = 1;
  start_server();
  const auto other = join(9, player_address(9));
  pass(1'500'000, client, home);
  EXPECT_EQ(client.state(), ClientState::Denied);
}

TEST_F(Redial, ThePacketsOfTheOldSessionMeanNothingToTheNewOne) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  pass(200'000, client, home);  // the server has seen that its client is connected
  server->send_payload(now_us, 0, text("old"));
  client.redial(now_us);
  deliver_down(client, home);
  EXPECT_TRUE(client.reconnecting());
  EXPECT_TRUE(down_payloads.empty());
  EXPECT_EQ(client.drops()[Drop::Forged], 1u);
}

TEST_F(Redial, AGoodbyeOfTheServerIsFinalUnlessTheOwnerKnowsBetter) {
  ASSERT_TRUE(client.set_spare(now_us, resume_token(2)));
  server->disconnect(now_us, 0);
  take_events();
  pass(3'000'000, client, home);
  EXPECT_EQ(client.state(), ClientState::Disconnected);
  EXPECT_TRUE(client.redial(now_us));
  pass(200'000, client, home);
  EXPECT_TRUE(client.connected());
}

}  // namespace
}  // namespace perigee::transport
