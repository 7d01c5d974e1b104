// Worker processes are started and stopped during play. (mission D7)
#include "cluster.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

struct AScaledCluster : ACluster {};

TEST_F(AScaledCluster, GrowsFromOneToThreeWorkersAndShrinksAgainWhilePeoplePlay) {
  start(PERIGEE_DIRECTORY_BINARY,
        {"--directory-workers", "1", "--directory-regions", "1", "--directory-idle-ms", "0.05"});
  start(PERIGEE_GATEWAY_BINARY);
  start(PERIGEE_SIM_BINARY, {"--index", "0"});
  start(PERIGEE_SESSION_BINARY);
  for (const unsigned port : {102U, 100U, 110U, 101U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  Child players(bots({"--count", "12", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 12")) << players.output();

  Child& second = start(PERIGEE_SIM_BINARY, {"--index", "1"});
  Child& third = start(PERIGEE_SIM_BINARY, {"--index", "2"});
  for (const unsigned port : {111U, 112U}) {
    EXPECT_TRUE(answers(port, "/ready", "200 OK")) << port << ": it was given no region";
  }
  EXPECT_TRUE(soon([&] { return status(21).players() + status(22).players() > 0; }))
      << "somebody plays on a new worker";
  EXPECT_TRUE(soon([&] { return asked_of({0, 1, 2})["character"] == 12; })) << "each once";

  second.signal(SIGTERM);
  third.signal(SIGTERM);
  EXPECT_EQ(second.wait(), 0) << second.output();
  EXPECT_EQ(third.wait(), 0) << third.output();
  for (const Child* gone : {&second, &third}) {
    EXPECT_THAT(gone->output(), HasSubstr("draining"));
    EXPECT_THAT(gone->output(), testing::Not(HasSubstr("end with this worker")));
  }
  EXPECT_TRUE(soon([&] { return asked_of({0})["character"] == 12; })) << "all of them are back";
  EXPECT_EQ(series(102, "perigee_directory_deaths_total"), 0);
  EXPECT_EQ(series(102, "perigee_directory_reports_refused_total"), 0);
  EXPECT_GT(series(102, "perigee_directory_region_changes_total{kind=\"move\"}"), 0);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0) << players.output();
}

TEST_F(AScaledCluster, DoesWhatOperatorsSay) {
  start(PERIGEE_DIRECTORY_BINARY,
        {"--directory-workers", "2", "--directory-regions", "2", "--directory-balance=false"});
  ASSERT_TRUE(start(PERIGEE_SIM_BINARY, {"--index", "0"}).says("registered")) << "region 0 is its";
  start(PERIGEE_SIM_BINARY, {"--index", "1"});
  for (const unsigned port : {102U, 110U, 111U}) {
    ASSERT_TRUE(answers(port, "/ready", "200 OK")) << port << outputs();
  }
  const auto ctl = [&](std::vector<std::string> words, int expected) {
    std::vector<std::string> all{PERIGEE_CTL_BINARY, "--tls-dir", "none", "--directory",
                                 "127.0.0.1:" + std::to_string(base + 11)};
    all.insert(all.end(), words.begin(), words.end());
    std::string output;
    // An owner reports a change within two seconds.
    for (int attempt = 0; attempt < 40; ++attempt) {
      Child child(all);
      const int code = child.wait();
      output = child.output();
      if (output.find("try again in a second") == std::string::npos) {
        EXPECT_EQ(code, expected) << words[0] << ": " << output;
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(250 * slowness));
    }
    return output;
  };
  EXPECT_THAT(ctl({"split", "0", "--axis", "z", "--at", "0"}, 0), HasSubstr("region 2"));
  ctl({"move", "2", "sim-1"}, 0);
  EXPECT_THAT(ctl({"merge", "0"}, 1), HasSubstr("different owners; first: move 2 sim-0"));
  EXPECT_THAT(ctl({"split", "9"}, 1), HasSubstr("no region 9"));
  EXPECT_THAT(ctl({"split", "0", "--axis", "w"}, 2), HasSubstr("w"));
  EXPECT_THAT(ctl({"regions"}, 0), HasSubstr("balance is off"));
  ctl({"balance", "on"}, 0);
  EXPECT_THAT(ctl({"drain", "sim-1", "--wait"}, 0), HasSubstr("sim-1 is empty"));
  EXPECT_THAT(ctl({"workers"}, 0), HasSubstr("draining"));
  EXPECT_THAT(ctl({"drain", "sim-0"}, 1), HasSubstr("start one first"));
  ctl({"undrain", "sim-1"}, 0);
  EXPECT_THAT(ctl({"regions"}, 0), HasSubstr("balance is on"));
}

}  // namespace
}  // namespace perigee::process_test
