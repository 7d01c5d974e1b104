/// JSON web tokens (RFC 7519) in the compact form of RFC 7515, signed by the provider of a player's
/// account. The reader refuses every form that it does not know.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perigee/accounts/key_set.hpp"
#include "perigee/base/counts.hpp"

namespace perigee::accounts {

/// A log-in has at most 4096 bytes over either protocol.
inline constexpr std::size_t token_bytes_max = 3'584;
inline constexpr std::size_t subject_bytes_max = 255;

enum class TokenFault : std::uint8_t {
  Malformed,
  TooLarge,
  Algorithm,   ///< "none", a shared secret, or another one than the key's
  UnknownKey,  ///< no key has its kid
  Signature,
  Expired,
  NotYetValid,
  Issuer,
  Audience,
  Claims,  ///< those for the game take more than their bytes
  last = Claims
};
inline constexpr std::array token_fault_rows = {
    CountRow<TokenFault>{TokenFault::Malformed, "malformed",
                         "Not a token in compact form, a claim is missing or of another type, or a "
                         "date is after the year 9999: milliseconds."},
    CountRow<TokenFault>{TokenFault::TooLarge, "too_large", "Longer than 3584 bytes."},
    CountRow<TokenFault>{TokenFault::Algorithm, "algorithm",
                         "None, a shared secret, or not the algorithm of the key."},
    CountRow<TokenFault>{TokenFault::UnknownKey, "unknown_key", "No key has its key id."},
    CountRow<TokenFault>{TokenFault::Signature, "signature", "Not signed by that key."},
    CountRow<TokenFault>{TokenFault::Expired, "expired", "Past its expiry."},
    CountRow<TokenFault>{TokenFault::NotYetValid, "not_yet_valid", "Before its beginning."},
    CountRow<TokenFault>{TokenFault::Issuer, "issuer", "Of another issuer."},
    CountRow<TokenFault>{TokenFault::Audience, "audience", "For another audience."},
    CountRow<TokenFault>{TokenFault::Claims, "claims", "More claims for the game than fit."},
};
static_assert(one_row_each(token_fault_rows), "give every TokenFault one row, in enum order");

struct TokenRules {
  std::string issuer;    ///< exactly the token's iss
  std::string audience;  ///< exactly one of the token's aud
  std::uint64_t leeway_s = 30;
  std::string name_claim;           ///< with the player's name; empty: the player chooses one
  std::vector<std::string> claims;  ///< for the game
};

/// The content of a good token.
struct TokenContent {
  std::string subject;
  std::string name;    ///< empty: the token has no such claim
  std::string claims;  ///< a JSON object, at most transport::player_claims_bytes_max; or empty
};

/// No claim is read before the signature has been verified.
std::variant<TokenContent, TokenFault> read_token(std::string_view token, const KeySet& keys,
                                                  const TokenRules& rules, std::uint64_t unix_s);

}  // namespace perigee::accounts
