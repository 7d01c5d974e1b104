// The JSON form of OTLP/HTTP, field by field as the specification and
// opentelemetry/proto/trace/v1/trace.proto say.
#include "perigee/tracing/otlp_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace perigee::tracing {
namespace {

using nlohmann::json;

const Resource process{"perigee-session", "127.0.0.1:40010", "0.1.0"};

Span a_span() {
  Span span{.name = "log_in",
            .trace = {0x0102030405060708, 0x090a0b0c0d0e0f10},
            .id = 0x00000000000000ff,
            .parent = 0xfedcba9876543210,
            .kind = SpanKind::Server,
            .start_us = 1'795'528'324'000'001,
            .end_us = 1'795'528'324'012'345};
  span.attributes = {{"perigee.client_id", std::string("18446744073709551615")},
                     {"perigee.region", std::int64_t{-9'007'199'254'740'993}},
                     {"perigee.proven", true}};
  span.events = {{"left", 1'795'528'324'000'500}};
  return span;
}

json span_of(const Span& span) {
  const json all = json::parse(to_otlp_json(process, std::span(&span, 1)));
  return all.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
}

TEST(OtlpJson, NestsSpansInTheirScopeAndTheirResource) {
  const std::vector<Span> spans{a_span(), a_span()};
  const json all = json::parse(to_otlp_json(process, spans));
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all.at("resourceSpans").size(), 1U);
  const json& of = all["resourceSpans"][0];
  EXPECT_EQ(of.at("resource"), json::parse(R"({"attributes": [
      {"key": "service.name", "value": {"stringValue": "perigee-session"}},
      {"key": "service.instance.id", "value": {"stringValue": "127.0.0.1:40010"}},
      {"key": "service.version", "value": {"stringValue": "0.1.0"}}]})"));
  ASSERT_EQ(of.at("scopeSpans").size(), 1U);
  EXPECT_EQ(of["scopeSpans"][0].at("scope"),
            json::parse(R"({"name": "perigee", "version": "0.1.0"})"));
  EXPECT_EQ(of["scopeSpans"][0].at("spans").size(), 2U);
}

TEST(OtlpJson, WritesIdsAsHexOfTheirWholeLength) {
  const json span = span_of(a_span());
  EXPECT_EQ(span.at("traceId"), "0102030405060708090a0b0c0d0e0f10") << "16 bytes, not base64";
  EXPECT_EQ(span.at("spanId"), "00000000000000ff") << "8 bytes";
  EXPECT_EQ(span.at("parentSpanId"), "fedcba9876543210");
}

TEST(OtlpJson, LeavesTheParentOutOfAFirstSpan) {
  Span first = a_span();
  first.parent = 0;
  EXPECT_FALSE(span_of(first).contains("parentSpanId"));
}

TEST(OtlpJson, WritesNumbersOf64BitsAsTextAndEnumsAsNumbers) {
  const json span = span_of(a_span());
  EXPECT_EQ(span.at("name"), "log_in");
  EXPECT_EQ(span.at("kind"), 2) << "SPAN_KIND_SERVER";
  EXPECT_EQ(span.at("startTimeUnixNano"), "1795528324000001000");
  EXPECT_EQ(span.at("endTimeUnixNano"), "1795528324012345000");
  EXPECT_EQ(span.at("attributes"), json::parse(R"([
      {"key": "perigee.client_id", "value": {"stringValue": "18446744073709551615"}},
      {"key": "perigee.region", "value": {"intValue": "-9007199254740993"}},
      {"key": "perigee.proven", "value": {"boolValue": true}}])"));
  EXPECT_EQ(span.at("events"),
            json::parse(R"([{"timeUnixNano": "1795528324000500000", "name": "left"}])"));
}

TEST(OtlpJson, HasAStatusOfItsOwnForAnError) {
  Span span = a_span();
  EXPECT_EQ(span_of(span).at("status"), json::object()) << "STATUS_CODE_UNSET";
  span.error = "wrong_credential";
  EXPECT_EQ(span_of(span).at("status"),
            json::parse(R"({"message": "wrong_credential", "code": 2})"))
      << "STATUS_CODE_ERROR";
}

TEST(OtlpJson, HasOnlyTheFieldsThatItsReadersKnow) {
  const json span = span_of(a_span());
  for (const auto& [name, value] : span.items()) {
    constexpr std::array known{
        "traceId",           "spanId",          "parentSpanId", "name",   "kind",
        "startTimeUnixNano", "endTimeUnixNano", "attributes",   "events", "status"};
    EXPECT_NE(std::find(known.begin(), known.end(), name), known.end()) << name;
  }
}

TEST(OtlpJson, IsTextAlsoWithAnAttributeThatIsNone) {
  Span span = a_span();
  span.attributes = {{"perigee.gateway", std::string("\xff\x00\n\"", 4)}};
  EXPECT_TRUE(span_of(span).at("attributes").at(0).at("value").at("stringValue").is_string());
}

TEST(ACollectorsAnswer, NamesTheSpansThatItRejects) {
  EXPECT_EQ(rejected_spans(R"({"partialSuccess": {"rejectedSpans": "3", "errorMessage": "old"}})"),
            3U);
  EXPECT_EQ(rejected_spans(R"({"partialSuccess": {"rejectedSpans": 3}})"), 3U);
  EXPECT_EQ(rejected_spans("{}"), 0U);
}

TEST(ACollectorsAnswer, IsIgnoredIfItIsNone) {
  for (const char* text :
       {"", "ok", "[]", "null", R"({"partialSuccess": []})", R"({"partialSuccess": {}})",
        R"({"partialSuccess": {"rejectedSpans": "-1"}})",
        R"({"partialSuccess": {"rejectedSpans": -1}})",
        R"({"partialSuccess": {"rejectedSpans": "3 "}})",
        R"({"partialSuccess": {"rejectedSpans": {"a": 1}}})", "{\"partialSuccess\": "}) {
    EXPECT_EQ(rejected_spans(text), 0U) << text;
  }
  EXPECT_EQ(rejected_spans(std::string(answer_bytes_max + 1, '[')), 0U);
  EXPECT_EQ(rejected_spans(std::string(answer_bytes_max, '[')), 0U) << "nested deeply";
}

}  // namespace
}  // namespace perigee::tracing
