/// Asks a studio's own service about each log-in, by one HTTP request.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "perigee/accounts/webhook.hpp"
#include "perigee/session/authenticator.hpp"

namespace perigee::session {

class WebhookAuthenticator final : public Authenticator {
 public:
  struct Options {
    std::string url;      ///< http:// or https://
    std::string ca_file;  ///< PEM; empty: the certificates that this machine trusts
    std::uint32_t timeout_ms = 3'000;
    std::uint32_t calls_max = 16;  ///< at once
  };
  /// Construct it before the process has threads.
  explicit WebhookAuthenticator(Options options);
  ~WebhookAuthenticator() override;

  std::variant<Identity, Denied> authenticate(const Moment& now,
                                              const Credentials& credentials) const override;
  bool waits() const override { return true; }

  struct Stats {
    Counts<accounts::WebhookOutcome> outcomes;
    std::string last_failure;  ///< of a call that brought no answer, in curl's words
  };
  Stats stats() const;

 private:
  class Call;
  accounts::WebhookVerdict verdict_on(const Credentials& credentials) const;
  std::unique_ptr<Call> begin_call() const;
  void end_call(std::unique_ptr<Call> call) const;

  const Options options_;
  mutable std::mutex mutex_;
  mutable std::uint32_t calls_ = 0;                   // guarded by mutex_
  mutable std::vector<std::unique_ptr<Call>> spare_;  // guarded by mutex_; with open connections
  mutable Stats stats_;                               // guarded by mutex_
};

}  // namespace perigee::session
