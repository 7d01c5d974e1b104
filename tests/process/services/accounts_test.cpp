// Players with tokens of their provider, bans, and certificates: the session service's process.
#include <curl/curl.h>
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "http2_attacker.hpp"
#include "made_certificate.hpp"
#include "perigee/accounts/player_id.hpp"
#include "perigee/transport/user_data.hpp"
#include "session_fixture.hpp"
#include "token_signer.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr const char* issuer = "https://login.example.org";

/// A session process with members and with settings of the test.
class ASessionWithAccounts : public ASessionProcess {
 protected:
  void SetUp() override {
    directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
    ASSERT_TRUE(directory->says("ready")) << directory->output();
  }
  void start(const Words& settings) {
    service.reset();
    service.emplace(command(PERIGEE_SESSION_BINARY, settings));
    ASSERT_TRUE(service->says("listening")) << service->output();
    register_members();
    ASSERT_TRUE(comes([&] { return admin("/ready").find("200 OK") != std::string::npos; }));
  }
  std::string admin(const std::string& path) const { return http_get(base + 101, path); }
  bool counts(const std::string& line) {
    return comes([&] { return admin("/metrics").find(line + "\n") != std::string::npos; });
  }
  void write(const char* name, const std::string& text) {
    // As operators replace files: a new one takes the name at once.
    std::ofstream(folder / "new") << text;
    fs::rename(folder / "new", folder / name);
  }
  std::string ctl(Words words) {
    words.insert(words.begin(), {PERIGEE_CTL_BINARY, "--tls-dir", "none", "--session",
                                 "127.0.0.1:" + std::to_string(base + 12)});
    Child operators(words);
    operators.wait();
    return operators.output();
  }
  session::v1::LogInRequest with_token(const std::string& token) {
    auto request = ada();
    request.set_credential(token);
    return request;
  }
  static nlohmann::json payload(const char* subject = "user-123") {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto now_s = std::chrono::duration_cast<std::chrono::seconds>(now).count();
    return {{"iss", issuer},
            {"aud", "skiff"},
            {"sub", subject},
            {"exp", now_s + 3'600},
            {"team", "red"}};
  }
  Words jwt_settings() const {
    return {"--session-authenticator", "jwt",
            "--session-jwt-keys",      (folder / "keys.json").string(),
            "--session-jwt-issuer",    issuer,
            "--session-jwt-audience",  "skiff",
            "--session-jwt-claims",    "team",
            "--session-name-burst",    "10000"};
  }
  /// The pass that the gateway will read.
  transport::PlayerPass pass_in(const std::string& token) const {
    const auto outer = transport::read_connect_token(as_bytes_of(token.data(), token.size()));
    const auto keys = host::load_keys(folder / host::token_key_file);
    const auto inner = transport::open_private_token(
        outer->sealed, {outer->protocol_id, outer->expire_time_s, outer->nonce}, keys->current);
    return transport::read_user_data(inner.token->user_data).value();
  }

  std::optional<Child> directory, service;
};

TEST_F(ASessionWithAccounts, AdmitsTokensOfItsProviderAndFollowsItsKeys) {
  const TokenSigner first("ES256", "1"), second("EdDSA", "2");
  write("keys.json", key_set_of({first.jwk()}));
  start(jwt_settings());
  session::v1::LogInReply reply;
  ASSERT_TRUE(log_in(with_token(first.sign(payload())), reply).ok());
  const transport::PlayerPass pass = pass_in(reply.connect_token());
  const std::uint64_t id = accounts::player_id_of(issuer, "user-123");
  EXPECT_EQ(pass.player_id, id);
  EXPECT_EQ(pass.claims(), R"({"team":"red"})");
  EXPECT_THAT(ctl({"sessions"}), HasSubstr(" " + std::to_string(id) + "\n"));

  const auto with_second = with_token(second.sign(payload()));
  EXPECT_EQ(log_in(with_second, reply).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  write("keys.json", "no keys");
  ASSERT_TRUE(counts("perigee_session_key_loads_failed_total 1"));
  EXPECT_TRUE(log_in(with_token(first.sign(payload())), reply).ok()) << "the old ones still count";
  write("keys.json", key_set_of({second.jwk()}));
  EXPECT_TRUE(comes([&] { return log_in(with_second, reply).ok(); })) << "without a signal";
  const auto old = log_in(with_token(first.sign(payload())), reply);
  EXPECT_EQ(old.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(old.error_message(), HasSubstr("does not know the key"));
}

TEST_F(ASessionWithAccounts, CountsAndLogsRefusedTokensWithoutTheirText) {
  const TokenSigner signer("ES256", "1");
  write("keys.json", key_set_of({signer.jwk()}));
  start(jwt_settings());
  nlohmann::json expired = payload();
  expired["exp"] = 1'000'000;
  const std::string token = signer.sign(expired);
  session::v1::LogInReply reply;
  const auto refused = log_in(with_token(token), reply);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(refused.error_message(), HasSubstr("has expired"));
  EXPECT_TRUE(counts("perigee_session_tokens_refused_total{reason=\"expired\"} 1"));
  EXPECT_TRUE(counts("perigee_session_refused_total{reason=\"wrong_credential\"} 1"));
  EXPECT_TRUE(service->says("players' tokens refused reason=expired tokens=1"));
  EXPECT_THAT(service->output(), testing::Not(HasSubstr(token.substr(token.rfind('.')))));
}

TEST_F(ASessionWithAccounts, KicksTheAccountsOtherSession) {
  const TokenSigner signer("ES256", "1");
  write("keys.json", key_set_of({signer.jwk()}));
  start(jwt_settings());
  const auto stub = session::v1::SessionControl::NewStub(channel(12));
  PatientCall watching;
  const auto watch = stub->WatchOrders(&watching, {});
  session::v1::Orders orders;
  ASSERT_TRUE(watch->Read(&orders));
  session::v1::LogInReply first, second;
  ASSERT_TRUE(log_in(with_token(signer.sign(payload())), first).ok());
  ASSERT_TRUE(log_in(with_token(signer.sign(payload())), second).ok());
  ASSERT_TRUE(watch->Read(&orders));
  ASSERT_EQ(orders.kicked_client_ids_size(), 1);
  EXPECT_EQ(orders.kicked_client_ids(0), first.client_id());
}

TEST_F(ASessionWithAccounts, KeepsBannedPlayersOutAcrossRestarts) {
  const TokenSigner signer("ES256", "1");
  write("keys.json", key_set_of({signer.jwk()}));
  start(jwt_settings());
  const auto stub = session::v1::SessionControl::NewStub(channel(12));
  session::v1::LogInReply reply;
  ASSERT_TRUE(log_in(with_token(signer.sign(payload())), reply).ok());
  {
    PatientCall watching;
    const auto watch = stub->WatchOrders(&watching, {});
    session::v1::Orders orders;
    ASSERT_TRUE(watch->Read(&orders));
    EXPECT_THAT(
        ctl({"ban", "#" + std::to_string(reply.client_id()), "--days", "7", "--reason", "insults"}),
        HasSubstr("1 sessions kicked"));
    ASSERT_TRUE(watch->Read(&orders));
    ASSERT_EQ(orders.kicked_client_ids_size(), 1);
    EXPECT_EQ(orders.kicked_client_ids(0), reply.client_id());
  }
  start(jwt_settings());
  const auto refused = log_in(with_token(signer.sign(payload())), reply);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(refused.error_message(),
              testing::MatchesRegex("you are banned until 20..-..-.. ..:.. UTC: insults"));
  EXPECT_TRUE(log_in(with_token(signer.sign(payload("another"))), reply).ok());
  const std::string id = "@" + std::to_string(accounts::player_id_of(issuer, "user-123"));
  EXPECT_THAT(ctl({"bans"}),
              testing::AllOf(HasSubstr(id), HasSubstr("  insults\n"), HasSubstr("1 bans\n")));
  EXPECT_THAT(ctl({"unban", id}), HasSubstr(id + " may log in again"));
  EXPECT_THAT(ctl({"unban", id}), HasSubstr("there is no such ban"));
  EXPECT_TRUE(log_in(with_token(signer.sign(payload())), reply).ok());
  EXPECT_THAT(ctl({"ban", "Ada"}), HasSubstr("Ada is banned for ever; "));
  EXPECT_EQ(log_in(with_token(signer.sign(payload())), reply).error_message(), "you are banned");
}

TEST_F(ASessionProcess, WithSettingsThatContradictEachOtherDoesNotStart) {
  const auto says = [&](const Words& settings) {
    Child child(command(PERIGEE_SESSION_BINARY, settings));
    EXPECT_EQ(child.wait(), 2) << child.output();
    return child.output();
  };
  EXPECT_THAT(says({"--listen", "0.0.0.0"}),
              testing::AllOf(HasSubstr("is for development"), HasSubstr("--insecure")));
  EXPECT_THAT(says({"--session-http-listen", "0.0.0.0"}), HasSubstr("is for development"));
  EXPECT_THAT(says({"--session-authenticator", "jwt"}), HasSubstr("needs session.jwt_keys"));
  EXPECT_THAT(says({"--session-authenticator", "jwt", "--session-jwt-keys", "x"}),
              HasSubstr("needs session.jwt_issuer"));
  EXPECT_THAT(says({"--session-authenticator", "webhook"}), HasSubstr("session.webhook_url must"));
  EXPECT_THAT(says({"--session-authenticator", "webhook", "--session-webhook-url",
                    "http://127.0.0.1.example.org/", "--listen", "0.0.0.0"}),
              HasSubstr("without encryption"));
  EXPECT_THAT(says({"--session-tls-certificate", "x"}), HasSubstr("belong together"));
}

/// Sends bytes within TLS, as gRPC's clients do, and reads until the server closes the connection.
std::string tls_exchange(unsigned port, const std::string& bytes) {
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> connection(BIO_new_ssl_connect(context.get()),
                                                                 BIO_free_all);
  SSL* ssl = nullptr;
  BIO_get_ssl(connection.get(), &ssl);
  SSL_set_alpn_protos(ssl, reinterpret_cast<const unsigned char*>("\x02h2"), 3);
  BIO_set_conn_hostname(connection.get(), ("127.0.0.1:" + std::to_string(port)).c_str());
  EXPECT_EQ(BIO_do_connect(connection.get()), 1);
  BIO_write(connection.get(), bytes.data(), static_cast<int>(bytes.size()));
  std::string heard;
  char part[4'096];
  for (int got = 1; got > 0;) {
    got = BIO_read(connection.get(), part, sizeof part);
    if (got > 0) heard.append(part, static_cast<std::size_t>(got));
  }
  ERR_clear_error();
  return heard;
}

// gRPC behind the guard would accept megabytes of headers before it refuses them.
TEST_F(ASessionWithAccounts, HoldsTheLimitsOfItsPortWithinTls) {
  const auto certificate = (folder / "certificate.pem").string();
  const auto key = (folder / "key.pem").string();
  MadeCertificate("one").write(certificate, key);
  start({"--session-tls-certificate", certificate, "--session-tls-key", key});
  const std::string endless =
      http2::preface() + http2::frame(http2::headers, 0, 1, std::string(10'000, 'x'));
  EXPECT_LT(tls_exchange(base + 10, endless).size(), 100U);
  EXPECT_TRUE(counts("perigee_grpc_connections_closed_total{reason=\"metadata\"} 1"));
  RawClient plain(base + 10);
  plain.send_all(http2::preface());
  EXPECT_TRUE(counts("perigee_grpc_connections_closed_total{reason=\"not_tls\"} 1"));
}

std::size_t forget_bytes(char*, std::size_t, std::size_t bytes, void*) { return bytes; }

/// An https GET to the port for log-ins with only this certificate trusted: its status, or 0.
long https_status(unsigned port, const std::string& ca_file) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 curl_easy_cleanup);
  const std::string url = "https://127.0.0.1:" + std::to_string(port) + "/v1/log_in";
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_CAINFO, ca_file.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, forget_bytes);
  long status = 0;
  if (curl_easy_perform(curl.get()) == CURLE_OK) {
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  }
  return status;
}

TEST_F(ASessionWithAccounts, ServesANewCertificateSoonAndAfterSighup) {
  const auto certificate = (folder / "certificate.pem").string();
  const auto key = (folder / "key.pem").string();
  const auto of_first = (folder / "first.pem").string();
  const auto of_second = (folder / "second.pem").string();
  const MadeCertificate first("first"), second("second");
  first.write(certificate, key);
  first.write(of_first, folder / "unused.pem");
  second.write(of_second, folder / "unused.pem");
  start({"--session-tls-certificate", certificate, "--session-tls-key", key});

  const std::string target = "127.0.0.1:" + std::to_string(base + 10);
  const auto log_in_with = [&](const std::string& ca_file) {
    const auto channel = host::open_channel_to_host(target, {.ca_file = ca_file});
    const auto stub = session::v1::Session::NewStub(channel.value());
    grpc::ClientContext context;  // fails at once when the connection cannot be made
    session::v1::LogInReply reply;
    return stub->LogIn(&context, ada(), &reply).error_code();
  };
  EXPECT_EQ(log_in_with(of_first), grpc::StatusCode::OK);
  EXPECT_EQ(log_in_with(of_second), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(log_in_with(""), grpc::StatusCode::UNAVAILABLE) << "it does not speak plainly";
  EXPECT_EQ(https_status(base + 13, of_first), 200);
  EXPECT_EQ(https_status(base + 13, of_second), 0);

  std::ofstream(certificate) << "broken";
  EXPECT_TRUE(service->says("keeping the old certificate"));
  EXPECT_EQ(log_in_with(of_first), grpc::StatusCode::OK);
  second.write(certificate, key);
  ASSERT_TRUE(service->says("certificate reloaded"));
  EXPECT_EQ(log_in_with(of_second), grpc::StatusCode::OK);
  EXPECT_EQ(log_in_with(of_first), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(https_status(base + 13, of_second), 200);
  EXPECT_EQ(https_status(base + 13, of_first), 0);
  EXPECT_TRUE(admin("/metrics").find("certificate_expires_timestamp_seconds 0\n") ==
              std::string::npos);
  const std::size_t heard = service->output().size();
  service->signal(SIGHUP);
  EXPECT_TRUE(service->says("certificate reloaded", heard)) << "also unchanged ones";
}

}  // namespace
}  // namespace perigee::process_test
