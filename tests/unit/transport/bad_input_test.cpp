// One test per kind of bad input; docs/security.md has the same list.
#include <sodium.h>

#include "fixture.hpp"

namespace perigee::transport {
namespace {

class BadInput : public TransportTest {
 protected:
  const Address home = player_address(1);
  const Address other = player_address(2);

  static Bytes request_of(const ConnectToken& t) {
    Client client;
    EXPECT_TRUE(client.begin(0, t));
    return bytes_of(client.poll_send()->datagram);
  }
  Bytes request(const ConnectTokenSpec& s) { return request_of(make(s)); }
  /// One datagram, dropped for this reason without a reply.
  void expect_drop(Drop reason, const Bytes& datagram, const Address& from = player_address(1)) {
    const std::uint64_t before = dropped(reason);
    const std::uint64_t all = server->drops().sum();
    postbag.parcels.clear();
    EXPECT_FALSE(to_server(from, datagram));
    EXPECT_EQ(dropped(reason), before + 1);
    EXPECT_EQ(server->drops().sum(), all + 1);
    EXPECT_TRUE(postbag.parcels.empty());
  }
  /// A packet as only the holder of the token can create it.
  static Bytes sealed(const ConnectToken& t, PacketType type, std::uint64_t sequence,
                      std::span<const std::byte> body) {
    std::array<std::byte, datagram_bytes_max> out{};
    const std::size_t size = seal_packet(type, sequence, body, perigee_protocol_id,
                                         read_connect_token(t)->client_to_server, out);
    return bytes_of(std::span(out).first(size));
  }
  static Bytes challenge_of(const ConnectToken& t, Bytes parcel) {
    Drop why{};
    const auto head = read_head(parcel, Receiver::Client, why);
    return bytes_of(
        *open_packet(*head, parcel, perigee_protocol_id, read_connect_token(t)->server_to_client));
  }
  /// A connected client with hand-made packets; its sequences continue from 10.
  ConnectToken connect_by_hand(std::uint64_t client_id, const Address& at) {
    const ConnectToken t = token(client_id);
    postbag.parcels.clear();
    to_server(at, request_of(t));
    const Bytes challenge = challenge_of(t, postbag.parcels.at(0).bytes);
    to_server(at, sealed(t, PacketType::Response, 1, challenge));
    take_events();
    EXPECT_EQ(events.back().address, at);
    return t;
  }
  /// A request with a well sealed private part that claims this many addresses.
  Bytes request_with_addresses(std::uint32_t count) {
    const ConnectToken t = token(7);
    const PublicToken outer = *read_connect_token(t);
    Bytes associated = bytes_of(version_info);
    const auto append = [&](std::uint64_t value) {
      const auto bytes = std::as_bytes(std::span(&value, 1));
      associated.insert(associated.end(), bytes.begin(), bytes.end());
    };
    append(outer.protocol_id);
    append(outer.expire_time_s);
    Bytes plain(private_token_bytes - tag_bytes);
    unsigned long long size = 0;
    EXPECT_EQ(crypto_aead_xchacha20poly1305_ietf_decrypt(
                  raw(plain.data()), &size, nullptr, raw(outer.sealed.data()), outer.sealed.size(),
                  raw(associated.data()), associated.size(), raw(outer.nonce.data()),
                  raw(settings.private_key.data())),
              0);
    std::memcpy(plain.data() + 12, &count, sizeof count);
    Bytes bad = request_of(t);
    crypto_aead_xchacha20poly1305_ietf_encrypt(
        raw(bad.data() + 54), &size, raw(plain.data()), plain.size(), raw(associated.data()),
        associated.size(), nullptr, raw(outer.nonce.data()), raw(settings.private_key.data()));
    return bad;
  }
};

TEST_F(BadInput, DatagramsOf0To17Bytes) {
  const auto client = join(7, home);
  for (const Address& from : {home, other}) {
    expect_drop(Drop::Empty, {}, from);
    for (std::size_t size = 1; size < 18; ++size) {
      expect_drop(Drop::TooShort, Bytes(size, std::byte{0x15}), from);
      expect_drop(Drop::RequestBadSize, Bytes(size, std::byte{0}), from);
    }
  }
}

TEST_F(BadInput, RequestsOf1077And1079Bytes) {
  Bytes bad = request(spec(7));
  bad.push_back(std::byte{0});
  expect_drop(Drop::RequestBadSize, bad);
  bad.resize(1077);
  expect_drop(Drop::RequestBadSize, bad);
}

TEST_F(BadInput, AVersionOffByAByte) {
  const Bytes good = request(spec(7));
  for (std::size_t at = 1; at <= 13; ++at) {
    Bytes bad = good;
    bad[at] = static_cast<std::byte>(std::to_integer<int>(bad[at]) + 1);
    expect_drop(Drop::RequestBadVersion, bad);
  }
}

TEST_F(BadInput, AWrongProtocolId) {
  auto s = spec(7);
  s.protocol_id += 1;
  expect_drop(Drop::RequestBadProtocol, request(s));
}

TEST_F(BadInput, AnExpiredToken) {
  const Bytes bytes = request(spec(7));
  now_us += 30'000'000;
  expect_drop(Drop::RequestExpired, bytes);
}

TEST_F(BadInput, ATokenThatNeverExpires) {
  auto s = spec(7);
  s.expire_time_s = ~0ULL;
  expect_drop(Drop::RequestTooLongLived, request(s));
  s.expire_time_s = unix_s() + token_life_s_max + 1;
  expect_drop(Drop::RequestTooLongLived, request(s));
}

TEST_F(BadInput, AWrongKey) {
  const auto foreign = make_connect_token(spec(7), random_key(random), random).value();
  expect_drop(Drop::RequestBadNonce, request_of(foreign));
}

TEST_F(BadInput, TokensWith0Or33Or4294967295Addresses) {
  for (const std::uint32_t count : {0u, 33u, 0xffff'ffffu}) {
    expect_drop(Drop::RequestMalformed, request_with_addresses(count));
    ConnectToken t = token(7);
    std::memcpy(t.data() + 1089, &count, sizeof count);
    Client client;
    EXPECT_FALSE(client.begin(now_us, t));
    EXPECT_EQ(client.state(), ClientState::InvalidToken);
  }
  EXPECT_FALSE(to_server(home, request_with_addresses(1)));
  EXPECT_EQ(server->handshakes(), 1u);
}

TEST_F(BadInput, ATokenWithoutOurAddress) {
  auto s = spec(7);
  s.server_addresses[0].port += 1;
  expect_drop(Drop::RequestNotForUs, request(s));
}

TEST_F(BadInput, OneTokenFromTwoAddresses) {
  const ConnectToken t = connect_by_hand(7, home);
  expect_drop(Drop::RequestTokenUsed, request_of(t), other);
  expect_drop(Drop::RequestTokenUsed, request_of(t), home);
}

TEST_F(BadInput, OneTokenAfterADisconnect) {
  const ConnectToken t = connect_by_hand(7, home);
  to_server(home, sealed(t, PacketType::Disconnect, 10, {}));
  EXPECT_EQ(server->clients(), 0u);
  expect_drop(Drop::RequestTokenUsed, request_of(t));
}

TEST_F(BadInput, OneTokenAfterARestart) {
  const ConnectToken t = connect_by_hand(7, home);
  settings.started_at_s = unix_s() + 1;
  start_server();
  expect_drop(Drop::RequestBeforeStart, request_of(t));
}

TEST_F(BadInput, OneTokenAtASecondGateway) {
  const ConnectToken t = connect_by_hand(7, home);
  settings.address = Address::v4(10, 0, 0, 2, 40000);
  settings.gateway_number = 6;
  start_server();
  expect_drop(Drop::RequestNotForUs, request_of(t));
}

TEST_F(BadInput, OneTokenAtASecondGatewayOfTheSameAddressMeetsTheStore) {
  const ConnectToken t = connect_by_hand(7, home);
  settings.claims = true;
  start_server();
  to_server(home, request_of(t));
  const Bytes challenge = challenge_of(t, postbag.parcels.at(0).bytes);
  to_server(home, sealed(t, PacketType::Response, 1, challenge));
  ASSERT_EQ(postbag.claims.size(), 1u);
  server->on_claim(now_us, postbag.claims[0].claim_id, Server::ClaimAnswer::Refused);
  EXPECT_EQ(server->clients(), 0u);
}

TEST_F(BadInput, TheSameClientIdTwice) {
  auto older = spec(7);
  older.expire_time_s -= 1;
  const Bytes late = request(older);
  connect_by_hand(7, home);
  expect_drop(Drop::RequestOlderToken, late, other);
  connect_by_hand(7, other);  // a newer token replaces the first session
  EXPECT_EQ(server->clients(), 1u);
}

TEST_F(BadInput, AnotherClientsChallenge) {
  const ConnectToken a = token(1), b = token(2);
  to_server(home, request_of(a));
  to_server(other, request_of(b));
  const Bytes of_a = challenge_of(a, postbag.parcels.at(0).bytes);
  expect_drop(Drop::ChallengeNotBound, sealed(b, PacketType::Response, 1, of_a), other);
}

TEST_F(BadInput, AnotherGatewaysChallenge) {
  const ConnectToken t = token(1);
  to_server(home, request_of(t));
  const Bytes elsewhere = challenge_of(t, postbag.parcels.at(0).bytes);
  start_server();
  to_server(home, request_of(t));
  expect_drop(Drop::ChallengeForged, sealed(t, PacketType::Response, 1, elsewhere));
}

TEST_F(BadInput, AResponseWithoutARequest) {
  const Bytes body(challenge_body_bytes, std::byte{1});
  expect_drop(Drop::UnknownSource, sealed(token(7), PacketType::Response, 1, body));
  const ConnectToken t = connect_by_hand(7, home);
  expect_drop(Drop::WrongState, sealed(t, PacketType::Response, 11, body));
}

TEST_F(BadInput, TypesThatAClientMayNotSend) {
  const ConnectToken t = connect_by_hand(7, home);
  expect_drop(Drop::BadType, sealed(t, PacketType::Denied, 11, {}));
  expect_drop(Drop::BadType, sealed(t, PacketType::Challenge, 12, Bytes(challenge_body_bytes)));
  for (int type = 7; type < 16; ++type) {
    expect_drop(Drop::BadType, Bytes(40, static_cast<std::byte>(0x10 | type)));
  }
  for (int size = 1; size < 16; ++size) {  // a request's type nibble below a sequence
    expect_drop(Drop::BadType, Bytes(40, static_cast<std::byte>(size << 4)));
  }
}

TEST_F(BadInput, BadSequenceLengths) {
  connect_by_hand(7, home);
  for (const int size : {0, 9, 10, 15}) {
    for (int type = 3; type <= 6; ++type) {
      expect_drop(Drop::BadSequenceSize, Bytes(60, static_cast<std::byte>(size << 4 | type)));
    }
  }
  for (int size = 2; size <= 8; ++size) {  // the tag no longer fits after it
    expect_drop(Drop::TooShort,
                Bytes(static_cast<std::size_t>(size) + 16, static_cast<std::byte>(size << 4 | 5)));
  }
}

TEST_F(BadInput, SequencesWithMoreBytesThanTheyNeedAreTaken) {
  const ConnectToken t = connect_by_hand(7, home);
  const PublicToken read = *read_connect_token(t);
  // By hand, because seal_packet() never writes these: prefix 0x85, sequence 10 in 8 bytes.
  Bytes packet(1 + 8 + 1 + 16);
  packet[0] = std::byte{0x85};
  packet[1] = std::byte{10};
  packet[9] = std::byte{'x'};
  Bytes associated = bytes_of(version_info);
  const auto id = std::as_bytes(std::span(&read.protocol_id, 1));
  associated.insert(associated.end(), id.begin(), id.end());
  associated.push_back(packet[0]);
  Bytes nonce(12);
  nonce[4] = std::byte{10};
  unsigned long long size = 0;
  crypto_aead_chacha20poly1305_ietf_encrypt(raw(packet.data() + 9), &size, raw(packet.data() + 9),
                                            1, raw(associated.data()), associated.size(), nullptr,
                                            raw(nonce.data()), raw(read.client_to_server.data()));
  const auto payload = to_server(home, packet);
  ASSERT_TRUE(payload);
  EXPECT_EQ(payload->sequence, 10u);
}

TEST_F(BadInput, ReplaysExactAnd255And256And257Behind) {
  const ConnectToken t = connect_by_hand(7, home);
  const auto say = [&](std::uint64_t sequence) {
    return sealed(t, PacketType::Payload, sequence, text("x"));
  };
  EXPECT_TRUE(to_server(home, say(1'000)));
  expect_drop(Drop::ReplaySeen, say(1'000));
  expect_drop(Drop::ReplayTooOld, say(1'000 - 257));
  expect_drop(Drop::ReplayTooOld, say(1'000 - 256));
  EXPECT_TRUE(to_server(home, say(1'000 - 255)));
  expect_drop(Drop::ReplaySeen, say(1'000 - 255));
}

TEST_F(BadInput, ReplaysNearTheEndOfTheSequences) {
  const ConnectToken t = connect_by_hand(7, home);
  const auto say = [&](std::uint64_t sequence) {
    return sealed(t, PacketType::Payload, sequence, text("x"));
  };
  constexpr std::uint64_t last = ~0ULL;
  EXPECT_TRUE(to_server(home, say(last - 1)));
  EXPECT_TRUE(to_server(home, say(last)));
  expect_drop(Drop::ReplaySeen, say(last));
  expect_drop(Drop::ReplaySeen, say(last - 1));
  EXPECT_TRUE(to_server(home, say(last - 255)));
  expect_drop(Drop::ReplayTooOld, say(last - 256));
  expect_drop(Drop::ReplayTooOld, say(0));
}

TEST_F(BadInput, JumpsAndThenOldPackets) {
  const ConnectToken t = connect_by_hand(7, home);
  const auto say = [&](std::uint64_t sequence) {
    return sealed(t, PacketType::Payload, sequence, text("x"));
  };
  EXPECT_TRUE(to_server(home, say(10)));
  EXPECT_TRUE(to_server(home, say(1ULL << 40)));
  expect_drop(Drop::ReplayTooOld, say(11));
  EXPECT_TRUE(to_server(home, say((1ULL << 40) - 1)));
}

TEST_F(BadInput, WrongBodySizes) {
  const ConnectToken t = connect_by_hand(7, home);
  std::uint64_t sequence = 10;
  const auto bad = [&](PacketType type, std::size_t size) {
    expect_drop(Drop::BadBodySize, sealed(t, type, sequence++, Bytes(size, std::byte{1})));
  };
  bad(PacketType::KeepAlive, 0);
  bad(PacketType::KeepAlive, 7);
  bad(PacketType::KeepAlive, 9);
  bad(PacketType::Payload, 0);
  bad(PacketType::Disconnect, 1);
  const ConnectToken u = token(8);
  to_server(other, request_of(u));
  for (const std::size_t size : {0u, 307u, 309u}) {
    expect_drop(Drop::BadBodySize, sealed(u, PacketType::Response, sequence++, Bytes(size)), other);
  }
}

TEST_F(BadInput, DatagramsOf1226To65507Bytes) {
  connect_by_hand(7, home);
  for (const std::size_t size : {1226u, 1300u, 1301u, 1500u, 9000u, 65507u}) {
    expect_drop(Drop::TooLong, Bytes(size, std::byte{0x85}));
    expect_drop(Drop::RequestBadSize, Bytes(size, std::byte{0}));
  }
}

TEST_F(BadInput, ADisconnectStorm) {
  const ConnectToken t = connect_by_hand(7, home);
  Bytes forged = sealed(t, PacketType::Disconnect, 10, {});
  forged.back() ^= std::byte{1};
  for (int i = 0; i < 1'000; ++i) expect_drop(Drop::Forged, forged);
  EXPECT_EQ(server->clients(), 1u);
  const Bytes genuine = sealed(t, PacketType::Disconnect, 10, {});
  to_server(home, genuine);
  take_events();
  for (int i = 0; i < 1'000; ++i) expect_drop(Drop::GoodbyeOfNobody, genuine);
  EXPECT_EQ(std::ranges::count(events, ServerEvent::Kind::Disconnected, &ServerEvent::kind), 1);
}

TEST_F(BadInput, AKeepAliveStorm) {
  const ConnectToken t = connect_by_hand(7, home);
  postbag.parcels.clear();
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    to_server(home, sealed(t, PacketType::KeepAlive, 10 + i, Bytes(keep_alive_body_bytes)));
  }
  EXPECT_EQ(dropped(Drop::PacketOverRate), 1'000u - static_cast<std::uint64_t>(packet_burst));
  EXPECT_TRUE(postbag.parcels.empty());  // they get no reply
  EXPECT_EQ(server->clients(), 1u);
}

TEST_F(BadInput, AClockThatStepsAnHourForthAndBackWithAStoreForgetsNobody) {
  settings.claims = true;
  start_server();
  const auto request_at = [&](std::uint64_t calendar) {
    Bytes bytes = request(spec(7));
    server->receive(now_us, calendar, home, bytes);
  };
  request_at(unix_s() + 3'600);
  EXPECT_EQ(dropped(Drop::RequestExpired), 1u);
  request_at(unix_s());
  EXPECT_EQ(postbag.parcels.size(), 1u);
  // with a clock an hour behind, the token is refused, because its nonce would be remembered for
  // too long
  request_at(unix_s() - 3'600);
  EXPECT_EQ(dropped(Drop::RequestTooLongLived), 1u);
}

TEST_F(BadInput, AClockThatStepsAnHourForthAndBackWithoutAStoreRevivesNoToken) {
  const ConnectToken t = connect_by_hand(7, home);
  server->advance(now_us, unix_s() + 3'600);
  Bytes bytes = request_of(t);
  server->receive(now_us, unix_s(), other, bytes);
  EXPECT_EQ(dropped(Drop::RequestExpired), 1u);
}

TEST_F(BadInput, AClockThatStepsAnHourLeavesSessionsAlone) {
  const auto client = join(7, home);
  for (const std::uint64_t calendar : {unix_s() + 3'600, unix_s() - 3'600}) {
    server->advance(now_us += 10'000, calendar);
    client->send_payload(now_us, text("x"));
    deliver_up(*client, home);
  }
  EXPECT_EQ(up_payloads.size(), 2u);
  EXPECT_EQ(server->clients(), 1u);
}

// IPv6, through the whole handshake and a change of address.

TEST_F(BadInput, NoneAtAllOverIPv6) {
  const Address v6_server{Address::Family::IPv6, 40'000, {0x20, 0x01, 0x0d, 0xb8, 1, 2, 3, 4}};
  const Address v6_home{Address::Family::IPv6, 5'000, {0x20, 0x01, 0x0d, 0xb8, 9, 8, 7, 6}};
  Address v6_away = v6_home;
  v6_away.ip[15] = 1;
  settings.address = v6_server;
  start_server();
  auto s = spec(7);
  s.public_addresses[0] = s.server_addresses[0] = v6_server;
  Client client;
  ASSERT_TRUE(client.begin(now_us, make(s)));
  EXPECT_EQ(client.server_address(), v6_server);
  const auto run = [&](const Address& at, int steps) {
    for (int i = 0; i < steps; ++i) {
      now_us += 10'000;
      client.advance(now_us);
      deliver_up(client, at);
      server->advance(now_us, unix_s());
      for (Parcel& parcel : std::exchange(postbag.parcels, {})) {
        if (parcel.to == at) client.receive(now_us, v6_server, parcel.bytes);
      }
    }
  };
  run(v6_home, 5);
  ASSERT_TRUE(client.connected());
  run(v6_away, 20);
  EXPECT_EQ(events.back().kind, ServerEvent::Kind::Moved);
  EXPECT_EQ(events.back().address, v6_away);
}

}  // namespace
}  // namespace perigee::transport
