#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct AHandshakeTable : WithoutServer {};

TEST_F(AHandshakeTable, HasOneHandshakePerAddress) {
  const Handshake* first = begin(player_address(1), 1, 1);
  EXPECT_EQ(begin(player_address(1), 1, 1), first) << "a repeated request";
  EXPECT_EQ(handshakes.size(), 1U);
  begin(player_address(1), 2, 2);
  EXPECT_EQ(handshakes.size(), 1U) << "the first token was given up";
  EXPECT_EQ(handshakes[index_at(player_address(1))].client_id, 2U);
}

TEST_F(AHandshakeTable, EvictsTheOldestAddressOfATokenWithoutAClaim) {
  for (std::uint8_t n = 1; n <= TokenHistory::candidates_max; ++n) begin(player_address(n), 1, 1);
  handshakes.begin_claim(index_at(player_address(1)), 77);
  ASSERT_TRUE(begin(player_address(9), 1, 1));
  EXPECT_TRUE(handshakes.find(player_address(1)));
  EXPECT_FALSE(handshakes.find(player_address(2)));
  EXPECT_TRUE(handshakes.claim_pending(tag(1)));
  EXPECT_FALSE(handshakes.claim_pending(tag(2)));
}

TEST_F(AHandshakeTable, EndsAllHandshakesOfAConsumedToken) {
  begin(player_address(1), 1, 1);
  begin(player_address(2), 1, 1);
  begin(player_address(3), 3, 3);
  handshakes.begin_claim(index_at(player_address(2)), 77);
  EXPECT_EQ(handshakes.claims_pending(), 1U);
  handshakes.consume(tag(1));
  EXPECT_TRUE(handshakes.consumed(tag(1)));
  EXPECT_FALSE(handshakes.consumed(tag(3)));
  EXPECT_EQ(handshakes.size(), 1U);
  EXPECT_EQ(handshakes.claims_pending(), 0U);
}

TEST_F(AHandshakeTable, RefusesMoreHandshakesAndMoreTokensThanItHasRoomFor) {
  std::uint8_t n = 0;
  while (begin(player_address(n), n, n)) ++n;
  EXPECT_EQ(n, clients_max * mappings_per_client);
  EXPECT_EQ(why, Drop::MappingsFull);
  const std::uint8_t tokens = clients_max * tokens_per_client;
  for (n = 0; n < tokens; ++n) {
    begin(player_address(1), n, n);
    if (!handshakes.consumed(tag(n))) handshakes.consume(tag(n));
  }
  EXPECT_FALSE(begin(player_address(1), 1, tokens));
  EXPECT_EQ(why, Drop::TokenHistoryFull);
}

TEST_F(AHandshakeTable, ForgetsSilentHandshakesThenExpiredTokens) {
  begin(player_address(1), 1, 1)->last_received_us = now_us;
  handshakes.sweep(now_us + 4'999'999, unix_s);
  EXPECT_EQ(handshakes.size(), 1U);
  handshakes.sweep(now_us + 5'000'000, unix_s);
  EXPECT_EQ(handshakes.size(), 0U);
  begin(player_address(1), 1, 1);
  handshakes.consume(tag(1));
  handshakes.sweep(now_us, unix_s + 29);
  EXPECT_TRUE(handshakes.consumed(tag(1)));
  handshakes.sweep(now_us, unix_s + 30);
  EXPECT_FALSE(handshakes.consumed(tag(1)));
}

}  // namespace
}  // namespace perigee::transport
