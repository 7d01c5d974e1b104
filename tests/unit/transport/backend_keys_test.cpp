#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct TheBackendKeys : WithoutServer {
  /// A request with a token that was sealed with that key.
  RequestPacket request(const Key& with) {
    ConnectTokenSpec spec;
    spec.create_time_s = unix_s;
    spec.expire_time_s = unix_s + 30;
    spec.client_id = 7;
    spec.public_addresses.push_back(server_address);
    spec.server_addresses.push_back(server_address);
    const auto made = make_connect_token(spec, with, random).value();
    token = read_connect_token(made).value();
    return {{perigee_protocol_id, token.expire_time_s, token.nonce}, token.sealed};
  }
  RandomBytes random = seeded(4);
  PublicToken token;
  BackendKeys keys{true};
};

TEST_F(TheBackendKeys, OpenTokensOfTheCurrentAndOfThePreviousKey) {
  keys.set(key(8), key(7));
  for (const std::uint8_t n : std::array<std::uint8_t, 2>{7, 8}) {
    const RequestPacket sealed = request(key(n));
    EXPECT_TRUE(keys.may_have_sealed(sealed.sealing));
    const OpenedToken opened = keys.open(sealed);
    ASSERT_TRUE(opened.token);
    EXPECT_EQ(opened.token->client_id, 7U);
  }
}

TEST_F(TheBackendKeys, DoNotOpenTokensOfARemovedKey) {
  keys.set(key(8), key(7));
  keys.set(key(9), key(8));
  const RequestPacket sealed = request(key(7));
  EXPECT_FALSE(keys.may_have_sealed(sealed.sealing));
  EXPECT_FALSE(keys.open(sealed).token);
  BackendKeys without_nonce_checks(false);
  without_nonce_checks.set(key(9), key(8));
  EXPECT_TRUE(without_nonce_checks.may_have_sealed(sealed.sealing));
  EXPECT_EQ(without_nonce_checks.open(sealed).fault, TokenFault::Forged);
}

}  // namespace
}  // namespace perigee::transport
