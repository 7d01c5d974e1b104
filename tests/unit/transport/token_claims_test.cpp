#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct TheClaims : WithoutServer {
  TokenClaims claims{{.handshakes = handshakes,
                      .admission = admission,
                      .sender = sender,
                      .outbox = postbag,
                      .drops = drops}};
  std::uint64_t request(const Address& from) {
    claims.request(now_us, index_at(from));
    return postbag.claims.back().claim_id;
  }
};

TEST_F(TheClaims, AreRepeatedUnderOneId) {
  begin(player_address(1), 1, 1, 6);
  const std::uint64_t first = request(player_address(1));
  EXPECT_EQ(request(player_address(1)), first);
  EXPECT_EQ(handshakes.claims_pending(), 1U);
  const ClaimRequest& claim = postbag.claims[1];
  EXPECT_EQ(claim.token_tag, tag(1));
  EXPECT_EQ(claim.client_id, 1U);
  EXPECT_EQ(claim.issue, 6U);
  EXPECT_EQ(claim.expire_time_s, unix_s + 30);
}

TEST_F(TheClaims, OpenAConnectionOnceGranted) {
  begin(player_address(1), 1, 1);
  const std::uint64_t id = request(player_address(1));
  claims.on_answer(now_us, id, ClaimAnswer::Granted);
  EXPECT_TRUE(connections.at(player_address(1)));
  EXPECT_EQ(handshakes.claims_pending(), 0U);
  claims.on_answer(now_us, id, ClaimAnswer::Granted);
  EXPECT_EQ(drops[Drop::ClaimForgotten], 1U);
  EXPECT_EQ(connections.clients(), 1U);
}

TEST_F(TheClaims, UseUpTheTokenOnceAllAreRefused) {
  begin(player_address(1), 1, 1);
  begin(player_address(2), 1, 1);
  const std::uint64_t first = request(player_address(1));
  const std::uint64_t second = request(player_address(2));
  claims.on_answer(now_us, first, ClaimAnswer::Refused);
  EXPECT_FALSE(handshakes.consumed(tag(1))) << "it may have lost against the other one";
  claims.on_answer(now_us, second, ClaimAnswer::Refused);
  EXPECT_TRUE(handshakes.consumed(tag(1)));
  EXPECT_EQ(drops[Drop::ClaimRefused], 2U);
  EXPECT_EQ(sent().size(), 2U) << "both are denied";
}

TEST_F(TheClaims, DoNotOpenAConnectionAtAnAddressThatIsBusyByThen) {
  begin(player_address(1), 2, 2);
  const std::uint64_t id = request(player_address(1));
  connections.open(now_us, {.address = player_address(1), .client_id = 7});
  claims.on_answer(now_us, id, ClaimAnswer::Granted);
  EXPECT_EQ(drops[Drop::RequestAddressBusy], 1U);
  EXPECT_EQ(handshakes.size(), 0U);
}

}  // namespace
}  // namespace perigee::transport
