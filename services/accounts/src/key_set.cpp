#include "perigee/accounts/key_set.hpp"

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include <array>
#include <utility>

#include "json_object.hpp"
#include "perigee/base/counts.hpp"
#include "public_keys.hpp"

namespace perigee::accounts {
namespace {

constexpr int rsa_bits_min = 2'048;
constexpr int rsa_bits_max = 8'192;
constexpr std::size_t es256_number_bytes = 32;

constexpr std::array<std::string_view, enum_count<Algorithm>> algorithm_names{"RS256", "ES256",
                                                                              "EdDSA"};

const unsigned char* raw_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// The two numbers side by side (RFC 7518, 3.4) as OpenSSL wants them, in ASN.1. Empty: wrong size.
std::string in_asn1(std::string_view signature) {
  if (signature.size() != 2 * es256_number_bytes) return {};
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> numbers(ECDSA_SIG_new(),
                                                                      ECDSA_SIG_free);
  constexpr int bytes = es256_number_bytes;
  BIGNUM* r = BN_bin2bn(raw_bytes(signature), bytes, nullptr);
  BIGNUM* s = BN_bin2bn(raw_bytes(signature.substr(es256_number_bytes)), bytes, nullptr);
  if (!numbers || ECDSA_SIG_set0(numbers.get(), r, s) != 1) return {};
  unsigned char* encoded = nullptr;
  const int size = i2d_ECDSA_SIG(numbers.get(), &encoded);
  if (size <= 0) return {};
  std::string text(reinterpret_cast<const char*>(encoded), static_cast<std::size_t>(size));
  OPENSSL_free(encoded);
  return text;
}

Result<std::vector<PublicKey>> keys_of_set(const nlohmann::json& set) {
  const auto members = set.find("keys");
  if (members == set.end() || !members->is_array()) {
    return Error{"is JSON without an array \"keys\": a JSON web key set has one"};
  }
  std::vector<PublicKey> keys;
  for (const nlohmann::json& jwk : *members) {
    if (!jwk.is_object()) return Error{"has a key that is no JSON object"};
    auto key = key_of_jwk(jwk);
    if (!key) return key.error();
    if (!*key) continue;
    if (keys.size() == KeySet::keys_max) return Error{"has more than 64 keys"};
    keys.push_back(std::move(**key));
  }
  if (keys.empty()) {
    return Error{
        "has no key for signatures of RS256, ES256 or EdDSA (types RSA, EC P-256, OKP Ed25519)"};
  }
  return keys;
}

}  // namespace

std::optional<Algorithm> algorithm_of(std::string_view name) {
  for (std::size_t i = 0; i < algorithm_names.size(); ++i) {
    if (algorithm_names[i] == name) return static_cast<Algorithm>(i);
  }
  return std::nullopt;
}

bool PublicKey::verifies(std::string_view message, std::string_view signature) const {
  const std::string numbers = algorithm == Algorithm::Es256 ? in_asn1(signature) : std::string();
  const std::string_view sent = algorithm == Algorithm::Es256 ? numbers : signature;
  const EVP_MD* digest = algorithm == Algorithm::EdDsa ? nullptr : EVP_sha256();
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  const bool good = !sent.empty() &&
                    EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key.get()) == 1 &&
                    EVP_DigestVerify(context.get(), raw_bytes(sent), sent.size(),
                                     raw_bytes(message), message.size()) == 1;
  ERR_clear_error();  // OpenSSL keeps reasons per thread, and others would read them
  return good;
}

Result<PublicKey> key_of(std::shared_ptr<evp_pkey_st> key) {
  PublicKey made{.key = std::move(key)};
  const EVP_PKEY* const pkey = made.key.get();
  if (EVP_PKEY_is_a(pkey, "RSA") == 1) {
    made.algorithm = Algorithm::Rs256;
    const int bits = EVP_PKEY_get_bits(pkey);
    if (bits < rsa_bits_min || bits > rsa_bits_max) {
      return Error{"has an RSA key of " + std::to_string(bits) + " bits; 2048 to 8192 are allowed"};
    }
    return made;
  }
  if (EVP_PKEY_is_a(pkey, "ED25519") == 1) {
    made.algorithm = Algorithm::EdDsa;
    return made;
  }
  char curve[32] = "";
  if (EVP_PKEY_is_a(pkey, "EC") == 1 &&
      EVP_PKEY_get_group_name(pkey, curve, sizeof curve, nullptr) == 1 &&
      std::string_view(curve) == "prime256v1") {
    made.algorithm = Algorithm::Es256;
    return made;
  }
  return Error{"has a key of another type than RSA, EC P-256 and Ed25519"};
}

Result<KeySet> KeySet::read(std::string_view text) {
  if (text.size() > text_bytes_max) return Error{"is larger than 256 KiB"};
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  KeySet set;
  Result<std::vector<PublicKey>> keys = std::vector<PublicKey>{};
  if (begin != text.npos && text[begin] == '{') {
    const auto object = read_object(text);
    if (!object) return Error{"begins like JSON, and is none"};
    keys = keys_of_set(*object);
  } else {
    keys = keys_of_pem(text);
  }
  ERR_clear_error();
  if (!keys) return keys.error();
  set.keys_ = std::move(*keys);
  return set;
}

std::string KeySet::names() const {
  std::string names;
  for (const PublicKey& key : keys_) {
    if (!names.empty()) names += ", ";
    names += key.id.empty() ? "without id" : key.id;
    names += " (" + std::string(algorithm_names[static_cast<std::size_t>(key.algorithm)]) + ")";
  }
  return names;
}

}  // namespace perigee::accounts
