/// A log-in over HTTP, as an engine sends it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "session.pb.h"

namespace perigee::process_test {

struct HttpReply {
  int status = 0;  ///< 0: the connection was closed without an answer
  std::string head;
  std::string body;

  /// The value of a header field; empty: there is none.
  std::string field(std::string_view name) const;
  /// The refusal's "error"; null: none.
  nlohmann::json error() const;
  /// The reply of a log-in; empty: it was refused.
  session::v1::LogInReply log_in() const;
};

/// The request to log in with this body. `fields`: further ones, each with its end of line.
std::string http_request(std::string_view body, std::string_view fields = {});
/// Sends bytes to loopback and reads until the server closes the connection.
HttpReply http_exchange(unsigned port, std::string_view bytes, const char* from = "127.0.0.1");
HttpReply http_log_in(unsigned port, const session::v1::LogInRequest& request,
                      const char* from = "127.0.0.1");

}  // namespace perigee::process_test
