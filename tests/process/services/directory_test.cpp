// perigee-directory and DirectoryClient, as processes and members see each other.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <optional>
#include <thread>

#include "directory.grpc.pb.h"
#include "perigee/host/directory_client.hpp"
#include "process/child.hpp"

namespace perigee::process_test {
namespace {

using host::DirectoryClient;
using host::DirectoryRole;
using testing::HasSubstr;

const std::string binary = PERIGEE_DIRECTORY_BINARY;

std::vector<std::string> command(unsigned port_base, std::vector<std::string> more = {}) {
  std::vector<std::string> all{binary, "--port-base", std::to_string(port_base)};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class AMember : public testing::Test {
 protected:
  /// Runs the loop until `done` holds, at most 20 s.
  template <class Done>
  bool run_until(Done done) {
    const Micros deadline_us = host::Loop::clock_us() + 20'000'000;
    host::Timer poll(loop, [&] {
      if (done() || host::Loop::clock_us() > deadline_us) loop.stop();
    });
    poll.every(5'000);
    loop.run();
    return done();
  }
  DirectoryClient::Events events() {
    return {.registered = [this](const host::Registration& r) { registration = r, ++registered; },
            .map = [this](const ClusterMap& m) { map = m; },
            .reachable = [this](bool r) { reachable = r; }};
  }
  host::DirectoryOptions worker() const {
    return {.target = "127.0.0.1:" + std::to_string(base + 11),
            .role = DirectoryRole::Worker,
            .name = "sim-0",
            .fabric = Address::v4(127, 0, 0, 1, 40040),
            .grpc = Address::v4(127, 0, 0, 1, 40020)};
  }

  const unsigned base = free_port_base();
  host::Loop loop;
  host::Registration registration;
  int registered = 0;
  ClusterMap map;
  bool reachable = false;
};

TEST_F(AMember, RegistersWatchesTheMapAndLocksTheClock) {
  Child directory(command(base, {"--directory-workers", "1"}));
  ASSERT_TRUE(directory.says("ready")) << directory.output();
  DirectoryClient client(loop, worker(), events());
  ASSERT_TRUE(run_until(
      [&] { return client.ready() && map.workers.size() == 1 && map.regions.at(1).owner == 0; }));
  EXPECT_EQ(registration.slot, 0);
  EXPECT_EQ(registration.handle_base, 1U << 20);
  EXPECT_EQ(registration.incarnation, map.incarnation);
  EXPECT_TRUE(map.workers.front().alive);
  EXPECT_LE(client.clock().error_us(), ClockSync::error_us_max);
  const Micros apart_us =
      client.clock().directory_us(host::Loop::clock_us()) - host::Loop::wall_us();
  EXPECT_LT(std::abs(apart_us), 50'000) << "both read this machine's clock";
}

TEST_F(AMember, RegistersAgainWithADirectoryThatForgotEverything) {
  std::optional<Child> directory;
  directory.emplace(command(base));
  ASSERT_TRUE(directory->says("ready"));
  DirectoryClient client(loop, worker(), events());
  ASSERT_TRUE(run_until([&] { return client.ready(); }));
  const std::uint32_t first = registration.incarnation;
  directory.reset();
  ASSERT_TRUE(run_until([&] { return !reachable; }));
  directory.emplace(command(base));
  ASSERT_TRUE(directory->says("ready"));
  ASSERT_TRUE(
      run_until([&] { return registered == 2 && map.incarnation == registration.incarnation; }));
  EXPECT_NE(registration.incarnation, first);
}

TEST_F(AMember, WaitsForADirectoryThatIsNotThereYet) {
  DirectoryClient client(loop, worker(), events());
  std::optional<Child> directory;
  host::Timer later(loop, [&] { directory.emplace(command(base)); });
  later.at(host::Loop::clock_us() + 300'000);
  EXPECT_TRUE(run_until([&] { return client.ready(); }));
}

TEST_F(AMember, LeavesWithoutWaitingForAnAbsentDirectory) {
  const Micros start_us = host::Loop::clock_us();
  {
    DirectoryClient client(loop, worker(), events());
  }
  EXPECT_LT(host::Loop::clock_us() - start_us, 5'000'000);
}

TEST(TheDirectoryProcess, StopsCleanlyWithWatchersAttached) {
  const unsigned base = free_port_base();
  Child directory(command(base));
  ASSERT_TRUE(directory.says("ready"));
  auto stub = directory::v1::Directory::NewStub(grpc::CreateChannel(
      "127.0.0.1:" + std::to_string(base + 11), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  const auto stream = stub->WatchMap(&context, {});
  directory::v1::ClusterMap map;
  ASSERT_TRUE(stream->Read(&map));
  EXPECT_EQ(map.regions_size(), 2);
  directory.signal(SIGTERM);
  EXPECT_FALSE(stream->Read(&map));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(directory.wait(), 0) << directory.output();
}

TEST(TheDirectoryProcess, NamesTheRemedyForWhatTheOperatorGotWrong) {
  const unsigned base = free_port_base();
  Child first(command(base));
  ASSERT_TRUE(first.says("ready"));
  Child second(command(base));
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.output(), HasSubstr("choose another --port-base"));

  Child open(command(base + 200, {"--listen", "0.0.0.0"}));
  EXPECT_EQ(open.wait(), 1);
  EXPECT_THAT(open.output(), HasSubstr("--insecure"));

  Child wrong(command(base, {"--directory-regions", "0"}));
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.output(), HasSubstr("not within 1 .. 64 regions"));
}

}  // namespace
}  // namespace perigee::process_test
