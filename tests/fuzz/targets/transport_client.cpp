// The client's netcode, driven by a script: a server that may send anything under the right keys,
// unauthenticated datagrams, lost time, spare tokens.
#include "fuzz/fuzz.hpp"
#include "perigee/transport/client.hpp"

namespace perigee::fuzz {
namespace {

using namespace transport;

enum Step : std::uint8_t {
  raw_datagram,
  sealed_packet,
  time_passes,
  payload,
  give_spare,
  dial_spare,
  leave,
  begin_anew,
  steps
};
constexpr int steps_max = 200;

struct Table {
  RandomBytes random = seeded(1);
  Client client;
  PublicToken read;  ///< the public part of the token that it uses
  ConnectToken spare{};
  Micros now_us = 1'000'000;
  std::uint64_t sequence = 0;
  std::uint32_t sessions = 0;

  Table() { begin(make_token()); }
  ConnectToken make_token() {
    ConnectTokenSpec spec{.create_time_s = 100, .expire_time_s = 130, .timeout_s = 5};
    for (const std::uint8_t host : std::array<std::uint8_t, 2>{1, 2}) {
      spec.public_addresses.push_back(Address::v4(10, 0, 0, host, 40000));
      spec.server_addresses.push_back(Address::v4(10, 0, 0, host, 40000));
    }
    return make_connect_token(spec, Key{}, random).value();
  }
  void begin(Input token) {
    sessions = client.sessions();
    if (client.begin(now_us, token)) read = *read_connect_token(token);
  }
  void receive(const Address& from, Bytes datagram) {
    const auto got = client.receive(now_us, from, datagram);
    PERIGEE_ASSERT(!got || (client.connected() && !got->bytes.empty()),
                   "a payload is of a session");
    settle();
  }
  void settle() {
    PERIGEE_ASSERT(
        client.state() >= ClientState::Expired && client.state() <= ClientState::Connected,
        "a known state");
    PERIGEE_ASSERT(!client.reconnecting() || !client.connected(), "one or the other");
    std::size_t waiting = 0;
    while (const auto out = client.poll_send()) {
      PERIGEE_ASSERT(
          out->to.valid() && !out->datagram.empty() && out->datagram.size() <= datagram_bytes_max,
          "it sends datagrams");
      ++waiting;
    }
    PERIGEE_ASSERT(waiting <= Client::outgoing_max, "limits hold");
  }
};

void take_step(Table& table, Choices& choices) {
  const auto step = static_cast<Step>(choices.byte() % steps);
  const auto number = choices.number<std::uint32_t>();
  switch (step) {
    case raw_datagram:
      return table.receive(table.client.server_address(), bytes_of(choices.bytes()));
    case sealed_packet: {
      std::array<std::byte, datagram_bytes_max> out;
      const auto type = static_cast<PacketType>(1 + number % 6);
      const std::uint64_t sequence =
          (number & 8) != 0 ? std::uint64_t{number} << 20 : table.sequence++;
      Bytes body = bytes_of(choices.bytes(payload_bytes_max));
      if ((number & 16) == 0) {  // resized to the right size
        body.resize(type == PacketType::Challenge   ? challenge_body_bytes
                    : type == PacketType::KeepAlive ? keep_alive_body_bytes
                    : type == PacketType::Payload   ? std::max<std::size_t>(body.size(), 1)
                                                    : 0);
      }
      const std::size_t size = seal_packet(type, sequence, body, table.read.protocol_id,
                                           table.read.server_to_client, out);
      return table.receive(table.client.server_address(), bytes_of(std::span(out).first(size)));
    }
    case time_passes:
      table.now_us += number % 8'000'000;
      table.client.advance(table.now_us);
      return table.settle();
    case payload: {
      const Bytes bytes(1 + number % payload_bytes_max);
      const bool sent = table.client.send_payload(table.now_us, bytes).has_value();
      PERIGEE_ASSERT(!sent || table.client.in_session(), "only sessions carry payloads");
      return;
    }
    case give_spare: {
      ConnectToken token = table.make_token();
      for (const std::byte b : choices.bytes(16)) {  // changed where the fuzzer chooses
        token[(number ^ std::to_integer<std::uint32_t>(b) * 131) % token.size()] ^= b;
      }
      if (table.client.set_spare(table.now_us, token)) table.spare = token;
      return;
    }
    case dial_spare:
      if (table.client.redial(table.now_us)) table.read = *read_connect_token(table.spare);
      return table.settle();
    case leave:
      table.client.disconnect(table.now_us);
      PERIGEE_ASSERT(!table.client.in_session(), "it has left");
      return table.settle();
    default:
      return table.begin((number & 1) != 0 ? choices.bytes() : Input(table.make_token()));
  }
}

void run(Input input) {
  static const bool crypto = init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium works");
  Choices choices(input);
  Table table;
  for (int i = 0; i < steps_max && !choices.empty(); ++i) take_step(table, choices);
}

void append_step(Bytes& to, Step step, std::uint32_t number = 0) {
  append(to, step), append(to, number);
}

std::vector<Bytes> seeds() {
  const Bytes few(8, std::byte{3});
  Bytes script;
  const auto sealed = [&](PacketType type) {
    append_step(script, sealed_packet, static_cast<std::uint32_t>(type) - 1);
    append_sized(script, few);
  };
  sealed(PacketType::Challenge);
  sealed(PacketType::KeepAlive);
  sealed(PacketType::Payload);
  append_step(script, payload, 50);
  append_step(script, time_passes, 200'000);
  std::vector<Bytes> out{script};
  append_step(script, give_spare);
  append_sized(script, {});
  append_step(script, time_passes, 2'000'000);
  sealed(PacketType::Challenge);
  sealed(PacketType::KeepAlive);
  append_step(script, give_spare);
  append_sized(script, {});
  append_step(script, dial_spare);
  sealed(PacketType::Denied);
  sealed(PacketType::Disconnect);
  append_step(script, time_passes, 7'000'000);
  append_step(script, leave);
  append_step(script, begin_anew);
  append_step(script, raw_datagram);
  append_sized(script, few);
  out.push_back(script);
  return out;
}

}  // namespace

const Target target{run, seeds, 4000};

}  // namespace perigee::fuzz
