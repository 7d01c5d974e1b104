#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct TheConnections : WithoutServer {
  std::uint32_t open(std::uint8_t client_id) {
    return connections.open(now_us, {.address = player_address(client_id), .client_id = client_id});
  }
};

TEST_F(TheConnections, AreFoundByAddressClientAndNumber) {
  EXPECT_EQ(open(1), 0U);
  const std::uint32_t slot = open(2);
  EXPECT_EQ(slot, 1U) << "low slots are taken first";
  EXPECT_EQ(*connections.at(player_address(2)), slot);
  EXPECT_EQ(*connections.of_client(2), slot);
  const std::uint64_t number = connections[slot].number;
  EXPECT_EQ(*connections.named(number << session_number_shift | 7), slot);
  EXPECT_FALSE(connections.named(7)) << "a client without numbers in its sequences";
  EXPECT_EQ(connections.clients(), 2U);
}

TEST_F(TheConnections, AreForgottenWhenTheyClose) {
  const std::uint32_t slot = open(1);
  const std::uint64_t sequence = std::uint64_t{connections[slot].number} << session_number_shift;
  connections.close(slot, DisconnectReason::TimedOut);
  EXPECT_FALSE(connections.at(player_address(1)));
  EXPECT_FALSE(connections.of_client(1));
  EXPECT_FALSE(connections.named(sequence));
  EXPECT_EQ(connections.free_slots(), clients_max);
  EXPECT_EQ(open(2), slot);
}

TEST_F(TheConnections, ReportWhatHappenedInOrder) {
  const std::uint32_t slot = open(1);
  connections.move(now_us, slot, player_address(9));
  connections.close(slot, DisconnectReason::ByServer);
  const auto happened = events_of_now();
  ASSERT_EQ(happened.size(), 3U);
  EXPECT_EQ(happened[0].kind, ServerEvent::Kind::Connected);
  EXPECT_EQ(happened[1].kind, ServerEvent::Kind::Moved);
  EXPECT_EQ(happened[1].address, player_address(9));
  EXPECT_EQ(happened[2].kind, ServerEvent::Kind::Disconnected);
  EXPECT_EQ(happened[2].reason, DisconnectReason::ByServer);
  EXPECT_EQ(happened[2].address, player_address(9));
}

TEST_F(TheConnections, MoveToTheirNewAddress) {
  const std::uint32_t slot = open(1);
  connections.move(now_us, slot, player_address(9));
  EXPECT_FALSE(connections.at(player_address(1)));
  EXPECT_EQ(*connections.at(player_address(9)), slot);
  EXPECT_EQ(connections[slot].next_move_us, now_us + move_period_us);
}

}  // namespace
}  // namespace perigee::transport
