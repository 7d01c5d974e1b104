#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct MovesOfAddresses : WithoutServer {
  AddressMoves moves{
      {.path_key = {}, .connections = connections, .sender = sender, .drops = drops}};
  std::uint32_t slot = connect(1);
  const Address there = player_address(9), elsewhere = player_address(8);

  Bytes challenge_at(const Address& from) {
    moves.on_other_path(now_us, slot, from, PacketType::Payload, text("payload"));
    const auto packets = sent();
    if (packets.size() != 1 || packets[0].to != from) return {};
    EXPECT_EQ(packets[0].type, PacketType::KeepAlive);
    return packets[0].body;
  }
};

TEST_F(MovesOfAddresses, HappenOnceTheClientReturnsTheChallenge) {
  const Bytes challenge = challenge_at(there);
  EXPECT_EQ(connections[slot].address, player_address(1));
  moves.on_other_path(now_us, slot, there, PacketType::KeepAlive, challenge);
  EXPECT_EQ(connections[slot].address, there);
  EXPECT_EQ(events_of_now().size(), 1U);
}

TEST_F(MovesOfAddresses, NeedTheChallengeOfThatAddressAndOfThisTime) {
  const Bytes challenge = challenge_at(there);
  now_us += path_period_us;
  moves.on_other_path(now_us, slot, elsewhere, PacketType::KeepAlive, challenge);
  EXPECT_EQ(connections[slot].address, player_address(1));
  moves.on_other_path(now_us, slot, there, PacketType::KeepAlive, challenge);
  now_us += move_period_us;
  connections.move(now_us, slot, elsewhere);
  now_us += move_period_us;
  moves.on_other_path(now_us, slot, there, PacketType::KeepAlive, challenge);
  EXPECT_EQ(connections[slot].address, elsewhere) << "a challenge is good for one move";
}

TEST_F(MovesOfAddresses, AreLimited) {
  EXPECT_FALSE(challenge_at(there).empty());
  EXPECT_TRUE(challenge_at(there).empty()) << "one challenge per period";
  now_us += path_period_us;
  const Bytes challenge = challenge_at(there);
  moves.on_other_path(now_us, slot, there, PacketType::KeepAlive, challenge);
  EXPECT_TRUE(challenge_at(elsewhere).empty());
  EXPECT_EQ(drops[Drop::MoveTooSoon], 1U);
}

}  // namespace
}  // namespace perigee::transport
