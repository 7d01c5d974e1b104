// All processes are killed at once, and the world goes on: with SQLite in a file, and with
// PostgreSQL.
#include <algorithm>
#include <map>
#include <optional>

#include "cluster.hpp"
#include "postgres_server/postgres_server.hpp"
#include "process/journal_watch.hpp"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::Gt;
using testing::IsEmpty;
using testing::Lt;
using namespace std::chrono_literals;

struct AWorld : ACluster {
  static constexpr int bot_count = 6;
  static constexpr int wait_s = 40;  ///< two checkpoints take 30
  static constexpr double checkpoint_age_s_max = 30.0 * slowness;
  static constexpr std::size_t sent_min = 6;
  const fs::path log = folder / "outcomes.csv";
  std::string store;
  std::optional<JournalWatch> journal;

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
  void watch(Result<std::unique_ptr<world_store::Store>> opened) {
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    journal.emplace(std::move(*opened));
  }
  /// As soon(), and looks at the journal often enough that no row expires unseen. A loaded machine
  /// may answer a look too late; the store recovers, and the next look has the same rows.
  template <class Done>
  bool settles(Done done) {
    std::string problem;
    const bool settled = soon(
        [&] {
          const auto looked = journal->look();
          problem = looked.ok() ? "" : looked.error().message;
          return looked.ok() && done();
        },
        wait_s);
    EXPECT_EQ(problem, "");
    return settled;
  }

  /// Plays until a checkpoint has been made with all players in the world.
  void play_until_checkpoint(Child& players) {
    ASSERT_TRUE(players.says("playing " + std::to_string(bot_count))) << players.output();
    ASSERT_TRUE(settles([&] { return owned()["character"] == bot_count; }));
    const std::string written = "perigee_sim_world_store_checkpoints_total{result=\"written\"}";
    const double before = both(written);
    ASSERT_TRUE(settles([&] { return both(written) >= before + 4; }))
        << "two parts of two checkpoints" << outputs();
    ASSERT_TRUE(settles([&] { return read_outcome_log(log).size() >= sent_min; }));
  }
  /// Each outcome that players were sent is in the journal once, and no row contradicts it.
  void expect_sent_is_kept() {
    ASSERT_TRUE(settles([] { return true; }));
    const auto sent = read_outcome_log(log);
    EXPECT_THAT(journal->missing(sent), IsEmpty());
    EXPECT_THAT(sent_again(sent), IsEmpty());
    EXPECT_THAT(journal->contradictions(), IsEmpty());
  }
  void expect_survives_a_kill_of_everything() {
    Child players(bots({"--count", std::to_string(bot_count), "--seconds", "600", "--fierce",
                        "--outcome-log", log.string(), "--json"}));
    play_until_checkpoint(players);
    if (HasFatalFailure()) return;
    for (const unsigned worker : {110U, 111U}) {
      EXPECT_THAT(series(worker, "perigee_sim_world_store_checkpoint_age_seconds"),
                  AllOf(Gt(0), Lt(checkpoint_age_s_max)));
    }
    const auto before = owned();
    ASSERT_TRUE(grows(log)) << "an outcome that was sent too early is lost now";
    kill_everything();
    expect_sent_is_kept();
    const std::size_t sent = read_outcome_log(log).size();
    std::this_thread::sleep_for(2s);
    start_everything();
    if (HasFatalFailure()) return;
    EXPECT_GT(both("perigee_sim_world_store_restored_total{what=\"things\"}"), 0);
    EXPECT_EQ(both("perigee_sim_world_store_restored_total{what=\"things_left_out\"}"), 0);
    EXPECT_EQ(owned(), before) << "each thing once";
    EXPECT_TRUE(settles([&] { return both("perigee_sim_players_resumed_total") >= bot_count; }))
        << "each to the own avatar" << outputs();
    EXPECT_EQ(owned(), before) << "nobody has a second one";
    EXPECT_TRUE(settles([&] { return read_outcome_log(log).size() > sent; })) << "they play on";
    players.signal(SIGINT);
    EXPECT_EQ(players.wait(), 0) << players.output();
    expect_sent_is_kept();
    for (const char* none : {"malformed", "disconnects", "avatars_changed"}) {
      EXPECT_EQ(figure_of(players.output(), none), 0) << none;
    }
    EXPECT_EQ(figure_of(players.output(), "resumes"), bot_count);
  }
};

TEST_F(AWorld, InAFileSurvivesAKillOfEverything) {
  const fs::path file = folder / "world.db";
  store = "sqlite:" + file.string();
  start_everything();
  if (HasFatalFailure()) return;
  watch(world_store::open_sqlite(file));
  if (HasFatalFailure()) return;
  expect_survives_a_kill_of_everything();
}

TEST_F(AWorld, InPostgresSurvivesAKillOfEverything) {
  if (postgres_server::programs().empty()) GTEST_SKIP() << "no server here: ./perigee doctor";
  auto server = postgres_server::Server::make();
  ASSERT_TRUE(server.ok()) << server.error().message;
  const std::string database = (*server)->database("postgres");
  store = "postgres:" + database;
  start_everything();
  if (HasFatalFailure()) return;
  watch(world_store::open_postgres(database));
  if (HasFatalFailure()) return;
  expect_survives_a_kill_of_everything();
  journal.reset();  // before its server is gone
}

TEST_F(AWorld, ThatIsAnothersIsNotTouched) {
  store = "sqlite:" + (folder / "world.db").string();
  start_everything();
  kill_everything();
  fs::remove(folder / "coordination.state");
  start_directory();
  Child& worker = start(PERIGEE_SIM_BINARY, {"--index", "0", "--sim-world-store", store});
  EXPECT_TRUE(worker.says("contains another world")) << outputs();
  EXPECT_TRUE(answers(110, "/ready", "the world store does not answer"));
}

}  // namespace
}  // namespace perigee::process_test
