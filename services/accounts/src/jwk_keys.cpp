// Public keys of a JSON web key set: RFC 7517, RFC 7518 section 6, RFC 8037.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>
#include <string>
#include <utility>

#include "base64url.hpp"
#include "json_object.hpp"
#include "public_keys.hpp"

namespace perigee::accounts {
namespace {

constexpr std::size_t coordinate_bytes = 32;  // of P-256, and a whole key of Ed25519
constexpr std::size_t rsa_bytes_max = 1'024;  // 8192 bits

const unsigned char* raw(const std::string& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

/// A member in base64url; empty: there is none, or it has other characters.
std::string bytes_in(const nlohmann::json& jwk, std::string_view name) {
  const std::string* text = text_in(jwk, name);
  return text == nullptr ? std::string() : from_base64url(*text).value_or(std::string());
}

struct FreeParameters {
  void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
  void operator()(OSSL_PARAM* parameters) const { OSSL_PARAM_free(parameters); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
  void operator()(BIGNUM* number) const { BN_free(number); }
};
template <class Type>
using Owned = std::unique_ptr<Type, FreeParameters>;

std::shared_ptr<EVP_PKEY> from_parameters(const char* type, OSSL_PARAM_BLD* builder) {
  const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder));
  const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  return {key, EVP_PKEY_free};
}

std::shared_ptr<EVP_PKEY> rsa_key(const nlohmann::json& jwk) {
  const std::string modulus = bytes_in(jwk, "n");
  const std::string exponent = bytes_in(jwk, "e");
  if (modulus.empty() || exponent.empty() || modulus.size() > rsa_bytes_max ||
      exponent.size() > sizeof(std::uint64_t)) {
    return nullptr;
  }
  const Owned<BIGNUM> n(BN_bin2bn(raw(modulus), static_cast<int>(modulus.size()), nullptr));
  const Owned<BIGNUM> e(BN_bin2bn(raw(exponent), static_cast<int>(exponent.size()), nullptr));
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return nullptr;
  }
  return from_parameters("RSA", builder.get());
}

/// The point is checked to be on the curve.
std::shared_ptr<EVP_PKEY> ec_key(const nlohmann::json& jwk) {
  const std::string x = bytes_in(jwk, "x");
  const std::string y = bytes_in(jwk, "y");
  if (x.size() != coordinate_bytes || y.size() != coordinate_bytes) return nullptr;
  const std::string point = '\x04' + x + y;
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  if (OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return nullptr;
  }
  return from_parameters("EC", builder.get());
}

std::shared_ptr<EVP_PKEY> ed25519_key(const nlohmann::json& jwk) {
  const std::string x = bytes_in(jwk, "x");
  if (x.size() != coordinate_bytes) return nullptr;
  return {EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw(x), x.size()), EVP_PKEY_free};
}

/// Key type and curve, as "EC P-256".
std::string kind_of(const nlohmann::json& jwk) {
  const std::string* type = text_in(jwk, "kty");
  const std::string* curve = text_in(jwk, "crv");
  return (type == nullptr ? std::string() : *type) + (curve == nullptr ? "" : " " + *curve);
}

bool is_for_signatures(const nlohmann::json& jwk) {
  const std::string* use = text_in(jwk, "use");
  return use == nullptr || *use == "sig";
}

}  // namespace

Result<std::optional<PublicKey>> key_of_jwk(const nlohmann::json& jwk) {
  const std::string* id = text_in(jwk, "kid");
  const std::string name = id == nullptr ? "a key" : "key '" + *id + "'";
  const std::string kind = kind_of(jwk);
  if (jwk.contains("d")) {
    return Error{"has a private key (" + name + "): it belongs to the issuer alone"};
  }
  std::shared_ptr<EVP_PKEY> key;
  std::string_view algorithm;
  if (kind == "RSA") {
    algorithm = "RS256";
  } else if (kind == "EC P-256") {
    algorithm = "ES256";
  } else if (kind == "OKP Ed25519") {
    algorithm = "EdDSA";
  }
  const std::string* wanted = text_in(jwk, "alg");
  const bool other = wanted != nullptr && *wanted != algorithm;
  if (algorithm.empty() || other || !is_for_signatures(jwk)) return std::optional<PublicKey>();
  if (algorithm == "RS256") key = rsa_key(jwk);
  if (algorithm == "ES256") key = ec_key(jwk);
  if (algorithm == "EdDSA") key = ed25519_key(jwk);
  if (!key) return Error{"has " + name + " of type " + kind + " with wrong or missing numbers"};
  auto made = key_of(std::move(key));
  if (!made) return made.error();
  if (id != nullptr) made->id = *id;
  return std::optional<PublicKey>(std::move(*made));
}

}  // namespace perigee::accounts
