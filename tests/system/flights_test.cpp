// Recordings of a cluster's flight recorders replay bit for bit, and the recordings of client and
// worker together show the cause of an error. (metric M9 of the lab)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/replay/rerun.hpp"

namespace perigee::lab {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = make();
  static fs::path make() {
    std::string name = (fs::temp_directory_path() / "perigee-flights-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    return name;
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name, std::span<const std::byte> bytes) const {
    const fs::path at = path / name;
    std::ofstream(at, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return at.string();
  }
};

struct Output {
  int exit_code = -1;
  std::string text;
};
Output replay_program(const std::string& arguments) {
  std::string command = PERIGEE_REPLAY;
  command.append(" ").append(arguments).append(" 2>&1");
  FILE* pipe = popen(command.c_str(), "r");
  Output output;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) output.text += line.data();
  const int status = pclose(pipe);
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

ClusterOptions recording_options(const char* profile, std::uint32_t players) {
  ClusterOptions options;
  options.players = players;
  options.link = *find_link_profile(profile);
  options.records = true;
  return options;
}

class AFlight : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(AFlight, RunsAgainBitForBit) {
  const auto [scenario_name, profile] = GetParam();
  const Scenario scenario = *find_scenario(scenario_name);
  const auto game = scenario.stage(4);
  VirtualCluster cluster(recording_options(profile, 4), *game, scenario.pilot);
  cluster.run_for(20'000'000);
  std::uint32_t flights = 0;
  for (const VirtualPlayer& player : cluster.players()) {
    const auto flight = cluster.flight(player);
    if (!flight) continue;
    ++flights;
    for (const replay::Recording* half : {&flight->client, &flight->worker}) {
      const auto read = replay::read_recording(replay::write_recording(*half));
      ASSERT_TRUE(read.ok()) << read.error().message;
      const replay::Rerun again = replay::rerun(*game, *read);
      EXPECT_GE(again.ticks, 400U);
      EXPECT_EQ(again.bits_otherwise, 0U);
    }
  }
  EXPECT_EQ(flights, 4U);
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, AFlight,
                         testing::Values(std::pair("L1", "P0"), std::pair("L3", "P3"),
                                         std::pair("L5", "P2"), std::pair("L11f", "P2"),
                                         std::pair("play", "P5")),
                         [](const auto& cell) { return std::string(cell.param.first); });

TEST(TheReplay, NamesTheWrongGravityOfAClient) {
  PenPlan right = obstacle_pen(1);
  PenPlan wrong = right;
  wrong.tunables.gravity_m_s2 = 9;
  const auto game = make_pens(1, right);
  const auto clients_game = make_pens(1, wrong);
  ClusterOptions options = recording_options("P2", 1);
  options.clients_game = clients_game.get();
  VirtualCluster cluster(options, *game, find_scenario("L1")->pilot);
  cluster.run_for(20'000'000);
  EXPECT_FALSE(cluster.worst_flight().has_value()) << "by millimetres only: nobody sees it";
  const auto flight = cluster.flight(cluster.players()[0]);
  ASSERT_TRUE(flight.has_value());
  const Folder folder;
  const auto client = folder.file("client.flight", replay::write_recording(flight->client));
  const auto worker = folder.file("worker.flight", replay::write_recording(flight->worker));
  const Output output = replay_program(client + " " + worker);
  EXPECT_EQ(output.exit_code, 0) << output.text;
  EXPECT_THAT(output.text, testing::HasSubstr("type 'pen'.gravity.acceleration: (0, -9, 0) on the "
                                              "client, (0, -9.81, 0) on the worker"));
  EXPECT_THAT(output.text, testing::HasSubstr("cause: different tunables"));
  EXPECT_TRUE(fs::exists(client + ".svg"));
}

TEST(TheReplay, NamesTheFirstDifferenceAndTheCause) {
  const Scenario scenario = *find_scenario("L2");
  const auto game = scenario.stage(4);
  VirtualCluster cluster(recording_options("P3", 4), *game, scenario.pilot);
  cluster.run_for(40'000'000);
  const auto& flight = cluster.worst_flight();
  ASSERT_TRUE(flight.has_value()) << "doors are announced too late for this link";
  const Folder folder;
  const auto client = folder.file("client.flight", replay::write_recording(flight->client));
  const auto worker = folder.file("worker.flight", replay::write_recording(flight->worker));
  const Output output =
      replay_program(worker + " " + client + " --plot " + (folder.path / "drawing.svg").string());
  EXPECT_EQ(output.exit_code, 0) << output.text;
  EXPECT_THAT(output.text, testing::HasSubstr("first difference: neighbour "));
  EXPECT_THAT(output.text, testing::HasSubstr("cause: stale_object"));
  EXPECT_TRUE(fs::exists(folder.path / "drawing.svg"));
}

TEST(TheReplay, RefusesWhatIsNoRecordingWithASentence) {
  const Scenario scenario = *find_scenario("L1");
  const auto game = scenario.stage(1);
  VirtualCluster cluster(recording_options("P1", 1), *game, scenario.pilot);
  cluster.run_for(5'000'000);
  const auto flight = cluster.flight(cluster.players()[0]);
  ASSERT_TRUE(flight.has_value());
  auto bytes = replay::write_recording(flight->client);
  const Folder folder;
  const auto refused = [&](std::span<const std::byte> content) {
    const Output output = replay_program(folder.file("wrong.flight", content));
    EXPECT_EQ(output.exit_code, 2) << output.text;
    return output.text;
  };
  EXPECT_THAT(refused(std::span(bytes).first(bytes.size() / 2)), testing::HasSubstr("truncated"));
  EXPECT_THAT(refused({}), testing::HasSubstr("not a flight recording"));
  bytes[16] = std::byte{250};
  EXPECT_THAT(refused(bytes), testing::HasSubstr("version 250"));
  EXPECT_EQ(replay_program("/nowhere/at.all").exit_code, 2);
  EXPECT_EQ(replay_program("").exit_code, 2);
}

}  // namespace
}  // namespace perigee::lab
