#include "sealing.hpp"

#include <sodium.h>

#include <cstring>

namespace perigee::peers {
namespace {

static_assert(tag_bytes == crypto_aead_chacha20poly1305_ietf_ABYTES);
static_assert(sizeof(Key) == crypto_aead_chacha20poly1305_ietf_KEYBYTES);
static_assert(sizeof(Digest) <= crypto_generichash_BYTES_MAX);

const unsigned char* octets(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* octets(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

std::array<unsigned char, 12> nonce_of(std::uint64_t number) {
  std::array<unsigned char, 12> nonce{};
  std::memcpy(nonce.data() + 4, &number, sizeof number);
  return nonce;
}

}  // namespace

Result<Ok> init_crypto() {
  if (sodium_init() < 0) {
    return Error{"libsodium could not start: this machine has no source of random numbers"};
  }
  return Ok{};
}

Digest digest(const Key& key, Purpose purpose, std::span<const std::byte> first,
              std::span<const std::byte> second) {
  const auto what = static_cast<unsigned char>(purpose);
  crypto_generichash_state state;
  crypto_generichash_init(&state, octets(key.data()), key.size(), sizeof(Digest));
  crypto_generichash_update(&state, &what, 1);
  crypto_generichash_update(&state, octets(first.data()), first.size());
  crypto_generichash_update(&state, octets(second.data()), second.size());
  Digest out{};
  crypto_generichash_final(&state, octets(out.data()), out.size());
  return out;
}

bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

void seal(const Key& key, std::uint64_t number, std::span<const std::byte> associated,
          std::span<const std::byte> body, std::byte* out) {
  unsigned long long written = 0;
  crypto_aead_chacha20poly1305_ietf_encrypt(octets(out), &written, octets(body.data()), body.size(),
                                            octets(associated.data()), associated.size(), nullptr,
                                            nonce_of(number).data(), octets(key.data()));
}

bool unseal(const Key& key, std::uint64_t number, std::span<const std::byte> associated,
            std::span<const std::byte> sealed, std::byte* out) {
  unsigned long long written = 0;
  return crypto_aead_chacha20poly1305_ietf_decrypt(
             octets(out), &written, nullptr, octets(sealed.data()), sealed.size(),
             octets(associated.data()), associated.size(), nonce_of(number).data(),
             octets(key.data())) == 0;
}

}  // namespace perigee::peers
