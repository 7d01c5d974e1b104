#include "cipher.hpp"

#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "perigee/base/assert.hpp"

namespace perigee::fabric_seal {
namespace {

constexpr std::size_t nonce_bytes = 12;

const unsigned char* octets(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* octets(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

std::array<unsigned char, nonce_bytes> nonce_of(std::uint64_t number) {
  std::array<unsigned char, nonce_bytes> nonce{};
  std::memcpy(nonce.data() + nonce_bytes - sizeof number, &number, sizeof number);
  return nonce;
}

/// Processes the bytes; a null `out`: they are associated data.
void update(EVP_CIPHER_CTX* context, std::byte* out, std::span<const std::byte> in) {
  int written = 0;
  const int ok = EVP_CipherUpdate(context, out == nullptr ? nullptr : octets(out), &written,
                                  octets(in.data()), static_cast<int>(in.size()));
  PERIGEE_ASSERT(ok == 1, "AES-GCM takes any bytes of a datagram's size");
}

}  // namespace

Library library_for(FabricSealing sealing) {
  const bool tags_only = sealing == FabricSealing::Tag;
  return tags_only && crypto_aead_aes256gcm_is_available() == 1 ? Library::Sodium
                                                                : Library::OpenSsl;
}

void Cipher::Free::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

void Cipher::Free::operator()(crypto_aead_aes256gcm_state_* schedule) const {
  sodium_memzero(schedule, sizeof *schedule);
  delete schedule;
}

Cipher::Cipher(Direction direction, FabricSealing sealing, const FabricKeyBytes& key,
               Library library)
    : direction_(direction), encrypts_(sealing == FabricSealing::Encrypt) {
  if (library == Library::Sodium) {
    PERIGEE_ASSERT(!encrypts_, "libsodium is used for tags only");
    sodium_.reset(new crypto_aead_aes256gcm_state);
    crypto_aead_aes256gcm_beforenm(sodium_.get(), octets(key.data()));
    return;
  }
  openssl_.reset(EVP_CIPHER_CTX_new());
  const int ok = EVP_CipherInit_ex(openssl_.get(), EVP_aes_256_gcm(), nullptr, octets(key.data()),
                                   nullptr, direction == Direction::Seals ? 1 : 0);
  PERIGEE_ASSERT(ok == 1, "every OpenSSL has AES-256-GCM");
}

void Cipher::seal(std::uint64_t number, std::span<const std::byte> records, std::byte* out) {
  PERIGEE_ASSERT(direction_ == Direction::Seals, "a cipher has one direction");
  const std::span datagram(out, sealed_header_bytes + records.size() + tag_bytes);
  std::ranges::copy(records, out + sealed_header_bytes);
  if (!sodium_) return seal_by_openssl(number, datagram);
  const auto text = datagram.first(datagram.size() - tag_bytes);
  unsigned char* const tag = octets(out + text.size());
  crypto_aead_aes256gcm_encrypt_detached_afternm(tag, tag, nullptr, nullptr, 0, octets(text.data()),
                                                 text.size(), nullptr, nonce_of(number).data(),
                                                 sodium_.get());
}

bool Cipher::open(std::uint64_t number, std::span<std::byte> datagram) {
  PERIGEE_ASSERT(direction_ == Direction::Opens, "a cipher has one direction");
  if (!sodium_) return open_by_openssl(number, datagram);
  const auto text = datagram.first(datagram.size() - tag_bytes);
  unsigned char* const tag = octets(datagram.data() + text.size());
  return crypto_aead_aes256gcm_decrypt_detached_afternm(
             nullptr, nullptr, tag, 0, tag, octets(text.data()), text.size(),
             nonce_of(number).data(), sodium_.get()) == 0;
}

/// `text`: all bytes before the tag.
void Cipher::pass_through_openssl(std::uint64_t number, std::span<std::byte> text) {
  const int ok =
      EVP_CipherInit_ex(openssl_.get(), nullptr, nullptr, nullptr, nonce_of(number).data(), -1);
  PERIGEE_ASSERT(ok == 1, "a nonce of 12 bytes is AES-GCM's own");
  if (!encrypts_) return update(openssl_.get(), nullptr, text);
  const auto records = text.subspan(sealed_header_bytes);
  update(openssl_.get(), nullptr, text.first(sealed_header_bytes));
  update(openssl_.get(), records.data(), records);
}

void Cipher::seal_by_openssl(std::uint64_t number, std::span<std::byte> datagram) {
  const auto text = datagram.first(datagram.size() - tag_bytes);
  std::byte* const tag = datagram.data() + text.size();
  pass_through_openssl(number, text);
  int written = 0;
  const int ok = EVP_CipherFinal_ex(openssl_.get(), octets(tag), &written) &
                 EVP_CIPHER_CTX_ctrl(openssl_.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, tag);
  PERIGEE_ASSERT(ok == 1, "a tag follows the last byte");
}

bool Cipher::open_by_openssl(std::uint64_t number, std::span<std::byte> datagram) {
  const auto text = datagram.first(datagram.size() - tag_bytes);
  std::byte* const tag = datagram.data() + text.size();
  pass_through_openssl(number, text);
  const int has_tag = EVP_CIPHER_CTX_ctrl(openssl_.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag);
  PERIGEE_ASSERT(has_tag == 1, "a tag has 16 bytes");
  int written = 0;
  return EVP_CipherFinal_ex(openssl_.get(), octets(tag), &written) == 1;
}

}  // namespace perigee::fabric_seal
