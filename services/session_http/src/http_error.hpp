/// Refusals as JSON, in the form of Google's APIs: {"error": {"code", "status", "message"}}.
#pragma once

#include <grpcpp/support/status_code_enum.h>

#include <string>

#include "perigee/host/http_request.hpp"

namespace perigee::session {

/// With the HTTP status that belongs to `code`.
host::HttpAnswer error_answer(grpc::StatusCode code, const std::string& sentence);
/// For refusals that only HTTP has; `code` is the nearest one.
host::HttpAnswer error_answer(int http_status, grpc::StatusCode code, const std::string& sentence);
host::HttpAnswer error_answer(host::HttpFault fault, const host::HttpLimits& limits);

}  // namespace perigee::session
