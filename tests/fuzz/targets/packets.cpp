// Single packets of netcode 1.02: headers, sealed packets, requests and challenges.
#include "perigee/transport/packets.hpp"
#include "fuzz/fuzz.hpp"
#include "perigee/transport/challenge.hpp"

namespace perigee::fuzz {
namespace {

using namespace transport;

const Key key{std::byte{5}};
const Key other_key{std::byte{6}};

void check_head(Input input) {
  for (const Receiver receiver : {Receiver::Server, Receiver::Client}) {
    Drop why{};
    const auto head = read_head(input, receiver, why);
    if (!head) continue;
    PERIGEE_ASSERT(head->bytes >= 2 && head->bytes <= 9 &&
                       head->bytes + tag_bytes <= input.size() &&
                       input.size() <= datagram_bytes_max,
                   "a head leaves room for the tag");
    Bytes datagram = bytes_of(input);
    PERIGEE_ASSERT(!open_packet(*head, datagram, perigee_protocol_id, other_key),
                   "nobody opens it with another key");
  }
  if (!is_request(input)) return;
  Drop why{};
  const auto request = read_request(input, perigee_protocol_id, why);
  if (!request) return;
  std::array<std::byte, request_bytes> copy;
  write_request(*request, copy);
  PERIGEE_ASSERT(std::equal(copy.begin(), copy.end(), input.begin(), input.end()),
                 "a request has one spelling");
}

void check_seal(Input input) {
  Choices choices(input);
  const auto type = static_cast<PacketType>(1 + choices.below(6));
  const auto sequence = choices.number<std::uint64_t>();
  const Input body = choices.bytes(payload_bytes_max);
  std::array<std::byte, datagram_bytes_max> out;
  const std::size_t size = seal_packet(type, sequence, body, perigee_protocol_id, key, out);
  const auto datagram = std::span(out).first(size);
  Drop why{};
  const Receiver receiver = type == PacketType::Response ? Receiver::Server : Receiver::Client;
  const auto head = read_head(datagram, receiver, why);
  PERIGEE_ASSERT(head && head->type == type && head->sequence == sequence, "our packets are read");
  if (const auto spoiled = choices.number<std::uint16_t>(); spoiled != 0) {
    datagram[spoiled % size] ^= std::byte{1};
    const auto other = read_head(datagram, receiver, why);
    PERIGEE_ASSERT(!other || !open_packet(*other, datagram, perigee_protocol_id, key),
                   "no flipped bit goes unnoticed");
    return;
  }
  const auto opened = open_packet(*head, datagram, perigee_protocol_id, key);
  PERIGEE_ASSERT(opened && std::equal(opened->begin(), opened->end(), body.begin(), body.end()),
                 "what was sealed can be opened");
}

void check_challenge(Input input) {
  Choices choices(input);
  ChallengeToken token;
  token.client_id = choices.number<std::uint64_t>();
  const auto sequence = choices.number<std::uint64_t>();
  const Input data = choices.bytes(token.user_data.size());
  std::copy(data.begin(), data.end(), token.user_data.begin());
  auto body = seal_challenge(token, sequence, key);
  const auto at = choices.below(challenge_body_bytes);
  const std::byte spoiled{choices.byte()};
  body[at] ^= spoiled;
  const auto opened = open_challenge(body, key);
  PERIGEE_ASSERT(opened.has_value() == (spoiled == std::byte{0}),
                 "every byte of a challenge is covered by its seal");
  PERIGEE_ASSERT(
      !opened || (opened->client_id == token.client_id && opened->user_data == token.user_data),
      "what was sealed can be opened");
}

void run(Input input) {
  static const bool crypto = init_crypto().ok();
  PERIGEE_ASSERT(crypto, "libsodium works");
  check_head(input);
  check_seal(input);
  check_challenge(input);
}

std::vector<Bytes> seeds() {
  PERIGEE_ASSERT(init_crypto().ok(), "libsodium works");
  std::vector<Bytes> out;
  std::array<std::byte, datagram_bytes_max> space;
  for (const std::uint64_t sequence :
       {std::uint64_t{0}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    for (const PacketType type : {PacketType::KeepAlive, PacketType::Response}) {
      const Bytes body(type == PacketType::Response ? 308 : 8);
      const std::size_t size = seal_packet(type, sequence, body, perigee_protocol_id, key, space);
      out.push_back(bytes_of(std::span(space).first(size)));
    }
  }
  const std::array<std::byte, private_token_bytes> sealed{};
  std::array<std::byte, request_bytes> request;
  write_request({{perigee_protocol_id, 5, {}}, sealed}, request);
  out.push_back(bytes_of(request));
  return out;
}

}  // namespace

const Target target{run, seeds, 8000};

}  // namespace perigee::fuzz
