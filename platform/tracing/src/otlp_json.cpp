#include "perigee/tracing/otlp_json.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

namespace perigee::tracing {
namespace {

using Json = nlohmann::ordered_json;

constexpr int status_error = 2;

std::string hex_of(std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += digits[(number >> shift) & 0xFU];
  return out;
}

/// Numbers of 64 bits are text in the JSON form of protobuf.
std::string nanos_of(Micros unix_us) { return std::to_string(unix_us * 1'000); }

Json text_value(std::string_view text) { return {{"stringValue", text}}; }

Json value_of(const Attribute& attribute) {
  if (const auto* number = std::get_if<std::int64_t>(&attribute.value)) {
    return {{"intValue", std::to_string(*number)}};
  }
  if (const auto* truth = std::get_if<bool>(&attribute.value)) return {{"boolValue", *truth}};
  return text_value(std::get<std::string>(attribute.value));
}

Json attribute(std::string_view key, Json value) {
  return {{"key", key}, {"value", std::move(value)}};
}

Json json_of(const Span& span) {
  Json out{{"traceId", hex_of(span.trace.high) + hex_of(span.trace.low)},
           {"spanId", hex_of(span.id)}};
  if (span.parent != 0) out["parentSpanId"] = hex_of(span.parent);
  out["name"] = span.name;
  out["kind"] = static_cast<int>(span.kind);
  out["startTimeUnixNano"] = nanos_of(span.start_us);
  out["endTimeUnixNano"] = nanos_of(span.end_us);
  Json attributes = Json::array();
  for (const Attribute& each : span.attributes) {
    attributes.push_back(attribute(each.key, value_of(each)));
  }
  out["attributes"] = std::move(attributes);
  for (const SpanEvent& event : span.events) {
    out["events"].push_back({{"timeUnixNano", nanos_of(event.at_us)}, {"name", event.name}});
  }
  out["status"] = Json::object();
  if (!span.error.empty()) out["status"] = {{"message", span.error}, {"code", status_error}};
  return out;
}

}  // namespace

std::string to_otlp_json(const Resource& resource, std::span<const Span> spans) {
  Json scope_spans{{"scope", {{"name", "perigee"}, {"version", resource.version}}},
                   {"spans", Json::array()}};
  for (const Span& span : spans) scope_spans["spans"].push_back(json_of(span));
  Json resource_spans{
      {"resource",
       {{"attributes",
         Json::array({attribute("service.name", text_value(resource.service_name)),
                      attribute("service.instance.id", text_value(resource.instance_id)),
                      attribute("service.version", text_value(resource.version))})}}},
      {"scopeSpans", Json::array({std::move(scope_spans)})}};
  const Json request{{"resourceSpans", Json::array({std::move(resource_spans)})}};
  return request.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::uint64_t rejected_spans(std::string_view answer) {
  if (answer.size() > answer_bytes_max) return 0;
  const Json read = Json::parse(answer, nullptr, false);
  if (!read.is_object()) return 0;
  const auto partial = read.find("partialSuccess");
  if (partial == read.end() || !partial->is_object()) return 0;
  const auto rejected = partial->find("rejectedSpans");
  if (rejected == partial->end()) return 0;
  if (rejected->is_number_unsigned()) return rejected->get<std::uint64_t>();
  const auto* text = rejected->get_ptr<const std::string*>();
  if (text == nullptr) return 0;
  std::uint64_t count = 0;
  const char* const end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, count);
  return parsed.ec == std::errc{} && parsed.ptr == end ? count : 0;
}

}  // namespace perigee::tracing
