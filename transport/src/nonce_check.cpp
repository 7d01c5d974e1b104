#include "perigee/transport/nonce_check.hpp"

#include "aead.hpp"
#include "perigee/base/bytes.hpp"

namespace perigee::transport {
namespace {

static_assert(sizeof(SipKey) == crypto_shorthash_KEYBYTES);
static_assert(sizeof(Key) == crypto_kdf_KEYBYTES);
constexpr std::size_t check_bytes = token_nonce_bytes - nonce_random_bytes;
static_assert(check_bytes == crypto_shorthash_BYTES);

std::array<std::byte, check_bytes> check_of(const TokenSealing& sealing, const SipKey& key) {
  std::array<std::byte, nonce_random_bytes + 8 + 8> input{};
  std::memcpy(input.data(), sealing.nonce.data(), nonce_random_bytes);
  std::memcpy(input.data() + nonce_random_bytes, &sealing.expire_time_s, 8);
  std::memcpy(input.data() + nonce_random_bytes + 8, &sealing.protocol_id, 8);
  std::array<std::byte, check_bytes> check{};
  crypto_shorthash(octets(check.data()), octets(input.data()), input.size(), octets(key.data()));
  return check;
}

}  // namespace

SipKey nonce_key(const Key& backend_key) {
  SipKey key{};
  crypto_kdf_derive_from_key(octets(key.data()), key.size(), 1, "pg-nonce",
                             octets(backend_key.data()));
  return key;
}

void stamp_nonce(TokenSealing& sealing, const SipKey& key) {
  const auto check = check_of(sealing, key);
  std::memcpy(sealing.nonce.data() + nonce_random_bytes, check.data(), check.size());
}

bool nonce_fits(const TokenSealing& sealing, const SipKey& key) {
  const auto check = check_of(sealing, key);
  return sodium_memcmp(sealing.nonce.data() + nonce_random_bytes, check.data(), check.size()) == 0;
}

}  // namespace perigee::transport
