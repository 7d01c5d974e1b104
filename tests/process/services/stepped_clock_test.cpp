// The wall clock is set while the session service runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdint>
#include <optional>
#include <string>

#include "process/stepped_clock.hpp"
#include "session_fixture.hpp"

namespace perigee::process_test {
namespace {

constexpr std::int64_t hour_s = 3'600;

class AClockThatIsSet : public ASessionProcess, public testing::WithParamInterface<std::int64_t> {
 protected:
  void SetUp() override {
    if (slowness > 1) GTEST_SKIP() << "sanitizers want to be the first library of a process";
    directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
    ASSERT_TRUE(directory->says("ready")) << directory->output();
    service.emplace(clock.with(command(PERIGEE_SESSION_BINARY)));
    ASSERT_TRUE(service->says("listening")) << service->output();
    register_members();
  }
  grpc::StatusCode log_in_as(const std::string& name) {
    auto request = ada();
    request.set_player_name(name);
    session::v1::LogInReply reply;
    return log_in(request, reply).error_code();
  }
  const SteppedClock clock{folder / "step"};
  std::optional<Child> directory, service;
};

TEST_P(AClockThatIsSet, LocksNobodyOut) {
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  clock.set(GetParam());
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  clock.set(0);
  EXPECT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
}

// gRPC's timer for its next connection attempt stands still after a step back.
TEST_P(AClockThatIsSet, KeepsNobodyFromADirectoryThatIsRestarted) {
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  clock.set(GetParam());
  directory.reset();  // SIGKILL
  ASSERT_TRUE(service->says("directory does not answer")) << service->output();
  directory.emplace(command(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"}));
  ASSERT_TRUE(directory->says("ready")) << directory->output();
  EXPECT_TRUE(service->says("directory answers again")) << service->output();
}

// So do its timers that end calls.
TEST_P(AClockThatIsSet, LetsNobodyWaitForADirectoryThatStandsStill) {
  ASSERT_EQ(log_in_as("Ada"), grpc::StatusCode::OK);
  clock.set(GetParam());
  directory->signal(SIGSTOP);
  EXPECT_TRUE(service->says("directory does not answer")) << service->output();
  directory->signal(SIGCONT);
  EXPECT_TRUE(service->says("directory answers again")) << service->output();
}

INSTANTIATE_TEST_SUITE_P(By, AClockThatIsSet, testing::Values(hour_s, -hour_s),
                         [](const auto& step) {
                           return std::string(step.param > 0 ? "AnHourForth" : "AnHourBack");
                         });

}  // namespace
}  // namespace perigee::process_test
