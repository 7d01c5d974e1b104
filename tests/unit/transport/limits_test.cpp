// No source gets more than its share of the server's work, and forgers get none.
#include "fixture.hpp"
#include "perigee/transport/nonce_check.hpp"

namespace perigee::transport {
namespace {

class Limits : public TransportTest {
 protected:
  Bytes request(const ConnectTokenSpec& s) {
    Client client;
    EXPECT_TRUE(client.begin(now_us, make(s)));
    return bytes_of(client.poll_send()->datagram);
  }
  /// A sniffed header with another private part: passes the nonce's check, but not the seal.
  Bytes garbled(const Bytes& genuine) {
    Bytes bad = genuine;
    random(std::span(bad).subspan(54));
    return bad;
  }
};

TEST_F(Limits, ARequestWithARandomNonceIsDroppedBeforeAnyOpening) {
  Bytes bad = request(spec(7));
  random(std::span(bad).subspan(30, 24));
  to_server(player_address(1), bad);
  EXPECT_EQ(dropped(Drop::RequestBadNonce), 1u);
  EXPECT_EQ(dropped(Drop::RequestForged), 0u);
}

TEST_F(Limits, ForgedRequestsDoNotUseUpTheirSourcesShare) {
  Bytes bad = request(spec(7));
  for (int i = 0; i < 10'000; ++i) {
    random(std::span(bad).subspan(30, 24));
    to_server(player_address(1), bad);
  }
  EXPECT_EQ(dropped(Drop::RequestBadNonce), 10'000u);
  EXPECT_TRUE(join(7, player_address(1))->connected());
}

TEST_F(Limits, ACopiedHeaderIsOpenedTwentyTimesASecond) {
  const Bytes genuine = request(spec(7));
  for (int i = 0; i < 1'000; ++i) {
    to_server(player_address(static_cast<std::uint8_t>(i % 200)), garbled(genuine));
    now_us += 1'000;
  }
  EXPECT_NEAR(static_cast<double>(dropped(Drop::RequestForged)), 20 + 20, 1);
  EXPECT_EQ(dropped(Drop::RequestForged) + dropped(Drop::RequestNonceOverRate), 1'000u);
  EXPECT_EQ(dropped(Drop::SourceOverRate), 0u);
}

TEST_F(Limits, ASourceGetsItsShareOfOpeningsWhateverItsPorts) {
  // Without nonce checks every nonce is accepted.
  settings.nonce_checks = false;
  start_server();
  Bytes bad = request(spec(7));
  for (int i = 0; i < 6'000; ++i) {
    random(std::span(bad).subspan(30, 24));
    to_server(Address::v4(198, 51, 100, 7, static_cast<std::uint16_t>(1'000 + i)), bad);
  }
  EXPECT_EQ(dropped(Drop::RequestForged), work_per_source_burst);
  EXPECT_EQ(dropped(Drop::SourceOverRate), 6'000u - work_per_source_burst);
  EXPECT_TRUE(join(7, player_address(1))->connected());
}

TEST_F(Limits, AnIPv6SourceIsItsNetworkOf64Bits) {
  settings.nonce_checks = false;
  start_server();
  Bytes bad = request(spec(7));
  Address from{Address::Family::IPv6, 1'000, {0x20, 0x01, 0x0d, 0xb8}};
  for (int i = 0; i < 6'000; ++i) {
    random(std::span(bad).subspan(30, 24));
    random(std::as_writable_bytes(std::span(from.ip).subspan(8)));
    to_server(from, bad);
  }
  EXPECT_EQ(dropped(Drop::SourceOverRate), 6'000u - work_per_source_burst);
}

TEST_F(Limits, ResponsesOfOneSourceShareItsLimit) {
  Client client;
  ASSERT_TRUE(client.begin(now_us, token(7)));
  deliver_up(client, player_address(1));
  Bytes noise(326, std::byte{0x55});
  noise[0] = std::byte{0x13};
  for (int i = 0; i < 6'000; ++i) to_server(player_address(1), noise);
  // the budget minus one for the request
  EXPECT_EQ(dropped(Drop::Forged), work_per_source_burst - 1);
  EXPECT_EQ(dropped(Drop::SourceOverRate), 6'000u - work_per_source_burst + 1);
}

TEST_F(Limits, AClientThatFloodsIsThinnedOutBeforeDecryption) {
  const auto client = join(7, player_address(1));
  int passed = 0;
  for (int i = 0; i < 2'000; ++i) {
    client->send_payload(now_us, text("x"));
    passed += to_server(player_address(1), bytes_of(client->poll_send()->datagram)).has_value();
    now_us += 1'000;
  }
  EXPECT_NEAR(passed, 2 * 240 + 60, 2);
  EXPECT_EQ(static_cast<std::uint64_t>(passed) + dropped(Drop::PacketOverRate), 2'000u);
}

TEST_F(Limits, ForgedPacketsDoNotUseUpAClientsShare) {
  const auto client = join(7, player_address(1));
  Bytes noise(100, std::byte{0x55});
  noise[0] = std::byte{0x85};
  for (int i = 0; i < 10'000; ++i) {
    noise[3] = static_cast<std::byte>(i);
    to_server(player_address(1), noise);
  }
  EXPECT_EQ(dropped(Drop::Forged), 10'000u);
  client->send_payload(now_us, text("mine"));
  deliver_up(*client, player_address(1));
  EXPECT_EQ(up_payloads, std::vector<Bytes>{text("mine")});
}

// Two keys, so that keys can be rotated without a restart.

class Keys : public Limits {
 protected:
  ConnectToken sealed_with(const Key& key, std::uint64_t client_id) {
    return make_connect_token(spec(client_id), key, random).value();
  }
  ClientState dial(const ConnectToken& t, std::uint8_t n) {
    Client client;
    EXPECT_TRUE(client.begin(now_us, t));
    pass(30'000, client, player_address(n));
    return client.state();
  }
  const Key first = settings.private_key;
  const Key second = random_key(random);
  const Key third = random_key(random);
};

TEST_F(Keys, TokensOfThePreviousKeyStayGoodAfterAChange) {
  server->set_keys(second, first);
  EXPECT_EQ(dial(sealed_with(first, 1), 1), ClientState::Connected);
  EXPECT_EQ(dial(sealed_with(second, 2), 2), ClientState::Connected);
}

TEST_F(Keys, ADroppedKeyIsAStrangers) {
  server->set_keys(second, first);
  server->set_keys(third, second);
  EXPECT_EQ(dial(sealed_with(first, 1), 1), ClientState::SendingRequest);
  EXPECT_GT(dropped(Drop::RequestBadNonce), 0u);
  server->set_keys(third, std::nullopt);
  EXPECT_EQ(dial(sealed_with(second, 2), 2), ClientState::SendingRequest);
}

TEST_F(Keys, ThePreviousKeyAlsoWorksWithoutNonceChecks) {
  settings.nonce_checks = false;
  settings.previous_key = second;
  start_server();
  EXPECT_EQ(dial(sealed_with(second, 1), 1), ClientState::Connected);
  EXPECT_EQ(dial(sealed_with(first, 2), 2), ClientState::Connected);
  EXPECT_EQ(dial(sealed_with(third, 3), 3), ClientState::SendingRequest);
  EXPECT_GT(dropped(Drop::RequestForged), 0u);
}

TEST_F(Keys, SessionsOutliveTheKeyOfTheirToken) {
  const auto client = join(7, player_address(1));
  server->set_keys(third, second);
  pass(6'000'000, *client, player_address(1));
  EXPECT_TRUE(client->connected());
}

}  // namespace
}  // namespace perigee::transport
