/// ChaCha20-Poly1305 (RFC 8439) with netcode's nonce: 4 zero bytes, then the sequence.
#pragma once

#include <sodium.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "perigee/transport/constants.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

static_assert(tag_bytes == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(sizeof(Key) == crypto_aead_chacha20poly1305_ietf_KEYBYTES);
static_assert(sizeof(Key) == crypto_aead_xchacha20poly1305_ietf_KEYBYTES);
static_assert(token_nonce_bytes == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);

inline const unsigned char* octets(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
inline unsigned char* octets(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

inline std::array<unsigned char, 12> sequence_nonce(std::uint64_t sequence) {
  std::array<unsigned char, 12> nonce{};
  std::memcpy(nonce.data() + 4, &sequence, sizeof sequence);
  return nonce;
}

/// Writes body.size() + tag_bytes to `out`, which may be `body` itself.
inline void seal(std::span<const std::byte> body, std::uint64_t sequence,
                 std::span<const std::byte> associated, const Key& key, std::byte* out) {
  const auto nonce = sequence_nonce(sequence);
  unsigned long long written = 0;
  crypto_aead_chacha20poly1305_ietf_encrypt(octets(out), &written, octets(body.data()), body.size(),
                                            octets(associated.data()), associated.size(), nullptr,
                                            nonce.data(), octets(key.data()));
}

/// Writes sealed.size() - tag_bytes to `out`, which may be `sealed` itself.
inline bool unseal(std::span<const std::byte> sealed, std::uint64_t sequence,
                   std::span<const std::byte> associated, const Key& key, std::byte* out) {
  const auto nonce = sequence_nonce(sequence);
  unsigned long long written = 0;
  return crypto_aead_chacha20poly1305_ietf_decrypt(
             octets(out), &written, nullptr, octets(sealed.data()), sealed.size(),
             octets(associated.data()), associated.size(), nonce.data(), octets(key.data())) == 0;
}

}  // namespace perigee::transport
