#include "perigee/transport/connect_token.hpp"

#include <algorithm>
#include <utility>

#include "aead.hpp"
#include "perigee/transport/nonce_check.hpp"
#include "wire.hpp"

namespace perigee::transport {
namespace {

constexpr std::size_t plain_bytes = private_token_bytes - tag_bytes;
constexpr std::size_t associated_bytes = version_info.size() + 8 + 8;

template <class Cursor, class Token>
bool walk_public(Cursor& cursor, Token& token) {
  return cursor.number(token.protocol_id) && cursor.number(token.create_time_s) &&
         cursor.number(token.expire_time_s) && walk_array(cursor, token.nonce) &&
         walk_array(cursor, token.sealed) && cursor.number(token.timeout_s) &&
         walk_addresses(cursor, token.addresses) && walk_array(cursor, token.client_to_server) &&
         walk_array(cursor, token.server_to_client);
}

template <class Cursor, class Token>
bool walk_private(Cursor& cursor, Token& token) {
  return cursor.number(token.client_id) && cursor.number(token.timeout_s) &&
         walk_addresses(cursor, token.addresses) && walk_array(cursor, token.client_to_server) &&
         walk_array(cursor, token.server_to_client) && walk_array(cursor, token.user_data);
}

std::array<std::byte, associated_bytes> associated_data(const TokenSealing& sealing) {
  std::array<std::byte, associated_bytes> data{};
  ByteWriter writer(data);
  const bool fits = writer.copy(version_info) && writer.number(sealing.protocol_id) &&
                    writer.number(sealing.expire_time_s);
  PERIGEE_ASSERT(fits, "the associated data must have 29 bytes");
  return data;
}

SealedPrivateToken seal_private(const PrivateToken& token, const TokenSealing& sealing,
                                const Key& key) {
  std::array<std::byte, plain_bytes> plain{};
  ByteWriter writer(plain);
  const bool fits = walk_private(writer, token);
  PERIGEE_ASSERT(fits, "the largest content has 944 of 1008 bytes");
  SealedPrivateToken sealed{};
  const auto associated = associated_data(sealing);
  unsigned long long written = 0;
  crypto_aead_xchacha20poly1305_ietf_encrypt(octets(sealed.data()), &written, octets(plain.data()),
                                             plain.size(), octets(associated.data()),
                                             associated.size(), nullptr,
                                             octets(sealing.nonce.data()), octets(key.data()));
  sodium_memzero(plain.data(), plain.size());
  return sealed;
}

bool all_valid(const AddressList& list) {
  return std::all_of(list.begin(), list.end(), [](const Address& a) { return a.valid(); });
}

}  // namespace

Result<ConnectToken> make_connect_token(const ConnectTokenSpec& spec, const Key& private_key,
                                        const RandomBytes& random) {
  if (spec.public_addresses.empty() ||
      spec.public_addresses.size() != spec.server_addresses.size()) {
    return Error{
        "connect token: needs 1 to 32 public addresses and as many server addresses, got " +
        std::to_string(spec.public_addresses.size()) + " and " +
        std::to_string(spec.server_addresses.size())};
  }
  if (!all_valid(spec.public_addresses) || !all_valid(spec.server_addresses)) {
    return Error{"connect token: every address must be IPv4 or IPv6"};
  }
  if (spec.create_time_s > spec.expire_time_s) {
    return Error{
        "connect token: expires before its creation; check the clock and the token's lifetime"};
  }
  TokenSealing sealing{spec.protocol_id, spec.expire_time_s, {}};
  random(std::span(sealing.nonce).first(nonce_random_bytes));
  stamp_nonce(sealing, nonce_key(private_key));
  PublicToken token{.protocol_id = spec.protocol_id,
                    .create_time_s = spec.create_time_s,
                    .expire_time_s = spec.expire_time_s,
                    .nonce = sealing.nonce,
                    .timeout_s = spec.timeout_s,
                    .addresses = spec.public_addresses};
  random(token.client_to_server);
  random(token.server_to_client);
  token.sealed = seal_private({.client_id = spec.client_id,
                               .timeout_s = spec.timeout_s,
                               .addresses = spec.server_addresses,
                               .client_to_server = token.client_to_server,
                               .server_to_client = token.server_to_client,
                               .user_data = spec.user_data},
                              {token.protocol_id, token.expire_time_s, token.nonce}, private_key);
  ConnectToken bytes{};
  ByteWriter writer(bytes);
  const bool fits = writer.copy(version_info) && walk_public(writer, std::as_const(token));
  PERIGEE_ASSERT(fits, "the largest token has 1765 of 2048 bytes");
  return bytes;
}

std::optional<PublicToken> read_connect_token(std::span<const std::byte> token) {
  if (token.size() != connect_token_bytes) return std::nullopt;
  ByteReader reader(token);
  std::array<std::byte, version_info.size()> version{};
  PublicToken out;
  if (!reader.copy(version) || version != version_info || !walk_public(reader, out)) {
    return std::nullopt;
  }
  if (out.create_time_s > out.expire_time_s) return std::nullopt;
  return out;
}

OpenedToken open_private_token(std::span<const std::byte, private_token_bytes> sealed,
                               const TokenSealing& sealing, const Key& private_key) {
  std::array<std::byte, plain_bytes> plain;
  const auto associated = associated_data(sealing);
  unsigned long long written = 0;
  if (crypto_aead_xchacha20poly1305_ietf_decrypt(
          octets(plain.data()), &written, nullptr, octets(sealed.data()), sealed.size(),
          octets(associated.data()), associated.size(), octets(sealing.nonce.data()),
          octets(private_key.data())) != 0) {
    return {.fault = TokenFault::Forged};
  }
  ByteReader reader(plain);
  PrivateToken token;
  const bool sane = walk_private(reader, token);
  sodium_memzero(plain.data(), plain.size());
  if (!sane) return {.fault = TokenFault::Malformed};
  return {.token = token};
}

Tag tag_of(std::span<const std::byte, private_token_bytes> sealed) {
  Tag tag{};
  std::copy(sealed.end() - tag_bytes, sealed.end(), tag.begin());
  return tag;
}

}  // namespace perigee::transport
