#include "perigee/accounts/token.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/hmac.h>

#include <optional>
#include <string>

#include "perigee/accounts/player_id.hpp"
#include "perigee/accounts/token_authenticator.hpp"
#include "token_signer.hpp"

namespace perigee::accounts {
namespace {

using nlohmann::json;
using testing::Optional;

constexpr std::uint64_t now_s = 1'764'288'000;
constexpr const char* algorithms[] = {"RS256", "ES256", "EdDSA"};

json payload() {
  return {{"iss", "https://login.example.org"},
          {"aud", "skiff"},
          {"sub", "user-123"},
          {"exp", now_s + 60},
          {"team", "red"}};
}
json with(const char* name, const json& value) {
  json changed = payload();
  changed[name] = value;
  return changed;
}
json without(const char* name) {
  json changed = payload();
  changed.erase(name);
  return changed;
}

class ATokenReader : public testing::Test {
 protected:
  static KeySet keys_of(const std::vector<json>& jwks) {
    return KeySet::read(key_set_of(jwks)).value();
  }
  std::optional<TokenFault> fault(const std::string& token) const {
    const auto read = read_token(token, keys, rules, now_s);
    const auto* fault = std::get_if<TokenFault>(&read);
    return fault == nullptr ? std::nullopt : std::optional(*fault);
  }
  std::optional<TokenFault> fault_of_payload(const json& of) const { return fault(rsa.sign(of)); }
  TokenContent content(const std::string& token) const {
    return std::get<TokenContent>(read_token(token, keys, rules, now_s));
  }

  TokenSigner rsa{"RS256", "a"};
  TokenSigner ec{"ES256", "b"};
  TokenSigner ed{"EdDSA", "c"};
  KeySet keys = keys_of({rsa.jwk(), ec.jwk(), ed.jwk()});
  TokenRules rules{.issuer = "https://login.example.org", .audience = "skiff", .leeway_s = 10};
};

TEST_F(ATokenReader, AcceptsAllThreeAlgorithms) {
  for (const TokenSigner* signer : {&rsa, &ec, &ed}) {
    const TokenContent read = content(signer->sign(payload()));
    EXPECT_EQ(read.subject, "user-123");
    EXPECT_EQ(read.name, "");
    EXPECT_EQ(read.claims, "");
  }
}

TEST_F(ATokenReader, AcceptsKeysInPemForTokensOfAnyKeyId) {
  for (const char* algorithm : algorithms) {
    const TokenSigner signer(algorithm, "whatever");
    keys = KeySet::read(signer.public_pem()).value();
    EXPECT_EQ(fault(signer.sign(payload())), std::nullopt) << algorithm;
    EXPECT_THAT(fault(TokenSigner(algorithm, "whatever").sign(payload())),
                Optional(TokenFault::Signature));
  }
  keys = KeySet::read(rsa.public_pem() + ec.public_pem() + ed.public_pem()).value();
  for (const TokenSigner* signer : {&rsa, &ec, &ed}) {
    EXPECT_EQ(fault(signer->sign(payload())), std::nullopt);
  }
}

TEST_F(ATokenReader, FollowsTheRotationOfKeys) {
  const TokenSigner next("RS256", "a2");
  const std::string of_now = rsa.sign(payload());
  const std::string of_next = next.sign(payload());
  EXPECT_THAT(fault(of_next), Optional(TokenFault::UnknownKey));
  keys = keys_of({rsa.jwk(), next.jwk()});
  EXPECT_EQ(fault(of_now), std::nullopt);
  EXPECT_EQ(fault(of_next), std::nullopt);
  keys = keys_of({next.jwk()});
  EXPECT_THAT(fault(of_now), Optional(TokenFault::UnknownKey));
  EXPECT_EQ(fault(of_next), std::nullopt);
}

TEST_F(ATokenReader, TriesAllKeysForATokenWithoutKeyId) {
  const TokenSigner other("RS256", "z");
  keys = keys_of({other.jwk(), rsa.jwk()});
  EXPECT_EQ(fault(rsa.sign({{"alg", "RS256"}}, payload())), std::nullopt);
}

TEST_F(ATokenReader, RefusesTokensOutsideTheirTime) {
  EXPECT_EQ(fault_of_payload(with("exp", now_s - 9)), std::nullopt) << "within the leeway";
  EXPECT_THAT(fault_of_payload(with("exp", now_s - 10)), Optional(TokenFault::Expired));
  EXPECT_THAT(fault_of_payload(with("exp", -1e300)), Optional(TokenFault::Expired));
  EXPECT_EQ(fault_of_payload(with("exp", now_s + 0.5)), std::nullopt);
  EXPECT_THAT(fault_of_payload(without("exp")), Optional(TokenFault::Malformed));
  EXPECT_THAT(fault_of_payload(with("exp", "tomorrow")), Optional(TokenFault::Malformed));
  for (const char* begin : {"nbf", "iat"}) {
    EXPECT_EQ(fault_of_payload(with(begin, now_s + 10)), std::nullopt);
    EXPECT_THAT(fault_of_payload(with(begin, now_s + 11)), Optional(TokenFault::NotYetValid));
    EXPECT_THAT(fault_of_payload(with(begin, json::object())), Optional(TokenFault::Malformed));
  }
}

TEST_F(ATokenReader, RefusesDatesInMilliseconds) {
  for (const char* date : {"exp", "nbf", "iat"}) {
    EXPECT_THAT(fault_of_payload(with(date, 1'000 * now_s)), Optional(TokenFault::Malformed));
    EXPECT_THAT(fault_of_payload(with(date, 1e300)), Optional(TokenFault::Malformed));
  }
  EXPECT_EQ(fault_of_payload(with("exp", 253'402'300'799)), std::nullopt);
  EXPECT_THAT(fault_of_payload(with("exp", 253'402'300'800)), Optional(TokenFault::Malformed));
}

TEST_F(ATokenReader, RefusesTokensOfOthersAndForOthers) {
  EXPECT_THAT(fault_of_payload(with("iss", "https://login.example.org/")),
              Optional(TokenFault::Issuer));
  EXPECT_THAT(fault_of_payload(without("iss")), Optional(TokenFault::Issuer));
  EXPECT_THAT(fault_of_payload(with("aud", "shop")), Optional(TokenFault::Audience));
  EXPECT_THAT(fault_of_payload(with("aud", json::array({"shop", 7}))),
              Optional(TokenFault::Audience));
  EXPECT_THAT(fault_of_payload(without("aud")), Optional(TokenFault::Audience));
  EXPECT_EQ(fault_of_payload(with("aud", json::array({"shop", "skiff"}))), std::nullopt);
}

TEST_F(ATokenReader, NeedsASubject) {
  EXPECT_THAT(fault_of_payload(without("sub")), Optional(TokenFault::Malformed));
  for (const json& bad : {json(""), json(7), json(std::string(256, 'x'))}) {
    EXPECT_THAT(fault_of_payload(with("sub", bad)), Optional(TokenFault::Malformed)) << bad;
  }
}

TEST_F(ATokenReader, RefusesNoneAndOtherAlgorithms) {
  const auto unsigned_token = [&](const char* name) {
    return base64url(json{{"alg", name}, {"kid", "a"}}.dump()) + "." + base64url(payload().dump()) +
           ".";
  };
  for (const char* name : {"none", "None", "NONE", "HS256", "RS384", "PS256", "ES384", ""}) {
    EXPECT_THAT(fault(unsigned_token(name)), Optional(TokenFault::Algorithm)) << name;
  }
  EXPECT_THAT(fault(unsigned_token("RS256")), Optional(TokenFault::Signature)) << "no signature";
}

// The public key as the secret of an HMAC: the classic confusion.
TEST_F(ATokenReader, NeverTakesAPublicKeyForASharedSecret) {
  keys = KeySet::read(rsa.public_pem()).value();
  const std::string text =
      base64url(json{{"alg", "HS256"}}.dump()) + "." + base64url(payload().dump());
  const std::string secret = rsa.public_pem();
  unsigned char mac[32];
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac, nullptr);
  const std::string signature = base64url({reinterpret_cast<const char*>(mac), sizeof mac});
  EXPECT_THAT(fault(text + "." + signature), Optional(TokenFault::Algorithm));
  const std::string as_rsa = base64url(json{{"alg", "RS256"}}.dump()) + text.substr(text.find('.'));
  EXPECT_THAT(fault(as_rsa + "." + signature), Optional(TokenFault::Signature));
}

TEST_F(ATokenReader, UsesAKeyForItsOwnAlgorithmOnly) {
  for (const char* claimed : algorithms) {
    for (const TokenSigner* signer : {&rsa, &ec, &ed}) {
      const std::string kid = signer->jwk()["kid"];
      if (signer->jwk()["alg"] == claimed) continue;
      EXPECT_THAT(fault(signer->sign({{"alg", claimed}, {"kid", kid}}, payload())),
                  Optional(TokenFault::Algorithm))
          << claimed << " " << kid;
    }
  }
}

TEST_F(ATokenReader, NoticesEveryChangedLetter) {
  for (const TokenSigner* signer : {&rsa, &ec, &ed}) {
    const std::string token = signer->sign(payload());
    for (std::size_t i = 0; i < token.size(); ++i) {
      std::string changed = token;
      changed[i] = changed[i] == 'A' ? 'B' : 'A';
      EXPECT_NE(fault(changed), std::nullopt) << i;
    }
    for (std::size_t size = 0; size < token.size(); ++size) {
      EXPECT_NE(fault(token.substr(0, size)), std::nullopt) << size;
    }
  }
}

TEST_F(ATokenReader, RefusesOtherForms) {
  const std::string token = rsa.sign(payload());
  const std::string header = R"({"alg":"RS256","kid":"a"})";
  for (const std::string& bad :
       {std::string(), std::string("."), std::string(".."), std::string("a.b"), token + ".",
        token + "=", token + "\n", " " + token, rsa.sign_text("[]", payload().dump()),
        rsa.sign_text(R"({"alg":"RS256","alg":"none"})", payload().dump()),
        rsa.sign_text(R"({"alg":7})", payload().dump()), rsa.sign_text("{}", payload().dump()),
        rsa.sign_text(R"({"alg":"RS256","kid":7})", payload().dump()),
        rsa.sign_text(R"({"alg":"RS256","kid":"a","crit":["exp"]})", payload().dump()),
        rsa.sign_text(header, "7"), rsa.sign_text(header, "{\"sub\":\"\xff\"}"),
        rsa.sign_text(header, R"({"sub":"a","sub":"b"})"), rsa.sign_text(header, "")}) {
    EXPECT_THAT(fault(bad), Optional(TokenFault::Malformed)) << bad;
  }
  EXPECT_THAT(fault(std::string(token_bytes_max + 1, 'A')), Optional(TokenFault::TooLarge));
}

TEST_F(ATokenReader, GivesTheGameTheListedClaimsAndNoOthers) {
  rules.claims = {"team", "skins", "missing"};
  json of = with("skins", json::array({1, 2}));
  of["email"] = "ada@example.org";
  EXPECT_EQ(content(rsa.sign(of)).claims, R"({"skins":[1,2],"team":"red"})");
  EXPECT_EQ(content(rsa.sign(without("team"))).claims, "");
  const std::string fits(128 - std::string(R"({"team":""})").size(), 'x');
  EXPECT_EQ(content(rsa.sign(with("team", fits))).claims.size(), 128U);
  EXPECT_THAT(fault_of_payload(with("team", fits + "x")), Optional(TokenFault::Claims));
}

TEST_F(ATokenReader, ReadsTheNameFromTheClaimOfTheRules) {
  rules.name_claim = "nickname";
  EXPECT_EQ(content(rsa.sign(with("nickname", "Ada"))).name, "Ada");
  EXPECT_EQ(content(rsa.sign(with("nickname", 7))).name, "");
  EXPECT_EQ(content(rsa.sign(payload())).name, "");
}

// Printed by: printf 'https://login.example.org\nuser-123' | sha256sum | cut -c1-16
TEST(APlayerId, IsTheBeginningOfASha256) {
  EXPECT_EQ(player_id_of("https://login.example.org", "user-123"), 0x272c52a7a52d0411U);
  EXPECT_NE(player_id_of("https://login.example.org", "user-124"),
            player_id_of("https://login.example.org", "user-123"));
  EXPECT_NE(player_id_of("https://login.example.com", "user-123"),
            player_id_of("https://login.example.org", "user-123"));
}

TEST_F(ATokenReader, MakesAnIdentityOfAToken) {
  rules.claims = {"team"};
  TokenAuthenticator authenticator(rules, keys);
  const Micros now_us = static_cast<Micros>(now_s) * 1'000'000;
  const std::string token = ed.sign(payload());
  const auto answer =
      authenticator.authenticate(now_us, {.player_name = "Ada", .credential = token});
  const auto& identity = std::get<session::Identity>(answer);
  EXPECT_EQ(identity.player_id, player_id_of("https://login.example.org", "user-123"));
  EXPECT_EQ(identity.player_name, "Ada");
  EXPECT_EQ(identity.claims, R"({"team":"red"})");
  EXPECT_TRUE(identity.proven);

  const auto late = authenticator.authenticate(now_us + 70'000'000, {.credential = token});
  EXPECT_EQ(std::get<session::Denied>(late).reason, session::Denial::Credential);
  EXPECT_THAT(std::get<session::Denied>(late).sentence, testing::HasSubstr("has expired"));
  authenticator.set_keys(keys_of({rsa.jwk()}));
  EXPECT_TRUE(std::holds_alternative<session::Denied>(
      authenticator.authenticate(now_us, {.credential = token})));
  EXPECT_EQ(authenticator.refused()[TokenFault::Expired], 1U);
  EXPECT_EQ(authenticator.refused()[TokenFault::UnknownKey], 1U);
  EXPECT_EQ(authenticator.refused().sum(), 2U);
}

TEST_F(ATokenReader, SaysNothingOfTheTokenInItsRefusals) {
  TokenAuthenticator authenticator(rules, keys);
  const std::string token = TokenSigner("RS256", "a").sign(payload());
  const auto answer = authenticator.authenticate(Micros{0}, {.credential = token});
  EXPECT_THAT(std::get<session::Denied>(answer).sentence,
              testing::Not(testing::HasSubstr(token.substr(0, 12))));
}

}  // namespace
}  // namespace perigee::accounts
