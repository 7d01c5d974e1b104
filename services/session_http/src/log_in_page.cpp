#include "perigee/session_http/log_in_page.hpp"

#include <algorithm>
#include <utility>

#include "http_error.hpp"
#include "log_in_json.hpp"

namespace perigee::session {
namespace {

using host::HttpAnswer;
using host::HttpFault;
using host::HttpRequest;

constexpr const char* methods = "POST, GET, HEAD, OPTIONS";
constexpr const char* preflight_life_s = "600";

/// The value of a field that the client sent, in lower case and without blanks.
std::string bare(const HttpRequest& head, std::string_view name) {
  const std::string* value = head.field(name);
  std::string out;
  if (value == nullptr) return out;
  for (const char c : *value) {
    if (c == ' ' || c == '\t') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

bool is_json(const std::string& content_type) {
  return content_type == "application/json" || content_type == "application/json;charset=utf-8" ||
         content_type == "application/json;charset=\"utf-8\"";
}

HttpAnswer with_field(HttpAnswer answer, std::string name, std::string value) {
  answer.fields.push_back({std::move(name), std::move(value)});
  return answer;
}

HttpAnswer manual(std::uint64_t schema_hash) {
  return host::plain_answer(
      200,
      "POST a log-in to this path, with Content-Type: application/json. With the numbers of this "
      "server:\n" +
          example_request(schema_hash) +
          "\nwireVersion and schemaHash have to be those of the client library. The answer has "
          "connectToken (2048 bytes in base64), clientId, gatewayAddress and tickRateHz.\n");
}

bool is_get(const HttpRequest& head) { return head.method == "GET" || head.method == "HEAD"; }

/// To the question of a browser whether the page may send its request. Its page may.
HttpAnswer preflight() {
  HttpAnswer answer;
  answer.status = 204;
  answer.fields = {{"Allow", methods},
                   {"Access-Control-Allow-Methods", methods},
                   {"Access-Control-Allow-Headers", "Content-Type"},
                   {"Access-Control-Max-Age", preflight_life_s}};
  return answer;
}

HttpAnswer failure(const LogInFailure& refused) {
  HttpAnswer answer = error_answer(refused.code, refused.sentence);
  if (refused.retry_after_s == 0) return answer;
  return with_field(std::move(answer), "Retry-After", std::to_string(refused.retry_after_s));
}

}  // namespace

LogInPage::LogInPage(Origins origins, const host::HttpLimits& limits, Service service)
    : origins_(std::move(origins)), limits_(limits), service_(std::move(service)) {}

std::optional<HttpAnswer> LogInPage::prompt(const HttpRequest& head) const {
  const std::string* origin = head.field("origin");
  if (origin != nullptr && !origins_.answer_to(*origin)) {
    return error_answer(grpc::StatusCode::PERMISSION_DENIED,
                        "pages of " + *origin +
                            " may not log in here; the operator of the server allows them with "
                            "session.http_origins");
  }
  auto answer = answer_without_body(head);
  if (!answer) return std::nullopt;
  return for_page(head, std::move(*answer));
}

std::optional<HttpAnswer> LogInPage::answer_without_body(const HttpRequest& head) const {
  if (head.path != log_in_path) {
    return error_answer(grpc::StatusCode::NOT_FOUND,
                        "this port has only POST " + std::string(log_in_path));
  }
  if (head.method == "OPTIONS") return preflight();
  if (is_get(head)) return std::nullopt;
  if (head.method != "POST") {
    return with_field(error_answer(405, grpc::StatusCode::UNIMPLEMENTED,
                                   std::string(log_in_path) + " takes POST"),
                      "Allow", methods);
  }
  if (!is_json(bare(head, "content-type"))) {
    return error_answer(415, grpc::StatusCode::INVALID_ARGUMENT,
                        "the body must be JSON in UTF-8: send Content-Type: application/json");
  }
  const std::string encoding = bare(head, "content-encoding");
  if (!encoding.empty() && encoding != "identity") {
    return error_answer(415, grpc::StatusCode::INVALID_ARGUMENT,
                        "the body must not be compressed: send it without Content-Encoding");
  }
  if (!head.content_length) return error_answer(HttpFault::NoLength, limits_);
  return std::nullopt;
}

HttpAnswer LogInPage::answer(const HttpRequest& request, const Address& client) const {
  if (is_get(request)) return for_page(request, manual(service_.schema_hash()));
  const auto message = read_request(request.body);
  if (const auto* sentence = std::get_if<std::string>(&message)) {
    return for_page(request, error_answer(grpc::StatusCode::INVALID_ARGUMENT, *sentence));
  }
  const LogInAnswer answer = service_.log_in(client, std::get<v1::LogInRequest>(message));
  if (const auto* refused = std::get_if<LogInFailure>(&answer)) {
    return for_page(request, failure(*refused));
  }
  return for_page(request,
                  {200, "application/json", write_reply(std::get<v1::LogInReply>(answer)) + "\n"});
}

HttpAnswer LogInPage::refusal(const HttpRequest& head, HttpFault fault) const {
  return for_page(head, error_answer(fault, limits_));
}

/// With the fields that let a page of an allowed origin read the answer.
HttpAnswer LogInPage::for_page(const HttpRequest& head, HttpAnswer answer) const {
  const std::string* origin = head.field("origin");
  const auto allowed = origin == nullptr ? std::nullopt : origins_.answer_to(*origin);
  if (!allowed) return answer;
  answer.fields.push_back({"Access-Control-Allow-Origin", *allowed});
  answer.fields.push_back({"Access-Control-Expose-Headers", "Retry-After"});
  answer.fields.push_back({"Vary", "Origin"});
  return answer;
}

}  // namespace perigee::session
