// Log-ins about which a studio's service decides, over real HTTP: also one that is slow, down or
// lying.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "made_certificate.hpp"
#include "perigee/host/http_server.hpp"
#include "process/child.hpp"
#include "process/played_http_service.hpp"
#include "session_fixture.hpp"
#include "webhook_authenticator.hpp"

namespace perigee::process_test {
namespace {

using accounts::WebhookOutcome;
using session::Denied;
using session::Identity;
using session::WebhookAuthenticator;
using testing::HasSubstr;
using Reply = PlayedHttpService::Reply;

constexpr const char* admits_seven = R"({"player_id":"7","name":"Countess","claims":{"a":1}})";
constexpr std::uint32_t short_ms = 100;  // for a service that never answers
constexpr std::uint32_t long_ms = 60'000;

std::variant<Identity, Denied> ask(const WebhookAuthenticator& authenticator) {
  return authenticator.authenticate(
      Micros{0},
      {.player_name = "Ada", .credential = "ticket", .source = Address::v4(10, 0, 0, 9, 5'000)});
}

/// The outcome of one log-in while the service gives this reply.
WebhookOutcome outcome_with(const Reply& reply) {
  PlayedHttpService service([&](const std::string&) { return reply; });
  const WebhookAuthenticator authenticator(
      {.url = service.url(), .timeout_ms = reply.hang ? short_ms : long_ms});
  const auto answer = ask(authenticator);
  const auto outcomes = authenticator.stats().outcomes;
  EXPECT_EQ(outcomes.sum(), 1U);
  for (const auto& row : accounts::webhook_outcome_rows) {
    if (outcomes[row.what] == 0) continue;
    EXPECT_EQ(std::holds_alternative<Identity>(answer), row.what == WebhookOutcome::Admitted);
    return row.what;
  }
  return WebhookOutcome::Busy;
}

TEST(AStudiosService, DecidesAboutALogIn) {
  PlayedHttpService service(
      [](const std::string&) { return PlayedHttpService::json(200, admits_seven); });
  const WebhookAuthenticator authenticator(
      {.url = service.url("/players?game=1"), .timeout_ms = long_ms});
  for (int i = 0; i < 2; ++i) {
    const auto answer = ask(authenticator);
    ASSERT_TRUE(std::holds_alternative<Identity>(answer)) << std::get<Denied>(answer).sentence;
    EXPECT_EQ(std::get<Identity>(answer).player_id, 7U);
    EXPECT_EQ(std::get<Identity>(answer).player_name, "Countess");
    EXPECT_EQ(std::get<Identity>(answer).claims, R"({"a":1})");
  }
  const auto requests = service.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_THAT(requests[0], testing::StartsWith("POST /players?game=1 HTTP/1.1\r\n"));
  EXPECT_THAT(requests[0], HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(requests[0], testing::EndsWith("\r\n\r\n"
                                             R"({"address":"10.0.0.9:5000","credential":"ticket",)"
                                             R"("name":"Ada"})"));
}

TEST(AStudiosService, RefusesAPlayerInItsOwnWords) {
  PlayedHttpService service([](const std::string&) {
    return PlayedHttpService::json(403, R"({"reason":"buy the game first"})");
  });
  const WebhookAuthenticator authenticator({.url = service.url(), .timeout_ms = long_ms});
  const auto answer = ask(authenticator);
  EXPECT_EQ(std::get<Denied>(answer).reason, session::Denial::Credential);
  EXPECT_EQ(std::get<Denied>(answer).sentence, "buy the game first");
}

TEST(AStudiosService, ThatIsSlowOrLyingRefusesLogIns) {
  const std::string head = "HTTP/1.1 200 x\r\nContent-Type: application/json\r\n";
  EXPECT_EQ(outcome_with({"", true}), WebhookOutcome::TimedOut);
  EXPECT_EQ(outcome_with({head, true}), WebhookOutcome::TimedOut);
  EXPECT_EQ(outcome_with({head + "Content-Length: 50\r\n\r\n{", true}), WebhookOutcome::TimedOut);
  EXPECT_EQ(outcome_with({"hello\r\n\r\n"}), WebhookOutcome::Unreachable) << "not HTTP";
  EXPECT_EQ(outcome_with(PlayedHttpService::json(200, "hello")), WebhookOutcome::BadAnswer);
  EXPECT_EQ(outcome_with(PlayedHttpService::json(200, admits_seven, "text/html")),
            WebhookOutcome::BadAnswer);
  EXPECT_EQ(outcome_with(PlayedHttpService::json(200, std::string(1 << 20, ' ') + admits_seven)),
            WebhookOutcome::BadAnswer);
  EXPECT_EQ(outcome_with(PlayedHttpService::json(500, admits_seven)), WebhookOutcome::BadStatus);
}

TEST(AStudiosService, IsNotLeftForAnother) {
  PlayedHttpService other(
      [](const std::string&) { return PlayedHttpService::json(200, admits_seven); });
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_EQ(outcome_with({"HTTP/1.1 " + std::to_string(status) +
                            " x\r\nLocation: " + other.url() + "\r\nContent-Length: 0\r\n\r\n"}),
              WebhookOutcome::BadStatus);
  }
  EXPECT_TRUE(other.requests().empty());
}

TEST(AStudiosService, ThatIsDownRefusesLogIns) {
  std::string url;
  {
    const PlayedHttpService service([](const std::string&) { return Reply{}; });
    url = service.url();
  }
  const WebhookAuthenticator authenticator({.url = url});
  EXPECT_EQ(std::get<Denied>(ask(authenticator)).reason, session::Denial::Away);
  EXPECT_EQ(authenticator.stats().outcomes[WebhookOutcome::Unreachable], 1U);
  EXPECT_NE(authenticator.stats().last_failure, "");
}

// The same server that players log in at stands for the studio's.
TEST_F(ASessionProcess, AsksTheStudiosServiceOverTlsIfItsCertificateIsTrusted) {
  const host::TlsServer::Files files{folder / "certificate.pem", folder / "key.pem"};
  MadeCertificate("studio").write(files.certificate, files.key);
  const auto tls = host::TlsServer::open(files, "http/1.1").value();
  const Address listen = Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(base));
  std::atomic<int> asked = 0;
  const auto studio = host::HttpServer::start(
      {.name = "studio", .listen = listen, .limits = {.body_bytes_max = 4'096}, .tls = tls.get()},
      {.prompt = [](const host::HttpRequest&) { return std::nullopt; },
       .answer =
           [&](const host::HttpRequest& request, const Address&) {
             ++asked;
             EXPECT_THAT(request.body, HasSubstr(R"("credential":"ticket")"));
             return host::HttpAnswer{200, "application/json", admits_seven};
           },
       .refusal = [](const host::HttpRequest&,
                     host::HttpFault) { return host::plain_answer(400, "no"); },
       .dropped = [](host::HttpDrop) {},
       .answered = [](int) {}});
  ASSERT_TRUE(studio.ok()) << studio.error().message;
  const std::string url = "https://" + to_string(listen) + "/players";
  const WebhookAuthenticator trusting(
      {.url = url, .ca_file = files.certificate.string(), .timeout_ms = long_ms});
  for (int i = 1; i <= 3; ++i) {
    EXPECT_TRUE(std::holds_alternative<Identity>(ask(trusting)));
    EXPECT_EQ(asked, i);
  }
  const WebhookAuthenticator strict({.url = url, .timeout_ms = long_ms});
  EXPECT_EQ(std::get<Denied>(ask(strict)).reason, session::Denial::Away);
  EXPECT_EQ(strict.stats().outcomes[WebhookOutcome::Unreachable], 1U);
  EXPECT_EQ(asked, 3) << "the credential was not sent";
}

TEST(AStudiosService, GetsNoMoreCallsAtOnceThanAllowed) {
  std::atomic<int> asked = 0;
  std::atomic<bool> go_on = false;
  PlayedHttpService service([&](const std::string&) {
    ++asked;
    comes([&] { return go_on.load(); });
    return PlayedHttpService::json(200, admits_seven);
  });
  const WebhookAuthenticator authenticator(
      {.url = service.url(), .timeout_ms = long_ms, .calls_max = 2});
  std::vector<std::thread> players;
  std::atomic<int> admitted = 0;
  for (int i = 0; i < 2; ++i) {
    players.emplace_back(
        [&] { admitted += std::holds_alternative<Identity>(ask(authenticator)) ? 1 : 0; });
  }
  ASSERT_TRUE(comes([&] { return asked == 2; }));
  const auto third = ask(authenticator);
  EXPECT_THAT(std::get<Denied>(third).sentence, HasSubstr("too many players"));
  EXPECT_EQ(authenticator.stats().outcomes[WebhookOutcome::Busy], 1U);
  go_on = true;
  for (std::thread& each : players) each.join();
  EXPECT_EQ(admitted, 2);
  EXPECT_TRUE(std::holds_alternative<Identity>(ask(authenticator)));
}

// Claims, lists and everything else of the process go on while log-ins wait.
TEST_F(ASessionProcess, ServesGatewaysAndOperatorsWhileTheStudiosServiceHangs) {
  std::atomic<int> asked = 0;
  std::atomic<bool> go_on = false;
  PlayedHttpService studio([&](const std::string&) {
    ++asked;
    comes([&] { return go_on.load(); });
    return PlayedHttpService::json(200, admits_seven);
  });
  Child directory(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
  Child service(command(PERIGEE_SESSION_BINARY,
                        {"--session-authenticator", "webhook", "--session-webhook-url",
                         studio.url(), "--session-webhook-timeout-ms", "10000",
                         "--session-webhook-calls", "3", "--session-one-per-player=false"}));
  ASSERT_TRUE(directory.says("ready")) << directory.output();
  ASSERT_TRUE(service.says("listening")) << service.output();
  register_members();
  ASSERT_TRUE(
      comes([&] { return http_get(base + 101, "/ready").find("200 OK") != std::string::npos; }));
  auto request = ada();
  request.set_credential("ticket");
  std::vector<std::thread> players;
  std::atomic<int> admitted = 0;
  for (int i = 0; i < 3; ++i) {
    players.emplace_back([&] {
      session::v1::LogInReply reply;
      const auto stub = session::v1::Session::NewStub(channel(10));
      PatientCall context;
      admitted += stub->LogIn(&context, request, &reply).ok() ? 1 : 0;
    });
  }
  EXPECT_TRUE(comes([&] { return asked == 3; }));
  const auto control = session::v1::SessionControl::NewStub(channel(12));
  session::v1::ListSessionsReply sessions;
  PatientCall listing;
  EXPECT_TRUE(control->ListSessions(&listing, {}, &sessions).ok());
  session::v1::ClaimTokenRequest claim;
  claim.set_token_tag(std::string(16, 'x'));
  claim.set_gateway_address("127.0.0.1:40000");
  session::v1::ClaimTokenReply claimed;
  PatientCall claiming;
  EXPECT_TRUE(control->ClaimToken(&claiming, claim, &claimed).ok());
  EXPECT_EQ(claimed.outcome(), session::v1::ClaimTokenReply::UNKNOWN);
  EXPECT_EQ(admitted, 0) << "all of this came while they waited";
  go_on = true;
  for (std::thread& each : players) each.join();
  EXPECT_EQ(admitted, 3);
  PatientCall listing_again;
  ASSERT_TRUE(control->ListSessions(&listing_again, {}, &sessions).ok());
  ASSERT_EQ(sessions.sessions_size(), 3);
  EXPECT_EQ(sessions.sessions(0).player_id(), 7U);
  EXPECT_EQ(sessions.sessions(0).player_name(), "Countess");
  service.signal(SIGTERM);
  EXPECT_EQ(service.wait(), 0) << service.output();
}

}  // namespace
}  // namespace perigee::process_test
