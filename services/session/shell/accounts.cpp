#include "accounts.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/loopback_url.hpp"
#include "perigee/host/process.hpp"
#include "perigee/host/read_file.hpp"
#include "perigee/host/secrets.hpp"

namespace perigee::session {
namespace {

constexpr std::string_view by_secret = "secret";
constexpr std::string_view by_jwt = "jwt";
constexpr std::string_view by_webhook = "webhook";

Error missing(const char* key, const char* what) {
  return Error{"session.authenticator = jwt needs " + std::string(key) + ": " + what +
               " (docs/accounts.md)"};
}

Result<Ok> check_webhook(const WebhookAuthenticator::Options& options, bool private_network) {
  const std::string& url = options.url;
  if (url.starts_with("https://")) return Ok{};
  if (!url.starts_with("http://")) {
    return Error{
        "session.webhook_url must be the http:// or https:// URL of the service that knows "
        "the accounts, not '" +
        url + "' (docs/accounts.md)"};
  }
  if (private_network || host::is_loopback_url(url)) return Ok{};
  return Error{"session.webhook_url: " + url +
               " would get the players' credentials without encryption; use https://, or add "
               "--insecure if the network is private"};
}

Result<Ok> check_jwt(const AccountOptions& options) {
  if (options.jwt_keys.empty()) {
    return missing("session.jwt_keys", "the file with the provider's public keys");
  }
  if (options.jwt_issuer.empty()) return missing("session.jwt_issuer", "iss of its tokens");
  if (options.jwt_audience.empty()) {
    return missing("session.jwt_audience", "aud of its tokens for this game");
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::any_of(options.jwt_issuer.begin(), options.jwt_issuer.end(), is_control)) {
    return Error{"session.jwt_issuer must not have control characters"};
  }
  return Ok{};
}

}  // namespace

void declare_accounts(host::Settings& settings, AccountOptions& options) {
  settings.choice("session.authenticator", &options.authenticator,
                  {std::string(by_secret), std::string(by_jwt), std::string(by_webhook)},
                  "who says which players may play: secret: one secret for all, for development; "
                  "jwt: tokens that your account provider has signed; webhook: your own service");
  settings.text("session.jwt_keys", &options.jwt_keys,
                "file with the public keys of the tokens' issuer: a JSON web key set, or PEM; read "
                "again when it changes, and on SIGHUP");
  settings.text("session.jwt_issuer", &options.jwt_issuer, "exactly the tokens' iss");
  settings.text("session.jwt_audience", &options.jwt_audience,
                "one of the tokens' aud: your game's name at the provider");
  settings.text("session.jwt_name_claim", &options.jwt_name_claim,
                "claim with the player's name; empty, or a token without it: the player chooses");
  settings.text("session.jwt_claims", &options.jwt_claims,
                "claims that the game gets, separated by commas; together at most 128 bytes");
  settings.number("session.jwt_leeway_s", &options.jwt_leeway_s, {0, 300}, "s",
                  "how far the provider's clock may be off; more: tokens live that much longer");
  settings.text("session.webhook_url", &options.webhook.url,
                "URL of your service that decides about each log-in");
  settings.text("session.webhook_ca", &options.webhook.ca_file,
                "PEM file with the certificate that signed its own; empty: those that this machine "
                "trusts");
  settings.number("session.webhook_timeout_ms", &options.webhook.timeout_ms, {100, 10'000}, "ms",
                  "for its whole answer; then the log-in is refused. More: players wait longer "
                  "while it is slow");
  settings.number("session.webhook_calls", &options.webhook.calls_max, {1, 64}, "calls",
                  "to it at once; further log-ins are refused for a while. More: a larger burst at "
                  "your service, and three threads for each");
}

Result<Ok> Accounts::check(const AccountOptions& options, bool private_network) {
  if (options.authenticator == by_jwt) return check_jwt(options);
  if (options.authenticator == by_webhook) return check_webhook(options.webhook, private_network);
  if (private_network) return Ok{};
  return Error{
      "session.authenticator = secret admits everybody who has secrets/dev_secret, so it is for "
      "development; set it to jwt or webhook (docs/accounts.md), listen on 127.0.0.1, or add "
      "--insecure if the network is private"};
}

bool Accounts::prove_players(const AccountOptions& options) {
  return options.authenticator != by_secret;
}

Result<accounts::KeySet> Accounts::load_keys() const {
  const std::string file = "session.jwt_keys: ";
  auto text = host::read_if_present(options_.jwt_keys, accounts::KeySet::text_bytes_max);
  if (!text) return Error{file + text.error().message};
  if (!*text) {
    return Error{file + options_.jwt_keys +
                 " does not exist; fetch the provider's JSON web key set (docs/accounts.md)"};
  }
  auto keys = accounts::KeySet::read(**text);
  if (!keys) return Error{file + options_.jwt_keys + " " + keys.error().message};
  return keys;
}

Result<std::unique_ptr<Accounts>> Accounts::open(AccountOptions options,
                                                 const std::filesystem::path& state_dir) {
  std::unique_ptr<Accounts> made(new Accounts(std::move(options)));
  const AccountOptions& of = made->options_;
  if (of.authenticator == by_jwt) {
    made->keys_version_ = host::version_of(of.jwt_keys);
    auto keys = made->load_keys();
    if (!keys) return keys.error();
    host::log_info("keys of players' tokens", {{"keys", keys->names()}});
    auto tokens = std::make_unique<accounts::TokenAuthenticator>(
        accounts::TokenRules{.issuer = of.jwt_issuer,
                             .audience = of.jwt_audience,
                             .leeway_s = of.jwt_leeway_s,
                             .name_claim = of.jwt_name_claim,
                             .claims = host::parts_of(of.jwt_claims)},
        std::move(*keys));
    made->tokens_ = tokens.get();
    made->authenticator_ = std::move(tokens);
  } else if (of.authenticator == by_webhook) {
    auto webhook = std::make_unique<WebhookAuthenticator>(of.webhook);
    made->webhook_ = webhook.get();
    made->authenticator_ = std::move(webhook);
  } else {
    auto secret = host::load_or_create_secret(state_dir / host::dev_secret_file);
    if (!secret) return secret.error();
    made->authenticator_ = std::make_unique<DevelopmentSecret>(std::move(*secret));
  }
  return made;
}

std::size_t Accounts::waiting_max() const {
  return webhook_ == nullptr ? 1 : options_.webhook.calls_max;
}

void Accounts::reload() {
  if (tokens_ == nullptr) return;
  keys_version_ = host::version_of(options_.jwt_keys);
  auto keys = load_keys();
  if (!keys) {
    ++key_loads_failed_;
    return host::log_error("keeping the old keys of players' tokens: " + keys.error().message);
  }
  host::log_info("keys of players' tokens", {{"keys", keys->names()}});
  tokens_->set_keys(std::move(*keys));
}

void Accounts::follow() {
  if (tokens_ != nullptr && host::version_of(options_.jwt_keys) != keys_version_) reload();
  log_refusals();
}

/// One line for each reason, however many players are refused.
void Accounts::log_refusals() {
  const Stats now = stats();
  for (const auto& row : accounts::token_fault_rows) {
    const std::uint64_t more = now.token_faults[row.what] - logged_.token_faults[row.what];
    if (more == 0) continue;
    host::log_info("players' tokens refused", {{"reason", row.name}, {"tokens", more}});
  }
  const std::string why = webhook_ == nullptr ? std::string() : webhook_->stats().last_failure;
  for (const auto& row : accounts::webhook_outcome_rows) {
    const std::uint64_t more = now.webhook[row.what] - logged_.webhook[row.what];
    if (more == 0 || row.what <= accounts::WebhookOutcome::Refused) continue;
    host::log_warning("the service with the accounts fails",
                      {{"how", row.name}, {"log_ins", more}, {"last", why}});
  }
  logged_ = now;
}

Accounts::Stats Accounts::stats() const {
  return {.token_faults = tokens_ == nullptr ? Counts<accounts::TokenFault>() : tokens_->refused(),
          .webhook =
              webhook_ == nullptr ? Counts<accounts::WebhookOutcome>() : webhook_->stats().outcomes,
          .key_loads_failed = key_loads_failed_};
}

}  // namespace perigee::session
