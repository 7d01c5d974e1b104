#include "cipher.hpp"

#include <openssl/evp.h>

#include <cstring>

#include "perigee/base/assert.hpp"

namespace perigee::fabric_seal {
namespace {

constexpr std::size_t nonce_bytes = 12;

const unsigned char* octets(const std::byte* bytes) {
  return reinterpret_cast<const unsigned char*>(bytes);
}
unsigned char* octets(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

/// Processes the bytes; a null `out`: they are associated data.
void update(EVP_CIPHER_CTX* context, std::byte* out, std::span<const std::byte> in) {
  int written = 0;
  const int ok = EVP_CipherUpdate(context, out == nullptr ? nullptr : octets(out), &written,
                                  octets(in.data()), static_cast<int>(in.size()));
  PERIGEE_ASSERT(ok == 1, "AES-GCM takes any bytes of a datagram's size");
}

}  // namespace

void Cipher::Free::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

Cipher::Cipher(Direction direction, FabricSealing sealing, const FabricKeyBytes& key)
    : direction_(direction),
      encrypts_(sealing == FabricSealing::Encrypt),
      context_(EVP_CIPHER_CTX_new()) {
  const int ok = EVP_CipherInit_ex(context_.get(), EVP_aes_256_gcm(), nullptr, octets(key.data()),
                                   nullptr, direction == Direction::Seals ? 1 : 0);
  PERIGEE_ASSERT(ok == 1, "every OpenSSL has AES-256-GCM");
}

void Cipher::begin(std::uint64_t number) {
  std::array<unsigned char, nonce_bytes> nonce{};
  std::memcpy(nonce.data() + nonce_bytes - sizeof number, &number, sizeof number);
  const int ok = EVP_CipherInit_ex(context_.get(), nullptr, nullptr, nullptr, nonce.data(), -1);
  PERIGEE_ASSERT(ok == 1, "a nonce of 12 bytes is AES-GCM's own");
}

void Cipher::seal(std::uint64_t number, std::span<const std::byte> records, std::byte* out) {
  PERIGEE_ASSERT(direction_ == Direction::Seals, "a cipher has one direction");
  std::byte* const body = out + sealed_header_bytes;
  std::byte* const tag = body + records.size();
  begin(number);
  if (encrypts_) {
    update(context_.get(), nullptr, {out, sealed_header_bytes});
    update(context_.get(), body, records);
  } else {
    std::memcpy(body, records.data(), records.size());
    update(context_.get(), nullptr, {out, sealed_header_bytes + records.size()});
  }
  int written = 0;
  const int ok = EVP_CipherFinal_ex(context_.get(), octets(tag), &written) &
                 EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, tag);
  PERIGEE_ASSERT(ok == 1, "a tag follows the last byte");
}

bool Cipher::open(std::uint64_t number, std::span<std::byte> datagram) {
  PERIGEE_ASSERT(direction_ == Direction::Opens, "a cipher has one direction");
  const auto sealed = datagram.first(datagram.size() - tag_bytes);
  begin(number);
  if (encrypts_) {
    const auto records = sealed.subspan(sealed_header_bytes);
    update(context_.get(), nullptr, sealed.first(sealed_header_bytes));
    update(context_.get(), records.data(), records);
  } else {
    update(context_.get(), nullptr, sealed);
  }
  std::byte* const tag = datagram.data() + sealed.size();
  const int has_tag = EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag);
  PERIGEE_ASSERT(has_tag == 1, "a tag has 16 bytes");
  int written = 0;
  return EVP_CipherFinal_ex(context_.get(), octets(tag), &written) == 1;
}

}  // namespace perigee::fabric_seal
