/// POST /v1/log_in: Session.LogIn of proto/session.proto with its messages in JSON.
/// docs/log_in_over_http.md is its manual.
#pragma once

#include <grpcpp/support/status_code_enum.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "perigee/base/address.hpp"
#include "perigee/host/http_request.hpp"
#include "perigee/session_http/origins.hpp"
#include "session.pb.h"

namespace perigee::session {

inline constexpr const char* log_in_path = "/v1/log_in";

/// A refused log-in, for every protocol.
struct LogInFailure {
  grpc::StatusCode code = grpc::StatusCode::INTERNAL;
  std::string sentence;
  std::uint64_t retry_after_s = 0;  ///< 0: unknown
};
using LogInAnswer = std::variant<v1::LogInReply, LogInFailure>;

class LogInPage {
 public:
  /// Both may block.
  struct Service {
    std::function<LogInAnswer(const Address& client, const v1::LogInRequest& request)> log_in;
    std::function<std::uint64_t()> schema_hash;  ///< of the running game, for the example
  };

  LogInPage(Origins origins, const host::HttpLimits& limits, Service service);

  /// The three parts of a host::HttpServer::Handler.
  std::optional<host::HttpAnswer> prompt(const host::HttpRequest& head) const;
  host::HttpAnswer answer(const host::HttpRequest& request, const Address& client) const;
  host::HttpAnswer refusal(const host::HttpRequest& head, host::HttpFault fault) const;

 private:
  std::optional<host::HttpAnswer> answer_without_body(const host::HttpRequest& head) const;
  host::HttpAnswer for_page(const host::HttpRequest& head, host::HttpAnswer answer) const;

  Origins origins_;
  host::HttpLimits limits_;
  Service service_;
};

}  // namespace perigee::session
