#include "perigee/transport/challenge.hpp"

#include "aead.hpp"
#include "wire.hpp"

namespace perigee::transport {
namespace {

constexpr std::size_t plain_bytes = challenge_token_bytes - tag_bytes;

template <class Cursor, class Token>
bool walk(Cursor& cursor, Token& token) {
  return cursor.number(token.client_id) && walk_array(cursor, token.user_data) &&
         walk_array(cursor, token.binding);
}

}  // namespace

Binding bind_challenge(const Address& from, const Tag& token_tag, const Key& key) {
  std::array<std::byte, 1 + 16 + 2 + tag_bytes> input{};
  ByteWriter writer(input);
  const bool fits = writer.number(static_cast<std::uint8_t>(from.family)) &&
                    writer.copy(std::as_bytes(std::span(from.ip))) && writer.number(from.port) &&
                    writer.copy(token_tag);
  PERIGEE_ASSERT(fits, "the binding's input must have 35 bytes");
  Binding binding{};
  static_assert(binding_bytes >= crypto_generichash_BYTES_MIN);
  crypto_generichash(octets(binding.data()), binding.size(), octets(input.data()), input.size(),
                     octets(key.data()), key.size());
  return binding;
}

bool same_binding(const Binding& a, const Binding& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::array<std::byte, challenge_body_bytes> seal_challenge(const ChallengeToken& token,
                                                           std::uint64_t sequence, const Key& key) {
  std::array<std::byte, challenge_body_bytes> body{};
  ByteWriter writer(body);
  const bool fits = writer.number(sequence) && walk(writer, token);
  PERIGEE_ASSERT(fits && writer.space() == tag_bytes,
                 "a challenge must have 284 bytes and the tag");
  std::byte* plain = body.data() + 8;
  seal({plain, plain_bytes}, sequence, {}, key, plain);
  return body;
}

std::optional<ChallengeToken> open_challenge(std::span<const std::byte, challenge_body_bytes> body,
                                             const Key& key) {
  std::uint64_t sequence = 0;
  std::memcpy(&sequence, body.data(), sizeof sequence);
  std::array<std::byte, plain_bytes> plain;
  if (!unseal(body.subspan(8), sequence, {}, key, plain.data())) return std::nullopt;
  ByteReader reader(plain);
  ChallengeToken token;
  if (!walk(reader, token)) return std::nullopt;
  return token;
}

}  // namespace perigee::transport
