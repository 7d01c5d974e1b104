// perigee-rooms beside a sidecar of Agones.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "agones_sidecar.hpp"
#include "process/child.hpp"
#include "process/patient_call.hpp"
#include "rooms.grpc.pb.h"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

class AMemberOfAFleet : public testing::Test {
 protected:
  AMemberOfAFleet() { std::filesystem::create_directories(folder); }
  ~AMemberOfAFleet() override {
    process.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  void start_sidecar(const std::string& state = "Scheduled", int port = 7'654,
                     SidecarFaults faults = {}) {
    sidecar.emplace(sidecar_port, AgonesSidecar::game_server(state, "127.0.0.2", port), faults);
  }
  void start_process(std::vector<std::string> more = {}) {
    std::vector<std::string> command{"/usr/bin/env",
                                     "AGONES_SDK_GRPC_PORT=" + std::to_string(sidecar_port),
                                     PERIGEE_ROOMS_BINARY,
                                     "--port-base",
                                     std::to_string(base),
                                     "--state-dir",
                                     folder,
                                     "--game",
                                     PERIGEE_GAME,
                                     "--rooms-agones",
                                     "--rooms-end-s",
                                     "1"};
    command.insert(command.end(), more.begin(), more.end());
    process = std::make_unique<Child>(std::move(command));
  }
  std::string get(const std::string& path) const { return http_get(base + 120, path); }
  std::unique_ptr<rooms::v1::Rooms::Stub> orders() const {
    return rooms::v1::Rooms::NewStub(grpc::CreateChannel("127.0.0.1:" + std::to_string(base + 81),
                                                         grpc::InsecureChannelCredentials()));
  }
  std::uint64_t create_room() const {
    rooms::v1::CreateRoomRequest request;
    request.set_players_max(2);
    rooms::v1::Room room;
    PatientCall context;
    const grpc::Status status = orders()->CreateRoom(&context, request, &room);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return room.room();
  }
  std::string dialled() const {
    rooms::v1::ListRoomsReply reply;
    PatientCall context;
    EXPECT_TRUE(orders()->ListRooms(&context, {}, &reply).ok());
    return reply.address();
  }
  bool hears(const std::string& call) {
    return comes([&] { return sidecar->heard(call); });
  }

  const unsigned base = free_port_base();
  const unsigned sidecar_port = base + 5;
  const std::string folder = testing::TempDir() + "perigee-agones-" + std::to_string(base);
  std::optional<AgonesSidecar> sidecar;
  std::unique_ptr<Child> process;
};

TEST_F(AMemberOfAFleet, IsReadyThenAllocatedAndIsShutDownAfterItsLastRoom) {
  start_sidecar();
  start_process({"--rooms-max", "7", "--rooms-clients-max", "50"});
  ASSERT_TRUE(hears("Ready")) << process->output();
  EXPECT_EQ(dialled(), "127.0.0.2:7654");  // not the address that it listens on
  EXPECT_TRUE(hears("perigee-schema"));
  EXPECT_TRUE(hears("rooms=0/7"));
  EXPECT_TRUE(hears("players=0/50"));
  const int lives = sidecar->signs_of_life();
  EXPECT_TRUE(comes([&] { return sidecar->signs_of_life() >= lives + 3; }));

  create_room();
  EXPECT_TRUE(hears("Allocate"));
  EXPECT_TRUE(hears("rooms=1/7"));
  EXPECT_FALSE(sidecar->heard("Shutdown"));
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0) << process->output();
  EXPECT_EQ(sidecar->calls().back(), "Shutdown");
}

TEST_F(AMemberOfAFleet, WaitsForASidecarThatComesLate) {
  start_process();
  ASSERT_TRUE(process->says("the sidecar of Agones does not answer")) << process->output();
  EXPECT_THAT(get("/ready"),
              testing::AllOf(HasSubstr("503"), HasSubstr("waiting for the sidecar")));
  EXPECT_THAT(get("/live"), HasSubstr("200 OK"));
  start_sidecar();
  EXPECT_TRUE(hears("Ready")) << process->output();
  EXPECT_EQ(dialled(), "127.0.0.2:7654");
}

TEST_F(AMemberOfAFleet, CanBeStoppedWhileItWaits) {
  start_process();
  ASSERT_TRUE(process->says("the sidecar of Agones does not answer")) << process->output();
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0) << process->output();
}

TEST_F(AMemberOfAFleet, PlaysOnWhileTheSidecarIsSilent) {
  start_sidecar("Scheduled", 7'654, {.silent = true});
  start_process({"--rooms-public", "127.0.0.3:1234"});
  ASSERT_TRUE(process->says("ready udp=")) << process->output();
  EXPECT_NE(create_room(), 0U);
  EXPECT_EQ(dialled(), "127.0.0.3:1234");
  EXPECT_THAT(get("/live"), HasSubstr("200 OK"));
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0) << process->output();  // the goodbye is not waited for for ever
}

TEST_F(AMemberOfAFleet, RepeatsWhatTheSidecarRefuses) {
  start_sidecar("Scheduled", 7'654, {.refusals = 6});
  start_process();
  EXPECT_TRUE(hears("Ready")) << process->output();
}

TEST_F(AMemberOfAFleet, AsksIfTheWatchIsSilentAtFirst) {
  start_sidecar("Scheduled", 7'654, {.quiet_watch = true});
  start_process();
  ASSERT_TRUE(hears("Ready")) << process->output();
  EXPECT_EQ(dialled(), "127.0.0.2:7654");
}

TEST_F(AMemberOfAFleet, DoesWithoutCounters) {
  start_sidecar("Scheduled", 7'654, {.without_counters = true});
  start_process();
  ASSERT_TRUE(hears("Ready")) << process->output();
  EXPECT_TRUE(process->says("add it to spec.counters")) << process->output();
  create_room();
  EXPECT_TRUE(hears("Allocate"));
}

TEST_F(AMemberOfAFleet, BelievesNoNonsense) {
  start_sidecar("Confused", 70'000);
  start_process();
  // A port that cannot be: it goes on waiting, and ends when it is told to.
  ASSERT_TRUE(comes([&] { return sidecar->signs_of_life() >= 3; })) << process->output();
  EXPECT_THAT(get("/ready"), HasSubstr("waiting for the sidecar"));
  EXPECT_FALSE(sidecar->heard("Ready"));
  process->signal(SIGTERM);
  EXPECT_EQ(process->wait(), 0) << process->output();
}

TEST_F(AMemberOfAFleet, LeavesWhenItsFleetRemovesIt) {
  start_sidecar();
  start_process();
  ASSERT_TRUE(hears("Ready")) << process->output();
  create_room();
  ASSERT_TRUE(hears("Allocate"));
  sidecar->set_state("Shutdown");
  EXPECT_EQ(process->wait(), 0) << process->output();
  EXPECT_THAT(process->output(), HasSubstr("the fleet removes this process"));
}

TEST_F(AMemberOfAFleet, OutlivesItsSidecar) {
  start_sidecar();
  start_process();
  ASSERT_TRUE(hears("Ready")) << process->output();
  sidecar.reset();
  ASSERT_TRUE(process->says("the sidecar of Agones does not answer")) << process->output();
  create_room();
  start_sidecar();
  EXPECT_TRUE(hears("Allocate")) << process->output();
}

}  // namespace
}  // namespace perigee::process_test
