/// Players with a JSON web token of their account's provider.
#pragma once

#include <memory>
#include <mutex>

#include "perigee/accounts/token.hpp"
#include "perigee/session/authenticator.hpp"

namespace perigee::accounts {

class TokenAuthenticator final : public session::Authenticator {
 public:
  TokenAuthenticator(TokenRules rules, KeySet keys);

  std::variant<session::Identity, session::Denied> authenticate(
      const session::Moment& now, const session::Credentials& credentials) const override;

  /// Any thread: tokens that are checked from now on need one of these keys.
  void set_keys(KeySet keys);
  Counts<TokenFault> refused() const;

 private:
  const TokenRules rules_;
  mutable std::mutex mutex_;
  std::shared_ptr<const KeySet> keys_;  // guarded by mutex_
  mutable Counts<TokenFault> refused_;  // guarded by mutex_
};

}  // namespace perigee::accounts
