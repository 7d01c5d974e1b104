// Tokens of players, the keys of their issuers, and answers of a studio's service.
#include <openssl/evp.h>

#include <memory>
#include <string>

#include "fuzz/fuzz.hpp"
#include "perigee/accounts/token.hpp"
#include "perigee/accounts/webhook.hpp"
#include "token_signer.hpp"

namespace perigee::fuzz {
namespace {

using namespace accounts;

enum Part : std::uint8_t { any_token, signed_token, key_file, webhook_answer, parts };

constexpr std::uint64_t now_s = 1'000'000;

const TokenSigner& signer() {
  static const TokenSigner one("EdDSA", "k");
  return one;
}
const KeySet& keys() {
  static const KeySet set = KeySet::read(key_set_of({signer().jwk()})).value();
  return set;
}

std::string text_of(Input bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void check_token(const std::string& token, bool is_signed) {
  const TokenRules rules{
      .issuer = "i", .audience = "a", .name_claim = "name", .claims = {"team", "name"}};
  const auto read = read_token(token, keys(), rules, now_s);
  const auto* content = std::get_if<TokenContent>(&read);
  if (content == nullptr) return;
  PERIGEE_ASSERT(is_signed, "nothing is good without the key");
  PERIGEE_ASSERT(!content->subject.empty() && content->subject.size() <= subject_bytes_max,
                 "it names a player");
  PERIGEE_ASSERT(content->claims.size() <= 128, "the claims fit into a connect token");
  PERIGEE_ASSERT(std::holds_alternative<TokenFault>(read_token(token, keys(), rules, ~0ULL)),
                 "no token is good for ever");
}

void check_answer(const std::string& body) {
  for (const long status : {200L, 403L}) {
    const WebhookVerdict verdict =
        judge({status, "application/json", body}, {.player_name = "Ada"});
    const auto* identity = std::get_if<session::Identity>(&verdict.answer);
    PERIGEE_ASSERT((identity != nullptr) == (verdict.outcome == WebhookOutcome::Admitted),
                   "the outcome is that of the answer");
    PERIGEE_ASSERT(identity == nullptr || (status == 200 && identity->player_id != 0 &&
                                           identity->claims.size() <= 128),
                   "an identity is complete");
    const auto* denied = std::get_if<session::Denied>(&verdict.answer);
    PERIGEE_ASSERT(denied == nullptr || !denied->sentence.empty(), "a refusal has a sentence");
  }
}

void run(Input input) {
  Choices choices(input);
  switch (choices.byte() % parts) {
    case any_token:
      return check_token(text_of(choices.rest()), false);
    case signed_token: {
      const std::string text = text_of(choices.rest());
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string payload = end == text.size() ? std::string() : text.substr(end + 1);
      return check_token(signer().sign_text(text.substr(0, end), payload), true);
    }
    case webhook_answer:
      return check_answer(text_of(choices.rest()));
    default: {
      const auto set = KeySet::read(text_of(choices.rest()));
      PERIGEE_ASSERT(set ? !set->keys().empty() && set->keys().size() <= KeySet::keys_max
                         : !set.error().message.empty(),
                     "keys, or a reason");
    }
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> out;
  const auto add = [&](Part part, std::string_view text) {
    append(out.emplace_back(), part);
    append(out.back(), as_bytes_of(text.data(), text.size()));
  };
  const std::string header = R"({"alg":"EdDSA","kid":"k"})";
  const std::string payload =
      R"({"iss":"i","aud":["a","b"],"sub":"s","exp":1000060.5,"nbf":1,"name":"Ada","team":{"x":[1]}})";
  add(signed_token, header + "\n" + payload);
  add(signed_token, R"({"alg":"EdDSA","crit":["exp"]})"
                    "\n" +
                        payload);
  add(any_token, base64url(header) + "." + base64url(payload) + "." + std::string(86, 'A'));
  add(webhook_answer, R"({"player_id":"7","name":"Ada","claims":{"team":["red",null,1.5]}})");
  add(webhook_answer, R"({"player_id":18446744073709551615,"reason":"no"})");
  for (const char* algorithm : {"RS256", "ES256", "EdDSA"}) {
    const TokenSigner one(algorithm, "k");
    add(key_file, key_set_of({one.jwk()}));
    add(key_file, one.public_pem());
  }
  return out;
}

}  // namespace

const Target target{run, seeds, 4000};

}  // namespace perigee::fuzz
