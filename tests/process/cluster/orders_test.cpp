// An operator switches techniques of bots in play, with the command line and over real sockets.
#include "operator.hpp"

namespace perigee::process_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class AnOrderGiver : public AnOperator {
 protected:
  double switches() const {
    const std::string name = "perigee_sim_technique_switches_total";
    return series(110, name) + series(111, name);
  }
  bool switched(double times) const {
    return soon([&] { return switches() >= times; }) && switches() == times;
  }
};

class AnOnlooker : public AnOperator {};

TEST_F(AnOnlooker, SeesRegionsAndWorkersAndWhichOfThemIsSilent) {
  start_all();
  Child players(bots({"--count", "3", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 3")) << players.output();
  const std::string figures = " +sim-[01] +[0-9]+ +[0-9.]+ +[0-9]+ +[0-9]+ +[a-z]+ +";
  EXPECT_THAT(says({"regions"}, 0),
              AllOf(ContainsRegex("0" + figures + "-8000 to 0 +-2000 to 2000"),
                    ContainsRegex("1" + figures + "0 to 8000"), HasSubstr("balance is off")));
  const std::string row = " +alive +1( +[0-9]+){3}( +[0-9.]+){4} +[0-9]+ ";
  EXPECT_THAT(says({"workers"}, 0),
              AllOf(ContainsRegex("sim-0" + row), ContainsRegex("sim-1" + row)));

  Child& second = *std::next(processes.begin(), 3);
  std::string shown;
  // retried, because a gateway that is silent for two seconds counts as gone instead
  EXPECT_TRUE(soon([&] {
    second.signal(SIGSTOP);
    Child workers(ctl({"workers"}));
    const int code = workers.wait();
    second.signal(SIGCONT);
    shown = workers.output();
    return code == 1 && shown.find("no answer") != std::string::npos;
  })) << shown;
  // with any regions: each try may have moved them, and so may a worker that the machine held up
  const std::string alone_or_not = " +alive +[012]( +[0-9]+){3}( +[0-9.]+){4} +[0-9]+ ";
  EXPECT_THAT(shown, AllOf(ContainsRegex("sim-0" + alone_or_not),
                           HasSubstr("sim-1 does not answer at 127.0.0.1:")));
  processes.front().signal(SIGKILL);
  EXPECT_THAT(says({"regions"}, 1), HasSubstr("is perigee-directory running"));
}

TEST_F(AnOrderGiver, ChangesAndSeesWhatRunningClientsUse) {
  start_all();
  Child players(bots({"--count", "3", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 3")) << players.output();

  EXPECT_THAT(says({"techniques", "bot-1"}, 0),
              AllOf(HasSubstr("bot-1 (#"), HasSubstr("rollback=on"), HasSubstr("view=near")));
  EXPECT_EQ(switches(), 0) << "that was a question";
  EXPECT_THAT(says({"techniques", "bot-1", "smoothing=exponential", "rollback=off"}, 0),
              AllOf(HasSubstr("smoothing=exponential"), HasSubstr("rollback=off")));
  EXPECT_TRUE(switched(1)) << "the worker of bot-1 received it, from bot-1";
  EXPECT_THAT(says({"techniques", "--all", "timeline=playout"}, 0),
              AllOf(HasSubstr("2 players: "), HasSubstr("1 players: ")));
  EXPECT_TRUE(switched(4));

  EXPECT_THAT(says({"techniques", "bot-1", "rollback=maybe"}, 1), HasSubstr("is not off|on"));
  EXPECT_THAT(says({"techniques", "Eve", "rollback=off"}, 1), HasSubstr("no player of that name"));
  EXPECT_THAT(says({"techniques", "rollback=off"}, 2), HasSubstr("--all"));
  EXPECT_THAT(says({"techniques", "--help"}, 0),
              AllOf(HasSubstr("examples:"), HasSubstr("smoothing=none|constant-weight")));
  EXPECT_THAT(says({"desync", "bot-2", "--metres", "1.5"}, 0),
              AllOf(HasSubstr("bot-2 (#"), HasSubstr("displaced the prediction by 1.5 m, once")));
  EXPECT_THAT(says({"desync", "bot-2", "--metres", "far"}, 1), HasSubstr("0.001 to 10, in metres"));

  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "orders_obeyed"), 5) << players.output();
  EXPECT_THAT(players.output(), HasSubstr("timeline=playout suggested-ms=30 rollback=off"));
  EXPECT_TRUE(
      answers(100, "/metrics", "perigee_gateway_technique_orders_total{step=\"answered\"} 6\n"));
  const std::string orders = "perigee_session_technique_orders_total";
  EXPECT_TRUE(answers(101, "/metrics", orders + "{result=\"bad_settings\"} 2\n"));
  EXPECT_EQ(series(101, orders + "{result=\"given\"}"), 4);
}

TEST_F(AnOrderGiver, IsToldWhenAPlayerIsAwayAndMayOrderAgain) {
  start_all();
  Child players(bots({"--count", "1", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 1")) << players.output();
  const std::string handed = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
  ASSERT_TRUE(soon([&] { return series(100, handed) >= 1; }));
  says({"techniques", "bot-0", "view=shared-clock"}, 0);
  Child& gateway = *std::next(processes.begin(), 1);
  gateway.signal(SIGKILL);
  gateway.wait();
  EXPECT_THAT(says({"techniques", "bot-0", "rollback=off"}, 1),
              testing::AnyOf(HasSubstr("no gateway is connected"), HasSubstr("did not answer")));
  start(PERIGEE_GATEWAY_BINARY);
  ASSERT_TRUE(answers(100, "/metrics", "perigee_gateway_sessions_playing 1\n")) << outputs();
  std::string now;
  soon([&] {
    Child again(ctl({"techniques", "bot-0"}));  // the gateway may not listen yet
    again.wait();
    now = again.output();
    return now.find("view=") != std::string::npos;
  });
  EXPECT_THAT(now, AllOf(HasSubstr("view=shared-clock"), HasSubstr("rollback=on")))
      << "it came back with the order that it had received";
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
}

}  // namespace
}  // namespace perigee::process_test
