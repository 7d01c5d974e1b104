// Any process of the control plane, and the gateway, may die during play.
#include <functional>
#include <set>

#include "cluster.hpp"
#include "felt_gaps.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::process_test {
namespace {

using namespace std::chrono_literals;

constexpr int bot_count = sanitized ? 10 : 50;

double unix_now_s() { return static_cast<double>(host::Loop::wall_us()) * 1e-6; }

class ARestart : public ACluster {
 protected:
  /// An action on the cluster, with its times.
  struct Deed {
    std::string what;
    double began_s = 0;
    double back_s = 0;   ///< when the process was started again
    double ended_s = 0;  ///< end of the time in which gaps count as its effect
  };
  void do_and_watch(const std::string& what, const std::function<void(Deed&)>& deed) {
    Deed& done = deeds.emplace_back(Deed{what, unix_now_s()});
    deed(done);
    std::this_thread::sleep_for(3s);
    done.ended_s = unix_now_s();
  }
  Child& child(int number) { return *std::next(processes.begin(), number); }
  void kill_and_start(int number, Deed& deed, const std::function<void()>& start_again) {
    child(number).signal(SIGKILL);
    child(number).wait();
    std::this_thread::sleep_for(2s);
    start_again();
    deed.back_s = unix_now_s();
  }
  static constexpr int directory = 0, gateway = 1, session = 4;
  std::vector<Deed> deeds;
  FeltGaps felt;
};

TEST_F(ARestart, OfTheControlPlaneIsNotFeltAndOneOfTheGatewayIsOverInSeconds) {
  start_all();
  const fs::path log = folder / "gaps.csv";
  Child players(bots({"--count", std::to_string(bot_count), "--seconds", "600", "--json",
                      "--gap-log", log.string()}));
  for (const int process : {gateway, 2, 3}) felt.watch(child(process).pid());
  felt.watch(players.pid());
  ASSERT_TRUE(players.says("playing " + std::to_string(bot_count))) << players.output();
  const std::string handed = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
  ASSERT_TRUE(soon([&] { return series(100, handed) == bot_count; }))
      << "everybody has a token to come back with";

  do_and_watch("session killed", [&](Deed& deed) {
    kill_and_start(session, deed, [&] { start(PERIGEE_SESSION_BINARY); });
  });
  do_and_watch("directory killed",
               [&](Deed& deed) { kill_and_start(directory, deed, [&] { start_directory(); }); });
  Child& second_session = child(5);
  Child& second_directory = child(6);
  for (Child* stopped : {&second_session, &second_directory}) {
    do_and_watch("stopped and continued", [&](Deed&) {
      stopped->signal(SIGSTOP);
      std::this_thread::sleep_for(stopped == &second_directory ? 7s : 3s);
      stopped->signal(SIGCONT);
    });
  }
  do_and_watch("gateway killed", [&](Deed& deed) {
    kill_and_start(gateway, deed, [&] { felt.watch(start(PERIGEE_GATEWAY_BINARY).pid()); });
    ASSERT_TRUE(answers(100, "/metrics",
                        "perigee_gateway_sessions_playing " + std::to_string(bot_count) + "\n"))
        << outputs();
    ASSERT_TRUE(soon([&] { return series(100, handed) == bot_count; })) << "and receives it again";
  });
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();

  EXPECT_EQ(figure_of(players.output(), "playing"), bot_count) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "avatars_changed"), 0) << players.output();
  std::set<int> back;
  int silences = 0;  // after a second of silence a player reconnects, even without an action
  for (const Gap& gap : read_gaps(log)) {
    const bool gateways_doing = gap.ended_s > deeds.back().began_s;
    if (gateways_doing) {
      back.insert(gap.bot);
      const double back_s = deeds.back().back_s;
      EXPECT_LT(gap.ended_s - back_s - felt.machine_stalled_s(back_s, gap.ended_s), 5 * slowness)
          << "bot " << gap.bot;
    } else {
      const auto deed = std::find_if(deeds.begin(), deeds.end(), [&](const Deed& d) {
        return gap.ended_s > d.began_s && gap.ended_s <= d.ended_s;
      });
      silences += gap.gap_ms >= 1'000;
      EXPECT_LE(felt.own_part_s(gap), FeltGaps::seconds_max)
          << "bot " << gap.bot << ": "
          << (deed == deeds.end() ? "before anything was done" : deed->what);
    }
  }
  EXPECT_EQ(back.size(), static_cast<std::size_t>(bot_count));
  EXPECT_GE(figure_of(players.output(), "resumes"), bot_count);
  EXPECT_LE(figure_of(players.output(), "resumes"), bot_count + silences);
  // A player that receives nothing for a second while reconnecting tries again: the worker counts
  // both.
  EXPECT_GE(series(110, "perigee_sim_players_resumed_total") +
                series(111, "perigee_sim_players_resumed_total"),
            bot_count);
}

// A gateway that is told to stop sends its players to the next one.
TEST_F(ARestart, OfAGatewayInGoodOrderLosesNobody) {
  start_all();
  Child players(bots({"--count", "10", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 10")) << players.output();
  const std::string handed = "perigee_gateway_resume_tokens_total{step=\"acknowledged\"}";
  ASSERT_TRUE(soon([&] { return series(100, handed) == 10; }));
  child(gateway).signal(SIGTERM);
  EXPECT_EQ(child(gateway).wait(), 0) << child(gateway).output();
  start(PERIGEE_GATEWAY_BINARY);
  ASSERT_TRUE(answers(100, "/metrics", "perigee_gateway_sessions_playing 10\n")) << outputs();
  std::this_thread::sleep_for(1s);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "avatars_changed"), 0) << players.output();
  EXPECT_GE(figure_of(players.output(), "resumes"), 10);
}

}  // namespace
}  // namespace perigee::process_test
