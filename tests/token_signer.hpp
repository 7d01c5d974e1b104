/// The provider of players' accounts, for tests: a key, and tokens that it signs.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline std::string base64url(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  unsigned pending = 0, bits = 0;
  for (const char c : bytes) {
    pending = pending << 8U | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) text += digits[pending >> (bits - 6) & 63U];
    pending &= (1U << bits) - 1;
  }
  if (bits != 0) text += digits[pending << (6 - bits) & 63U];
  return text;
}

class TokenSigner {
 public:
  /// RS256, ES256 or EdDSA.
  explicit TokenSigner(std::string algorithm, std::string key_id = {})
      : algorithm_(std::move(algorithm)), id_(std::move(key_id)), key_(make(algorithm_)) {}

  /// A token with this payload, and this key's header unless another one is given.
  std::string sign(const nlohmann::json& payload) const {
    nlohmann::json header{{"alg", algorithm_}, {"typ", "JWT"}};
    if (!id_.empty()) header["kid"] = id_;
    return sign(header, payload);
  }
  std::string sign(const nlohmann::json& header, const nlohmann::json& payload) const {
    return sign_text(header.dump(), payload.dump());
  }
  std::string sign_text(std::string_view header, std::string_view payload) const {
    const std::string text = base64url(header) + "." + base64url(payload);
    return text + "." + base64url(signature(text));
  }
  /// As a JSON web key.
  nlohmann::json jwk() const {
    nlohmann::json key{{"use", "sig"}, {"alg", algorithm_}};
    if (!id_.empty()) key["kid"] = id_;
    if (algorithm_ == "RS256") {
      key["kty"] = "RSA";
      key["n"] = base64url(number(OSSL_PKEY_PARAM_RSA_N, 0));
      key["e"] = base64url(number(OSSL_PKEY_PARAM_RSA_E, 0));
    } else if (algorithm_ == "ES256") {
      key["kty"] = "EC";
      key["crv"] = "P-256";
      key["x"] = base64url(number(OSSL_PKEY_PARAM_EC_PUB_X, 32));
      key["y"] = base64url(number(OSSL_PKEY_PARAM_EC_PUB_Y, 32));
    } else {
      key["kty"] = "OKP";
      key["crv"] = "Ed25519";
      std::string raw(32, '\0');
      std::size_t size = raw.size();
      EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(raw.data()), &size);
      key["x"] = base64url(raw);
    }
    return key;
  }
  std::string public_pem() const {
    return text_of([&](BIO* to) { PEM_write_bio_PUBKEY(to, key_.get()); });
  }
  std::string private_pem() const {
    return text_of([&](BIO* to) {
      PEM_write_bio_PrivateKey(to, key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }
  EVP_PKEY* key() const { return key_.get(); }

 private:
  static std::shared_ptr<EVP_PKEY> make(std::string_view algorithm) {
    EVP_PKEY* key = nullptr;
    if (algorithm == "RS256") key = EVP_RSA_gen(2048);
    if (algorithm == "ES256") key = EVP_EC_gen("P-256");
    if (algorithm == "EdDSA") key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
    return {key, EVP_PKEY_free};
  }
  template <class Write>
  static std::string text_of(Write write) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    write(memory.get());
    char* begin = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &begin);
    return {begin, static_cast<std::size_t>(size)};
  }
  std::string number(const char* name, int bytes) const {
    BIGNUM* value = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &value);
    std::string out(static_cast<std::size_t>(bytes == 0 ? BN_num_bytes(value) : bytes), '\0');
    BN_bn2binpad(value, reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(out.size()));
    BN_free(value);
    return out;
  }
  std::string signature(std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free);
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    EVP_DigestSignInit(context.get(), nullptr, algorithm_ == "EdDSA" ? nullptr : EVP_sha256(),
                       nullptr, key_.get());
    std::size_t size = 0;
    EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
    std::string out(size, '\0');
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size, bytes,
                   text.size());
    out.resize(size);
    return algorithm_ == "ES256" ? side_by_side(out) : out;
  }
  /// From ASN.1 to the form of RFC 7518.
  static std::string side_by_side(const std::string& encoded) {
    const auto* at = reinterpret_cast<const unsigned char*>(encoded.data());
    const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> numbers(
        d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(encoded.size())), ECDSA_SIG_free);
    std::string out(64, '\0');
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(numbers.get()), to, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(numbers.get()), to + 32, 32);
    return out;
  }

  std::string algorithm_;
  std::string id_;
  std::shared_ptr<EVP_PKEY> key_;
};

/// A JSON web key set.
inline std::string key_set_of(const std::vector<nlohmann::json>& keys) {
  return nlohmann::json{{"keys", keys}}.dump();
}

}  // namespace perigee
