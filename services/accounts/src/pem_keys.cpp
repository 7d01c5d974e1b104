// Public keys and certificates in PEM.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

#include "public_keys.hpp"

namespace perigee::accounts {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;

Key own(EVP_PKEY* key) { return {key, EVP_PKEY_free}; }

/// One block of PEM; OpenSSL allocates its parts.
struct Block {
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* bytes = nullptr;
  long size = 0;
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(bytes);
  }
};

Key key_of_block(const Block& block) {
  const unsigned char* at = block.bytes;
  const std::string_view name = block.name;
  if (name == PEM_STRING_PUBLIC) return own(d2i_PUBKEY(nullptr, &at, block.size));
  if (name == PEM_STRING_RSA_PUBLIC) {
    return own(d2i_PublicKey(EVP_PKEY_RSA, nullptr, &at, block.size));
  }
  if (name != PEM_STRING_X509) return nullptr;
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(d2i_X509(nullptr, &at, block.size),
                                                                X509_free);
  return own(certificate ? X509_get_pubkey(certificate.get()) : nullptr);
}

}  // namespace

Result<std::vector<PublicKey>> keys_of_pem(std::string_view text) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
  std::vector<PublicKey> keys;
  for (;;) {
    Block block;
    if (PEM_read_bio(bio.get(), &block.name, &block.header, &block.bytes, &block.size) != 1) break;
    const std::string name = block.name;
    if (name.find("PRIVATE KEY") != std::string::npos) {
      return Error{
          "has a private key, which belongs to the issuer alone; write the public one with openssl "
          "pkey -in FILE -pubout"};
    }
    if (keys.size() == KeySet::keys_max) return Error{"has more than 64 keys"};
    const Key key = key_of_block(block);
    if (!key) return Error{"has a block '" + name + "' that is not a public key or certificate"};
    auto made = key_of(key);
    if (!made) return made.error();
    keys.push_back(std::move(*made));
  }
  if (keys.empty()) {
    return Error{"has no key: it must be a JSON web key set, or public keys in PEM"};
  }
  return keys;
}

}  // namespace perigee::accounts
