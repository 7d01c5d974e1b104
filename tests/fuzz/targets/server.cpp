// The gateway's netcode server, driven by a script: arbitrary datagrams, genuine handshakes altered
// at any point, well sealed packets with any body, lost time, replies of the token store.
#include <memory>

#include "fuzz/fuzz.hpp"
#include "perigee/transport/server.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::fuzz {
namespace {

using namespace transport;

enum Step : std::uint8_t {
  raw_datagram,
  request,
  response,
  sealed_packet,
  time_passes,
  send_payload,
  disconnect,
  claim_answer,
  change_keys,
  repeat,
  steps
};
constexpr std::size_t players = 3;
constexpr std::size_t addresses = 3;
constexpr std::uint64_t unix_start = 1'800'000'000;
constexpr int steps_max = 200;

const Address home = Address::v4(10, 0, 0, 1, 40000);
Address address_of(std::size_t n) {
  return Address::v4(192, 168, 1, static_cast<std::uint8_t>(n), 5000);
}

/// The last challenge sent to each address, and the number of bytes sent there.
struct Post final : Outbox {
  std::array<Bytes, addresses> newest;
  std::vector<std::uint64_t> claims;
  std::array<std::size_t, addresses> sent{};
  void send(const Address& to, std::span<const std::byte> datagram) override {
    PERIGEE_ASSERT(!datagram.empty() && datagram.size() <= datagram_bytes_max, "a datagram");
    for (std::size_t i = 0; i < addresses; ++i) {
      if (to != address_of(i)) continue;
      newest[i] = bytes_of(datagram);
      sent[i] += datagram.size();
    }
  }
  void claim(const ClaimRequest& question) override { claims.push_back(question.claim_id); }
};

struct Table {
  RandomBytes random = seeded(1);
  Post post;
  ServerSettings settings;
  std::unique_ptr<Server> server;
  std::array<ConnectToken, players> tokens{};
  std::array<PublicToken, players> read{};
  std::array<std::uint64_t, players> sequences{};
  Micros now_us = 1'000'000;
  std::uint32_t connected = 0;
  Bytes last;

  explicit Table(bool claims) {
    settings.private_key = random_key(random);
    settings.address = home;
    settings.clients_max = 2;
    settings.started_at_s = unix_start - 1000;
    settings.claims = claims;
    settings.issue_of = issue_of;
    server = std::make_unique<Server>(settings, random, post);
    // The last two belong to one client.
    for (std::size_t i = 0; i < players; ++i) make_token(i, std::min<std::uint64_t>(i, 1), i);
  }
  std::uint64_t unix_s() const {
    return unix_start + static_cast<std::uint64_t>(now_us / 1'000'000);
  }
  void make_token(std::size_t player, std::uint64_t client_id, std::uint64_t issue) {
    ConnectTokenSpec spec{.create_time_s = unix_s(),
                          .expire_time_s = unix_s() + token_life_s,
                          .client_id = client_id,
                          .user_data = write_user_data({.issue = issue})};
    spec.public_addresses.push_back(home);
    spec.server_addresses.push_back(home);
    tokens[player] = make_connect_token(spec, settings.private_key, random).value();
    read[player] = *read_connect_token(tokens[player]);
  }
  void receive(std::size_t from, Bytes datagram) {
    last = datagram;
    post.sent = {};
    const std::size_t size = datagram.size();
    const auto payload = server->receive(now_us, unix_s(), address_of(from), datagram);
    PERIGEE_ASSERT(!payload || (server->connected(payload->slot) && !payload->bytes.empty() &&
                                payload->bytes.size() <= payload_bytes_max),
                   "a payload is of somebody");
    // The smallest packet that makes the server send a challenge is 7 bytes smaller than the
    // challenge.
    for (std::size_t i = 0; i < addresses; ++i) {
      PERIGEE_ASSERT(i != from || post.sent[i] <= size + 7, "no amplification");
    }
    settle();
  }
  /// Checks the invariants that hold after every call.
  void settle() {
    while (const auto event = server->take_event()) {
      if (event->kind == ServerEvent::Kind::Connected) ++connected;
      if (event->kind == ServerEvent::Kind::Disconnected) --connected;
    }
    std::uint32_t used = 0;
    for (std::uint32_t slot = 0; slot < settings.clients_max; ++slot) {
      used += server->connected(slot) ? 1U : 0U;
    }
    PERIGEE_ASSERT(used == server->clients() && used == connected, "slots and events agree");
    PERIGEE_ASSERT(server->handshakes() <= settings.clients_max * mappings_per_client &&
                       server->claims_pending() <= server->handshakes(),
                   "limits hold");
  }
  void answer(std::size_t player, std::size_t at, std::uint16_t bent) {
    Bytes challenge = post.newest[at];
    Drop why{};
    const auto head = read_head(challenge, Receiver::Client, why);
    if (!head) return;
    const auto body =
        open_packet(*head, challenge, perigee_protocol_id, read[player].server_to_client);
    if (!body || body->size() != challenge_body_bytes) return;
    if (bent != 0) (*body)[bent % body->size()] ^= std::byte{1};
    seal_and_receive(player, at, PacketType::Response, sequences[player]++, *body);
  }
  void seal_and_receive(std::size_t player, std::size_t at, PacketType type, std::uint64_t sequence,
                        Input body) {
    std::array<std::byte, datagram_bytes_max> out;
    const std::size_t size = transport::seal_packet(type, sequence, body, perigee_protocol_id,
                                                    read[player].client_to_server, out);
    receive(at, bytes_of(std::span(out).first(size)));
  }
  Bytes request_of(std::size_t player) const {
    const PublicToken& token = read[player];
    Bytes out(request_bytes);
    write_request({{token.protocol_id, token.expire_time_s, token.nonce}, token.sealed},
                  std::span<std::byte, request_bytes>(out.data(), request_bytes));
    return out;
  }
};

void take_step(Table& table, Choices& choices) {
  const auto step = static_cast<Step>(choices.byte() % steps);
  const std::size_t player = choices.byte() % players;
  const std::size_t at = choices.byte() % addresses;
  const auto number = choices.number<std::uint64_t>();
  switch (step) {
    case raw_datagram:
      return table.receive(at, bytes_of(choices.bytes()));
    case request: {
      Bytes bytes = table.request_of(player);
      if (number % 4 == 3) bytes[(number >> 2) % bytes.size()] ^= std::byte{1};
      return table.receive(at, bytes);
    }
    case response:
      return table.answer(player, at, number % 4 == 3 ? static_cast<std::uint16_t>(number) : 0);
    case sealed_packet: {
      const auto type = static_cast<PacketType>(1 + number % 6);
      const std::uint64_t sequence = (number & 8) != 0 ? number >> 4 : table.sequences[player]++;
      return table.seal_and_receive(player, at, type, sequence, choices.bytes(payload_bytes_max));
    }
    case time_passes:
      table.now_us += static_cast<Micros>(number % 40'000'000);
      table.server->advance(table.now_us, table.unix_s());
      if ((number & 1) != 0) table.make_token(player, player, number >> 32);
      return table.settle();
    case send_payload: {
      const auto slot = static_cast<std::uint32_t>(number % table.settings.clients_max);
      const Bytes bytes(1 + (number >> 8) % payload_bytes_max);
      if (table.server->connected(slot)) table.server->send_payload(table.now_us, slot, bytes);
      return table.settle();
    }
    case disconnect: {
      const auto slot = static_cast<std::uint32_t>(number % table.settings.clients_max);
      if (table.server->connected(slot)) table.server->disconnect(table.now_us, slot);
      return table.settle();
    }
    case claim_answer: {
      const auto& claims = table.post.claims;
      const std::uint64_t id = claims.empty() || (number & 2) != 0 ? number : claims.back();
      table.server->on_claim(
          table.now_us, id,
          (number & 1) != 0 ? Server::ClaimAnswer::Refused : Server::ClaimAnswer::Granted);
      return table.settle();
    }
    case change_keys: {
      const Key former = table.settings.private_key;
      table.settings.private_key = random_key(table.random);
      table.server->set_keys(table.settings.private_key,
                             (number & 1) != 0 ? std::optional(former) : std::nullopt);
      return table.settle();
    }
    default:
      return table.receive(at, table.last);
  }
}

void run(Input input) {
  static const bool crypto = init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium works");
  Choices choices(input);
  Table table((choices.byte() & 1) != 0);
  for (int i = 0; i < steps_max && !choices.empty(); ++i) take_step(table, choices);
}

void append_step(Bytes& to, Step step, std::uint8_t player, std::uint8_t at,
                 std::uint64_t number = 0) {
  append(to, step), append(to, player), append(to, at), append(to, number);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const Bytes body(8, std::byte{7});
  for (const bool claims : {false, true}) {
    Bytes script;
    append(script, claims);
    append_step(script, request, 0, 0);
    append_step(script, response, 0, 0);
    append_step(script, claim_answer, 0, 0);
    append_step(script, sealed_packet, 0, 0, 3);  // keep-alive
    append_sized(script, body);
    append_step(script, sealed_packet, 0, 0, 4);  // payload
    append_sized(script, body);
    append_step(script, send_payload, 0, 0, 512);
    append_step(script, time_passes, 0, 0, 200'000);
    out.push_back(script);
    append_step(script, request, 1, 1);
    append_step(script, response, 1, 1);
    append_step(script, claim_answer, 0, 0);
    append_step(script, request, 2, 2);
    append_step(script, response, 2, 2);
    append_step(script, claim_answer, 0, 0);
    append_step(script, repeat, 0, 1);
    append_step(script, sealed_packet, 0, 1, 5);  // disconnect
    append_sized(script, {});
    append_step(script, disconnect, 0, 0);
    append_step(script, change_keys, 0, 0, 1);
    append_step(script, raw_datagram, 0, 0);
    append_sized(script, body);
    append_step(script, time_passes, 0, 0, 30'000'001);
    out.push_back(script);
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 5000};

}  // namespace perigee::fuzz
