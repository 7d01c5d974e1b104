#include <cstring>

#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct PacketsOfTheServer : WithoutServer {};

TEST_F(PacketsOfTheServer, OfAConnectionAreNumberedFromItsFirst) {
  Connection& to = connections[connect(1)];
  const std::uint64_t first = to.next_sequence;
  now_us += 50;
  sender.send(now_us, to, PacketType::Payload, text("hello"));
  sender.send_keep_alive(now_us, to);
  const auto packets = sent();
  ASSERT_EQ(packets.size(), 2U);
  EXPECT_EQ(packets[0].to, player_address(1));
  EXPECT_EQ(packets[0].sequence, first);
  EXPECT_EQ(packets[0].body, text("hello"));
  EXPECT_EQ(packets[1].sequence, first + 1);
  std::array<std::uint32_t, 2> body{};
  ASSERT_EQ(packets[1].body.size(), sizeof body);
  std::memcpy(body.data(), packets[1].body.data(), sizeof body);
  EXPECT_EQ(body[0], to.number);
  EXPECT_EQ(body[1], clients_max);
  EXPECT_EQ(to.last_sent_us, now_us);
}

TEST_F(PacketsOfTheServer, WithoutAConnectionHaveSequencesOfTheirOwn) {
  sender.send_global(player_address(7), key(2), PacketType::Denied, {});
  sender.send_global(player_address(7), key(2), PacketType::Denied, {});
  const auto packets = sent();
  ASSERT_EQ(packets.size(), 2U);
  EXPECT_EQ(packets[0].sequence, 1ULL << 63 | 5ULL << 48) << "5 is the gateway's number";
  EXPECT_EQ(packets[1].sequence, packets[0].sequence + 1);
}

TEST_F(PacketsOfTheServer, SayGoodbyeTenTimes) {
  Connection& to = connections[connect(1)];
  sender.send_goodbye(now_us, to);
  const auto packets = sent();
  EXPECT_EQ(packets.size(), 10U);
  for (const Opened& packet : packets) EXPECT_EQ(packet.type, PacketType::Disconnect);
}

}  // namespace
}  // namespace perigee::transport
