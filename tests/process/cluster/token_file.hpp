/// A player's connect token as a file, for programs that log in by no other way.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "perigee/base/wire_client.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "perigee/host/secrets.hpp"
#include "perigee/skiff/skiff.hpp"
#include "process/patient_call.hpp"
#include "session.grpc.pb.h"

namespace perigee::process_test {

/// Logs in as Ada at the session service of the cluster with this folder and base of ports.
inline std::string token_file(const std::filesystem::path& folder, unsigned base) {
  const auto stub =
      session::v1::Session::NewStub(host::open_channel("127.0.0.1:" + std::to_string(base + 10)));
  session::v1::LogInRequest request;
  std::string secret;
  std::ifstream(folder / host::dev_secret_file) >> secret;
  request.set_player_name("Ada");
  request.set_credential(secret);
  request.set_wire_version(wire_version);
  request.set_schema_hash(skiff::Skiff().schema_hash());
  PatientCall context;
  session::v1::LogInReply reply;
  const grpc::Status status = stub->LogIn(&context, request, &reply);
  EXPECT_TRUE(status.ok()) << status.error_message();
  const std::filesystem::path file = folder / "token";
  std::ofstream(file, std::ios::binary) << reply.connect_token();
  return file.string();
}

}  // namespace perigee::process_test
