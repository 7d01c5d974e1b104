// perigee-session next to a real perigee-directory.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "http2_attacker.hpp"
#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

TEST_F(ASessionProcess, LogsAPlayerInOnceTheWorldIsThere) {
  Child directory(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
  Child service(command(PERIGEE_SESSION_BINARY));
  ASSERT_TRUE(directory.says("ready")) << directory.output();
  ASSERT_TRUE(service.says("listening")) << service.output();
  register_members();
  session::v1::LogInReply reply;
  const grpc::Status status = log_in(ada(), reply);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(reply.connect_token().size(), 2048U);
  EXPECT_EQ(reply.gateway_address(), "127.0.0.1:40000");
  EXPECT_EQ(reply.tick_rate_hz(), 60U);
  EXPECT_NE(reply.client_id(), 0U);
  EXPECT_TRUE(gateway_opens(reply.connect_token()));

  auto wrong = ada();
  wrong.set_credential("wrong");
  EXPECT_EQ(log_in(wrong, reply).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  wrong = ada();
  wrong.set_wire_version(99);
  EXPECT_EQ(log_in(wrong, reply).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  wrong = ada();
  wrong.set_player_name("");
  EXPECT_EQ(log_in(wrong, reply).error_code(), grpc::StatusCode::INVALID_ARGUMENT);

  service.signal(SIGTERM);
  EXPECT_EQ(service.wait(), 0) << service.output();
}

TEST_F(ARunningSession, CanBeRidOfNamesOfBeforeThatDoNotShow) {
  logged_in();
  service.reset();
  sqlite3* store = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "sessions.sqlite").c_str(), &store), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(store, "UPDATE sessions SET player_name = '#A' || char(8238) || 'da '",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(store);
  service.emplace(command(PERIGEE_SESSION_BINARY));
  ASSERT_TRUE(service->says("listening")) << service->output();
  const auto ctl = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {PERIGEE_CTL_BINARY, "--tls-dir", "none", "--session",
                                 "127.0.0.1:" + std::to_string(base + 12)});
    Child operators(words);
    operators.wait();
    return operators.output();
  };
  const std::string spelt = R"(\u{23}A\u{202e}da\u{20})";
  EXPECT_THAT(ctl({"sessions"}), testing::HasSubstr(spelt));
  EXPECT_THAT(ctl({"sessions", spelt}), testing::HasSubstr("1 sessions\n"));
  EXPECT_THAT(ctl({"kick", R"(A\q)"}), testing::HasSubstr("a backslash does not begin"));
  EXPECT_THAT(ctl({"kick", spelt}), testing::HasSubstr("1 sessions kicked"));
}

TEST_F(ARunningSession, RemembersItsClaimsWhenItIsKilled) {
  const auto ada = logged_in();
  EXPECT_EQ(claim(ada.connect_token(), ada.client_id(), 7), session::v1::ClaimTokenReply::GRANTED);
  restart();
  EXPECT_EQ(claim(ada.connect_token(), ada.client_id(), 7), session::v1::ClaimTokenReply::GRANTED)
      << "the same handshake asks again";
  EXPECT_EQ(claim(ada.connect_token(), ada.client_id(), 8), session::v1::ClaimTokenReply::USED);
  EXPECT_EQ(claim(ada.connect_token(), 123, 8), session::v1::ClaimTokenReply::UNKNOWN);
}

TEST_F(ARunningSession, ListsItsSessionsPageByPage) {
  for (const char* name : {"a", "b", "c"}) logged_in(name);
  const auto first = list(2);
  ASSERT_EQ(first.sessions_size(), 2);
  const auto rest = list(2, first.next_page_token());
  ASSERT_EQ(rest.sessions_size(), 1);
  EXPECT_EQ(rest.next_page_token(), "");
  EXPECT_EQ(rest.sessions(0).state(), "waiting");
  session::v1::ListSessionsRequest request;
  request.set_page_token("nonsense");
  session::v1::ListSessionsReply reply;
  EXPECT_EQ(call(&session::v1::SessionControl::Stub::ListSessions, request, reply).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(ARunningSession, TellsGatewaysWhomToKick) {
  const auto ada = logged_in();
  const auto stub = session::v1::SessionControl::NewStub(channel(12));
  PatientCall watching;
  const auto watch = stub->WatchOrders(&watching, {});
  session::v1::Orders kicked;
  ASSERT_TRUE(watch->Read(&kicked));
  EXPECT_EQ(kicked.kicked_client_ids_size(), 0);
  session::v1::EndSessionRequest request;
  request.set_player_name("Ada");
  session::v1::EndSessionReply reply;
  ASSERT_TRUE(call(&session::v1::SessionControl::Stub::KickSession, request, reply).ok());
  ASSERT_TRUE(watch->Read(&kicked));
  ASSERT_EQ(kicked.kicked_client_ids_size(), 1);
  EXPECT_EQ(kicked.kicked_client_ids(0), ada.client_id());
  EXPECT_EQ(claim(ada.connect_token(), ada.client_id(), 7), session::v1::ClaimTokenReply::OVER);
  EXPECT_EQ(call(&session::v1::SessionControl::Stub::KickSession, request, reply).error_code(),
            grpc::StatusCode::NOT_FOUND)
      << "nobody is left to be kicked";
  const auto again = logged_in();
  EXPECT_EQ(claim(again.connect_token(), again.client_id(), 7),
            session::v1::ClaimTokenReply::GRANTED);

  restart();               // a gateway that was away receives the kick
  ASSERT_TRUE(comes([&] {  // the first call may still meet the dead service
    PatientCall late;
    kicked.Clear();
    const bool received = stub->WatchOrders(&late, {})->Read(&kicked);
    late.TryCancel();
    return received;
  }));
  ASSERT_EQ(kicked.kicked_client_ids_size(), 1);
  EXPECT_EQ(kicked.kicked_client_ids(0), ada.client_id());
}

// The gateway and its client are simulated by the test.
TEST_F(ARunningSession, OrdersTechniquesAndWaitsForTheAnswer) {
  const auto ada = logged_in();
  session::v1::OrderTechniquesRequest request;
  session::v1::OrderTechniquesReply reply;
  const auto order = [&] {
    reply.Clear();
    return call(&session::v1::SessionControl::Stub::OrderTechniques, request, reply);
  };
  EXPECT_EQ(order().error_code(), grpc::StatusCode::INVALID_ARGUMENT) << "whose?";
  request.set_player_name("Ada");
  EXPECT_EQ(order().error_code(), grpc::StatusCode::UNAVAILABLE) << "no gateway is there";
  const auto stub = session::v1::SessionControl::NewStub(channel(12));
  PatientCall watching;
  const auto watch = stub->WatchOrders(&watching, {});
  session::v1::Orders orders;
  ASSERT_TRUE(watch->Read(&orders));
  EXPECT_EQ(order().error_code(), grpc::StatusCode::FAILED_PRECONDITION) << "not connected yet";
  claim(ada.connect_token(), ada.client_id(), 7);
  request.set_settings("magic=on");
  EXPECT_EQ(order().error_code(), grpc::StatusCode::INVALID_ARGUMENT);

  request.set_settings("rollback=off");
  std::thread gateway([&] {
    ASSERT_TRUE(watch->Read(&orders));
    ASSERT_EQ(orders.techniques_size(), 1);
    EXPECT_EQ(orders.techniques(0).client_id(), ada.client_id());
    EXPECT_EQ(orders.techniques(0).settings(), "rollback=off");
    session::v1::ReportTechniquesRequest report;
    report.set_client_id(ada.client_id());
    report.set_order(orders.techniques(0).order());
    report.set_techniques("rollback=off and so on");
    session::v1::ReportTechniquesReply noted;
    EXPECT_TRUE(call(&session::v1::SessionControl::Stub::ReportTechniques, report, noted).ok());
  });
  EXPECT_TRUE(order().ok());
  gateway.join();
  ASSERT_EQ(reply.players_size(), 1);
  EXPECT_EQ(reply.players(0).player_name(), "Ada");
  EXPECT_EQ(reply.players(0).techniques(), "rollback=off and so on");
  EXPECT_TRUE(order().ok());
  EXPECT_EQ(reply.players(0).techniques(), "") << "nobody answered this one";
}

TEST_F(ARunningSession, RefusesLogInsInASentenceWhileItsStoreIsLocked) {
  logged_in();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "sessions.sqlite").c_str(), &other), SQLITE_OK);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> open(other, sqlite3_close);
  sqlite3_busy_timeout(
      other,
      static_cast<int>(
          std::chrono::milliseconds(patience).count()));  // the service may be writing right now
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto stub = session::v1::Session::NewStub(channel(10));
  PatientCall context;
  session::v1::LogInReply reply;
  const grpc::Status status = stub->LogIn(&context, ada(), &reply);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("connected players play on"));
  const std::string counted = "perigee_session_refused_total{reason=\"store_failed\"} 1";
  std::string metrics;
  EXPECT_TRUE(comes([&] {
    metrics = http_get(base + 101, "/metrics");
    return metrics.find(counted) != std::string::npos;
  })) << metrics;
  ASSERT_EQ(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK);
  logged_in();
}

// gRPC would decompress the request before it compares its size with a limit.
TEST_F(ARunningSession, RefusesCompressedRequestsInASentence) {
  const auto stub = session::v1::Session::NewStub(channel(10));
  PatientCall context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  auto request = ada();
  request.set_player_name(std::string(1'000, 'a'));
  session::v1::LogInReply reply;
  const grpc::Status status = stub->LogIn(&context, request, &reply);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(status.error_message(), HasSubstr("'gzip' is disabled"));
  logged_in();
}

// gRPC gets a socket pair, so the service has to learn the client's address in another way.
TEST_F(ARunningSession, ChargesEachAddressForItsOwnLogIns) {
  service.reset();
  service.emplace(command(PERIGEE_SESSION_BINARY,
                          {"--session-address-burst", "4", "--session-address-per-minute", "1"}));
  ASSERT_TRUE(service->says("listening")) << service->output();
  register_members();
  const auto shows = [&](const std::string& path, const std::string& text) {
    return http_get(base + 101, path).find(text) != std::string::npos;
  };
  ASSERT_TRUE(comes([&] { return shows("/ready", "200 OK"); }));
  RawClient other(base + 10, "127.0.0.2");
  other.send_all(http2::preface());
  for (std::uint32_t stream = 1; stream < 20; stream += 2) {
    other.send_all(http2::call(stream, "/perigee.session.v1.Session/LogIn") +
                   http2::message(stream, ""));
  }
  const std::string over = "perigee_session_refused_total{reason=\"address_over_rate\"} 6";
  ASSERT_TRUE(comes([&] { return shows("/metrics", over); })) << http_get(base + 101, "/metrics");
  EXPECT_TRUE(comes([&] { return shows("/metrics", "perigee_grpc_connections 1\n"); }))
      << http_get(base + 101, "/metrics");
  session::v1::LogInReply reply;
  const grpc::Status status = log_in(ada(), reply);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

/// Processes started from here cannot write to files, and get an error instead of a signal.
struct FullDisk {
  explicit FullDisk(pid_t of) : process(of) { limit(1); }
  ~FullDisk() { limit(RLIM_INFINITY); }
  void limit(rlim_t bytes) const {
    const rlimit wanted{bytes, RLIM_INFINITY};
    prlimit(process, RLIMIT_FSIZE, &wanted, nullptr);
  }
  pid_t process;
};

// Reads still work meanwhile, and gateways and operators do read: that does not make it ready.
TEST_F(ARunningSession, IsNotReadyUntilItsStoreWasWrittenAgain) {
  const auto ready = [&] {
    return http_get(base + 101, "/ready").find("the session store fails") == std::string::npos;
  };
  const auto faults = [&] {
    const std::string metrics = http_get(base + 101, "/metrics");
    std::uint64_t sum = 0;
    const std::string family = "perigee_session_store_faults_total{fault=";
    for (std::size_t at = 0; (at = metrics.find(family, at)) != std::string::npos;) {
      at = metrics.find(' ', at);
      sum += std::strtoull(metrics.c_str() + at, nullptr, 10);
    }
    return sum;
  };
  logged_in();
  ASSERT_TRUE(comes(ready));
  {
    const FullDisk full(service->pid());
    ASSERT_TRUE(comes([&] { return !ready(); })) << "without anybody who tries to log in";
    const std::uint64_t before = faults();
    EXPECT_TRUE(comes([&] {
      EXPECT_FALSE(ready());
      EXPECT_EQ(list(10).sessions_size(), 1) << "a read that succeeds";
      return faults() >= before + 6;
    }));
    EXPECT_FALSE(ready());
  }
  EXPECT_TRUE(comes(ready)) << "by itself";
  logged_in("Bea");
}

TEST_F(ASessionProcess, SealsWithTheNewKeyAfterAHangup) {
  Child directory(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
  Child service(command(PERIGEE_SESSION_BINARY));
  ASSERT_TRUE(directory.says("ready")) << directory.output();
  ASSERT_TRUE(service.says("listening")) << service.output();
  register_members();
  const fs::path file = folder / host::token_key_file;
  std::string old;
  std::ifstream(file) >> old;
  std::ofstream(file) << "no key\n";
  service.signal(SIGHUP);
  ASSERT_TRUE(service.says("keeping the old key")) << service.output();
  std::ofstream(file) << std::string(64, 'a') << "\n" << old << "\n";
  service.signal(SIGHUP);
  ASSERT_TRUE(service.says("key reloaded")) << service.output();
  session::v1::LogInReply reply;
  ASSERT_TRUE(log_in(ada(), reply).ok());
  EXPECT_TRUE(gateway_opens(reply.connect_token()));  // sealed with the first line's key
}

TEST_F(ASessionProcess, NamesTheRemedyForAKeyOfTheWrongLength) {
  fs::create_directories(folder / "secrets");
  std::ofstream(folder / host::token_key_file) << "abc\n";
  fs::permissions(folder / "secrets" / "backend.key",
                  fs::perms::owner_read | fs::perms::owner_write);
  Child service(command(PERIGEE_SESSION_BINARY));
  EXPECT_EQ(service.wait(), 1);
  EXPECT_THAT(service.output(), HasSubstr("expected one line of 64 hex digits, or two"));
}

TEST_F(ASessionProcess, NamesAnUnknownKeyOfItsFileAndTheNearestKnownOne) {
  std::ofstream(folder / "wrong.toml") << "[session]\ntoken_life_s = 60\n";
  Child service(command(PERIGEE_SESSION_BINARY, {"--config", (folder / "wrong.toml").string()}));
  EXPECT_EQ(service.wait(), 2);
  EXPECT_THAT(service.output(), HasSubstr("wrong.toml:2: unknown key 'session.token_life_s', "
                                          "nearest is 'session.timeout_s'"));
}

TEST_F(ASessionProcess, WaitsForTheDirectoryAndSaysSo) {
  Child service(command(PERIGEE_SESSION_BINARY));
  EXPECT_TRUE(service.says("is perigee-directory running?")) << service.output();
  service.signal(SIGTERM);
  EXPECT_EQ(service.wait(), 0) << service.output();
}

}  // namespace
}  // namespace perigee::process_test
