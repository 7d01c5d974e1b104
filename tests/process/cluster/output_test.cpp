// Standard output and error are full pipes.
#include "process/cluster/cluster.hpp"

namespace perigee::process_test {
namespace {

TEST_F(ACluster, PlaysOnWhenNobodyReadsWhatItSays) {
  const auto start_mute = [&](const std::string& binary, std::vector<std::string> more) {
    // At level debug, so that each process soon logs more than a pipe holds.
    more.insert(more.end(), {"--log-level", "debug"});
    processes.emplace_back(command(binary, std::move(more)), Child::Pipe::Full);
  };
  start_mute(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1"});
  start_mute(PERIGEE_GATEWAY_BINARY, {});
  start_mute(PERIGEE_SIM_BINARY, {});
  start_mute(PERIGEE_SESSION_BINARY, {});
  for (const unsigned port : {102U, 100U, 110U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port;
  }
  Child mute_bots(bots({"--count", "2", "--seconds", "3", "--gap-log", (folder / "gaps").string()}),
                  Child::Pipe::Full);
  ASSERT_TRUE(soon([&] { return fs::exists(folder / "gaps"); })) << "their loop has ended";
  for (Child& process : processes) {
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(), 0);
  }
}

}  // namespace
}  // namespace perigee::process_test
