#include "perigee/session_http/log_in_page.hpp"

#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perigee/base/wire_client.hpp"

namespace perigee::session {
namespace {

using grpc::StatusCode;
using host::HttpAnswer;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* page_of_ours = "https://play.example.org";

/// The text of a request with these fields beside its length.
host::HttpRequest request(const std::string& method, const std::string& body,
                          const std::string& fields = "Content-Type: application/json\r\n",
                          const std::string& path = "/v1/log_in") {
  host::HttpReader reader(4'096);
  const std::string length = method == "POST" ? std::to_string(body.size()) : "0";
  reader.take(method + " " + path + " HTTP/1.1\r\nContent-Length: " + length + "\r\n" + fields +
              "\r\n" + body);
  EXPECT_EQ(reader.read(), host::HttpRead::Complete);
  return reader.request();
}

class ALogInPage : public testing::Test {
 protected:
  HttpAnswer answer(const host::HttpRequest& to) {
    if (auto prompt = page.prompt(to)) return *prompt;
    return page.answer(to, Address::v4(10, 0, 0, 7, 1'234));
  }
  HttpAnswer post(const std::string& body) { return answer(request("POST", body)); }
  static nlohmann::json error(const HttpAnswer& answer) {
    EXPECT_EQ(answer.content_type, "application/json");
    nlohmann::json error = nlohmann::json::parse(answer.body).at("error");
    EXPECT_EQ(error.at("code"), answer.status);
    return error;
  }
  static std::string sentence(const HttpAnswer& answer) { return error(answer).at("message"); }
  static std::string field(const HttpAnswer& answer, const std::string& name) {
    for (const host::HttpField& each : answer.fields) {
      if (each.name == name) return each.value;
    }
    return "";
  }

  std::vector<std::pair<std::string, v1::LogInRequest>> log_ins;  ///< client and message
  LogInAnswer next;
  const LogInPage page{Origins::parse(page_of_ours).value(),
                       {.body_bytes_max = 4'096},
                       {.log_in =
                            [this](const Address& client, const v1::LogInRequest& message) {
                              log_ins.emplace_back(to_string(client), message);
                              return next;
                            },
                        .schema_hash = [] { return 77; }}};
};

TEST_F(ALogInPage, PassesTheMessageAndItsSenderOn) {
  post(R"({"playerName": "Zo\u00eb", "credential": "s", "wireVersion": 2,
           "schemaHash": "18446744073709551615", "wantedRegion": 0})");
  ASSERT_EQ(log_ins.size(), 1U);
  EXPECT_EQ(log_ins[0].first, "10.0.0.7:1234");
  const v1::LogInRequest& message = log_ins[0].second;
  EXPECT_EQ(message.player_name(), "Zoë");
  EXPECT_EQ(message.credential(), "s");
  EXPECT_EQ(message.wire_version(), 2U);
  EXPECT_EQ(message.schema_hash(), ~std::uint64_t{0});
  EXPECT_TRUE(message.has_wanted_region());
}

TEST_F(ALogInPage, TakesNamesAsInTheContractAndNumbersAsNumbers) {
  post(R"({"player_name": "Ada", "wire_version": "2", "schema_hash": 18446744073709551615})");
  ASSERT_EQ(log_ins.size(), 1U);
  EXPECT_EQ(log_ins[0].second.player_name(), "Ada");
  EXPECT_EQ(log_ins[0].second.schema_hash(), ~std::uint64_t{0}) << "no double in between";
  EXPECT_FALSE(log_ins[0].second.has_wanted_region());
}

TEST_F(ALogInPage, AnswersWithTheReplyInJson) {
  v1::LogInReply reply;
  reply.set_connect_token(std::string(2'048, '\xff'));
  reply.set_client_id(~std::uint64_t{0});
  reply.set_gateway_address("127.0.0.1:40000");
  reply.set_tick_rate_hz(60);
  next = reply;
  const HttpAnswer answer = post("{}");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "application/json");
  const auto json = nlohmann::json::parse(answer.body);
  EXPECT_EQ(json.at("clientId"), "18446744073709551615");
  EXPECT_EQ(json.at("gatewayAddress"), "127.0.0.1:40000");
  EXPECT_EQ(json.at("tickRateHz"), 60);
  v1::LogInReply read;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(answer.body, &read).ok());
  EXPECT_EQ(read.connect_token(), reply.connect_token());
}

TEST_F(ALogInPage, MapsEachCodeToAStatus) {
  const std::tuple<StatusCode, int, const char*> rows[] = {
      {StatusCode::INVALID_ARGUMENT, 400, "INVALID_ARGUMENT"},
      {StatusCode::FAILED_PRECONDITION, 400, "FAILED_PRECONDITION"},
      {StatusCode::UNAUTHENTICATED, 401, "UNAUTHENTICATED"},
      {StatusCode::NOT_FOUND, 404, "NOT_FOUND"},
      {StatusCode::RESOURCE_EXHAUSTED, 429, "RESOURCE_EXHAUSTED"},
      {StatusCode::UNAVAILABLE, 503, "UNAVAILABLE"},
      {StatusCode::DATA_LOSS, 500, "INTERNAL"}};
  for (const auto& [code, status, name] : rows) {
    next = LogInFailure{code, "a \"sentence\"\n"};
    const HttpAnswer answer = post("{}");
    EXPECT_EQ(answer.status, status);
    EXPECT_EQ(error(answer).at("status"), name);
    EXPECT_EQ(sentence(answer), "a \"sentence\"\n");
    EXPECT_EQ(field(answer, "Retry-After"), "");
  }
}

TEST_F(ALogInPage, SaysHowLongToWait) {
  next = LogInFailure{StatusCode::RESOURCE_EXHAUSTED, "too many", 17};
  EXPECT_EQ(field(post("{}"), "Retry-After"), "17");
}

TEST_F(ALogInPage, NamesTheFieldsThatItDoesNotHave) {
  const HttpAnswer answer =
      post(R"({"playrName": "Ada", "Credential": "x", "wireVersion": 2, "schema": {"a": []}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(sentence(answer),
            "a log-in has no Credential, playrName, schema; it has playerName, credential, "
            "wireVersion, schemaHash, wantedRegion");
  EXPECT_TRUE(log_ins.empty());
}

TEST_F(ALogInPage, SaysWhatIsWrongWithABody) {
  const std::pair<std::string, const char*> rows[] = {
      {"", "Expected a value"},
      {"[]", "must be a message"},
      {R"({"wireVersion": -1})", "(wire_version): invalid value -1"},
      {R"({"schemaHash": 1.5})", "(schema_hash): invalid value"},
      {R"({"playerName": ["Ada"]})", "playerName"},
      {R"({"playerName": "Ada"} x)", "Parsing terminated before end of input"},
      {"{\"playerName\": \"\xff\"}", "non UTF-8"},
      {"{\"\xff\": 1}", "non UTF-8"},
      {std::string(4'000, '['), "JSON"},
      {"{\"a\":" + std::string(4'000, '['), "JSON"}};
  for (const auto& [body, reason] : rows) {
    const HttpAnswer answer = post(body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_THAT(sentence(answer), AllOf(HasSubstr(reason), Not(HasSubstr("\n")))) << body;
  }
  EXPECT_TRUE(log_ins.empty());
}

TEST_F(ALogInPage, RefusesOtherFormsOfABody) {
  for (const char* fields :
       {"", "Content-Type: text/plain\r\n", "Content-Type: application/json;charset=latin1\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"}) {
    EXPECT_EQ(answer(request("POST", "{}", fields)).status, 415) << fields;
  }
  EXPECT_TRUE(log_ins.empty());
  answer(request("POST", "{}", "Content-Type: Application/JSON; charset=UTF-8\r\n"));
  EXPECT_EQ(log_ins.size(), 1U);
}

TEST_F(ALogInPage, RefusesABodyWithoutItsLength) {
  host::HttpReader reader(4'096);
  reader.take("POST /v1/log_in HTTP/1.1\r\nContent-Type: application/json\r\n\r\n");
  EXPECT_EQ(answer(reader.request()).status, 411);
}

TEST_F(ALogInPage, HasOnePathAndFewMethods) {
  EXPECT_EQ(answer(request("POST", "{}", "", "/v1/log_in/")).status, 404);
  EXPECT_THAT(sentence(answer(request("GET", "", "", "/"))), HasSubstr("POST /v1/log_in"));
  const HttpAnswer refused = answer(request("PUT", "{}"));
  EXPECT_EQ(refused.status, 405);
  EXPECT_THAT(field(refused, "Allow"), HasSubstr("POST"));
  const HttpAnswer manual = answer(request("GET", ""));
  EXPECT_EQ(manual.status, 200);
  EXPECT_THAT(manual.body, HasSubstr("\n{\"playerName\":\"Ada\","));
  EXPECT_THAT(manual.body, HasSubstr("\"wireVersion\":" + std::to_string(wire_version)));
  EXPECT_THAT(manual.body, HasSubstr("\"schemaHash\":\"77\"}\n"));
}

TEST_F(ALogInPage, IsReadableForPagesOfAllowedOrigins) {
  const std::string origin = "Origin: " + std::string(page_of_ours) + "\r\n";
  const HttpAnswer preflight =
      answer(request("OPTIONS", "", origin + "Access-Control-Request-Method: POST\r\n"));
  EXPECT_EQ(preflight.status, 204);
  EXPECT_THAT(field(preflight, "Access-Control-Allow-Methods"), HasSubstr("POST"));
  EXPECT_EQ(field(preflight, "Access-Control-Allow-Headers"), "Content-Type");
  EXPECT_NE(field(preflight, "Access-Control-Max-Age"), "");
  next = LogInFailure{StatusCode::RESOURCE_EXHAUSTED, "too many", 17};
  const std::string json = origin + "Content-Type: application/json\r\n";
  const host::HttpRequest good = request("POST", "{}", json);
  for (const HttpAnswer& readable :
       {preflight, answer(good), answer(request("POST", "nonsense", json)),
        answer(request("DELETE", "", json)), page.refusal(good, host::HttpFault::BodyTooLong)}) {
    EXPECT_EQ(field(readable, "Access-Control-Allow-Origin"), page_of_ours);
    EXPECT_EQ(field(readable, "Access-Control-Expose-Headers"), "Retry-After");
    EXPECT_EQ(field(readable, "Vary"), "Origin");
  }
  EXPECT_EQ(field(post("{}"), "Access-Control-Allow-Origin"), "") << "an engine asks for none";
}

TEST_F(ALogInPage, IsNotForPagesOfOtherOrigins) {
  const std::string fields = "Origin: https://evil.example\r\nContent-Type: application/json\r\n";
  for (const char* method : {"POST", "OPTIONS", "GET"}) {
    const HttpAnswer refused = answer(request(method, "{}", fields));
    EXPECT_EQ(refused.status, 403) << method;
    EXPECT_THAT(sentence(refused), AllOf(HasSubstr("https://evil.example may not log in"),
                                         EndsWith("session.http_origins")));
    EXPECT_EQ(field(refused, "Access-Control-Allow-Origin"), "");
  }
  EXPECT_TRUE(log_ins.empty());
}

TEST_F(ALogInPage, RefusesFaultsInTheSameForm) {
  const HttpAnswer late = page.refusal({}, host::HttpFault::Late);
  EXPECT_EQ(late.status, 408);
  EXPECT_EQ(error(late).at("status"), "DEADLINE_EXCEEDED");
  EXPECT_EQ(error(page.refusal({}, host::HttpFault::Busy)).at("status"), "UNAVAILABLE");
  EXPECT_THAT(sentence(page.refusal({}, host::HttpFault::BodyTooLong)), HasSubstr("4096 bytes"));
}

}  // namespace
}  // namespace perigee::session
