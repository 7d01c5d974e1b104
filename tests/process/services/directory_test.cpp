// perigee-directory and DirectoryClient, as real processes.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "directory.grpc.pb.h"
#include "perigee/host/directory_client.hpp"
#include "perigee/host/grpc_channel.hpp"
#include "process/child.hpp"
#include "process/patient_call.hpp"

namespace perigee::process_test {
namespace {

using host::DirectoryClient;
using host::DirectoryRole;
using testing::HasSubstr;
namespace fs = std::filesystem;

const std::string binary = PERIGEE_DIRECTORY_BINARY;

/// A temporary folder for each test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "perigee-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::vector<std::string> command(unsigned port_base, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{binary, "--port-base", std::to_string(port_base), "--state-dir",
                                 path.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  fs::path path;
};

class AMember : public testing::Test {
 protected:
  /// Runs the loop until `done` holds, for up to `patience`.
  template <class Done>
  bool run_until(Done done) {
    const Micros deadline_us = host::Loop::clock_us() + std::chrono::microseconds(patience).count();
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

  std::vector<std::string> command(unsigned port_base, std::vector<std::string> more = {}) const {
    return folder.command(port_base, std::move(more));
  }

  const unsigned base = free_port_base();
  Folder folder;
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
  ASSERT_TRUE(run_until([&] {
    return client.ready() && map.workers.size() == 1 && map.regions.at(1).owner == WorkerSlot{0};
  }));
  EXPECT_EQ(registration.slot, 0);
  EXPECT_EQ(registration.handle_base, HandleBase{1U << 20});
  EXPECT_EQ(registration.cluster_id, map.cluster_id);
  EXPECT_TRUE(map.workers.front().alive);
  EXPECT_LE(client.clock().error_us(), ClockSync::error_us_max);
  const host::ClockPair now = host::Loop::clocks();
  const Micros apart_us = client.clock().directory_us(now.monotonic_us) - now.wall_us;
  EXPECT_LT(std::abs(apart_us), 50'000) << "both read this machine's clock";
}

TEST_F(AMember, RegistersAgainWithADirectoryThatBeginsANewWorld) {
  std::optional<Child> directory;
  directory.emplace(command(base));
  ASSERT_TRUE(directory->says("ready"));
  DirectoryClient client(loop, worker(), events());
  ASSERT_TRUE(run_until([&] { return client.ready(); }));
  const std::uint32_t first = registration.cluster_id;
  directory.reset();
  ASSERT_TRUE(run_until([&] { return !reachable; }));
  directory.emplace(command(base, {"--new-world"}));
  ASSERT_TRUE(directory->says("world=new")) << directory->output();
  ASSERT_TRUE(
      run_until([&] { return registered == 2 && map.cluster_id == registration.cluster_id; }));
  EXPECT_NE(registration.cluster_id, first);
  EXPECT_TRUE(fs::exists(folder.path / "coordination.state.old"));
}

// The directory is killed and restarted: cluster id, slot, worker incarnation and epochs
// stay the same, and world time does not jump.
TEST_F(AMember, NoticesNothingOfADirectoryThatIsRestarted) {
  std::optional<Child> directory;
  directory.emplace(command(base, {"--directory-workers", "1"}));
  ASSERT_TRUE(directory->says("ready"));
  DirectoryClient client(loop, worker(), events());
  ASSERT_TRUE(run_until([&] {
    return client.ready() && map.workers.size() == 1 && map.regions.at(1).owner == WorkerSlot{0};
  }));
  const ClusterMap before = map;
  directory.reset();  // SIGKILL
  ASSERT_TRUE(run_until([&] { return !reachable; }));
  directory.emplace(command(base, {"--directory-workers", "1"}));
  ASSERT_TRUE(directory->says("world=continued")) << directory->output();
  ASSERT_TRUE(run_until([&] { return reachable && map.version > before.version; }));
  const Micros received_us = host::Loop::clock_us();
  ASSERT_TRUE(run_until([&] { return host::Loop::clock_us() - received_us > 1'500'000; }))
      << "a heartbeat and samples of the clock";
  EXPECT_EQ(registered, 1) << "the directory still knows this member";
  ClusterMap after = map;
  after.version = before.version;
  EXPECT_EQ(after, before);
  EXPECT_EQ(client.clock().jumps(), 0U);
}

TEST_F(AMember, GetsOtherHandlesInItsNextIncarnationAlsoFromADirectoryThatIsRestarted) {
  std::optional<Child> directory;
  directory.emplace(command(base));
  ASSERT_TRUE(directory->says("ready"));
  for (std::uint32_t incarnation = 1; incarnation <= 3; ++incarnation) {
    registered = 0;
    DirectoryClient client(loop, worker(), events());
    ASSERT_TRUE(run_until([&] { return registered > 0; }));
    EXPECT_EQ(registration.handle_base, HandleBase{incarnation << 20});
    directory.reset();
    directory.emplace(command(base));
    ASSERT_TRUE(directory->says("ready"));
  }
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

TEST_F(AMember, SignsOffWhenItLeaves) {
  Child directory(command(base, {"--directory-workers", "1"}));
  ASSERT_TRUE(directory.says("ready"));
  DirectoryClient watcher(loop, {.target = "127.0.0.1:" + std::to_string(base + 11)}, events());
  {
    DirectoryClient client(loop, worker(), {});
    ASSERT_TRUE(run_until(
        [&] { return client.ready() && map.workers.size() == 1 && map.workers[0].alive; }));
  }
  ASSERT_TRUE(run_until([&] { return !map.workers[0].alive; }));
  EXPECT_TRUE(directory.says("member signed off")) << "it was not missed after 5 s of silence";
}

TEST_F(AMember, TellsTheDirectoryWhatItBearsAndThatItWantsToLeave) {
  Child directory(command(base, {"--directory-workers", "2"}));
  ASSERT_TRUE(directory.says("ready"));
  DirectoryClient client(loop, worker(), events());
  host::DirectoryOptions other = worker();
  other.name = "sim-1";
  other.fabric.port = 40041;
  ClusterMap others_map;
  DirectoryClient second(loop, other, {.map = [&](const ClusterMap& m) { others_map = m; }});
  ASSERT_TRUE(run_until([&] { return map.workers.size() == 2 && map.regions[1].owner; }));
  const auto stub = directory::v1::Directory::NewStub(
      host::open_channel("127.0.0.1:" + std::to_string(base + 11)));
  const auto listed = [&] {
    PatientCall context;
    directory::v1::ClusterMap reply;
    EXPECT_TRUE(stub->ListMap(&context, {}, &reply).ok());
    return reply;
  };
  EXPECT_FALSE(listed().workers(0).has_entities()) << "nothing was said yet";
  const auto report = [&](bool leaving) {
    return WorkerReport{.incarnation = map.workers[registration.slot].incarnation,
                        .map_version = map.version,
                        .entities = 70,
                        .load_ms = 2.5,
                        .overhead_ms = 0.5,
                        .cells = {{{-4, 0, 0}, 2}},
                        .leaving = leaving};
  };
  const auto of_second = [&](const ClusterMap& known) {
    return WorkerReport{.incarnation = known.workers[1U - registration.slot].incarnation,
                        .map_version = known.version};
  };
  second.report(of_second(others_map));
  client.report(report(false));
  ASSERT_TRUE(run_until([&] { return listed().workers(registration.slot).entities() == 70; }));
  EXPECT_EQ(listed().workers(registration.slot).load_ms(), 2.5);
  EXPECT_EQ(listed().workers(registration.slot).overhead_ms(), 0.5);
  ASSERT_TRUE(run_until([&] {
    client.report(report(true));
    second.report(of_second(others_map));
    const auto ours = [&](const RegionEntry& r) { return r.owner == registration.worker_slot(); };
    return map.workers[registration.slot].draining &&
           std::none_of(map.regions.begin(), map.regions.end(), ours);
  }));
}

class TheDirectoryProcess : public testing::Test {
 protected:
  std::vector<std::string> command(unsigned port_base, std::vector<std::string> more = {}) const {
    return folder.command(port_base, std::move(more));
  }
  Folder folder;
};

TEST_F(TheDirectoryProcess, StopsCleanlyWithWatchersAttached) {
  const unsigned base = free_port_base();
  Child directory(command(base));
  ASSERT_TRUE(directory.says("ready"));
  auto stub = directory::v1::Directory::NewStub(
      host::open_channel("127.0.0.1:" + std::to_string(base + 11)));
  PatientCall context;
  const auto stream = stub->WatchMap(&context, {});
  directory::v1::ClusterMap map;
  ASSERT_TRUE(stream->Read(&map));
  EXPECT_EQ(map.regions_size(), 2);
  directory.signal(SIGTERM);
  EXPECT_FALSE(stream->Read(&map));
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(directory.wait(), 0) << directory.output();
}

TEST_F(TheDirectoryProcess, NamesTheRemedyForWhatTheOperatorGotWrong) {
  const unsigned base = free_port_base();
  Child first(command(base));
  ASSERT_TRUE(first.says("ready"));
  const Folder elsewhere;
  Child second(elsewhere.command(base));
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.output(), HasSubstr("choose another --port-base"));

  Child twin(command(base + 200));
  EXPECT_EQ(twin.wait(), 1);
  EXPECT_THAT(twin.output(), HasSubstr("held by another perigee-directory"));

  Child open(elsewhere.command(base + 200, {"--listen", "0.0.0.0"}));
  EXPECT_EQ(open.wait(), 1);
  EXPECT_THAT(open.output(), HasSubstr("--insecure"));

  Child wrong(command(base, {"--directory-regions", "0"}));
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.output(), HasSubstr("not within 1 .. 1024 regions"));

  Child nowhere(command(base, {"--directory-world-low-m", "9000,-2000,-8000"}));
  EXPECT_EQ(nowhere.wait(), 2);
  EXPECT_THAT(nowhere.output(), HasSubstr("directory.world_low_m must be below"));
}

TEST_F(TheDirectoryProcess, NamesTheBoxOfTheWorldThatItHas) {
  const unsigned base = free_port_base();
  {
    Child first(command(base, {"--directory-world-high-m", "400000,2000,400000"}));
    ASSERT_TRUE(first.says("ready")) << first.output();
    first.signal(SIGTERM);
    EXPECT_EQ(first.wait(), 0);
  }
  Child second(command(base));
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.output(),
              HasSubstr("its world reaches from -8000,-2000,-8000 to 400000,2000,400000 m"));
}

// It never silently creates a new world: if anything is wrong with the file, the operator decides.
TEST_F(TheDirectoryProcess, RefusesAFileThatItCannotTrust) {
  const unsigned base = free_port_base();
  {
    Child first(command(base));
    ASSERT_TRUE(first.says("ready"));
    first.signal(SIGTERM);
    EXPECT_EQ(first.wait(), 0);
  }
  const fs::path file = folder.path / "coordination.state";
  std::stringstream whole;
  whole << std::ifstream(file).rdbuf();
  std::string flipped = whole.str();
  flipped[flipped.size() / 2] ^= 1;
  for (const std::string& text :
       {std::string(), std::string("x"), flipped, whole.str().substr(0, whole.str().size() - 1)}) {
    std::ofstream(file) << text;
    Child damaged(command(base));
    EXPECT_EQ(damaged.wait(), 1);
    EXPECT_THAT(damaged.output(), HasSubstr("--new-world")) << text;
  }
  std::ofstream(file) << whole.str();
  Child good(command(base, {"--directory-regions", "3"}));
  EXPECT_TRUE(good.says("world=continued")) << good.output();
}

}  // namespace
}  // namespace perigee::process_test
