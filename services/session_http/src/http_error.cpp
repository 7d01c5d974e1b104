#include "http_error.hpp"

#include <nlohmann/json.hpp>

namespace perigee::session {
namespace {

struct CodeRow {
  grpc::StatusCode code;
  int http_status;
  const char* name;
};
/// As google/rpc/code.proto maps them.
constexpr CodeRow code_rows[] = {
    {grpc::StatusCode::INVALID_ARGUMENT, 400, "INVALID_ARGUMENT"},
    {grpc::StatusCode::FAILED_PRECONDITION, 400, "FAILED_PRECONDITION"},
    {grpc::StatusCode::UNAUTHENTICATED, 401, "UNAUTHENTICATED"},
    {grpc::StatusCode::PERMISSION_DENIED, 403, "PERMISSION_DENIED"},
    {grpc::StatusCode::NOT_FOUND, 404, "NOT_FOUND"},
    {grpc::StatusCode::RESOURCE_EXHAUSTED, 429, "RESOURCE_EXHAUSTED"},
    {grpc::StatusCode::UNIMPLEMENTED, 501, "UNIMPLEMENTED"},
    {grpc::StatusCode::UNAVAILABLE, 503, "UNAVAILABLE"},
    {grpc::StatusCode::DEADLINE_EXCEEDED, 504, "DEADLINE_EXCEEDED"},
};
constexpr CodeRow internal{grpc::StatusCode::INTERNAL, 500, "INTERNAL"};

const CodeRow& row_of(grpc::StatusCode code) {
  for (const CodeRow& row : code_rows) {
    if (row.code == code) return row;
  }
  return internal;
}

grpc::StatusCode code_of(host::HttpFault fault) {
  if (fault == host::HttpFault::Late) return grpc::StatusCode::DEADLINE_EXCEEDED;
  if (fault == host::HttpFault::Busy) return grpc::StatusCode::UNAVAILABLE;
  return grpc::StatusCode::INVALID_ARGUMENT;
}

}  // namespace

host::HttpAnswer error_answer(grpc::StatusCode code, const std::string& sentence) {
  return error_answer(row_of(code).http_status, code, sentence);
}

host::HttpAnswer error_answer(int http_status, grpc::StatusCode code, const std::string& sentence) {
  const nlohmann::ordered_json error{
      {"error", {{"code", http_status}, {"status", row_of(code).name}, {"message", sentence}}}};
  // A header field that the sentence repeats may be no UTF-8.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  return {http_status, "application/json", error.dump(-1, ' ', false, replace) + "\n"};
}

host::HttpAnswer error_answer(host::HttpFault fault, const host::HttpLimits& limits) {
  return error_answer(host::status_of(fault), code_of(fault), host::sentence_of(fault, limits));
}

}  // namespace perigee::session
