#include "perigee/accounts/token_authenticator.hpp"

#include <utility>

#include "perigee/accounts/player_id.hpp"

namespace perigee::accounts {
namespace {

const char* sentence_of(TokenFault fault) {
  switch (fault) {
    case TokenFault::Malformed:
      return "the credential is not a token of the account provider; log in there again";
    case TokenFault::TooLarge:
      return "the token has more than 3584 bytes; the provider has to put fewer claims into it";
    case TokenFault::Algorithm:
      return "the token is signed in a way that this server does not accept; RS256, ES256 and "
             "EdDSA with the provider's key are accepted";
    case TokenFault::UnknownKey:
      return "this server does not know the key of the token; log in again at the provider, or "
             "tell the server's operator";
    case TokenFault::Signature:
      return "the token's signature is wrong; log in again at the account provider";
    case TokenFault::Expired:
      return "the token has expired; log in again at the account provider";
    case TokenFault::NotYetValid:
      return "the token is not valid yet; try again in a minute";
    case TokenFault::Issuer:
      return "the token is of another account provider than this server's";
    case TokenFault::Audience:
      return "the token is for another game or service";
    case TokenFault::Claims:
      return "the token has more claims for the game than the 128 bytes that there are; tell the "
             "server's operator";
  }
  return "refused";
}

}  // namespace

TokenAuthenticator::TokenAuthenticator(TokenRules rules, KeySet keys)
    : rules_(std::move(rules)), keys_(std::make_shared<const KeySet>(std::move(keys))) {}

std::variant<session::Identity, session::Denied> TokenAuthenticator::authenticate(
    const session::Moment& now, const session::Credentials& credentials) const {
  std::shared_ptr<const KeySet> keys;
  {
    const std::lock_guard lock(mutex_);
    keys = keys_;
  }
  auto read = read_token(credentials.credential, *keys, rules_, now.unix_s());
  if (const auto* fault = std::get_if<TokenFault>(&read)) {
    const std::lock_guard lock(mutex_);
    refused_.add(*fault);
    return session::Denied{.sentence = sentence_of(*fault)};
  }
  TokenContent& content = std::get<TokenContent>(read);
  session::Identity identity{.player_id = player_id_of(rules_.issuer, content.subject),
                             .player_name = std::move(content.name),
                             .claims = std::move(content.claims),
                             .proven = true};
  if (identity.player_name.empty()) identity.player_name = credentials.player_name;
  return identity;
}

void TokenAuthenticator::set_keys(KeySet keys) {
  auto made = std::make_shared<const KeySet>(std::move(keys));
  const std::lock_guard lock(mutex_);
  keys_ = std::move(made);
}

Counts<TokenFault> TokenAuthenticator::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace perigee::accounts
