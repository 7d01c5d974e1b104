/// The authenticator that the operator has chosen, and its keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "perigee/accounts/token_authenticator.hpp"
#include "perigee/host/file_version.hpp"
#include "perigee/host/settings.hpp"
#include "webhook_authenticator.hpp"

namespace perigee::session {

struct AccountOptions {
  std::string authenticator = "secret";
  std::string jwt_keys;
  std::string jwt_issuer;
  std::string jwt_audience;
  std::string jwt_name_claim;
  std::string jwt_claims;
  std::uint64_t jwt_leeway_s = 30;
  WebhookAuthenticator::Options webhook;
};
void declare_accounts(host::Settings& settings, AccountOptions& options);

class Accounts {
 public:
  /// `private_network`: players reach this process over loopback or a network that the operator
  /// calls private; then the development secret, and a webhook without TLS, are allowed.
  /// An error here is one of the settings.
  static Result<Ok> check(const AccountOptions& options, bool private_network);
  /// False: the development secret, which all players share.
  static bool prove_players(const AccountOptions& options);
  /// Reads the secret or the keys. Call it before the process has threads.
  static Result<std::unique_ptr<Accounts>> open(AccountOptions options,
                                                const std::filesystem::path& state_dir);

  const Authenticator& authenticator() const { return *authenticator_; }
  /// Log-ins at once that may wait for an answer; 1 if none waits.
  std::size_t waiting_max() const;
  /// At SIGHUP: reads the keys again.
  void reload();
  /// Once a second: reads the keys again if their file has changed, and logs what was refused.
  void follow();

  struct Stats {
    Counts<accounts::TokenFault> token_faults;
    Counts<accounts::WebhookOutcome> webhook;
    std::uint64_t key_loads_failed = 0;
  };
  Stats stats() const;

 private:
  explicit Accounts(AccountOptions options) : options_(std::move(options)) {}
  Result<accounts::KeySet> load_keys() const;
  void log_refusals();

  const AccountOptions options_;
  std::unique_ptr<Authenticator> authenticator_;
  accounts::TokenAuthenticator* tokens_ = nullptr;  ///< the same, if it is that one
  WebhookAuthenticator* webhook_ = nullptr;         ///< likewise
  host::FileVersion keys_version_;
  std::uint64_t key_loads_failed_ = 0;
  Stats logged_;
};

}  // namespace perigee::session
