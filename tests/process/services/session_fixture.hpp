/// perigee-session next to a real perigee-directory, with members that the test simulates.
#pragma once

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "directory.grpc.pb.h"
#include "perigee/base/bytes.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/transport/connect_token.hpp"
#include "played_members.hpp"
#include "process/child.hpp"
#include "process/patient_call.hpp"
#include "session.grpc.pb.h"

namespace perigee::process_test {

namespace fs = std::filesystem;

class ASessionProcess : public testing::Test {
 protected:
  ASessionProcess() {
    std::signal(SIGXFSZ,
                // inherited by child processes: a file that cannot grow is an error, not the end
                SIG_IGN);
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
  /// Called again, it acts like restarted processes with the same names.
  void register_members() {
    members.reset();
    members.emplace("127.0.0.1:" + std::to_string(base + 11));
  }
  /// Logs in; retries while the service answers UNAVAILABLE.
  grpc::Status log_in(const session::v1::LogInRequest& request, session::v1::LogInReply& reply) {
    const auto stub = session::v1::Session::NewStub(channel(10));
    grpc::Status status;
    comes([&] {
      PatientCall context;
      status = stub->LogIn(&context, request, &reply);
      return status.error_code() != grpc::StatusCode::UNAVAILABLE;
    });
    return status;
  }
  /// Whether a gateway with the same state folder can open the token.
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
  std::optional<PlayedMembers> members;
};

/// A session process with members to which it can send players.
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
    PatientCall context;
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

}  // namespace perigee::process_test
