// perigee-session's port for log-ins over HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http_log_in.hpp"
#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

class ASessionWithHttp : public ARunningSession {
 protected:
  void restart_with(const std::vector<std::string>& settings) {
    service.reset();
    service.emplace(command(PERIGEE_SESSION_BINARY, settings));
    ASSERT_TRUE(service->says("listening")) << service->output();
    register_members();
    ASSERT_TRUE(comes([&] { return page("/ready", "200 OK"); }));
  }
  bool page(const std::string& path, const std::string& text) const {
    return http_get(base + 101, path).find(text) != std::string::npos;
  }
  /// Logs in; retries while the world is not there yet.
  HttpReply post(const session::v1::LogInRequest& request, const char* from = "127.0.0.1") const {
    HttpReply reply;
    comes([&] {
      reply = http_log_in(base + 13, request, from);
      return reply.status != 503;
    });
    return reply;
  }
  HttpReply from_page(const std::string& origin) const {
    return http_exchange(base + 13, http_request("{}", "Origin: " + origin + "\r\n"));
  }
};

TEST_F(ASessionWithHttp, GivesATokenThatAGatewayAccepts) {
  const std::string url = "http://127.0.0.1:" + std::to_string(base + 13) + "/v1/log_in";
  EXPECT_THAT(service->output(), HasSubstr(" http=" + url + " "));
  const auto reply = post(ada()).log_in();
  EXPECT_EQ(reply.connect_token().size(), 2'048U);
  EXPECT_EQ(reply.gateway_address(), "127.0.0.1:40000");
  EXPECT_EQ(reply.tick_rate_hz(), 60U);
  EXPECT_TRUE(gateway_opens(reply.connect_token()));
  EXPECT_EQ(claim(reply.connect_token(), reply.client_id(), 7),
            session::v1::ClaimTokenReply::GRANTED);
  EXPECT_EQ(list(10).sessions(0).player_name(), "Ada");
  EXPECT_TRUE(service->says("logged in client=" + std::to_string(reply.client_id())));
  EXPECT_TRUE(comes([&] {
    return page("/metrics", "perigee_session_log_ins_total 1\n") &&
           page("/metrics", "perigee_session_http_answers_total{status=\"2xx\"} 1\n");
  }));
}

TEST_F(ASessionWithHttp, IsForPagesThatItsOperatorAllows) {
  EXPECT_EQ(from_page("http://localhost:5173").status, 400) << "a page of this machine is heard";
  const HttpReply refused = from_page("https://play.example.org");
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("session.http_origins"));
  restart_with({"--session-http-origins", "https://play.example.org"});
  const HttpReply heard = from_page("https://play.example.org");
  EXPECT_EQ(heard.status, 400);
  EXPECT_EQ(heard.field("Access-Control-Allow-Origin"), "https://play.example.org");
  EXPECT_EQ(from_page("https://evil.example").status, 403);
}

TEST_F(ASessionWithHttp, ChargesEachAddressForItsOwnLogIns) {
  restart_with({"--session-address-burst", "2", "--session-address-per-minute", "1"});
  auto wrong = ada();
  wrong.set_credential("wrong");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(post(wrong, "127.0.0.2").status, 401);
  const HttpReply refused = post(wrong, "127.0.0.2");
  EXPECT_EQ(refused.status, 429);
  EXPECT_THAT(refused.body, HasSubstr("try again in " + refused.field("Retry-After") + " s"));
  EXPECT_EQ(post(ada()).status, 200);
}

TEST_F(ASessionWithHttp, MayBeSwitchedOff) {
  restart_with({"--session-http-listen", "none"});
  EXPECT_THAT(service->output(), HasSubstr(" http=none "));
  EXPECT_EQ(http_get(base + 13, "/v1/log_in"), "");
  logged_in();
}

TEST_F(ASessionProcess, RefusesSettingsOfItsHttpPortInASentence) {
  const auto said = [&](const std::vector<std::string>& settings) {
    Child service(command(PERIGEE_SESSION_BINARY, settings));
    EXPECT_EQ(service.wait(), 1);
    return service.output();
  };
  EXPECT_THAT(said({"--session-http-listen", "0.0.0.0", "--session-authenticator", "webhook",
                    "--session-webhook-url", "https://accounts.example.org/"}),
              HasSubstr("HTTP for log-ins on 0.0.0.0:" + std::to_string(base + 13) +
                        " would be open to that network without certificates"));
  EXPECT_THAT(said({"--session-http-listen", "here"}), HasSubstr("'here' is not an IP address"));
  EXPECT_THAT(said({"--session-http-origins", "play.example.org"}),
              HasSubstr("'play.example.org' is not an origin"));
}

}  // namespace
}  // namespace perigee::process_test
