// The wall clock is set while the session service runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

constexpr std::int64_t hour_s = 3'600;

class AClockThatIsSet : public ASessionProcess, public testing::WithParamInterface<std::int64_t> {
 protected:
  void SetUp() override {
    if (slowness > 1) GTEST_SKIP() << "sanitizers want to be the first library of a process";
    set_clock(0);
    directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
    ASSERT_TRUE(directory->says("ready")) << directory->output();
    std::vector<std::string> stepped;
    stepped.emplace_back("/usr/bin/env");
    stepped.emplace_back("LD_PRELOAD=" PERIGEE_STEPPED_CLOCK);
    stepped.push_back("PERIGEE_TEST_CLOCK_STEP=" + (folder / "step").string());
    for (const std::string& part : command(PERIGEE_SESSION_BINARY)) stepped.push_back(part);
    service.emplace(stepped);
    ASSERT_TRUE(service->says("listening")) << service->output();
    register_members();
  }
  /// Writes in place: the process has the file mapped.
  void set_clock(std::int64_t step_s) const {
    std::fstream file(folder / "step", std::ios::in | std::ios::out | std::ios::binary);
    if (!file) file.open(folder / "step", std::ios::out | std::ios::binary);
    file.write(reinterpret_cast<const char*>(&step_s), sizeof step_s);
  }
  grpc::StatusCode log_in_as(const std::string& name) {
    auto request = ada();
    request.set_player_name(name);
    session::v1::LogInReply reply;
    return log_in(request, reply).error_code();
  }
  std::optional<Child> directory, service;
};

TEST_P(AClockThatIsSet, LocksNobodyOut) {
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  set_clock(GetParam());
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  set_clock(0);
  EXPECT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
}

// gRPC's timer for its next connection attempt stands still after a step back.
TEST_P(AClockThatIsSet, KeepsNobodyFromADirectoryThatIsRestarted) {
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  set_clock(GetParam());
  directory.reset();  // SIGKILL
  ASSERT_TRUE(service->says("directory does not answer")) << service->output();
  directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
  ASSERT_TRUE(directory->says("ready")) << directory->output();
  EXPECT_TRUE(service->says("directory answers again")) << service->output();
}

INSTANTIATE_TEST_SUITE_P(By, AClockThatIsSet, testing::Values(hour_s, -hour_s),
                         [](const auto& step) {
                           return std::string(step.param > 0 ? "AnHourForth" : "AnHourBack");
                         });

}  // namespace
}  // namespace perigee::process_test
