#include "perigee/accounts/token.hpp"

#include <algorithm>
#include <optional>

#include "base64url.hpp"
#include "json_object.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::accounts {
namespace {

using nlohmann::json;

struct CompactToken {
  std::string_view signed_part;
  std::string header;
  std::string payload;
  std::string signature;
};

std::optional<CompactToken> take_apart(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? first : token.find('.', first + 1);
  if (second == token.npos) return std::nullopt;
  const auto header = from_base64url(token.substr(0, first));
  const auto payload = from_base64url(token.substr(first + 1, second - first - 1));
  const auto signature = from_base64url(token.substr(second + 1));  // a third dot is no digit
  if (!header || !payload || !signature) return std::nullopt;
  return CompactToken{token.substr(0, second), *header, *payload, *signature};
}

/// None: the signature is that of a key.
std::optional<TokenFault> check_signature(const CompactToken& token, const KeySet& keys) {
  const auto header = read_object(token.header);
  if (!header || header->contains("crit")) return TokenFault::Malformed;
  const std::string* name = text_in(*header, "alg");
  if (name == nullptr) return TokenFault::Malformed;
  const auto algorithm = algorithm_of(*name);
  if (!algorithm) return TokenFault::Algorithm;
  const std::string* id = text_in(*header, "kid");
  if (id == nullptr && header->contains("kid")) return TokenFault::Malformed;
  bool known = false;
  bool fits = false;
  for (const PublicKey& key : keys.keys()) {
    if (id != nullptr && !key.id.empty() && *id != key.id) continue;
    known = true;
    if (key.algorithm != *algorithm) continue;
    fits = true;
    if (key.verifies(token.signed_part, token.signature)) return std::nullopt;
  }
  if (!known) return TokenFault::UnknownKey;
  return fits ? TokenFault::Signature : TokenFault::Algorithm;
}

bool is_for(const json& payload, const std::string& audience) {
  const auto member = payload.find("aud");
  if (member == payload.end()) return false;
  if (!member->is_array()) return *member == audience;
  return std::any_of(member->begin(), member->end(),
                     [&](const json& each) { return each == audience; });
}

/// The end of the year 9999. An issuer with a later date counts milliseconds, and its tokens would
/// be good for ever.
constexpr double date_s_max = 253'402'300'799;

/// A NumericDate; may have a fraction. None: the member is missing. NaN does not occur in JSON.
struct Dates {
  std::optional<double> expires, begins, issued;
  bool well_formed = true;
};
Dates dates_in(const json& payload) {
  Dates dates;
  const auto read = [&](const char* name, std::optional<double>& date) {
    const auto member = payload.find(name);
    if (member == payload.end()) return;
    if (member->is_number() && member->get<double>() <= date_s_max) {
      date = member->get<double>();
    } else {
      dates.well_formed = false;
    }
  };
  read("exp", dates.expires);
  read("nbf", dates.begins);
  read("iat", dates.issued);
  dates.well_formed = dates.well_formed && dates.expires.has_value();
  return dates;
}

std::optional<TokenFault> check_dates(const Dates& dates, std::uint64_t leeway_s,
                                      std::uint64_t unix_s) {
  if (!dates.well_formed) return TokenFault::Malformed;
  const auto now = static_cast<double>(unix_s);
  const auto leeway = static_cast<double>(leeway_s);
  if (now >= *dates.expires + leeway) return TokenFault::Expired;
  for (const auto& begin : {dates.begins, dates.issued}) {
    if (begin && now + leeway < *begin) return TokenFault::NotYetValid;
  }
  return std::nullopt;
}

/// The claims for the game as an object; empty: it has none of them.
std::string claims_for_game(const json& payload, const std::vector<std::string>& names) {
  json chosen = json::object();
  for (const std::string& name : names) {
    const auto member = payload.find(name);
    if (member != payload.end()) chosen[name] = *member;
  }
  return chosen.empty() ? std::string() : text_of(chosen);
}

}  // namespace

std::variant<TokenContent, TokenFault> read_token(std::string_view token, const KeySet& keys,
                                                  const TokenRules& rules, std::uint64_t unix_s) {
  if (token.size() > token_bytes_max) return TokenFault::TooLarge;
  const auto parts = take_apart(token);
  if (!parts) return TokenFault::Malformed;
  if (const auto fault = check_signature(*parts, keys)) return *fault;
  const auto payload = read_object(parts->payload);
  if (!payload) return TokenFault::Malformed;
  if (const auto fault = check_dates(dates_in(*payload), rules.leeway_s, unix_s)) return *fault;
  const std::string* issuer = text_in(*payload, "iss");
  if (issuer == nullptr || *issuer != rules.issuer) return TokenFault::Issuer;
  if (!is_for(*payload, rules.audience)) return TokenFault::Audience;
  const std::string* subject = text_in(*payload, "sub");
  if (subject == nullptr || subject->empty() || subject->size() > subject_bytes_max) {
    return TokenFault::Malformed;
  }
  TokenContent content{.subject = *subject, .claims = claims_for_game(*payload, rules.claims)};
  if (content.claims.size() > transport::player_claims_bytes_max) return TokenFault::Claims;
  if (!rules.name_claim.empty()) {
    if (const std::string* name = text_in(*payload, rules.name_claim)) content.name = *name;
  }
  return content;
}

}  // namespace perigee::accounts
