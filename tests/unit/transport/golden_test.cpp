// The bytes of netcode 1.02, built independently from libsodium and the standard's tables.
#include <sodium.h>

#include "fixture.hpp"

namespace perigee::transport {
namespace {

struct Builder {
  Bytes bytes;
  Builder& text13() {
    for (const char c : std::string_view("NETCODE 1.02\0", 13)) bytes.push_back(std::byte(c));
    return *this;
  }
  Builder& u(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  Builder& add(std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return *this;
  }
  Builder& fill(std::size_t size) {
    bytes.resize(size);
    return *this;
  }
};

Bytes chacha(const Bytes& body, const Bytes& nonce12, const Bytes& associated, const Key& key) {
  Bytes sealed(body.size() + 16);
  unsigned long long size = 0;
  crypto_aead_chacha20poly1305_ietf_encrypt(
      reinterpret_cast<unsigned char*>(sealed.data()), &size, raw(body.data()), body.size(),
      raw(associated.data()), associated.size(), nullptr, raw(nonce12.data()), raw(key.data()));
  return sealed;
}

class Golden : public TransportTest {
 protected:
  static constexpr std::uint64_t protocol = 0x1122334455667788;
  ConnectTokenSpec golden_spec() {
    ConnectTokenSpec s;
    s.protocol_id = protocol;
    s.create_time_s = 0x6553f100;
    s.expire_time_s = 0x6553f11e;
    s.timeout_s = 5;
    s.client_id = 0x0102030405060708;
    s.public_addresses.push_back(Address::v4(203, 0, 113, 9, 40000));
    s.public_addresses.push_back(
        Address{Address::Family::IPv6,
                50000,
                {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}});
    s.server_addresses.push_back(Address::v4(10, 1, 2, 3, 40000));
    s.server_addresses.push_back(Address::v4(10, 1, 2, 4, 40001));
    for (std::size_t i = 0; i < s.user_data.size(); ++i) s.user_data[i] = std::byte(i);
    return s;
  }
};

TEST_F(Golden, ConnectTokenHasTheStandardsBytes) {
  const ConnectTokenSpec s = golden_spec();
  const Key private_key = random_key(seeded(7));
  const auto made = make_connect_token(s, private_key, seeded(9));
  ASSERT_TRUE(made);

  RandomBytes same = seeded(9);
  Bytes nonce(16);
  same(nonce);
  // The rest is SipHash-2-4 of it, expiry and protocol id, with a key derived from the backend's.
  std::array<std::byte, 16> sip_key{};
  crypto_kdf_derive_from_key(reinterpret_cast<unsigned char*>(sip_key.data()), 16, 1, "pg-nonce",
                             raw(private_key.data()));
  Builder hashed;
  hashed.add(nonce).u(s.expire_time_s, 8).u(protocol, 8);
  nonce.resize(24);
  crypto_shorthash(reinterpret_cast<unsigned char*>(nonce.data() + 16), raw(hashed.bytes.data()),
                   hashed.bytes.size(), raw(sip_key.data()));
  const Key up = random_key(same);
  const Key down = random_key(same);

  Builder plain;
  plain.u(s.client_id, 8).u(5, 4).u(2, 4);
  plain.u(1, 1).u(10, 1).u(1, 1).u(2, 1).u(3, 1).u(40000, 2);
  plain.u(1, 1).u(10, 1).u(1, 1).u(2, 1).u(4, 1).u(40001, 2);
  plain.add(up).add(down).add(s.user_data).fill(1008);
  Builder associated;
  associated.text13().u(protocol, 8).u(s.expire_time_s, 8);
  ASSERT_EQ(associated.bytes.size(), 29u);

  // XChaCha20 written out: HChaCha20 subkey, then IETF ChaCha20 with the nonce's last 8 bytes.
  Key subkey{};
  crypto_core_hchacha20(reinterpret_cast<unsigned char*>(subkey.data()), raw(nonce.data()),
                        raw(private_key.data()), nullptr);
  Builder nonce12;
  nonce12.u(0, 4).add(std::span(nonce).subspan(16));
  const Bytes sealed = chacha(plain.bytes, nonce12.bytes, associated.bytes, subkey);

  Builder token;
  token.text13().u(protocol, 8).u(s.create_time_s, 8).u(s.expire_time_s, 8).add(nonce).add(sealed);
  ASSERT_EQ(token.bytes.size(), 1085u);
  token.u(5, 4).u(2, 4);
  token.u(1, 1).u(203, 1).u(0, 1).u(113, 1).u(9, 1).u(40000, 2);
  token.u(2, 1).u(0x2001, 2).u(0x0db8, 2).u(0, 8).u(0, 2).u(1, 2).u(50000, 2);
  token.add(up).add(down).fill(2048);
  EXPECT_EQ(bytes_of(*made), token.bytes);
}

TEST_F(Golden, RequestHasTheStandardsBytes) {
  const auto made = make_connect_token(golden_spec(), random_key(seeded(7)), seeded(9)).value();
  Client client;
  ASSERT_TRUE(client.begin(0, made));
  const auto out = client.poll_send();
  ASSERT_TRUE(out);
  Builder request;
  request.u(0, 1).text13().u(protocol, 8).u(0x6553f11e, 8);
  request.add(std::span(made).subspan(37, 24)).add(std::span(made).subspan(61, 1024));
  EXPECT_EQ(request.bytes.size(), 1078u);
  EXPECT_EQ(bytes_of(out->datagram), request.bytes);
}

TEST_F(Golden, EncryptedPacketsHaveTheStandardsBytes) {
  const Key key = random_key(seeded(3));
  const std::pair<std::uint64_t, int> sequences[] = {
      {0, 1}, {255, 1}, {256, 2}, {0x123456, 3}, {1ULL << 63, 8}};
  for (const auto& [sequence, size] : sequences) {
    for (int type = 1; type <= 6; ++type) {
      const Bytes body(static_cast<std::size_t>(type * 7), std::byte{0x5a});
      Builder packet;
      packet.u(static_cast<std::uint64_t>(size << 4 | type), 1).u(sequence, size);
      Builder associated;
      associated.text13().u(protocol, 8).u(static_cast<std::uint64_t>(size << 4 | type), 1);
      Builder nonce;
      nonce.u(0, 4).u(sequence, 8);
      packet.add(chacha(body, nonce.bytes, associated.bytes, key));

      std::array<std::byte, datagram_bytes_max> out{};
      const std::size_t written =
          seal_packet(static_cast<PacketType>(type), sequence, body, protocol, key, out);
      EXPECT_EQ(bytes_of(std::span(out).first(written)), packet.bytes) << sequence << " " << type;
    }
  }
}

TEST_F(Golden, ChallengeTokenHasTheStandardsBytes) {
  const Key key = random_key(seeded(4));
  ChallengeToken token;
  token.client_id = 77;
  token.user_data[255] = std::byte{9};
  token.binding[0] = std::byte{1};
  Builder plain;
  plain.u(77, 8).add(token.user_data).add(token.binding);
  ASSERT_EQ(plain.bytes.size(), 284u);
  Builder nonce;
  nonce.u(0, 4).u(12, 8);
  Builder body;
  body.u(12, 8).add(chacha(plain.bytes, nonce.bytes, {}, key));
  EXPECT_EQ(bytes_of(seal_challenge(token, 12, key)), body.bytes);
}

TEST_F(Golden, TokensRoundTrip) {
  const ConnectTokenSpec s = golden_spec();
  const Key private_key = random_key(seeded(7));
  const auto made = make_connect_token(s, private_key, seeded(9)).value();
  const auto read = read_connect_token(made);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->addresses[1], s.public_addresses[1]);
  EXPECT_EQ(read->create_time_s, s.create_time_s);
  const auto opened = open_private_token(
      read->sealed, {read->protocol_id, read->expire_time_s, read->nonce}, private_key);
  ASSERT_TRUE(opened.token);
  EXPECT_EQ(opened.token->client_id, s.client_id);
  EXPECT_EQ(opened.token->addresses[1], s.server_addresses[1]);
  EXPECT_EQ(opened.token->user_data, s.user_data);
  EXPECT_EQ(opened.token->client_to_server, read->client_to_server);
  EXPECT_EQ(opened.token->server_to_client, read->server_to_client);
}

TEST_F(Golden, MalformedPublicTokensAreNothing) {
  const auto good = make_connect_token(golden_spec(), random_key(seeded(7)), seeded(9)).value();
  EXPECT_FALSE(read_connect_token(std::span(good).first(2047)));
  const auto with = [&](std::size_t at, std::uint8_t value) {
    auto bad = good;
    bad[at] = std::byte{value};
    return read_connect_token(bad).has_value();
  };
  EXPECT_FALSE(with(11, '1'));    // NETCODE 1.01
  EXPECT_FALSE(with(1089, 0));    // no address
  EXPECT_FALSE(with(1089, 33));   // too many
  EXPECT_FALSE(with(1093, 0));    // address type 0
  EXPECT_FALSE(with(1093, 3));    // address type 3
  EXPECT_FALSE(with(21 + 7, 1));  // made long after its expiry
  EXPECT_TRUE(with(2047, 1));     // padding
}

TEST_F(Golden, MakingATokenRefusesNonsense) {
  ConnectTokenSpec s = golden_spec();
  s.server_addresses.clear();
  EXPECT_FALSE(make_connect_token(s, {}, random));
  s = golden_spec();
  s.public_addresses[0] = Address{};
  EXPECT_FALSE(make_connect_token(s, {}, random));
  s = golden_spec();
  s.expire_time_s = s.create_time_s - 1;
  EXPECT_FALSE(make_connect_token(s, {}, random));
}

TEST_F(Golden, TheLargestTokenFits) {
  ConnectTokenSpec s = golden_spec();
  while (!s.public_addresses.full()) s.public_addresses.push_back(s.public_addresses[1]);
  s.server_addresses = s.public_addresses;
  const auto made = make_connect_token(s, random_key(seeded(7)), random);
  ASSERT_TRUE(made);
  EXPECT_EQ(read_connect_token(*made)->addresses.size(), 32u);
}

}  // namespace
}  // namespace perigee::transport
