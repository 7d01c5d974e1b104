#include "perigee/accounts/key_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "token_signer.hpp"

namespace perigee::accounts {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

std::string why_not(const std::string& text) {
  const auto set = KeySet::read(text);
  return set ? "it was read" : set.error().message;
}
std::string set_of(const Json& key) { return key_set_of({key}); }

TEST(AKeySet, NamesItsKeys) {
  const auto set =
      KeySet::read(key_set_of({TokenSigner("RS256", "a").jwk(), TokenSigner("ES256").jwk(),
                               TokenSigner("EdDSA", "c").jwk()}));
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(set->names(), "a (RS256), without id (ES256), c (EdDSA)");
}

TEST(AKeySet, SkipsKeysOfOtherTypesAndUses) {
  Json encryption = TokenSigner("RS256", "e").jwk();
  encryption["use"] = "enc";
  Json other_algorithm = TokenSigner("RS256", "p").jwk();
  other_algorithm["alg"] = "PS256";
  const auto set = KeySet::read(key_set_of({encryption,
                                            other_algorithm,
                                            {{"kty", "oct"}, {"k", "c2VjcmV0"}, {"kid", "s"}},
                                            {{"kty", "EC"}, {"crv", "P-384"}},
                                            {{"kty", "new"}},
                                            Json::object(),
                                            TokenSigner("EdDSA", "good").jwk()}));
  ASSERT_TRUE(set.ok()) << set.error().message;
  EXPECT_EQ(set->names(), "good (EdDSA)");
  EXPECT_THAT(why_not(set_of(encryption)), HasSubstr("no key for signatures"));
}

TEST(AKeySet, HasNoPlaceForPrivateKeys) {
  EXPECT_THAT(why_not(TokenSigner("EdDSA").private_pem()), HasSubstr("has a private key"));
  Json jwk = TokenSigner("ES256", "b").jwk();
  jwk["d"] = "AAAA";
  EXPECT_THAT(why_not(set_of(jwk)), HasSubstr("has a private key (key 'b')"));
}

TEST(AKeySet, RefusesKeysWithWrongNumbers) {
  const TokenSigner ec("ES256", "b");
  const TokenSigner rsa("RS256", "a");
  Json off_the_curve = ec.jwk();
  off_the_curve["x"] = TokenSigner("ES256").jwk()["x"];
  EXPECT_THAT(why_not(set_of(off_the_curve)), HasSubstr("wrong or missing numbers"));
  for (const char* member : {"x", "y"}) {
    Json jwk = ec.jwk();
    jwk.erase(member);
    EXPECT_THAT(why_not(set_of(jwk)), HasSubstr("key 'b' of type EC P-256"));
  }
  for (const char* member : {"n", "e"}) {
    Json jwk = rsa.jwk();
    jwk[member] = "+/==";
    EXPECT_THAT(why_not(set_of(jwk)), HasSubstr("key 'a' of type RSA"));
  }
  Json weak = rsa.jwk();
  weak["n"] = base64url(std::string(128, '\xff'));
  EXPECT_THAT(why_not(set_of(weak)), HasSubstr("RSA key of 1024 bits"));
  Json huge = rsa.jwk();
  huge["n"] = base64url(std::string(2'000, '\xff'));
  EXPECT_THAT(why_not(set_of(huge)), HasSubstr("wrong or missing numbers"));
}

TEST(AKeySet, RefusesOtherTexts) {
  EXPECT_THAT(why_not(""), HasSubstr("has no key"));
  EXPECT_THAT(why_not("hello"), HasSubstr("has no key"));
  EXPECT_THAT(why_not("{\"keys\":"), HasSubstr("begins like JSON"));
  EXPECT_THAT(why_not("{}"), HasSubstr("without an array \"keys\""));
  EXPECT_THAT(why_not(R"({"keys":[7]})"), HasSubstr("no JSON object"));
  EXPECT_THAT(why_not(R"({"keys":[]})"), HasSubstr("no key for signatures"));
  EXPECT_THAT(why_not(std::string(KeySet::text_bytes_max + 1, ' ')), HasSubstr("larger than"));
  EXPECT_THAT(why_not("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
              HasSubstr("not a public key"));
  EXPECT_THAT(why_not("-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n"),
              HasSubstr("block 'X509 CRL'"));
  std::vector<Json> many(KeySet::keys_max + 1, TokenSigner("EdDSA").jwk());
  EXPECT_THAT(why_not(key_set_of(many)), HasSubstr("more than 64 keys"));
}

TEST(AKeySet, RefusesPemOfAnotherCurve) {
  const std::shared_ptr<EVP_PKEY> key(EVP_EC_gen("P-384"), EVP_PKEY_free);
  const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PUBKEY(memory.get(), key.get());
  char* begin = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &begin);
  EXPECT_THAT(why_not({begin, static_cast<std::size_t>(size)}),
              HasSubstr("another type than RSA, EC P-256 and Ed25519"));
}

}  // namespace
}  // namespace perigee::accounts
