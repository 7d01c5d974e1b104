// Everything is killed at once, and the world goes on: with SQLite in a file, and with PostgreSQL.
#include <map>

#include "cluster.hpp"
#include "postgres_server/postgres_server.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

struct AWorld : ACluster {
  static constexpr int bot_count = 6;
  static constexpr int wait_s = 40;  ///< two cuts take 30
  std::string store;

  void start_everything() {
    start_directory();
    start(PERIGEE_GATEWAY_BINARY);
    start(PERIGEE_SIM_BINARY, {"--index", "0", "--sim-world-store", store});
    start(PERIGEE_SIM_BINARY, {"--index", "1", "--sim-world-store", store});
    start(PERIGEE_SESSION_BINARY);
    for (const unsigned port : {102U, 100U, 110U, 111U, 101U}) {
      ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
    }
  }
  void kill_everything() {
    for (Child& process : processes) process.signal(SIGKILL);
    for (Child& process : processes) process.wait();
    processes.clear();
  }
  double both(const std::string& name) const { return series(110, name) + series(111, name); }

  /// Of a cut that was made once all were there.
  void play_until_cut(Child& players) {
    ASSERT_TRUE(players.says("playing " + std::to_string(bot_count))) << players.output();
    ASSERT_TRUE(soon([&] { return owned()["character"] == bot_count; }, wait_s));
    const double written = both("perigee_sim_world_store_cuts_total{result=\"written\"}");
    ASSERT_TRUE(soon(
        [&] {
          return both("perigee_sim_world_store_cuts_total{result=\"written\"}") >= written + 4;
        },
        wait_s))
        << "two parts of two cuts" << outputs();
  }
  void expect_survives_a_kill_of_everything() {
    start_everything();
    if (HasFatalFailure()) return;
    Child players(bots({"--count", std::to_string(bot_count), "--seconds", "600", "--json"}));
    play_until_cut(players);
    if (HasFatalFailure()) return;
    const auto before = owned();
    kill_everything();
    std::this_thread::sleep_for(2s);
    start_everything();
    if (HasFatalFailure()) return;
    EXPECT_GT(both("perigee_sim_world_store_restored_total{what=\"things\"}"), 0);
    EXPECT_EQ(both("perigee_sim_world_store_restored_total{what=\"things_left_out\"}"), 0);
    EXPECT_EQ(owned(), before) << "each thing once";
    EXPECT_TRUE(
        soon([&] { return both("perigee_sim_players_resumed_total") >= bot_count; }, wait_s))
        << "each to the own avatar" << outputs();
    EXPECT_EQ(owned(), before) << "nobody has a second one";
    players.signal(SIGINT);
    players.wait();
    EXPECT_THAT(players.output(), HasSubstr("\"malformed\":0,"));
  }
};

TEST_F(AWorld, InAFileSurvivesAKillOfEverything) {
  store = "sqlite:" + (folder / "world.db").string();
  expect_survives_a_kill_of_everything();
}

TEST_F(AWorld, InPostgresSurvivesAKillOfEverything) {
  if (postgres_server::programs().empty()) GTEST_SKIP() << "no server here: ./perigee doctor";
  auto server = postgres_server::Server::make();
  ASSERT_TRUE(server.ok()) << server.error().message;
  store = "postgres:" + (*server)->database("postgres");
  expect_survives_a_kill_of_everything();
}

TEST_F(AWorld, ThatIsAnothersIsNotTouched) {
  store = "sqlite:" + (folder / "world.db").string();
  start_everything();
  kill_everything();
  fs::remove(folder / "coordination.state");
  start_directory();
  Child& worker = start(PERIGEE_SIM_BINARY, {"--index", "0", "--sim-world-store", store});
  EXPECT_TRUE(worker.says("holds another world")) << outputs();
  EXPECT_TRUE(answers(110, "/ready", "the world store does not answer"));
}

}  // namespace
}  // namespace perigee::process_test
