/// The port for log-ins over HTTP.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "perigee/base/counts.hpp"
#include "perigee/host/http_server.hpp"
#include "perigee/session_http/log_in_page.hpp"
#include "service.hpp"

namespace perigee::session {

/// First digit of a status.
enum class StatusClass : std::uint8_t { Success, ClientError, ServerError, last = ServerError };

class HttpPort {
 public:
  /// As the players' gRPC port: open to unauthenticated clients, for the same requests.
  static constexpr host::HttpLimits limits{
      .connections_max = PlayerService::limits.connections_max,
      .body_bytes_max = PlayerService::limits.request_bytes_max,
      .request_us_max = PlayerService::limits.request_us_max,
      .answer_us_max = PlayerService::limits.answer_us_max};

  struct Options {
    Address listen;
    bool insecure = false;     ///< as for gRPC: without it, the port listens on loopback only
    std::string_view origins;  ///< of pages that may log in; on loopback also the machine's own
    const host::TlsServer* tls = nullptr;  ///< null: plain
    std::size_t waiting_max = 1;           ///< log-ins at once if they wait for an authenticator
  };
  static Result<std::unique_ptr<HttpPort>> open(const Options& options, SessionServer& server);

  /// Where players log in.
  const std::string& url() const { return url_; }

  struct Stats {
    Counts<StatusClass> answers;
    Counts<host::HttpDrop> dropped;
  };
  /// Any thread.
  Stats stats() const;

 private:
  HttpPort(std::string url, Origins origins, SessionServer& server);
  host::HttpServer::Handler handler();
  void count_answer(int status);

  const std::string url_;
  const LogInPage page_;
  mutable std::mutex mutex_;
  Stats stats_;                               // guarded by mutex_
  std::unique_ptr<host::HttpServer> server_;  // last: it calls the others
};

}  // namespace perigee::session
