// Clients behind doors, beside others.
#include "fixture.hpp"
#include "perigee/transport/server_settings.hpp"

namespace perigee::gateway {
namespace {

class Doors : public GatewayTest {
 protected:
  Doors() {
    settings.door_keys = keys;
    start();
  }
  /// A client behind the door at 10.0.0.5, which sends for it from this port.
  struct Guest {
    Address path;
    Address address;
    transport::Client client;
  };
  Guest guest(std::uint16_t port, std::uint8_t n) {
    return {Address::v4(10, 0, 0, 5, port), Address::v4(203, 0, 113, n, 50'000),
            transport::Client{}};
  }
  void through_door(const Address& path, const Address& player, std::span<const std::byte> bytes) {
    const auto header = transport::seal_door_header(player, path, keys.current);
    Bytes sealed(header.begin(), header.end());
    sealed.insert(sealed.end(), bytes.begin(), bytes.end());
    core->on_door_datagram(now_us, unix_s(), {path, now_us - 300, stamp(), sealed});
  }
  void exchange(std::initializer_list<Guest*> guests) {
    for (int i = 0; i < 3; ++i) {
      now_us += 1'000;
      for (Guest* g : guests) {
        g->client.advance(now_us);
        while (const auto out = g->client.poll_send()) {
          through_door(g->path, g->address, out->datagram);
        }
      }
      core->advance(now_us, unix_s());
      core->flush();
      for (Parcel& parcel : std::exchange(out.doors, {})) {
        for (Guest* g : guests) {
          if (parcel.to == g->path) g->client.receive(now_us, public_address, parcel.bytes);
        }
      }
    }
  }
  /// A request with a nonce of its own and a forged seal, in the form of foreign issuers.
  Bytes request(std::uint32_t n) const {
    Bytes bytes(transport::request_bytes);
    const auto write = [&](std::size_t at, const void* from, std::size_t size) {
      std::memcpy(bytes.data() + at, from, size);
    };
    const std::uint64_t expires_s = unix_s() + 30;
    write(1, "NETCODE 1.02", 13);
    write(14, &settings.transport.protocol_id, 8);
    write(22, &expires_s, 8);
    write(30, &n, sizeof n);
    return bytes;
  }
  std::uint64_t refused(transport::Drop reason) const {
    return core->snapshot().transport_drops[reason];
  }
  DoorKeys keys{.current = {std::byte{1}}, .previous = {}};
};

TEST_F(Doors, TwoPlayersBehindOneDoorAndOneBesideItNeverMix) {
  Guest one = guest(41'000, 1);
  Guest two = guest(41'001, 1);  // of one household
  const auto third = connect(3);
  ASSERT_TRUE(one.client.begin(now_us, token(11, pass(100))));
  ASSERT_TRUE(two.client.begin(now_us, token(12, pass(101))));
  exchange({&one, &two});
  EXPECT_TRUE(one.client.connected());
  EXPECT_TRUE(two.client.connected());
  EXPECT_EQ(core->snapshot().sessions, 3u);
  EXPECT_EQ(take<JoinRecord>(WorkerSlot{0}).size(), 2u);
  EXPECT_TRUE(out.clients.empty()) << "nothing for a door leaves by the public socket";
  EXPECT_EQ(core->client_addresses(), std::vector{third->at});
}

TEST_F(Doors, LimitsOfAnAddressCountPlayersNotTheDoor) {
  settings.transport.nonce_checks = false;
  start();
  std::uint32_t n = 0;
  const Address attacker = Address::v4(203, 0, 113, 1, 50'000);
  const auto ask = [&](std::uint16_t port, const Address& player) {
    through_door(Address::v4(10, 0, 0, 5, port), player, request(++n));
  };
  for (std::uint32_t i = 0; i < transport::work_per_source_burst; ++i) ask(41'000, attacker);
  EXPECT_EQ(refused(transport::Drop::RequestForged), transport::work_per_source_burst);
  ask(41'001, attacker);
  EXPECT_EQ(refused(transport::Drop::SourceOverRate), 1u) << "from any session of the attacker";
  ask(41'002, Address::v4(203, 0, 113, 2, 50'000));
  EXPECT_EQ(refused(transport::Drop::SourceOverRate), 1u) << "another player at the same door";
  Bytes direct = request(++n);
  core->on_client_datagram(now_us, unix_s(), {attacker, now_us, stamp(), direct});
  EXPECT_EQ(refused(transport::Drop::SourceOverRate), 2u) << "one limit for both listeners";
}

TEST_F(Doors, TheirAddressesAreNobodyOnThePublicPort) {
  Guest one = guest(41'000, 1);
  ASSERT_TRUE(one.client.begin(now_us, token(11, pass(100))));
  exchange({&one});
  Bytes bytes = filled(100, 1);
  core->on_client_datagram(now_us, unix_s(), {one.path, now_us, stamp(), bytes});
  EXPECT_EQ(dropped(Drop::DoorPathOnPublicPort), 1u);
}

TEST_F(Doors, CountTheirDatagrams) {
  through_door(Address::v4(10, 0, 0, 5, 41'000), player_address(1), filled(100, 1));
  EXPECT_EQ(counted(metric.door_datagrams_received), 1u);
  EXPECT_EQ(counted(metric.door_bytes_received), 135u);
  EXPECT_EQ(counted(metric.client_datagrams_received), 0u);
  Guest one = guest(41'000, 1);
  ASSERT_TRUE(one.client.begin(now_us, token(11, pass(100))));
  exchange({&one});
  EXPECT_GT(counted(metric.door_datagrams_sent), 1u);
  EXPECT_EQ(counted(metric.client_datagrams_sent), 0u);
}

TEST_F(Doors, APlayerMayChangeFromADoorToThePublicPort) {
  Guest one = guest(41'000, 1);
  ASSERT_TRUE(one.client.begin(now_us, token(11, pass(100))));
  exchange({&one});
  Player direct{player_address(1), std::move(one.client), {}};
  pass_time(3'000'000, {&direct});
  EXPECT_TRUE(direct.client.connected());
  EXPECT_EQ(counted(metric.sessions_moved), 1u);
  EXPECT_EQ(core->client_addresses(), std::vector{direct.at});
}

}  // namespace
}  // namespace perigee::gateway
