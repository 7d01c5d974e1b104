// Worker processes are killed or stopped with players on them, or declared dead by an operator:
// other workers take over all of their state. (D7)
#include "fleet.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

TEST_F(AFleet, WritesACrashReportOfADeadWorkersPlayers) {
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  const unsigned victim = busiest();
  const unsigned had = status(20 + victim).players();
  sims[victim]->signal(SIGKILL);
  std::vector<fs::path> files;
  EXPECT_TRUE(soon([&] {
    files.clear();
    for (std::error_code none;
         const auto& at : fs::recursive_directory_iterator(folder / "crash_reports", none)) {
      if (at.path().extension() == ".report") files.push_back(at.path());
    }
    return files.size() == 1;
  }));
  ASSERT_EQ(files.size(), 1U);
  Child replay({PERIGEE_REPLAY_BINARY, files[0].string()});
  EXPECT_EQ(replay.wait(), 0) << replay.output();
  EXPECT_THAT(replay.output(), HasSubstr("taken over\n  " + std::to_string(had) + " players;"));
  EXPECT_THAT(replay.output(), HasSubstr("    > ")) << "inputs that had not been played";
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
}

TEST_F(AFleet, GoesOnWhenAWorkerIsKilled) {
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  const Things things = owned_with(players, {0, 1, 2});
  const unsigned victim = busiest();
  const unsigned others[] = {(victim + 1) % 3, (victim + 2) % 3};
  const unsigned had = status(20 + victim).players();
  ASSERT_GT(had, 0U);
  sims[victim]->signal(SIGKILL);
  EXPECT_TRUE(soon([&] { return owned_by({others[0], others[1]}) == things; }))
      << "each once, none missing";
  EXPECT_TRUE(soon([&] { return series(102, "perigee_directory_failovers_total") == 1; }));
  EXPECT_TRUE(in_sync({others[0], others[1]})) << "the successor has a standby again";
  start(PERIGEE_SIM_BINARY, {"--index", std::to_string(victim)});
  EXPECT_TRUE(answers(110 + victim, "/metrics", "perigee_sim_ticks_total"));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "disconnects"), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "avatars_changed"), 0) << people.output();
}

TEST_F(AFleet, ReceivesNothingMoreOfAWorkerThatStoodStill) {
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  const Things things = owned_with(players, {0, 1, 2});
  const unsigned victim = busiest();
  const unsigned others[] = {(victim + 1) % 3, (victim + 2) % 3};
  sims[victim]->signal(SIGSTOP);
  EXPECT_TRUE(soon([&] { return owned_by({others[0], others[1]}) == things; }));
  sims[victim]->signal(SIGCONT);
  EXPECT_TRUE(sims[victim]->says("discarding its world")) << "it begins another incarnation";
  EXPECT_TRUE(soon([&] { return owned_by({others[0], others[1]}) == things; }));
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "disconnects"), 0) << people.output();
}

TEST_F(AFleet, GoesOnWhenAnOperatorTakesAWorkerForDead) {
  start_three();
  Child people(bots({"--count", std::to_string(players), "--seconds", "600", "--json"}));
  ASSERT_TRUE(people.says("playing 12")) << people.output();
  const Things things = owned_with(players, {0, 1, 2});
  const unsigned victim = busiest();
  const std::string name = "sim-" + std::to_string(victim);
  EXPECT_THAT(says({"kill", "sim-7"}, 1), HasSubstr("no worker 'sim-7' is alive"));
  const auto killed = [&] {
    Child order(ctl({"kill", name}));
    return order.wait() == 0 &&
           order.output().find("takes over all its entities") != std::string::npos;
  };
  EXPECT_TRUE(soon(killed)) << "once its standby has everything";
  EXPECT_TRUE(sims[victim]->says("discarding its world")) << "it begins another incarnation";
  EXPECT_TRUE(soon([&] { return owned_by({0, 1, 2}) == things; })) << "each once, none missing";
  EXPECT_EQ(status(20 + victim).players(), 0U);
  EXPECT_TRUE(
      soon([&] { return says({"in-doubt"}, 0).find("nothing is in doubt") != std::string::npos; }));
  EXPECT_THAT(says({"resolve", "4000"}, 1), HasSubstr("no worker has taken over incarnation 4000"));
  unsigned incarnations = 0;
  for (const unsigned worker : {0U, 1U, 2U}) {
    const auto reply = status(20 + worker);
    for (const std::uint32_t incarnation : reply.incarnations()) {
      ++incarnations;
      EXPECT_TRUE(soon([&] {
        return says({"resolve", std::to_string(incarnation)}, 1).find("answers") !=
               std::string::npos;
      })) << incarnation;
    }
  }
  EXPECT_GE(incarnations, 3U) << "two that live, and one that has ended";
  people.signal(SIGINT);
  EXPECT_EQ(people.wait(), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "disconnects"), 0) << people.output();
  EXPECT_EQ(figure_of(people.output(), "avatars_changed"), 0) << people.output();
}

TEST_F(AFleet, LosesNothingByAnOrderUnlessThatIsForced) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1"});
  Child& alone = start(PERIGEE_SIM_BINARY, {"--index", "0"});
  for (const unsigned port : {102U, 110U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  const auto things = owned_by({0});
  EXPECT_THAT(says({"kill", "sim-0"}, 1), HasSubstr("it has no standby"));
  EXPECT_EQ(owned_by({0}), things);
  EXPECT_THAT(says({"kill", "sim-0", "--force"}, 0), HasSubstr("start anew"));
  EXPECT_TRUE(alone.says("starting a new incarnation")) << alone.output();
  EXPECT_TRUE(soon([&] { return owned_by({0}) == things; })) << "its content is there again";
}

}  // namespace
}  // namespace perigee::process_test
