// Games as libraries: refusals of the programs, and another game than Skiff in all of them.
#include <algorithm>

#include "process/cluster/cluster.hpp"

namespace perigee::process_test {
namespace {

struct Refusal {
  std::string fault;
  std::string words;
};

struct AProgram : testing::Test {
  /// --check-config, so that no program starts to serve.
  static std::string checked(const std::string& program, const std::vector<std::string>& more,
                             int code) {
    std::vector<std::string> all{program, "--check-config"};
    all.insert(all.end(), more.begin(), more.end());
    Child child(all);
    EXPECT_EQ(child.wait(), code) << child.output();
    return child.output();
  }
};

TEST_F(AProgram, RefusesAFaultyGameInOneSentence) {
  const std::vector<Refusal> refusals{
      {"nothing", "exports nothing"},
      {"magic", "build the game with the perigee of this program"},
      {"format", "build the game with the perigee of this program"},
      {"code", "was built with another perigee (perigee "},
      {"layout", "was compiled with options that change the layout"},
      {"throws", "constructor threw 'no level'; correct it in the game"},
      {"throws a number", "constructor threw something"},
      {"no stage", "has no stage"},
      {"no game", "stage 'one' has no game"},
      {"two hashes", "stage 'two' has another schema_hash() than 'one'"},
      {"types", "faulty_game.so: "},
      {"unsteady", "schema_hash() differs between two objects"}};
  for (const Refusal& refusal : refusals) {
    setenv("PERIGEE_TEST_FAULT", refusal.fault.c_str(), 1);
    const std::string said = checked(PERIGEE_SIM_BINARY, {"--game", PERIGEE_FAULTY_GAME}, 2);
    EXPECT_THAT(said, testing::HasSubstr(refusal.words)) << refusal.fault;
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  }
  unsetenv("PERIGEE_TEST_FAULT");
  checked(PERIGEE_SIM_BINARY, {"--game", PERIGEE_FAULTY_GAME}, 0);
}

TEST_F(AProgram, RefusesAFileThatIsNoGame) {
  EXPECT_THAT(checked(PERIGEE_BOTS_BINARY, {"--game", "nowhere.so"}, 2),
              testing::HasSubstr("there is no file nowhere.so; build"));
  EXPECT_THAT(checked(PERIGEE_LAB_BINARY, {"--game", PERIGEE_NO_GAME}, 2),
              testing::HasSubstr("has no function perigee_game; add the line PERIGEE_GAME("));
  EXPECT_THAT(checked(PERIGEE_REPLAY_BINARY, {"--game", "/proc/self/status"}, 2),
              testing::HasSubstr("cannot be loaded: "));
}

TEST_F(AProgram, LoadsTheExampleGameWithAllItsStages) {
  checked(PERIGEE_SIM_BINARY, {"--game", PERIGEE_SKIFF_GAME, "--stage", "asteroids"}, 0);
  EXPECT_THAT(checked(PERIGEE_SIM_BINARY, {"--game", PERIGEE_SKIFF_GAME, "--stage", "moon"}, 2),
              testing::HasSubstr("stage: 'moon' is not one of stations, asteroids"));
  EXPECT_THAT(checked(PERIGEE_SIM_BINARY, {"--game", PERIGEE_FIRST_GAME, "--stage", "moon"}, 2),
              testing::HasSubstr("has only one world"));
}

TEST_F(AProgram, MeasuresAGameInTheLab) {
  Child lab({PERIGEE_LAB_BINARY, "--game", PERIGEE_FIRST_GAME, "--profiles", "P2", "--presets",
             "perigee", "--players", "2", "--seconds", "5"});
  EXPECT_EQ(lab.wait(), 0) << lab.output();
  EXPECT_THAT(lab.output(), testing::HasSubstr("game"));
}

/// The figures of the only cell, without the name of the scenario.
std::string figures_of(const std::vector<std::string>& options) {
  std::vector<std::string> all{PERIGEE_LAB_BINARY, "--profiles", "P3", "--presets",
                               "perigee",          "--seconds",  "10", "--check-purity"};
  all.insert(all.end(), options.begin(), options.end());
  Child lab(all);
  EXPECT_EQ(lab.wait(), 0) << lab.output();
  const std::size_t begin = lab.output().find("\n  perigee ");
  return begin == std::string::npos
             ? ""
             : lab.output().substr(begin, lab.output().find('\n', begin + 1) - begin);
}

TEST_F(AProgram, ComputesTheSameWithALoadedGameAsWithALinkedOne) {
  const std::string linked = figures_of({"--scenarios", "play"});
  EXPECT_GT(linked.size(), 100U);
  EXPECT_EQ(figures_of({"--game", PERIGEE_SKIFF_GAME}), linked);
}

TEST_F(AProgram, NamesAGameThatIsNotPure) {
  setenv("PERIGEE_TEST_FAULT", "impure", 1);
  Child lab({PERIGEE_LAB_BINARY, "--game", PERIGEE_FAULTY_GAME, "--profiles", "P2", "--presets",
             "perigee", "--players", "1", "--seconds", "2", "--check-purity"});
  EXPECT_EQ(lab.wait(), 1) << lab.output();
  EXPECT_THAT(lab.output(),
              testing::ContainsRegex("perigee-lab: step of actor [0-9a-f]+ at tick "
                                     "[0-9]+ gives another cue\\(\\) when it is called"));
  unsetenv("PERIGEE_TEST_FAULT");
}

using AClusterOfAnotherGame = ACluster;

TEST_F(AClusterOfAnotherGame, ReportsAFailedAssertionOfTheGame) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"});
  setenv("PERIGEE_TEST_FAULT", "assert", 1);
  Child& worker = start(PERIGEE_SIM_BINARY, {"--game", PERIGEE_FAULTY_GAME});
  unsetenv("PERIGEE_TEST_FAULT");
  EXPECT_EQ(worker.wait(), 128 + SIGABRT);
  const fs::path reports = folder / "crash_reports" / "0";
  std::string report;
  for (const auto& file : fs::directory_iterator(reports)) {
    std::ifstream text(file.path());
    report.assign(std::istreambuf_iterator<char>(text), {});
  }
  EXPECT_THAT(report, testing::ContainsRegex("failed: the game keeps its promise\n"
                                             "in the game's function drive, tick [0-9]+"));
  EXPECT_THAT(report, testing::HasSubstr("faulty_game.so"));
}

TEST_F(AClusterOfAnotherGame, IsPlayedRecordedAndReplayed) {
  setenv("PERIGEE_GAME", PERIGEE_FIRST_GAME, 1);  // as in containers
  setenv("PERIGEE_SIM_FLIGHT_DIR", (folder / "flights").c_str(), 1);
  start_all();
  unsetenv("PERIGEE_GAME");
  unsetenv("PERIGEE_SIM_FLIGHT_DIR");

  Child strangers(bots({"--count", "1", "--seconds", "1"}));
  EXPECT_NE(strangers.wait(), 0);
  EXPECT_THAT(strangers.output(), testing::HasSubstr("install the same version of the game"));

  Child players(bots({"--count", "4", "--seconds", "8", "--game", PERIGEE_FIRST_GAME}));
  ASSERT_TRUE(soon([&] {
    return series(110, "perigee_sim_players") + series(111, "perigee_sim_players") >= 4;
  })) << outputs();
  constexpr double recorded_ticks = 180;
  const double begun = series(110, "perigee_sim_ticks_total");
  ASSERT_TRUE(
      soon([&] { return series(110, "perigee_sim_ticks_total") >= begun + recorded_ticks; }));
  // The workers are the third and the fourth process of start_all().
  for (const int worker : {2, 3}) std::next(processes.begin(), worker)->signal(SIGHUP);
  EXPECT_EQ(players.wait(), 0) << players.output() << outputs();

  std::string recording;
  for (const auto& file : fs::directory_iterator(folder / "flights")) recording = file.path();
  ASSERT_NE(recording, "");
  Child replay({PERIGEE_REPLAY_BINARY, recording, "--game", PERIGEE_FIRST_GAME});
  EXPECT_EQ(replay.wait(), 0) << replay.output();
  EXPECT_THAT(replay.output(), testing::HasSubstr("0 bits differ"));
  Child ignorant({PERIGEE_REPLAY_BINARY, recording});
  EXPECT_EQ(ignorant.wait(), 2);
  EXPECT_THAT(ignorant.output(), testing::HasSubstr("set --game to the library of 'first_game'"));
}

TEST_F(AClusterOfAnotherGame, TellsAWorkerOfAnotherGameWhatToDo) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1"});
  Child& worker = start(PERIGEE_SIM_BINARY, {"--game", PERIGEE_FIRST_GAME});
  ASSERT_TRUE(worker.says("ready name=sim-0")) << worker.output();
  Child& skiff = start(PERIGEE_SIM_BINARY, {"--index", "1"});
  EXPECT_TRUE(skiff.says("give this worker the same --game")) << skiff.output();
}

TEST_F(AClusterOfAnotherGame, IsTheSameAsOneThatIsLinkedWithIt) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "2"});
  Child& linked = start(PERIGEE_SIM_BINARY);
  ASSERT_TRUE(linked.says("ready name=sim-0")) << linked.output();
  Child& loaded = start(PERIGEE_SIM_BINARY, {"--index", "1", "--game", PERIGEE_SKIFF_GAME});
  EXPECT_TRUE(loaded.says("ready name=sim-1")) << loaded.output();
}

}  // namespace
}  // namespace perigee::process_test
