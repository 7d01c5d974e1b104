#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct TheChallenges : WithoutServer {
  Challenges challenges{{.challenge_key = key(5), .binding_key = key(6)}};
};

TEST_F(TheChallenges, AreAcceptedFromTheirHandshakeAlone) {
  const Handshake handshake = *begin(player_address(1), 1, 1);
  const auto body = challenges.make(handshake);
  EXPECT_FALSE(challenges.judge(handshake, body));
  Handshake other = handshake;
  other.address = player_address(2);
  EXPECT_EQ(challenges.judge(other, body), Drop::ChallengeNotBound);
  other = handshake;
  other.token_tag = tag(2);
  EXPECT_EQ(challenges.judge(other, body), Drop::ChallengeNotBound);
  other = handshake;
  other.client_id = 2;
  EXPECT_EQ(challenges.judge(other, body), Drop::ChallengeNotBound);
}

TEST_F(TheChallenges, AreNumberedAndCannotBeForged) {
  const Handshake handshake = *begin(player_address(1), 1, 1);
  auto body = challenges.make(handshake);
  EXPECT_NE(challenges.make(handshake), body);
  body[40] ^= std::byte{1};
  EXPECT_EQ(challenges.judge(handshake, body), Drop::ChallengeForged);
}

}  // namespace
}  // namespace perigee::transport
