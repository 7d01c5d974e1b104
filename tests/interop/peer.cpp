// Our side of the cross-check: one command per line on standard input, one line of reply each.
// Bytes are hexadecimal, numbers decimal, lists comma-separated; "none" means no reply. check.py
// has the list of commands.
#include <charconv>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "perigee/transport/challenge.hpp"
#include "perigee/transport/client.hpp"
#include "perigee/transport/nonce_check.hpp"
#include "perigee/transport/server.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::transport {
namespace {

using Bytes = std::vector<std::byte>;
using Words = std::vector<std::string>;

std::string hex(std::span<const std::byte> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : bytes) {
    text += digits[std::to_integer<unsigned>(b) >> 4];
    text += digits[std::to_integer<unsigned>(b) & 15U];
  }
  return text.empty() ? "-" : text;
}
Bytes unhex(const std::string& text) {
  Bytes bytes;
  if (text == "-") return bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(&text[i], &text[i] + 2, value, 16);
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}
template <class Array>
Array array(const std::string& text) {
  const Bytes bytes = unhex(text);
  Array out{};
  PERIGEE_ASSERT(bytes.size() == out.size(), "check.py sends arrays of their size");
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}
std::uint64_t number(const std::string& text) { return std::stoull(text); }
AddressList addresses(const std::string& text) {
  AddressList list;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    list.push_back(parse_address(word).value());
  }
  return list;
}
std::string text_of(const AddressList& list) {
  std::string text;
  for (const Address& address : list) text += (text.empty() ? "" : ",") + to_string(address);
  return text;
}
template <class... Parts>
std::string joined(const Parts&... parts) {
  std::ostringstream out;
  ((out << parts << ' '), ...);
  std::string text = out.str();
  text.pop_back();
  return text;
}

/// Returns the bytes of a command instead of random ones.
RandomBytes drawn_from(const std::string& text) {
  return [bytes = unhex(text), at = std::size_t{0}](std::span<std::byte> out) mutable {
    for (std::byte& b : out) b = bytes.at(at++);
  };
}

struct Answers : Outbox {
  std::string line;
  void send(const Address& to, std::span<const std::byte> datagram) override {
    line += (line.empty() ? "" : " ") + to_string(to) + " " + hex(datagram);
  }
};

std::string make_token(const Words& w) {
  ConnectTokenSpec spec{.protocol_id = number(w[3]),
                        .create_time_s = number(w[4]),
                        .expire_time_s = number(w[5]),
                        .timeout_s = static_cast<std::int32_t>(std::stol(w[6])),
                        .public_addresses = addresses(w[8]),
                        .server_addresses = addresses(w[9]),
                        .client_id = number(w[7]),
                        .user_data = array<UserData>(w[10])};
  return hex(make_connect_token(spec, array<Key>(w[1]), drawn_from(w[2])).value());
}

std::string read_token(const Words& w) {
  const auto t = read_connect_token(unhex(w[1]));
  if (!t) return "none";
  return joined(t->protocol_id, t->create_time_s, t->expire_time_s, hex(t->nonce), hex(t->sealed),
                t->timeout_s, text_of(t->addresses), hex(t->client_to_server),
                hex(t->server_to_client));
}

std::string open_private(const Words& w) {
  const auto opened =
      open_private_token(array<SealedPrivateToken>(w[1]),
                         {number(w[2]), number(w[3]), array<TokenNonce>(w[4])}, array<Key>(w[5]));
  if (!opened.token) return "none";
  const PrivateToken& t = *opened.token;
  return joined(t.client_id, t.timeout_s, text_of(t.addresses), hex(t.client_to_server),
                hex(t.server_to_client), hex(t.user_data));
}

std::string read_packet(const Words& w) {
  Bytes packet = unhex(w[4]);
  Drop why{};
  const auto head = read_head(packet, w[1] == "client" ? Receiver::Client : Receiver::Server, why);
  if (!head) return "none";
  const auto body = open_packet(*head, packet, number(w[2]), array<Key>(w[3]));
  if (!body || !body_size_fits(head->type, body->size())) return "none";
  return joined(static_cast<int>(head->type), head->sequence, hex(*body));
}

std::string write_packet(const Words& w) {
  std::array<std::byte, datagram_bytes_max> out{};
  const std::size_t size = seal_packet(static_cast<PacketType>(number(w[1])), number(w[2]),
                                       unhex(w[3]), number(w[4]), array<Key>(w[5]), out);
  return hex(std::span(out).first(size));
}

std::string write_challenge(const Words& w) {
  const ChallengeToken token{number(w[3]), array<UserData>(w[4]), array<Binding>(w[5])};
  return hex(seal_challenge(token, number(w[2]), array<Key>(w[1])));
}

std::string read_challenge(const Words& w) {
  const auto body = array<std::array<std::byte, challenge_body_bytes>>(w[2]);
  const auto token = open_challenge(body, array<Key>(w[1]));
  if (!token) return "none";
  return joined(token->client_id, hex(token->user_data), hex(token->binding));
}

std::string write_pass(const Words& w) {
  PlayerPass pass{.wire_version = static_cast<std::uint16_t>(number(w[1])),
                  .schema_hash = number(w[2]),
                  .home_region = RegionId{static_cast<std::uint32_t>(number(w[3]))},
                  .issue = number(w[5]),
                  .player_id = number(w[6])};
  const Bytes name = unhex(w[4]);
  pass.set_name({reinterpret_cast<const char*>(name.data()), name.size()});
  const Bytes claims = unhex(w[7]);
  pass.set_claims({reinterpret_cast<const char*>(claims.data()), claims.size()});
  return hex(write_user_data(pass));
}

/// The two state machines, for whole handshakes against Python's packets.
struct Machines {
  Answers answers;
  std::unique_ptr<Server> server;
  std::unique_ptr<Client> client;

  std::string start_server(const Words& w) {
    ServerSettings settings;
    settings.private_key = array<Key>(w[1]);
    settings.address = parse_address(w[2]).value();
    settings.protocol_id = number(w[3]);
    server = std::make_unique<Server>(settings, system_random_bytes(), answers);
    return "ok";
  }
  std::string to_server(const Words& w) {
    Bytes datagram = unhex(w[4]);
    answers.line.clear();
    const auto payload = server->receive(static_cast<Micros>(number(w[1])), number(w[2]),
                                         parse_address(w[3]).value(), datagram);
    while (server->take_event()) {
    }
    if (payload) return joined("payload", payload->slot, payload->sequence, hex(payload->bytes));
    return answers.line.empty() ? "none" : answers.line;
  }
  std::string server_says(const Words& w) {
    answers.line.clear();
    server->send_payload(static_cast<Micros>(number(w[1])),
                         static_cast<std::uint32_t>(number(w[2])), unhex(w[3]));
    return answers.line;
  }
  std::string start_client(const Words& w) {
    client = std::make_unique<Client>();
    return client->begin(0, unhex(w[1])) ? from_client() : "none";
  }
  std::string to_client(const Words& w) {
    Bytes datagram = unhex(w[3]);
    const auto payload =
        client->receive(static_cast<Micros>(number(w[1])), parse_address(w[2]).value(), datagram);
    if (payload) return joined("payload", payload->sequence, hex(payload->bytes));
    return from_client();
  }
  std::string client_says(const Words& w) {
    return client->send_payload(static_cast<Micros>(number(w[1])), unhex(w[2])) ? from_client()
                                                                                : "none";
  }
  std::string client_leaves(const Words& w) {
    client->disconnect(static_cast<Micros>(number(w[1])));
    return from_client();
  }
  std::string client_state(const Words&) {
    return joined(static_cast<int>(client->state()), client->client_index(), client->clients_max());
  }
  std::string from_client() {
    std::string line;
    while (const auto out = client->poll_send()) {
      line += (line.empty() ? "" : " ") + to_string(out->to) + " " + hex(out->datagram);
    }
    return line.empty() ? "none" : line;
  }
};

}  // namespace
}  // namespace perigee::transport

int main() {
  using namespace perigee;
  using namespace perigee::transport;
  if (!init_crypto()) return 1;
  Machines machines;
  const auto of = [&](std::string (Machines::*method)(const Words&)) {
    return [&machines, method](const Words& w) { return (machines.*method)(w); };
  };
  const std::map<std::string, std::function<std::string(const Words&)>> commands{
      {"make_token", make_token},
      {"read_token", read_token},
      {"open_private", open_private},
      {"write_packet", write_packet},
      {"read_packet", read_packet},
      {"write_challenge", write_challenge},
      {"read_challenge", read_challenge},
      {"write_pass", write_pass},
      {"nonce_key", [](const Words& w) { return hex(nonce_key(array<Key>(w[1]))); }},
      {"bind_challenge",
       [](const Words& w) {
         return hex(
             bind_challenge(parse_address(w[1]).value(), array<Tag>(w[2]), array<Key>(w[3])));
       }},
      {"start_server", of(&Machines::start_server)},
      {"to_server", of(&Machines::to_server)},
      {"server_says", of(&Machines::server_says)},
      {"start_client", of(&Machines::start_client)},
      {"to_client", of(&Machines::to_client)},
      {"client_says", of(&Machines::client_says)},
      {"client_leaves", of(&Machines::client_leaves)},
      {"client_state", of(&Machines::client_state)}};
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    Words words;
    for (std::string word; in >> word;) words.push_back(word);
    std::cout << commands.at(words.at(0))(words) << std::endl;
  }
}
