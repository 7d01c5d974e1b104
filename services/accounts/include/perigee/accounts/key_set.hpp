/// The public keys of a token's issuer. Each key is for one algorithm, which follows from its type:
/// a token cannot choose how a key is used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/result.hpp"

struct evp_pkey_st;  // OpenSSL's EVP_PKEY

namespace perigee::accounts {

enum class Algorithm : std::uint8_t {
  Rs256,  ///< RSA of 2048 to 8192 bits, PKCS #1 v1.5, SHA-256
  Es256,  ///< ECDSA on P-256, SHA-256
  EdDsa,  ///< Ed25519
  last = EdDsa
};
/// By its name in RFC 7518 and RFC 8037. None: any other, as "none" and those with shared secrets.
std::optional<Algorithm> algorithm_of(std::string_view name);

struct PublicKey {
  std::string id;  ///< kid; empty: it has none, and is tried for tokens of any kid
  Algorithm algorithm = Algorithm::Rs256;
  std::shared_ptr<evp_pkey_st> key;

  bool verifies(std::string_view message, std::string_view signature) const;
};

class KeySet {
 public:
  static constexpr std::size_t keys_max = 64;
  static constexpr std::size_t text_bytes_max = 256 * 1024;

  /// A JSON web key set (RFC 7517), or PEM: public keys and certificates. Keys of other types and
  /// uses in a JSON web key set are skipped, as providers publish some. Secret and private keys are
  /// an error. The error is the end of a sentence that begins with the file's name.
  static Result<KeySet> read(std::string_view text);

  const std::vector<PublicKey>& keys() const { return keys_; }
  /// Key ids and algorithms, for the log: "a (RS256), b (EdDSA)".
  std::string names() const;

 private:
  std::vector<PublicKey> keys_;
};

}  // namespace perigee::accounts
