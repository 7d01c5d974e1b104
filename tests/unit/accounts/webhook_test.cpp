#include "perigee/accounts/webhook.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace perigee::accounts {
namespace {

const session::Credentials of_ada{
    .player_name = "Ada", .credential = "ticket \"7\"", .source = Address::v4(10, 0, 0, 9, 5'000)};

WebhookVerdict verdict(const std::string& body, long status = 200,
                       const std::string& type = "application/json") {
  return judge({status, type, body}, of_ada);
}
session::Identity admitted(const std::string& body) {
  const WebhookVerdict of = verdict(body);
  EXPECT_EQ(of.outcome, WebhookOutcome::Admitted) << body;
  return std::get<session::Identity>(of.answer);
}
session::Denied denied(const WebhookVerdict& of) { return std::get<session::Denied>(of.answer); }

TEST(AWebhook, AsksWithNameCredentialAndAddress) {
  const auto body = nlohmann::json::parse(webhook_request(of_ada));
  EXPECT_EQ(body,
            (nlohmann::json{
                {"name", "Ada"}, {"credential", "ticket \"7\""}, {"address", "10.0.0.9:5000"}}));
}

TEST(AWebhook, AdmitsWhoHasAnId) {
  EXPECT_EQ(admitted(R"({"player_id": 7})").player_id, 7U);
  EXPECT_EQ(admitted(R"({"player_id": 18446744073709551615})").player_id, ~std::uint64_t{0});
  const auto ada = admitted(
      R"({"player_id":"18446744073709551615","name":"Countess","claims":{"a":[1]},"b":2})");
  EXPECT_EQ(ada.player_id, ~std::uint64_t{0});
  EXPECT_EQ(ada.player_name, "Countess");
  EXPECT_EQ(ada.claims, R"({"a":[1]})");
  EXPECT_TRUE(ada.proven);
  EXPECT_EQ(admitted(R"({"player_id":7,"claims":{}})").claims, "");
  EXPECT_EQ(admitted(R"({"player_id":7})").player_name, "Ada") << "the name that the player wants";
  EXPECT_EQ(verdict(R"({"player_id":7})", 200, "application/json; charset=utf-8").outcome,
            WebhookOutcome::Admitted);
}

TEST(AWebhook, RefusesInTheStudiosWords) {
  for (const long status : {401L, 403L}) {
    EXPECT_EQ(verdict(R"({"reason":"buy the game first"})", status).outcome,
              WebhookOutcome::Refused);
    EXPECT_EQ(denied(verdict(R"({"reason":"buy the game first"})", status)).sentence,
              "buy the game first");
    EXPECT_EQ(denied(verdict(R"({"reason":"buy the game first"})", status)).reason,
              session::Denial::Credential);
    for (const std::string& none :
         {std::string(), std::string("no"), std::string("{}"), std::string(R"({"reason":7})"),
          R"({"reason":")" + std::string(201, 'x') + "\"}"}) {
      EXPECT_EQ(denied(verdict(none, status)).sentence, "your account does not admit you here");
    }
  }
  EXPECT_EQ(denied(verdict(R"({"reason":"a\nb\u202e"})", 403)).sentence, R"(a\u{a}b\u{202e})");
}

TEST(AWebhook, TakesNothingElseForAnAnswer) {
  for (const std::string& body :
       {std::string(), std::string("hello"), std::string("[]"), std::string("{}"),
        std::string(R"({"player_id":0})"), std::string(R"({"player_id":"0"})"),
        std::string(R"({"player_id":-7})"), std::string(R"({"player_id":7.5})"),
        std::string(R"({"player_id":"7x"})"), std::string(R"({"player_id":""})"),
        std::string(R"({"player_id":"18446744073709551616"})"),
        std::string(R"({"player_id":18446744073709551616})"),
        std::string(R"({"player_id":7,"player_id":8})"), std::string(R"({"player_id":7,"name":7})"),
        std::string(R"({"player_id":7,"claims":[]})"),
        R"({"player_id":7,"claims":{"a":")" + std::string(128, 'x') + "\"}}"}) {
    const WebhookVerdict of = verdict(body);
    EXPECT_EQ(of.outcome, WebhookOutcome::BadAnswer) << body;
    EXPECT_EQ(denied(of).reason, session::Denial::Away);
    EXPECT_EQ(denied(of).retry_after_s, 5U);
  }
  EXPECT_EQ(verdict(R"({"player_id":7})", 200, "text/html").outcome, WebhookOutcome::BadAnswer);
  EXPECT_EQ(verdict(R"({"player_id":7})", 200, "").outcome, WebhookOutcome::BadAnswer);
  for (const long status : {0L, 201L, 204L, 301L, 302L, 307L, 404L, 429L, 500L, 503L}) {
    EXPECT_EQ(verdict(R"({"player_id":7})", status).outcome, WebhookOutcome::BadStatus) << status;
  }
}

}  // namespace
}  // namespace perigee::accounts
