// A worker process stalls for so long that its regions get another owner, and then continues.
#include "operator.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

struct AWorkerTakenForDead : AnOperator {};

TEST_F(AWorkerTakenForDead, BeginsAnotherIncarnationAndHasNothingOfTheFormerOne) {
  start_all();
  for (const unsigned worker : {110U, 111U}) {
    ASSERT_TRUE(answers(worker, "/metrics", "perigee_sim_links{state=\"up\"} 1\n")) << outputs();
  }
  const auto before = owned();
  Child players(bots({"--count", "6", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 6")) << players.output();
  Child& sim = *std::next(processes.begin(), 3);
  sim.signal(SIGSTOP);
  EXPECT_TRUE(soon([&] { return status(20).regions_size() == 2; })) << "all is the other one's";
  EXPECT_TRUE(soon([&] { return status(20).players() == 6; })) << "its players joined there";
  sim.signal(SIGCONT);
  EXPECT_TRUE(sim.says("starting a new incarnation")) << sim.output();
  auto expected = before;
  expected["character"] = 6;
  EXPECT_TRUE(soon([&] { return owned() == expected; })) << "each thing once" << outputs();
  EXPECT_TRUE(answers(110, "/metrics", "perigee_sim_links{state=\"up\"} 1\n"));
  EXPECT_THAT(says({"workers"}, 0), HasSubstr("sim-1"));

  const auto lies_with_it = status(20).regions(1).region();
  move_region(std::to_string(lies_with_it), "sim-1");
  EXPECT_TRUE(soon([&] { return status(21).regions_size() == 1; }));
  const auto things = [&] {
    unsigned all = 0;
    const auto reply = status(21);
    for (const auto& entities : reply.entities()) all += entities.count();
    return all;
  };
  EXPECT_TRUE(soon([&] { return things() > 0; })) << "it serves again" << outputs();
  EXPECT_TRUE(soon([&] { return owned() == expected; })) << "each thing once";
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "playing"), 6) << players.output();
  EXPECT_EQ(figure_of(players.output(), "malformed"), 0) << players.output();
}

// No other worker could get its regions, so nothing has changed.
TEST_F(AWorkerTakenForDead, GoesOnIfItWasAlone) {
  start(PERIGEE_DIRECTORY_BINARY, {"--directory-workers", "1", "--directory-regions", "1"});
  start(PERIGEE_GATEWAY_BINARY);
  Child& sim = start(PERIGEE_SIM_BINARY, {"--index", "0"});
  for (const unsigned port : {102U, 100U, 110U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  const Things before = owned_by({0});
  sim.signal(SIGSTOP);
  EXPECT_TRUE(answers(102, "/metrics", "perigee_directory_deaths_total 1\n"));
  sim.signal(SIGCONT);
  const std::string ticks = "perigee_sim_ticks_total";
  const double ran = series(110, ticks);
  EXPECT_TRUE(soon([&] { return series(110, ticks) > ran + 60; })) << "it is as it was";
  EXPECT_TRUE(answers(110, "/ready", "200 OK"));
  EXPECT_EQ(owned_by({0}), before);
  sim.signal(SIGTERM);
  EXPECT_EQ(sim.wait(), 0) << sim.output();
  EXPECT_THAT(sim.output(), testing::Not(HasSubstr("starting a new incarnation")));
}

}  // namespace
}  // namespace perigee::process_test
