/// The needs of the server's components, without the server: tables for four clients, and an
/// outbox.
#pragma once

#include <utility>

#include "fixture.hpp"
#include "perigee/base/counts.hpp"

namespace perigee::transport {

class WithoutServer : public ::testing::Test {
 protected:
  WithoutServer() { EXPECT_TRUE(init_crypto()); }

  static Tag tag(std::uint8_t n) {
    Tag tag;
    tag.fill(std::byte{n});
    return tag;
  }
  static Key key(std::uint8_t n) {
    Key key;
    key.fill(std::byte{n});
    return key;
  }
  /// Begins the handshake of that address with a client's token. Null: refused, see `why`.
  Handshake* begin(const Address& from, std::uint8_t client_id, std::uint8_t token,
                   std::uint64_t issue = 1) {
    PrivateToken opened;
    opened.client_id = client_id;
    opened.timeout_s = 5;
    opened.client_to_server = key(1);
    opened.server_to_client = key(2);
    return handshakes.begin(from, opened, tag(token), issue, unix_s + 30, why);
  }
  std::uint32_t index_at(const Address& from) const { return *handshakes.find(from); }
  /// Connects a client at its address. Returns the slot.
  std::uint32_t connect(std::uint8_t client_id, std::uint64_t issue = 1) {
    const Handshake* handshake = begin(player_address(client_id), client_id, client_id, issue);
    admission.establish(now_us, *handshake);
    events_of_now();
    postbag.parcels.clear();
    return *connections.of_client(client_id);
  }
  std::vector<ServerEvent> events_of_now() {
    std::vector<ServerEvent> taken;
    while (const auto event = events.take()) taken.push_back(*event);
    return taken;
  }
  /// The type and the opened body of a packet to a client, and its sequence.
  struct Opened {
    Address to;
    PacketType type{};
    std::uint64_t sequence = 0;
    Bytes body;
  };
  std::vector<Opened> sent() {
    std::vector<Opened> opened;
    for (Parcel& parcel : std::exchange(postbag.parcels, {})) {
      Drop fault{};
      const auto head = read_head(parcel.bytes, Receiver::Client, fault);
      const auto body = open_packet(*head, parcel.bytes, perigee_protocol_id, key(2));
      EXPECT_TRUE(body);
      opened.push_back({parcel.to, head->type, head->sequence, bytes_of(*body)});
    }
    return opened;
  }

  static constexpr std::uint64_t unix_s = 1'800'000'000;
  static constexpr std::uint32_t clients_max = 4;
  Micros now_us = 1'000'000;
  Drop why{};
  Postbag postbag;
  Counts<Drop> drops;
  ServerEvents events{clients_max};
  HandshakeTable handshakes{{.clients_max = clients_max, .salt = 9}};
  Connections connections{{.clients_max = clients_max,
                           .packets_per_s_max = 240,
                           .salt = 9,
                           .number_key = {},
                           .events = events}};
  PacketSender sender{{.outbox = postbag,
                       .protocol_id = perigee_protocol_id,
                       .clients_max = clients_max,
                       .gateway_number = 5}};
  Admission admission{
      {.handshakes = handshakes, .connections = connections, .sender = sender, .drops = drops}};
};

}  // namespace perigee::transport
