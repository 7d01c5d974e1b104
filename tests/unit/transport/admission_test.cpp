#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct TheAdmission : WithoutServer {};

TEST_F(TheAdmission, RefusesBusyAddressesAndOlderTokens) {
  connect(1, 10);
  EXPECT_EQ(admission.refusal(player_address(1), 2, 10), Drop::RequestAddressBusy);
  EXPECT_EQ(admission.refusal(player_address(3), 1, 9), Drop::RequestOlderToken);
  EXPECT_FALSE(admission.refusal(player_address(3), 1, 10));
  EXPECT_FALSE(admission.refusal(player_address(3), 2, 1));
}

TEST_F(TheAdmission, ReservesASlotForEachPendingClaim) {
  for (std::uint8_t n = 1; n <= 3; ++n) connect(n);
  EXPECT_FALSE(admission.full_for(9));
  begin(player_address(4), 4, 4);
  handshakes.begin_claim(index_at(player_address(4)), 77);
  EXPECT_TRUE(admission.full_for(9));
  EXPECT_FALSE(admission.full_for_granted(4));
  EXPECT_FALSE(admission.full_for(1)) << "a client that is here keeps its slot";
}

TEST_F(TheAdmission, DeniesWithAPacketAndACount) {
  admission.deny(*begin(player_address(1), 1, 1));
  const auto packets = sent();
  ASSERT_EQ(packets.size(), 1U);
  EXPECT_EQ(packets[0].type, PacketType::Denied);
  EXPECT_EQ(packets[0].to, player_address(1));
  EXPECT_EQ(drops[Drop::ServerFull], 1U);
}

TEST_F(TheAdmission, ReplacesTheClientsOlderConnection) {
  connect(1);
  admission.establish(now_us, *begin(player_address(5), 1, 5));
  EXPECT_EQ(connections.clients(), 1U);
  EXPECT_TRUE(connections.at(player_address(5)));
  EXPECT_TRUE(handshakes.consumed(tag(5)));
  EXPECT_EQ(handshakes.size(), 0U);
  const auto happened = events_of_now();
  ASSERT_EQ(happened.size(), 2U);
  EXPECT_EQ(happened[0].reason, DisconnectReason::Replaced);
  EXPECT_EQ(happened[1].kind, ServerEvent::Kind::Connected);
  const auto packets = sent();
  ASSERT_EQ(packets.size(), 11U) << "ten goodbyes to the old address, and a keep-alive";
  EXPECT_EQ(packets[0].to, player_address(1));
  EXPECT_EQ(packets[10].to, player_address(5));
  EXPECT_EQ(packets[10].type, PacketType::KeepAlive);
}

}  // namespace
}  // namespace perigee::transport
