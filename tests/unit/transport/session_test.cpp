#include "fixture.hpp"

namespace perigee::transport {
namespace {

using Session = TransportTest;

bool is_type(const Bytes& bytes, PacketType type) {
  return (std::to_integer<int>(bytes[0]) & 15) == static_cast<int>(type);
}

TEST_F(Session, ConnectsInOneExchangeAndSaysWho) {
  const auto client = join(7, player_address(1));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, ServerEvent::Kind::Connected);
  EXPECT_EQ(events[0].client_id, 7u);
  EXPECT_EQ(events[0].address, player_address(1));
  EXPECT_EQ(events[0].user_data[0], std::byte{7});
  EXPECT_GE(client->client_index(), session_number_min);  // the session's number, not its slot
  EXPECT_EQ(client->clients_max(), 4u);
  EXPECT_EQ(server->handshakes(), 0u);
}

TEST_F(Session, CarriesPayloadsBothWaysWithTheirSequences) {
  const auto client = join(7, player_address(1));
  const auto sequence = client->send_payload(now_us, text("up"));
  ASSERT_TRUE(sequence);
  server->send_payload(now_us, 0, text("down"));
  server->send_payload(now_us, 0, Bytes(1200, std::byte{3}));
  deliver_up(*client, player_address(1));
  deliver_down(*client, player_address(1));
  EXPECT_EQ(up_payloads, std::vector<Bytes>{text("up")});
  EXPECT_EQ(up_sequences, std::vector{*sequence});
  EXPECT_EQ(up_slots, std::vector{0u});
  EXPECT_EQ(down_payloads, (std::vector<Bytes>{text("down"), Bytes(1200, std::byte{3})}));
}

TEST_F(Session, ConnectsThroughHeavyLossAndNeverTwice) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    start_server();
    events.clear();
    Random luck(seed);
    lose_up = lose_down = [&](const Bytes&) { return luck.unit() < 0.6; };
    Client client;
    ASSERT_TRUE(client.begin(now_us, token(seed)));
    pass(4'900'000, client, player_address(1));
    EXPECT_TRUE(client.connected());
    EXPECT_EQ(events.size(), 1u);
  }
}

TEST_F(Session, ALostFirstKeepAliveIsMadeUpByTheNextPayload) {
  int lost = 0;
  lose_down = [&](const Bytes& bytes) {
    return is_type(bytes, PacketType::KeepAlive) && lost++ < 1;
  };
  Client client;
  ASSERT_TRUE(client.begin(now_us, token(7)));
  deliver_up(client, player_address(1));
  deliver_down(client, player_address(1));
  deliver_up(client, player_address(1));
  deliver_down(client, player_address(1));
  EXPECT_FALSE(client.connected());
  server->send_payload(now_us, 0, text("hello"));
  deliver_down(client, player_address(1));
  EXPECT_TRUE(client.connected());
  EXPECT_EQ(down_payloads, std::vector<Bytes>{text("hello")});
}

TEST_F(Session, StaysAliveOnKeepAlivesAlone) {
  const auto client = join(7, player_address(1));
  int sent = 0;
  lose_up = [&](const Bytes& bytes) { return ++sent, !is_type(bytes, PacketType::KeepAlive); };
  pass(20'000'000, *client, player_address(1));
  EXPECT_TRUE(client->connected());
  EXPECT_TRUE(server->connected(0));
  EXPECT_NEAR(sent, 200, 4);
}

TEST_F(Session, TimesOutOnBothSidesAfterSilence) {
  const auto client = join(7, player_address(1));
  pass(100'000, *client, player_address(1));  // it has sent packets
  lose_up = lose_down = [](const Bytes&) { return true; };
  pass(4'850'000, *client, player_address(1));
  EXPECT_TRUE(client->connected());
  EXPECT_EQ(server->clients(), 1u);
  pass(250'000, *client, player_address(1));
  EXPECT_EQ(client->state(), ClientState::TimedOut);
  EXPECT_EQ(server->clients(), 0u);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].reason, DisconnectReason::TimedOut);
}

TEST_F(Session, OfAClientThatNeverSpokeEndsAfterTwentySeconds) {
  const auto client = join(7, player_address(1));
  lose_up = [](const Bytes&) { return true; };
  pass(19'900'000, *client, player_address(1));
  EXPECT_EQ(server->clients(), 1u);
  pass(200'000, *client, player_address(1));
  EXPECT_EQ(server->clients(), 0u);
}

TEST_F(Session, WithoutATimeOutNobodyGivesUp) {
  auto s = spec(7);
  s.timeout_s = -1;
  Client client;
  ASSERT_TRUE(client.begin(now_us, make(s)));
  pass(30'000, client, player_address(1));
  lose_up = lose_down = [](const Bytes&) { return true; };
  pass(20'000'000, client, player_address(1));
  EXPECT_TRUE(client.connected());
  EXPECT_EQ(server->clients(), 1u);
}

TEST_F(Session, TheClientCanLeave) {
  const auto client = join(7, player_address(1));
  int goodbyes = 0;
  lose_up = [&](const Bytes& bytes) {
    return is_type(bytes, PacketType::Disconnect) && ++goodbyes < 10;
  };
  client->disconnect(now_us);
  EXPECT_EQ(client->state(), ClientState::Disconnected);
  deliver_up(*client, player_address(1));
  EXPECT_EQ(goodbyes, 10);
  EXPECT_EQ(server->clients(), 0u);
  EXPECT_EQ(events.back().reason, DisconnectReason::ByClient);
  EXPECT_FALSE(client->send_payload(now_us, text("late")));
}

TEST_F(Session, RepeatedGoodbyesAreToldFromStrangers) {
  const auto client = join(7, player_address(1));
  client->disconnect(now_us);
  deliver_up(*client, player_address(1));
  EXPECT_EQ(dropped(Drop::GoodbyeOfNobody), 9u);
  EXPECT_EQ(dropped(Drop::UnknownSource), 0u);
}

TEST_F(Session, TheServerCanDisconnect) {
  const auto client = join(7, player_address(1));
  server->disconnect(now_us, 0);
  take_events();
  EXPECT_EQ(postbag.parcels.size(), 10u);
  deliver_down(*client, player_address(1));
  EXPECT_EQ(client->state(), ClientState::Disconnected);
  EXPECT_EQ(events.back().reason, DisconnectReason::ByServer);
}

TEST_F(Session, DeniesWhenFullAndTakesTheNextAfterOneLeft) {
  std::vector<std::unique_ptr<Client>> clients;
  for (std::uint8_t n = 1; n <= 4; ++n) clients.push_back(join(n, player_address(n)));
  Client fifth;
  ASSERT_TRUE(fifth.begin(now_us, token(5)));
  pass(30'000, fifth, player_address(5));
  EXPECT_EQ(fifth.state(), ClientState::Denied);
  EXPECT_EQ(dropped(Drop::ServerFull), 1u);
  server->disconnect(now_us, 2);
  take_events();
  const auto again = join(5, player_address(5));
  EXPECT_EQ(events.back().slot, 2u);
  EXPECT_TRUE(again->connected());
}

TEST_F(Session, DeniesWhoeverLosesTheRaceForTheLastSlot) {
  std::array<Client, 5> clients;
  for (std::uint8_t n = 0; n < 5; ++n) {
    ASSERT_TRUE(clients[n].begin(now_us, token(1U + n)));
    deliver_up(clients[n], player_address(n));
    deliver_down(clients[n], player_address(n));  // each of them has a challenge now
  }
  for (std::uint8_t n = 0; n < 5; ++n) {
    deliver_up(clients[n], player_address(n));
    deliver_down(clients[n], player_address(n));
  }
  EXPECT_EQ(server->clients(), 4u);
  EXPECT_EQ(clients[4].state(), ClientState::Denied);
}

TEST_F(Session, GlobalPacketsCarryTheGatewayNumberInTheirSequence) {
  Client client;
  ASSERT_TRUE(client.begin(now_us, token(7)));
  deliver_up(client, player_address(1));
  ASSERT_EQ(postbag.parcels.size(), 1u);
  Drop why{};
  const auto head = read_head(postbag.parcels[0].bytes, Receiver::Client, why);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->sequence, (1ULL << 63) + (5ULL << 48));
  EXPECT_EQ(postbag.parcels[0].bytes.size(), 333u);
}

TEST_F(Session, ReplaysAreRefusedOnBothSides) {
  const auto client = join(7, player_address(1));
  client->send_payload(now_us, text("once"));
  const Bytes up = bytes_of(client->poll_send()->datagram);
  EXPECT_TRUE(to_server(player_address(1), up));
  EXPECT_FALSE(to_server(player_address(1), up));
  EXPECT_EQ(dropped(Drop::ReplaySeen), 1u);

  server->send_payload(now_us, 0, text("once"));
  Bytes first = postbag.parcels.back().bytes;
  Bytes again = first;
  EXPECT_TRUE(client->receive(now_us, server_address, first));
  EXPECT_FALSE(client->receive(now_us, server_address, again));
  EXPECT_EQ(client->drops()[Drop::ReplaySeen], 1u);
}

TEST_F(Session, PacketsThatAre256BehindAreRefused) {
  const auto client = join(7, player_address(1));
  std::vector<Bytes> held;
  for (int i = 0; i < 257; ++i) {
    ASSERT_TRUE(client->send_payload(now_us, text("x")));
    held.push_back(bytes_of(client->poll_send()->datagram));
  }
  EXPECT_TRUE(to_server(player_address(1), held[256]));
  EXPECT_FALSE(to_server(player_address(1), held[0]));
  EXPECT_EQ(dropped(Drop::ReplayTooOld), 1u);
  EXPECT_TRUE(to_server(player_address(1), held[1]));
}

TEST_F(Session, ForgedSequencesDoNotMoveTheWindow) {
  const auto client = join(7, player_address(1));
  client->send_payload(now_us, text("good"));
  const Bytes good = bytes_of(client->poll_send()->datagram);
  Bytes forged(40, std::byte{0xff});
  forged[0] = std::byte{0x85};
  EXPECT_FALSE(to_server(player_address(1), forged));
  EXPECT_EQ(dropped(Drop::Forged), 1u);
  EXPECT_TRUE(to_server(player_address(1), good));
}

TEST_F(Session, PayloadsOutsideTheirSizesAreRefusedAfterTheTag) {
  auto s = spec(7);
  const ConnectToken t = make(s);
  Client client;
  ASSERT_TRUE(client.begin(now_us, t));
  pass(30'000, client, player_address(1));
  const auto read = read_connect_token(t);
  std::array<std::byte, datagram_bytes_max> out{};
  const std::size_t size =
      seal_packet(PacketType::Payload, 500, {}, perigee_protocol_id, read->client_to_server, out);
  EXPECT_FALSE(to_server(player_address(1), bytes_of(std::span(out).first(size))));
  EXPECT_EQ(dropped(Drop::BadBodySize), 1u);
}

TEST_F(Session, AClientAcceptsOnlyTheServerItDials) {
  const auto client = join(7, player_address(1));
  server->send_payload(now_us, 0, text("mine"));
  EXPECT_FALSE(client->receive(now_us, player_address(3), postbag.parcels.back().bytes));
  EXPECT_EQ(client->drops()[Drop::UnknownSource], 1u);
}

TEST_F(Session, EmptyDatagramsAreSkipped) {
  EXPECT_FALSE(to_server(player_address(1), {}));
  EXPECT_EQ(dropped(Drop::Empty), 1u);
}

// The client's own end states.

TEST_F(Session, AClientFallsThroughItsAddressesAndKeepsItsSequence) {
  auto s = spec(7);
  s.public_addresses.clear();
  s.public_addresses.push_back(Address::v4(10, 9, 9, 9, 1));
  s.public_addresses.push_back(server_address);
  s.server_addresses.push_back(Address::v4(10, 9, 9, 9, 1));
  s.timeout_s = 1;
  Client client;
  ASSERT_TRUE(client.begin(now_us, make(s)));
  int dead = 0;
  Micros begun = now_us;
  while (client.server_address() != server_address) {
    now_us += 10'000;
    client.advance(now_us);
    while (const auto out = client.poll_send()) dead += out->to != server_address;
  }
  EXPECT_EQ(now_us - begun, 1'000'000);
  EXPECT_EQ(dead, 10);
  pass(300'000, client, player_address(1));
  ASSERT_TRUE(client.connected());
  // the sequence continues after the requests
  EXPECT_GT(*client.send_payload(now_us, text("x")) & 0xffff'ffff, 11u);
}

TEST_F(Session, AClientReportsWhyItFailed) {
  const auto run = [&](ConnectTokenSpec s, Micros span) {
    Client client;
    EXPECT_TRUE(client.begin(now_us, make(s)));
    pass(span, client, player_address(1));
    return client.state();
  };
  lose_up = [](const Bytes&) { return true; };
  EXPECT_EQ(run(spec(7), 6'000'000), ClientState::RequestTimedOut);
  auto short_lived = spec(7);
  short_lived.expire_time_s = short_lived.create_time_s + 5;
  // the token's life is shorter than its timeout
  EXPECT_EQ(run(short_lived, 6'000'000), ClientState::Expired);
  lose_up = [](const Bytes& bytes) { return is_type(bytes, PacketType::Response); };
  EXPECT_EQ(run(spec(7), 6'000'000), ClientState::ResponseTimedOut);
  Client client;
  EXPECT_FALSE(client.begin(now_us, Bytes(2048)));
  EXPECT_EQ(client.state(), ClientState::InvalidToken);
}

TEST_F(Session, TokenLifeIsCountedOverAllAddresses) {
  auto s = spec(7);
  s.public_addresses[0] = Address::v4(10, 9, 9, 9, 1);
  for (std::uint8_t n = 0; n < 3; ++n) {
    s.public_addresses.push_back(Address::v4(10, 9, 9, n, 1));
    s.server_addresses.push_back(server_address);
  }
  s.timeout_s = 2;
  s.expire_time_s = s.create_time_s + 5;
  Client client;
  const Micros begun = now_us;
  ASSERT_TRUE(client.begin(now_us, make(s)));
  lose_up = [](const Bytes&) { return true; };
  while (client.state() == ClientState::SendingRequest) pass(10'000, client, player_address(1));
  EXPECT_EQ(client.state(), ClientState::Expired);
  EXPECT_EQ(now_us - begun, 5'000'000);
}

TEST_F(Session, ADroppedOutgoingPayloadIsReportedToTheCaller) {
  const auto client = join(7, player_address(1));
  for (std::size_t i = 0; i < Client::outgoing_max; ++i) {
    EXPECT_TRUE(client->send_payload(now_us, text("x")));
  }
  EXPECT_FALSE(client->send_payload(now_us, text("x")));
}

}  // namespace
}  // namespace perigee::transport
