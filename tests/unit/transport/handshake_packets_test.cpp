#include "without_server.hpp"

namespace perigee::transport {
namespace {

struct PacketsOfHandshakes : WithoutServer {
  PacketsOfHandshakes() {
    settings.address = server_address;
    settings.started_at_s = unix_s - 1000;
    keys.set(key(8), std::nullopt);
  }
  ServerSettings settings;
  RandomBytes random = seeded(4);
  BackendKeys keys{true};
  WorkLimits work_limits{3};
  Challenges challenges{{.challenge_key = key(5), .binding_key = key(6)}};
  TokenClaims claims{{.handshakes = handshakes,
                      .admission = admission,
                      .sender = sender,
                      .outbox = postbag,
                      .drops = drops}};
  HandshakePackets packets{{.settings = settings,
                            .keys = keys,
                            .work_limits = work_limits,
                            .challenges = challenges,
                            .handshakes = handshakes,
                            .connections = connections,
                            .admission = admission,
                            .claims = claims,
                            .sender = sender,
                            .drops = drops}};
  PublicToken token;

  Bytes request(std::uint64_t client_id, const Address& server = server_address) {
    ConnectTokenSpec spec;
    spec.create_time_s = unix_s;
    spec.expire_time_s = unix_s + 30;
    spec.client_id = client_id;
    spec.public_addresses.push_back(server);
    spec.server_addresses.push_back(server);
    token = read_connect_token(make_connect_token(spec, key(8), random).value()).value();
    Bytes bytes(request_bytes);
    write_request({{perigee_protocol_id, token.expire_time_s, token.nonce}, token.sealed},
                  std::span<std::byte, request_bytes>(bytes.data(), request_bytes));
    return bytes;
  }
  void send_request(const Address& from, Bytes bytes) {
    packets.on_request(now_us, unix_s, from, bytes);
  }
  /// Answers the newest challenge.
  void respond(const Address& from) {
    Bytes challenge = postbag.parcels.back().bytes;
    Drop fault{};
    const auto head = read_head(challenge, Receiver::Client, fault);
    const auto body = open_packet(*head, challenge, perigee_protocol_id, token.server_to_client);
    Bytes response(datagram_bytes_max);
    response.resize(seal_packet(PacketType::Response, 1, *body, perigee_protocol_id,
                                token.client_to_server, response));
    const auto response_head = read_head(response, Receiver::Server, fault);
    packets.on_response(now_us, from, *response_head, response);
  }
};

TEST_F(PacketsOfHandshakes, LeadFromARequestToAConnection) {
  const Bytes bytes = request(7);
  send_request(player_address(1), bytes);
  ASSERT_EQ(postbag.parcels.size(), 1U);
  EXPECT_EQ(connections.clients(), 0U);
  respond(player_address(1));
  EXPECT_TRUE(connections.of_client(7));
  send_request(player_address(2), bytes);
  EXPECT_EQ(drops[Drop::RequestTokenUsed], 1U);
}

TEST_F(PacketsOfHandshakes, LeadToAClaimIfTheStoreDecides) {
  settings.claims = true;
  send_request(player_address(1), request(7));
  respond(player_address(1));
  EXPECT_EQ(postbag.claims.size(), 1U);
  EXPECT_EQ(connections.clients(), 0U);
  respond(player_address(1));
  EXPECT_EQ(drops[Drop::ClaimPending], 1U);
  now_us += claim_period_us;
  respond(player_address(1));
  EXPECT_EQ(postbag.claims.size(), 2U) << "asked again";
}

TEST_F(PacketsOfHandshakes, AreDroppedWithTheirReason) {
  send_request(player_address(1), request(7, Address::v4(10, 0, 0, 9, 40000)));
  EXPECT_EQ(drops[Drop::RequestNotForUs], 1U);
  Bytes late = request(7);
  packets.on_request(now_us, unix_s + 30, player_address(1), late);
  EXPECT_EQ(drops[Drop::RequestExpired], 1U);
  settings.started_at_s = unix_s + 5;
  send_request(player_address(1), request(7));
  EXPECT_EQ(drops[Drop::RequestBeforeStart], 1U);
  EXPECT_TRUE(postbag.parcels.empty()) << "none of these is answered";
}

TEST_F(PacketsOfHandshakes, OfANewClientAreDeniedWhenTheServerIsFull) {
  for (std::uint8_t n = 1; n <= clients_max; ++n) connect(n);
  send_request(player_address(9), request(9));
  EXPECT_EQ(drops[Drop::ServerFull], 1U);
  EXPECT_EQ(postbag.parcels.size(), 1U);
  EXPECT_EQ(handshakes.size(), 0U);
}

}  // namespace
}  // namespace perigee::transport
