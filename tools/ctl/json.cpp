// perigee-ctl --json.
#include <google/protobuf/util/json_util.h>

#include "calls.hpp"

namespace perigee::session {

std::string json_of(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(message, &text, options).ok()) text = "{}";
  return text;
}

bool print_json(const google::protobuf::Message& message) {
  if (as_json()) std::printf("%s\n", json_of(message).c_str());
  return as_json();
}

}  // namespace perigee::session
