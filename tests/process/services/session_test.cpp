// perigee-session beside a real perigee-directory.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "directory.grpc.pb.h"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/netcode/bytes.hpp"
#include "perigee/netcode/wire_client.hpp"
#include "perigee/transport/connect_token.hpp"
#include "process/child.hpp"
#include "session.grpc.pb.h"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class ASessionProcess : public testing::Test {
 protected:
  ASessionProcess() {
    std::string name = (fs::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~ASessionProcess() override { fs::remove_all(folder); }

  std::vector<std::string> command(const std::string& binary, std::vector<std::string> more = {}) {
    std::vector<std::string> all{binary, "--port-base", std::to_string(base), "--state-dir",
                                 folder.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::shared_ptr<grpc::Channel> channel(unsigned offset) const {
    return host::open_channel("127.0.0.1:" + std::to_string(base + offset));
  }
  void register_members() {
    const auto stub = directory::v1::Directory::NewStub(channel(11));
    directory::v1::RegisterWorkerRequest worker;
    worker.set_name("sim-0");
    worker.set_fabric_address("127.0.0.1:40040");
    worker.set_grpc_address("127.0.0.1:40020");
    worker.set_schema_hash(77);
    directory::v1::RegisterWorkerReply worker_reply;
    grpc::ClientContext first;
    ASSERT_TRUE(stub->RegisterWorker(&first, worker, &worker_reply).ok());
    directory::v1::RegisterGatewayRequest gateway;
    gateway.set_name("gateway-0");
    gateway.set_fabric_address("127.0.0.1:40030");
    gateway.set_public_udp_address("127.0.0.1:40000");
    directory::v1::RegisterGatewayReply gateway_reply;
    grpc::ClientContext second;
    ASSERT_TRUE(stub->RegisterGateway(&second, gateway, &gateway_reply).ok());
  }
  /// Logs in; tries again for up to 10 s while the service says UNAVAILABLE.
  grpc::Status log_in(const session::v1::LogInRequest& request, session::v1::LogInReply& reply) {
    const auto stub = session::v1::Session::NewStub(channel(10));
    grpc::Status status;
    for (int attempt = 0; attempt < 200 * slowness; ++attempt) {
      grpc::ClientContext context;
      context.set_wait_for_ready(true);
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5 * slowness));
      status = stub->LogIn(&context, request, &reply);
      if (status.error_code() != grpc::StatusCode::UNAVAILABLE) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return status;
  }
  /// As a gateway with the same state folder would see the token.
  bool gateway_opens(const std::string& token) {
    const auto outer = transport::read_connect_token(as_bytes_of(token.data(), token.size()));
    const auto keys = host::load_or_create_keys(folder / host::token_key_file);
    return outer && transport::open_private_token(
                        outer->sealed, {outer->protocol_id, outer->expire_time_s, outer->nonce},
                        keys->current)
                        .token.has_value();
  }
  session::v1::LogInRequest ada() {
    session::v1::LogInRequest request;
    std::string secret;
    std::ifstream(folder / host::dev_secret_file) >> secret;
    request.set_player_name("Ada");
    request.set_credential(secret);
    request.set_wire_version(wire_version);
    request.set_schema_hash(77);
    return request;
  }

  const unsigned base = free_port_base();
  fs::path folder;
};

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

/// A session process with members to send players to.
class ARunningSession : public ASessionProcess {
 protected:
  void SetUp() override {
    directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
    ASSERT_TRUE(directory->says("ready")) << directory->output();
    service.emplace(command(PERIGEE_SESSION_BINARY));
    ASSERT_TRUE(service->says("listening")) << service->output();
    register_members();
  }
  void restart() {
    service.reset();  // SIGKILL
    service.emplace(command(PERIGEE_SESSION_BINARY));
    ASSERT_TRUE(service->says("listening")) << service->output();
  }
  session::v1::LogInReply logged_in(const std::string& name = "Ada") {
    auto request = ada();
    request.set_player_name(name);
    session::v1::LogInReply reply;
    const grpc::Status status = log_in(request, reply);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return reply;
  }
  template <class Request, class Reply>
  grpc::Status call(grpc::Status (session::v1::SessionControl::Stub::*method)(grpc::ClientContext*,
                                                                              const Request&,
                                                                              Reply*),
                    const Request& request, Reply& reply) {
    const auto stub = session::v1::SessionControl::NewStub(channel(12));
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10 * slowness));
    return (stub.get()->*method)(&context, request, &reply);
  }
  session::v1::ClaimTokenReply::Outcome claim(const std::string& token, std::uint64_t client_id,
                                              std::uint64_t gateway, std::uint64_t handshake = 1) {
    const auto outer = transport::read_connect_token(as_bytes_of(token.data(), token.size()));
    const auto tag = transport::tag_of(outer->sealed);
    session::v1::ClaimTokenRequest request;
    request.set_token_tag(tag.data(), tag.size());
    request.set_client_id(client_id);
    request.set_issue(~std::uint64_t{0} >> 1);
    request.set_expires_unix_s(outer->expire_time_s);
    request.set_gateway_instance(gateway);
    request.set_handshake(handshake);
    request.set_gateway_address("127.0.0.1:40000");
    session::v1::ClaimTokenReply reply;
    const auto status = call(&session::v1::SessionControl::Stub::ClaimToken, request, reply);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return reply.outcome();
  }
  session::v1::ListSessionsReply list(std::uint32_t page_size, const std::string& page = {}) {
    session::v1::ListSessionsRequest request;
    request.set_page_size(page_size);
    request.set_page_token(page);
    session::v1::ListSessionsReply reply;
    EXPECT_TRUE(call(&session::v1::SessionControl::Stub::ListSessions, request, reply).ok());
    return reply;
  }

  std::optional<Child> directory;
  std::optional<Child> service;
};

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
    words.insert(words.begin(),
                 {PERIGEE_CTL_BINARY, "--session", "127.0.0.1:" + std::to_string(base + 12)});
    Child operators(words);
    operators.wait();
    return operators.output();
  };
  const std::string spelt = R"(\u{23}A\u{202e}da\u{20})";
  EXPECT_THAT(ctl({"sessions"}), testing::HasSubstr(spelt));
  EXPECT_THAT(ctl({"sessions", spelt}), testing::HasSubstr("1 sessions\n"));
  EXPECT_THAT(ctl({"kick", R"(A\q)"}), testing::HasSubstr("a backslash begins none of"));
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
  grpc::ClientContext watching;
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

  restart();  // and a gateway that was away hears of it
  bool heard = false;
  for (int attempt = 0; attempt < 100 * slowness && !heard;
       ++attempt) {  // the first may still meet the dead
    grpc::ClientContext late;
    late.set_wait_for_ready(true);
    kicked.Clear();
    heard = stub->WatchOrders(&late, {})->Read(&kicked);
    late.TryCancel();
  }
  ASSERT_EQ(kicked.kicked_client_ids_size(), 1);
  EXPECT_EQ(kicked.kicked_client_ids(0), ada.client_id());
}

// The gateway and its client are played by the test.
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
  grpc::ClientContext watching;
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
  sqlite3_busy_timeout(other, 5'000 * slowness);  // the service may be writing right now
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const auto stub = session::v1::Session::NewStub(channel(10));
  grpc::ClientContext context;
  session::v1::LogInReply reply;
  const grpc::Status status = stub->LogIn(&context, ada(), &reply);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(status.error_message(), HasSubstr("who plays goes on playing"));
  const std::string counted = "perigee_session_refused_total{reason=\"store_failed\"} 1";
  std::string metrics;
  for (int i = 0; i < 200 * slowness && metrics.find(counted) == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    metrics = http_get(base + 101, "/metrics");
  }
  EXPECT_THAT(metrics, HasSubstr(counted));
  ASSERT_EQ(sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK);
  logged_in();
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
  ASSERT_TRUE(service.says("key stays as it was")) << service.output();
  std::ofstream(file) << std::string(64, 'a') << "\n" << old << "\n";
  service.signal(SIGHUP);
  ASSERT_TRUE(service.says("key read again")) << service.output();
  session::v1::LogInReply reply;
  ASSERT_TRUE(log_in(ada(), reply).ok());
  EXPECT_TRUE(gateway_opens(reply.connect_token()));  // with the first line's key
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
