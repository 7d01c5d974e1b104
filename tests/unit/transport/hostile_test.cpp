// Attacks by unauthenticated senders, token thieves and crashed clients.
#include "fixture.hpp"

namespace perigee::transport {
namespace {

class Hostile : public TransportTest {
 protected:
  Bytes request_of(Client& client) {
    const auto out = client.poll_send();
    EXPECT_TRUE(out);
    return bytes_of(out->datagram);
  }
  /// Sends a request that must be dropped without a reply, for this reason.
  void expect_silence(const Bytes& request, Drop reason, const Address& from = player_address(1)) {
    const std::uint64_t before = dropped(reason);
    postbag.parcels.clear();
    to_server(from, request);
    EXPECT_EQ(dropped(reason), before + 1);
    EXPECT_TRUE(postbag.parcels.empty());
  }
  Bytes request(const ConnectTokenSpec& s) {
    Client client;
    EXPECT_TRUE(client.begin(now_us, make(s)));
    return request_of(client);
  }
};

TEST_F(Hostile, BadRequestsAreMetWithSilenceEachForItsReason) {
  const Bytes good = request(spec(7));
  const auto changed = [&](std::size_t at) {
    Bytes bad = good;
    bad[at] ^= std::byte{1};
    return bad;
  };
  expect_silence(Bytes(good.begin(), good.end() - 1), Drop::RequestBadSize);
  expect_silence(changed(1), Drop::RequestBadVersion);
  expect_silence(changed(12), Drop::RequestBadVersion);
  expect_silence(changed(14), Drop::RequestBadProtocol);
  expect_silence(changed(22), Drop::RequestBadNonce);  // expiry
  expect_silence(changed(30), Drop::RequestBadNonce);
  expect_silence(changed(100), Drop::RequestForged);   // private token
  expect_silence(changed(1077), Drop::RequestForged);  // its tag
  auto s = spec(7);
  s.server_addresses[0] = Address::v4(10, 0, 0, 2, 40000);
  expect_silence(request(s), Drop::RequestNotForUs);
  s = spec(7);
  s.protocol_id = 1;
  expect_silence(request(s), Drop::RequestBadProtocol);
  s = spec(7);
  s.create_time_s = s.expire_time_s = unix_s();
  expect_silence(request(s), Drop::RequestExpired);
  const Key right = settings.private_key;
  settings.private_key = random_key(random);
  const Bytes foreign = request(spec(7));
  settings.private_key = right;
  expect_silence(foreign, Drop::RequestBadNonce);
  settings.nonce_checks = false;  // then the seal alone has to suffice
  start_server();
  expect_silence(changed(22), Drop::RequestForged);  // expiry, sealed as associated data
  expect_silence(changed(30), Drop::RequestForged);
  expect_silence(foreign, Drop::RequestForged);
  EXPECT_EQ(server->handshakes(), 0u);
}

TEST_F(Hostile, TokensThatMayBeOlderThanTheServerAreRefused) {
  settings.started_at_s = unix_s();
  start_server();
  auto s = spec(7);
  s.create_time_s -= 1;
  s.expire_time_s -= 1;
  expect_silence(request(s), Drop::RequestBeforeStart);
  to_server(player_address(1), request(spec(8)));
  EXPECT_EQ(postbag.parcels.size(), 1u);
}

TEST_F(Hostile, NoSingleBitFlipOfARequestGetsAnAnswer) {
  settings.nonce_checks = false;  // the seal alone has to suffice
  start_server();
  const Bytes good = request(spec(7));
  const auto receive = [&](Bytes bytes) {
    now_us += 50'000;  // below the rate limit per nonce; calendar time stands still
    server->receive(now_us, unix_start, player_address(1), bytes);
  };
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bad = good;
    bad[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    const std::uint64_t before = server->drops().sum();
    receive(bad);
    ASSERT_EQ(server->drops().sum(), before + 1) << "bit " << bit;
  }
  EXPECT_TRUE(postbag.parcels.empty());
  EXPECT_EQ(dropped(Drop::RequestNonceOverRate), 0u);
  EXPECT_EQ(dropped(Drop::RequestForged), (8u + 24 + 1024) * 8 - dropped(Drop::RequestExpired) -
                                              dropped(Drop::RequestTooLongLived) -
                                              dropped(Drop::RequestBeforeStart));
  receive(good);
  EXPECT_EQ(postbag.parcels.size(), 1u);
}

TEST_F(Hostile, NoTruncationOfARequestGetsAnAnswer) {
  const Bytes good = request(spec(7));
  for (std::size_t size = 0; size < good.size(); ++size) {
    to_server(player_address(1), Bytes(good.begin(), good.begin() + static_cast<long>(size)));
  }
  EXPECT_TRUE(postbag.parcels.empty());
  EXPECT_EQ(server->drops().sum(), good.size());
}

TEST_F(Hostile, NoFlipOrTruncationOfASessionPacketGetsThroughToTheServer) {
  const auto client = join(7, player_address(1));
  std::vector<Bytes> packets;
  client->send_payload(now_us, text("a payload of some length"));
  packets.push_back(bytes_of(client->poll_send()->datagram));
  now_us += 100'000;
  client->advance(now_us);
  packets.push_back(bytes_of(client->poll_send()->datagram));  // keep-alive
  client->disconnect(now_us);
  packets.push_back(bytes_of(client->poll_send()->datagram));
  postbag.parcels.clear();
  for (const Bytes& good : packets) {
    std::uint64_t tries = 0;
    const std::uint64_t before = server->drops().sum();
    const auto attempt = [&](const Bytes& bad) {
      ++tries;
      ASSERT_FALSE(to_server(player_address(1), bad));
      ASSERT_EQ(server->drops().sum(), before + tries);
    };
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      Bytes bad = good;
      bad[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      attempt(bad);
    }
    for (std::size_t size = 0; size < good.size(); ++size) {
      attempt(Bytes(good.begin(), good.begin() + static_cast<long>(size)));
    }
  }
  EXPECT_TRUE(server->connected(0));
  EXPECT_TRUE(postbag.parcels.empty());
  for (const Bytes& good : packets) to_server(player_address(1), good);
  EXPECT_FALSE(server->connected(0));
}

TEST_F(Hostile, NoFlipOrTruncationOfAResponseOpensASession) {
  Client client;
  ASSERT_TRUE(client.begin(now_us, token(7)));
  deliver_up(client, player_address(1));
  deliver_down(client, player_address(1));
  const Bytes good = request_of(client);
  ASSERT_EQ(good.size(), 326u);
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bad = good;
    bad[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    to_server(player_address(1), bad);
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    to_server(player_address(1), Bytes(good.begin(), good.begin() + static_cast<long>(size)));
  }
  EXPECT_EQ(server->clients(), 0u);
  EXPECT_EQ(server->drops().sum(), good.size() * 9);
  to_server(player_address(1), good);
  EXPECT_EQ(server->clients(), 1u);
}

TEST_F(Hostile, NoFlipOrTruncationOfAServersPacketGetsThroughToTheClient) {
  const ConnectToken t = token(7);
  Client waiting;
  ASSERT_TRUE(waiting.begin(now_us, t));
  deliver_up(waiting, player_address(1));
  const Bytes challenge = postbag.parcels[0].bytes;

  const auto attack = [&](Client& client, const Bytes& good) {
    const ClientState state = client.state();
    const std::uint64_t before = client.drops().sum();
    std::uint64_t tries = 0;
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      Bytes bad = good;
      bad[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      ASSERT_FALSE(client.receive(now_us, server_address, bad));
      ASSERT_EQ(client.drops().sum(), before + ++tries);
    }
    for (std::size_t size = 0; size < good.size(); ++size) {
      Bytes bad(good.begin(), good.begin() + static_cast<long>(size));
      ASSERT_FALSE(client.receive(now_us, server_address, bad));
      ASSERT_EQ(client.drops().sum(), before + ++tries);
    }
    EXPECT_EQ(client.state(), state);
  };
  attack(waiting, challenge);
  std::array<std::byte, datagram_bytes_max> out{};
  const Key key = read_connect_token(t)->server_to_client;
  const std::size_t size =
      seal_packet(PacketType::Denied, 1ULL << 63, {}, perigee_protocol_id, key, out);
  attack(waiting, bytes_of(std::span(out).first(size)));
  deliver_down(waiting, player_address(1));
  pass(30'000, waiting, player_address(1));
  ASSERT_TRUE(waiting.connected());
  postbag.parcels.clear();
  server->send_payload(now_us, 0, text("payload"));
  pass_server(110'000);  // a keep-alive
  server->disconnect(now_us, 0);
  attack(waiting, postbag.parcels[0].bytes);
  attack(waiting, postbag.parcels[1].bytes);
  attack(waiting, postbag.parcels.back().bytes);
}

TEST_F(Hostile, RandomBytesNeverGetThrough) {
  const std::uint64_t seed = 20261121;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto client = join(7, player_address(1));
  Random luck(seed);
  for (int i = 0; i < 20'000; ++i) {
    Bytes noise(luck.below(1400));
    for (std::byte& b : noise) b = static_cast<std::byte>(luck.next());
    if (!noise.empty()) noise[0] = static_cast<std::byte>(luck.below(9) << 4 | luck.below(8));
    const std::uint64_t before = server->drops().sum();
    ASSERT_FALSE(to_server(player_address(luck.below(2) ? 1 : 2), noise));
    ASSERT_EQ(server->drops().sum(), before + 1);
  }
  EXPECT_TRUE(server->connected(0));
}

TEST_F(Hostile, AUsedTokenIsRefusedFromEverywhereEvenAfterItsSessionEnded) {
  const ConnectToken t = token(7);
  Client first;
  ASSERT_TRUE(first.begin(now_us, t));
  pass(30'000, first, player_address(1));
  ASSERT_TRUE(first.connected());
  server->disconnect(now_us, 0);
  take_events();
  for (const std::uint8_t n : std::array<std::uint8_t, 2>{1, 2}) {
    Client again;
    ASSERT_TRUE(again.begin(now_us, t));
    expect_silence(request_of(again), Drop::RequestTokenUsed, player_address(n));
  }
  pass_server(40'000'000);
  Client late;
  ASSERT_TRUE(late.begin(now_us, t));
  expect_silence(request_of(late), Drop::RequestExpired);
}

TEST_F(Hostile, AClockThatStepsBackDoesNotReviveAToken) {
  const ConnectToken t = token(7);
  Client first;
  ASSERT_TRUE(first.begin(now_us, t));
  const Bytes first_request = request_of(first);
  server->advance(now_us, unix_s() + 100);
  Bytes copy = first_request;
  server->receive(now_us, unix_s(), player_address(1), copy);
  EXPECT_EQ(dropped(Drop::RequestExpired), 1u);
}

TEST_F(Hostile, ACopiedRequestDoesNotLockTheOwnerOut) {
  Client owner;
  ASSERT_TRUE(owner.begin(now_us, token(7)));
  const Bytes sniffed = request_of(owner);
  for (std::uint8_t n = 100; n < 110; ++n) to_server(player_address(n), sniffed);
  EXPECT_EQ(server->handshakes(), TokenHistory::candidates_max);
  postbag.parcels.clear();
  pass(300'000, owner, player_address(1));
  EXPECT_TRUE(owner.connected());
  EXPECT_EQ(server->handshakes(), 0u);
  expect_silence(sniffed, Drop::RequestTokenUsed, player_address(100));
}

TEST_F(Hostile, OfTwoAddressesRacingForOneTokenOnlyOneGetsASession) {
  const ConnectToken t = token(7);
  Client a, b;
  ASSERT_TRUE(a.begin(now_us, t));
  ASSERT_TRUE(b.begin(now_us, t));
  for (int i = 0; i < 3; ++i) {
    deliver_up(a, player_address(1));
    deliver_up(b, player_address(2));
    deliver_down(a, player_address(1));
    deliver_down(b, player_address(2));
  }
  EXPECT_NE(a.connected(), b.connected());
  EXPECT_EQ(server->clients(), 1u);
  pass(1'000'000, b, player_address(2));
  EXPECT_EQ(server->clients(), 1u);
  EXPECT_EQ(events.size(), 1u);
}

TEST_F(Hostile, TheChallengeOfAnotherClientIsRefused) {
  Client victim;
  ASSERT_TRUE(victim.begin(now_us, token(7)));
  deliver_up(victim, player_address(1));
  const ConnectToken thief_token = token(8);
  Client thief;
  ASSERT_TRUE(thief.begin(now_us, thief_token));
  deliver_up(thief, player_address(2));
  deliver_down(victim, player_address(1));
  // The victim colludes and passes its challenge on: open its response, seal it as the thief's.
  const auto colluded = [&](const Bytes& body) {
    std::array<std::byte, datagram_bytes_max> out{};
    const std::size_t size = seal_packet(PacketType::Response, 9, body, perigee_protocol_id,
                                         read_connect_token(thief_token)->client_to_server, out);
    return bytes_of(std::span(out).first(size));
  };
  const auto body_from = [&](std::uint64_t client_id, const Address& at) {
    const ConnectToken t = token(client_id);
    Client c;
    EXPECT_TRUE(c.begin(now_us, t));
    postbag.parcels.clear();
    deliver_up(c, at);
    Bytes bytes = postbag.parcels.at(0).bytes;
    postbag.parcels.clear();
    Drop why{};
    const auto head = read_head(bytes, Receiver::Client, why);
    return bytes_of(
        *open_packet(*head, bytes, perigee_protocol_id, read_connect_token(t)->server_to_client));
  };
  const Bytes others = body_from(7, player_address(3));
  to_server(player_address(2), colluded(others));
  EXPECT_EQ(dropped(Drop::ChallengeNotBound), 1u);
  const Bytes same_id_elsewhere = body_from(8, player_address(4));
  to_server(player_address(2), colluded(same_id_elsewhere));
  EXPECT_EQ(dropped(Drop::ChallengeNotBound), 2u);
  to_server(player_address(2), colluded(Bytes(308)));
  EXPECT_EQ(dropped(Drop::ChallengeForged), 1u);
  EXPECT_EQ(server->clients(), 0u);
}

TEST_F(Hostile, ACrashedClientComesBackAtOnceWithANewerToken) {
  const auto crashed = join(7, player_address(1));
  now_us += 1'000'000;
  events.clear();
  const auto back = join(7, player_address(2));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].reason, DisconnectReason::Replaced);
  EXPECT_EQ(events[1].kind, ServerEvent::Kind::Connected);
  EXPECT_EQ(server->clients(), 1u);
  deliver_down(*crashed, player_address(1));
  EXPECT_EQ(crashed->state(), ClientState::Disconnected);  // it was notified
}

TEST_F(Hostile, ACrashedClientComesBackFromTheSamePort) {
  const auto crashed = join(7, player_address(1));
  now_us += 1'000'000;
  const auto back = join(7, player_address(1));
  EXPECT_EQ(server->clients(), 1u);
  back->send_payload(now_us, text("again"));
  deliver_up(*back, player_address(1));
  EXPECT_EQ(up_payloads, std::vector<Bytes>{text("again")});
}

TEST_F(Hostile, AnOlderTokenDoesNotReplaceASession) {
  Client old;
  ASSERT_TRUE(old.begin(now_us, token(7)));
  const Bytes request = request_of(old);
  now_us += 2'000'000;
  const auto fresh = join(7, player_address(1));
  expect_silence(request, Drop::RequestOlderToken, player_address(2));
  EXPECT_TRUE(server->connected(0));
}

TEST_F(Hostile, AnotherClientCannotTakeAConnectedAddress) {
  const auto client = join(7, player_address(1));
  expect_silence(request(spec(8)), Drop::RequestAddressBusy);
}

TEST_F(Hostile, ANewerTokenAloneDoesNotDisturbTheSession) {
  const auto client = join(7, player_address(1));
  to_server(player_address(2), request(spec(7)));
  EXPECT_EQ(server->handshakes(), 1u);
  pass(6'000'000, *client, player_address(1));
  EXPECT_TRUE(client->connected());
  EXPECT_EQ(server->handshakes(), 0u);  // the handshake timed out
}

TEST_F(Hostile, HandshakesAndTokensAreBounded) {
  for (std::uint64_t id = 0; id < 40; ++id) {
    to_server(Address::v4(172, 16, 0, static_cast<std::uint8_t>(id), 9), request(spec(100 + id)));
  }
  EXPECT_EQ(server->handshakes(), 16u);
  EXPECT_EQ(dropped(Drop::MappingsFull), 16u);
  EXPECT_EQ(dropped(Drop::TokenHistoryFull), 8u);
  pass_server(31'000'000);
  EXPECT_EQ(server->handshakes(), 0u);
  const auto client = join(7, player_address(1));
}

TEST_F(Hostile, ATokenThatExpiresDuringItsHandshakesStillOpensOneSession) {
  auto s = spec(7);
  s.expire_time_s = unix_s() + 1;
  const ConnectToken t = make(s);
  Client a, b;
  for (const auto& [client, at] : {std::pair{&a, player_address(1)}, {&b, player_address(2)}}) {
    ASSERT_TRUE(client->begin(now_us, t));
    deliver_up(*client, at);
    deliver_down(*client, at);
  }
  pass_server(2'000'000);
  deliver_up(a, player_address(1));
  deliver_up(b, player_address(2));
  EXPECT_EQ(server->clients(), 1u);
  EXPECT_EQ(events.size(), 1u);
  EXPECT_EQ(dropped(Drop::UnknownSource), 1u);
}

TEST_F(Hostile, SessionPacketsDuringTheHandshakeAreIgnored) {
  const ConnectToken t = token(7);
  Client client;
  ASSERT_TRUE(client.begin(now_us, t));
  deliver_up(client, player_address(1));
  std::array<std::byte, datagram_bytes_max> out{};
  const std::size_t size = seal_packet(PacketType::Payload, 1, text("early"), perigee_protocol_id,
                                       read_connect_token(t)->client_to_server, out);
  EXPECT_FALSE(to_server(player_address(1), bytes_of(std::span(out).first(size))));
  EXPECT_EQ(dropped(Drop::NotConnected), 1u);
}

}  // namespace
}  // namespace perigee::transport
