/// A log-in in the messages of its contract: one path for every protocol, with one log line and the
/// same codes.
#pragma once

#include <grpcpp/support/status_code_enum.h>

#include "perigee/session_http/log_in_page.hpp"
#include "session_server.hpp"

namespace perigee::session {

grpc::StatusCode code_of(Refusal refusal);

/// `client` has sent the request; the log-in counts for the rate of its address.
LogInAnswer log_in(SessionServer& server, const Address& client, const v1::LogInRequest& message);

}  // namespace perigee::session
