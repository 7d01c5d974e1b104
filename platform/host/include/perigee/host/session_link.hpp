/// A gateway's connection to the session service: claims, resume tokens, releases, reports, orders.
/// Calls do not block: replies arrive later on the loop's thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/host/cluster_tls.hpp"
#include "perigee/host/loop.hpp"
#include "perigee/host/session_news.hpp"

namespace perigee::host {

enum class SessionCall : std::uint8_t {
  Granted,
  Refused,
  ResumeIssued,
  ResumeRefused,
  Released,
  Reported,
  Failed,
  Dropped,
  last = Dropped
};
inline constexpr std::array session_call_rows = {
    CountRow<SessionCall>{SessionCall::Granted, "claim_granted",
                          "Claims granted: a token opened its session."},
    CountRow<SessionCall>{SessionCall::Refused, "claim_refused",
                          "Claims refused: the token was used before."},
    CountRow<SessionCall>{SessionCall::ResumeIssued, "resume_issued", "Resume tokens issued."},
    CountRow<SessionCall>{SessionCall::ResumeRefused, "resume_refused",
                          "Resume tokens refused: the session has ended."},
    CountRow<SessionCall>{SessionCall::Released, "released",
                          "Ends of sessions reported to the service."},
    CountRow<SessionCall>{SessionCall::Reported, "reported",
                          "Clients' techniques reported to the service."},
    CountRow<SessionCall>{SessionCall::Failed, "failed", "Calls without a reply."},
    CountRow<SessionCall>{SessionCall::Dropped, "dropped",
                          "Calls dropped: too many in flight or waiting."},
};
static_assert(one_row_each(session_call_rows), "give every SessionCall one row, in enum order");

/// The fields as the token contains them.
struct SessionClaim {
  std::uint64_t claim_id = 0;
  std::array<std::byte, 16> token_tag{};
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;
  std::uint64_t expires_s = 0;
  Address gateway;  ///< as tokens name it
};

class SessionLink {
 public:
  static constexpr Micros call_deadline_us = 2'000'000;
  static constexpr Micros news_deadline_us = 30'000'000;  ///< ... then retried
  static constexpr std::size_t calls_max = 4'096;  ///< under way, of each kind; one per client

  /// Called on the loop's thread.
  struct Events {
    std::function<void(std::uint64_t claim_id, bool granted)> claimed;
    std::function<void(std::uint64_t client_id, std::span<const std::byte> token)> resume_token;
    std::function<void(std::uint64_t client_id)> kicked;
    /// Client 0: all clients.
    std::function<void(std::uint64_t client_id, std::uint64_t order, const TechniqueOrder&)>
        ordered;
  };
  /// `target`: "host:port" of the session service's control port. `tls`: null: without TLS; read
  /// during construction alone.
  SessionLink(Loop& loop, std::string target, Events events, const ClusterTls* tls = nullptr);
  /// Cancels calls under way and waits for their end; releases get a moment to arrive.
  ~SessionLink();
  SessionLink(const SessionLink&) = delete;
  SessionLink& operator=(const SessionLink&) = delete;

  // Loop thread only. No reply while the service is unreachable: the caller retries.
  void claim(const SessionClaim& claim);
  void want_resume_token(std::uint64_t client_id);
  // Resent until the service has acknowledged them.
  void release(const SessionRelease& release);
  void report_techniques(const TechniqueReport& report);

  const Counts<SessionCall>& counts() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace perigee::host
