/// A server, its clients and the network between them, on virtual time.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "perigee/base/bytes.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/transport/server.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::transport {

inline unsigned char* raw(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }
inline const unsigned char* raw(const std::byte* p) {
  return reinterpret_cast<const unsigned char*>(p);
}

using Bytes = std::vector<std::byte>;

inline RandomBytes seeded(std::uint64_t seed) {
  return [random = Random(seed)](std::span<std::byte> out) mutable {
    for (std::byte& b : out) b = static_cast<std::byte>(random.next());
  };
}
inline Bytes bytes_of(std::span<const std::byte> view) { return {view.begin(), view.end()}; }
inline Bytes text(std::string_view messages) {
  return bytes_of(as_bytes_of(messages.data(), messages.size()));
}

struct Parcel {
  Address to;
  Bytes bytes;
};
struct Postbag : Outbox {
  std::vector<Parcel> parcels;
  std::vector<ClaimRequest> claims;
  void send(const Address& to, std::span<const std::byte> datagram) override {
    parcels.push_back({to, bytes_of(datagram)});
  }
  void claim(const ClaimRequest& request) override { claims.push_back(request); }
};

inline const Address server_address = Address::v4(10, 0, 0, 1, 40000);
inline Address player_address(std::uint8_t n) { return Address::v4(192, 168, 1, n, 5000); }

class TransportTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t unix_start = 1'800'000'000;

  TransportTest() {
    EXPECT_TRUE(init_crypto());
    settings.private_key = random_key(random);
    settings.address = server_address;
    settings.clients_max = 4;
    settings.gateway_number = 5;
    settings.started_at_s = unix_start - 1000;
    start_server();
  }

  void start_server() {
    server = std::make_unique<Server>(settings, random, postbag);
    postbag.parcels.clear();
    postbag.claims.clear();
  }
  std::uint64_t unix_s() const {
    return unix_start + static_cast<std::uint64_t>(now_us / 1'000'000);
  }

  ConnectTokenSpec spec(std::uint64_t client_id) const {
    ConnectTokenSpec s;
    s.create_time_s = unix_s();
    s.expire_time_s = unix_s() + 30;
    s.client_id = client_id;
    s.public_addresses.push_back(server_address);
    s.server_addresses.push_back(server_address);
    s.user_data[0] = static_cast<std::byte>(client_id);
    return s;
  }
  /// A token with an issue number: the larger `issue`, the later it was made.
  ConnectTokenSpec spec(std::uint64_t client_id, std::uint64_t issue) const {
    ConnectTokenSpec s = spec(client_id);
    s.user_data = write_user_data({.issue = issue});
    return s;
  }
  ConnectToken token(std::uint64_t client_id) { return make(spec(client_id)); }
  ConnectToken make(const ConnectTokenSpec& s) {
    return make_connect_token(s, settings.private_key, random).value();
  }

  std::optional<ReceivedPayload> to_server(const Address& from, Bytes bytes) {
    last_to_server = std::move(bytes);
    return server->receive(now_us, unix_s(), from, last_to_server);
  }
  /// Delivers all packets of the client to the server; payloads are collected.
  void deliver_up(Client& client, const Address& from) {
    while (const auto out = client.poll_send()) {
      Bytes bytes = bytes_of(out->datagram);
      if (lose_up && lose_up(bytes)) continue;
      if (const auto payload = to_server(from, std::move(bytes))) {
        up_payloads.push_back(bytes_of(payload->bytes));
        up_sequences.push_back(payload->sequence);
        up_slots.push_back(payload->slot);
      }
    }
    take_events();
  }
  void deliver_down(Client& client, const Address& at) {
    std::vector<Parcel> rest;
    auto parcels = std::move(postbag.parcels);
    postbag.parcels.clear();
    for (Parcel& parcel : parcels) {
      if (parcel.to != at) {
        rest.push_back(std::move(parcel));
        continue;
      }
      if (lose_down && lose_down(parcel.bytes)) continue;
      if (const auto payload = client.receive(now_us, server_address, parcel.bytes)) {
        down_payloads.push_back(bytes_of(payload->bytes));
      }
    }
    postbag.parcels.insert(postbag.parcels.end(), rest.begin(), rest.end());
  }
  void take_events() {
    while (const auto event = server->take_event()) events.push_back(*event);
  }
  /// Lets `span_us` pass in steps of 10 ms.
  void pass(Micros span_us, Client& client, const Address& at) {
    for (const Micros end = now_us + span_us; now_us < end;) {
      now_us += 10'000;
      client.advance(now_us);
      deliver_up(client, at);
      server->advance(now_us, unix_s());
      take_events();
      deliver_down(client, at);
    }
  }
  void pass_server(Micros span_us) {
    for (const Micros end = now_us + span_us; now_us < end;) {
      now_us += 10'000;
      server->advance(now_us, unix_s());
      take_events();
    }
  }
  std::unique_ptr<Client> join(std::uint64_t client_id, const Address& at) {
    auto client = std::make_unique<Client>();
    EXPECT_TRUE(client->begin(now_us, token(client_id)));
    pass(30'000, *client, at);
    EXPECT_TRUE(client->connected());
    return client;
  }
  std::uint64_t dropped(Drop reason) const { return server->drops()[reason]; }

  RandomBytes random = seeded(1);
  Micros now_us = 1'000'000;
  ServerSettings settings;
  Postbag postbag;
  std::unique_ptr<Server> server;
  std::vector<ServerEvent> events;
  std::vector<Bytes> up_payloads, down_payloads;
  std::vector<std::uint64_t> up_sequences;
  std::vector<std::uint32_t> up_slots;
  std::function<bool(const Bytes&)> lose_up, lose_down;
  Bytes last_to_server;
};

}  // namespace perigee::transport
