#include "log_in_json.hpp"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <set>

#include "perigee/base/assert.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee::session {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::util::JsonStringToMessage;
using google::protobuf::util::MessageToJsonString;

bool has_field(const Descriptor& message, const std::string& name) {
  return message.FindFieldByName(name) != nullptr ||
         message.FindFieldByCamelcaseName(name) != nullptr;
}

/// "a, b" of the body's names that no field has; empty: the body is no JSON object, or all its
/// names are good.
std::string unknown_names(const std::string& body) {
  google::protobuf::Struct object;
  if (!JsonStringToMessage(body, &object).ok()) return {};
  std::set<std::string> unknown;  // in order: the map has none
  for (const auto& [name, _] : object.fields()) {
    if (!has_field(*v1::LogInRequest::descriptor(), name)) unknown.insert(name);
  }
  std::string names;
  for (const std::string& name : unknown) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::string field_names() {
  const Descriptor& message = *v1::LogInRequest::descriptor();
  std::string names;
  for (int i = 0; i < message.field_count(); ++i) {
    names += (i == 0 ? "" : ", ") + message.field(i)->json_name();
  }
  return names;
}

}  // namespace

std::variant<v1::LogInRequest, std::string> read_request(std::string_view body) {
  const std::string text(body);
  v1::LogInRequest request;
  const auto status = JsonStringToMessage(text, &request);
  if (status.ok()) return request;
  if (const std::string unknown = unknown_names(text); !unknown.empty()) {
    return "a log-in has no " + unknown + "; it has " + field_names();
  }
  // Its first line is the reason, the others show the place in the body.
  const std::string reason(status.message());
  return "the body is not a log-in in JSON: " + reason.substr(0, reason.find('\n'));
}

std::string write_reply(const v1::LogInReply& reply) {
  std::string text;
  const auto status = MessageToJsonString(reply, &text);
  PERIGEE_ASSERT(status.ok(), "our own message has a form in JSON");
  return text;
}

std::string example_request(std::uint64_t schema_hash) {
  v1::LogInRequest request;
  request.set_player_name("Ada");
  request.set_credential("the secret");
  request.set_wire_version(wire_version);
  request.set_schema_hash(schema_hash);
  std::string text;
  const auto status = MessageToJsonString(request, &text);
  PERIGEE_ASSERT(status.ok(), "our own message has a form in JSON");
  return text;
}

}  // namespace perigee::session
