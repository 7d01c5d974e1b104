// A token's only session is granted by a store that all servers share.
#include "fixture.hpp"

namespace perigee::transport {
namespace {

class Claims : public TransportTest {
 protected:
  Claims() {
    settings.claims = true;
    settings.issue_of = issue_of;
    start_server();
  }
  /// Connects up to the response; the claim has been sent.
  void knock(Client& who, const ConnectToken& token, const Address& at) {
    ASSERT_TRUE(who.begin(now_us, token));
    exchange(who, at);
    exchange(who, at);
  }
  void exchange(Client& who, const Address& at) {
    deliver_up(who, at);
    deliver_down(who, at);
  }
  void answer(const ClaimRequest& request, ClaimAnswer with) {
    server->on_claim(now_us, request.claim_id, with);
    take_events();
  }
  Client client;
};

TEST_F(Claims, AResponseAsksBeforeItGetsASlot) {
  const auto s = spec(7, 12);
  const ConnectToken t = make(s);
  knock(client, t, player_address(1));
  ASSERT_EQ(postbag.claims.size(), 1u);
  const ClaimRequest& claim = postbag.claims[0];
  EXPECT_NE(claim.claim_id, 0u);
  EXPECT_EQ(claim.token_tag, tag_of(read_connect_token(t)->sealed));
  EXPECT_EQ(claim.client_id, 7u);
  EXPECT_EQ(claim.issue, 12u);
  EXPECT_EQ(claim.expire_time_s, s.expire_time_s);
  EXPECT_EQ(server->clients(), 0u);
  EXPECT_EQ(server->claims_pending(), 1u);
  EXPECT_FALSE(client.connected());
}

TEST_F(Claims, AGrantOpensTheSession) {
  knock(client, make(spec(7, 1)), player_address(1));
  answer(postbag.claims.at(0), ClaimAnswer::Granted);
  deliver_down(client, player_address(1));
  EXPECT_TRUE(client.connected());
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].client_id, 7u);
  EXPECT_EQ(issue_of(events[0].user_data), 1u);
  EXPECT_EQ(server->claims_pending(), 0u);
  EXPECT_EQ(server->handshakes(), 0u);
}

TEST_F(Claims, ARefusalDeniesAndEndsTheToken) {
  const ConnectToken t = make(spec(7, 1));
  knock(client, t, player_address(1));
  answer(postbag.claims.at(0), ClaimAnswer::Refused);
  deliver_down(client, player_address(1));
  EXPECT_EQ(client.state(), ClientState::Denied);
  EXPECT_EQ(dropped(Drop::ClaimRefused), 1u);
  EXPECT_EQ(server->handshakes(), 0u);
  Client again;
  knock(again, t, player_address(2));
  EXPECT_EQ(dropped(Drop::RequestTokenUsed), 1u);
  EXPECT_EQ(postbag.claims.size(), 1u);
}

TEST_F(Claims, RepeatedResponsesRepeatTheSameClaimTwiceASecond) {
  knock(client, make(spec(7, 1)), player_address(1));
  pass(2'000'000, client, player_address(1));
  ASSERT_EQ(postbag.claims.size(), 5u);  // at 0, 0.5, 1, 1.5, 2 s
  for (const ClaimRequest& claim : postbag.claims) {
    EXPECT_EQ(claim.claim_id, postbag.claims[0].claim_id);
  }
  EXPECT_EQ(dropped(Drop::ClaimPending), 16u);
  answer(postbag.claims[0], ClaimAnswer::Granted);
  answer(postbag.claims[1], ClaimAnswer::Granted);
  EXPECT_EQ(dropped(Drop::ClaimForgotten), 1u);
  EXPECT_EQ(server->clients(), 1u);
}

TEST_F(Claims, WithoutAnAnswerTheHandshakeDiesOfItsTimeOut) {
  knock(client, make(spec(7, 1)), player_address(1));
  pass(4'900'000, client, player_address(1));
  EXPECT_EQ(server->handshakes(), 1u);
  pass(200'000, client, player_address(1));
  EXPECT_EQ(client.state(), ClientState::ResponseTimedOut);
  EXPECT_EQ(server->handshakes(), 0u);
  EXPECT_EQ(server->claims_pending(), 0u);
  answer(postbag.claims.at(0), ClaimAnswer::Granted);
  EXPECT_EQ(server->clients(), 0u);
  EXPECT_EQ(dropped(Drop::ClaimForgotten), 1u);
}

TEST_F(Claims, OfAKickedClientAreRefusedWhateverTheStoreAnswers) {
  Client other;
  knock(client, make(spec(7, 1)), player_address(1));
  knock(other, make(spec(8, 2)), player_address(2));
  server->refuse_claims(7);
  answer(postbag.claims.at(0), ClaimAnswer::Granted);
  answer(postbag.claims.at(1), ClaimAnswer::Granted);
  deliver_down(client, player_address(1));
  deliver_down(other, player_address(2));
  EXPECT_EQ(client.state(), ClientState::Denied);
  EXPECT_TRUE(other.connected());
  EXPECT_EQ(dropped(Drop::ClaimRefused), 1u);
  EXPECT_EQ(dropped(Drop::ClaimForgotten), 1u);
}

TEST_F(Claims, AnswersToNobodyAreIgnored) {
  server->on_claim(now_us, 0, ClaimAnswer::Granted);
  server->on_claim(now_us, ~0ULL, ClaimAnswer::Granted);
  server->on_claim(now_us, 1ULL << 16, ClaimAnswer::Refused);
  EXPECT_EQ(dropped(Drop::ClaimForgotten), 3u);
}

TEST_F(Claims, TheRestartRuleIsTheStores) {
  settings.started_at_s = unix_s();
  start_server();
  auto s = spec(7, 1);
  s.expire_time_s = unix_s() + 5;  // made before the server's start
  knock(client, make(s), player_address(1));
  EXPECT_EQ(postbag.claims.size(), 1u);
  EXPECT_EQ(dropped(Drop::RequestBeforeStart), 0u);
}

TEST_F(Claims, OfTwoHandshakesForOneTokenTheGrantedOneWins) {
  const ConnectToken t = make(spec(7, 1));
  Client rival;
  knock(client, t, player_address(1));
  knock(rival, t, player_address(2));
  ASSERT_EQ(postbag.claims.size(), 2u);
  EXPECT_NE(postbag.claims[0].claim_id, postbag.claims[1].claim_id);
  // The refusal overtakes the grant: it must not end the winner's handshake.
  answer(postbag.claims[1], ClaimAnswer::Refused);
  EXPECT_EQ(server->handshakes(), 1u);
  answer(postbag.claims[0], ClaimAnswer::Granted);
  deliver_down(client, player_address(1));
  deliver_down(rival, player_address(2));
  EXPECT_TRUE(client.connected());
  EXPECT_EQ(rival.state(), ClientState::Denied);
}

TEST_F(Claims, CopiedRequestsDoNotPushOutAHandshakeWhoseClaimIsPending) {
  Client owner;
  const ConnectToken t = make(spec(7, 1));
  ASSERT_TRUE(client.begin(now_us, t));
  const Bytes sniffed = bytes_of(client.poll_send()->datagram);
  knock(owner, t, player_address(1));
  for (std::uint8_t n = 100; n < 110; ++n) to_server(player_address(n), sniffed);
  EXPECT_EQ(server->handshakes(), TokenHistory::candidates_max);
  answer(postbag.claims.at(0), ClaimAnswer::Granted);
  deliver_down(owner, player_address(1));
  EXPECT_TRUE(owner.connected());
  EXPECT_EQ(server->handshakes(), 0u);
}

TEST_F(Claims, APendingClaimHasItsSlotSetAside) {
  std::array<Client, 5> clients;
  for (std::uint8_t n = 0; n < 5; ++n) knock(clients[n], make(spec(n + 1U, 1)), player_address(n));
  ASSERT_EQ(postbag.claims.size(), 4u);
  EXPECT_EQ(clients[4].state(), ClientState::Denied);
  for (const ClaimRequest& claim : std::vector(postbag.claims)) answer(claim, ClaimAnswer::Granted);
  EXPECT_EQ(server->clients(), 4u);
}

// Of two tokens of one client, the one that was made later gets the session, with any lifetimes.
TEST_F(Claims, ALogInWithAShortLifeReplacesASessionOfAResumeTokenWithALongOne) {
  auto resume = spec(7, 1);
  resume.expire_time_s = unix_s() + 300;
  knock(client, make(resume), player_address(1));
  answer(postbag.claims.at(0), ClaimAnswer::Granted);
  Client back;
  knock(back, make(spec(7, 2)), player_address(2));
  answer(postbag.claims.at(1), ClaimAnswer::Granted);
  deliver_down(back, player_address(2));
  EXPECT_TRUE(back.connected());
  EXPECT_EQ(events.at(1).reason, DisconnectReason::Replaced);
}

TEST_F(Claims, AnOlderTokenThatExpiresLaterDoesNotKickANewerSession) {
  auto resume = spec(7, 1);
  resume.expire_time_s = unix_s() + 300;
  const ConnectToken old = make(resume);
  knock(client, make(spec(7, 2)), player_address(1));
  answer(postbag.claims.at(0), ClaimAnswer::Granted);
  Client thief;
  knock(thief, old, player_address(2));
  EXPECT_EQ(dropped(Drop::RequestOlderToken), 1u);
  EXPECT_EQ(postbag.claims.size(), 1u);
}

TEST_F(Claims, AnOlderTokenWhoseClaimIsPendingLosesToTheNewerSession) {
  Client newer;
  knock(client, make(spec(7, 1)), player_address(1));
  knock(newer, make(spec(7, 2)), player_address(2));
  ASSERT_EQ(postbag.claims.size(), 2u);
  answer(postbag.claims[1], ClaimAnswer::Granted);
  answer(postbag.claims[0], ClaimAnswer::Granted);
  deliver_down(newer, player_address(2));
  EXPECT_TRUE(newer.connected());
  EXPECT_EQ(dropped(Drop::RequestOlderToken), 1u);
  EXPECT_EQ(server->clients(), 1u);
}

}  // namespace
}  // namespace perigee::transport
