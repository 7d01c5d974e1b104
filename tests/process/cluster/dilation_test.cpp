// An operator slows world time down during play, and restores it. (mission K48)
#include "operator.hpp"

namespace perigee::process_test {
namespace {

using testing::HasSubstr;

TEST_F(AnOperator, SlowsTimeDownWhilePeoplePlayAndLetsItGoOn) {
  start_all();
  Child players(bots({"--count", "8", "--seconds", "600", "--json"}));
  ASSERT_TRUE(players.says("playing 8")) << players.output();
  const auto passes_at = [&](double rate) {
    const auto shown = [&] {
      return series(102, "perigee_directory_time_rate_ratio") == rate &&
             series(110, "perigee_sim_time_rate_ratio") == rate &&
             series(111, "perigee_sim_time_rate_ratio") == rate;
    };
    return soon(shown);
  };
  EXPECT_TRUE(passes_at(1));
  EXPECT_THAT(says({"dilate", "0.4"}, 2), HasSubstr("0.4"));
  says({"dilate", "0.5"}, 0);
  EXPECT_TRUE(passes_at(0.5));
  EXPECT_THAT(says({"workers"}, 0), HasSubstr("50 % of real time, as ordered"));
  const std::uint32_t from = status(20).tick();
  EXPECT_TRUE(soon([&] { return status(20).tick() - from > 300; })) << "they play on";
  says({"dilate", "auto"}, 0);
  EXPECT_TRUE(passes_at(1)) << "by itself, step by step";
  EXPECT_THAT(says({"regions"}, 0), HasSubstr("100 % of real time\n"));

  EXPECT_EQ(series(110, "perigee_sim_hard_resets_total"), 0);
  EXPECT_EQ(series(111, "perigee_sim_hard_resets_total"), 0);
  players.signal(SIGINT);
  EXPECT_EQ(players.wait(), 0) << players.output();
  EXPECT_EQ(figure_of(players.output(), "disconnects"), 0);
  const double corrections = figure_of(players.output(), "corrections_static_per_min");
  EXPECT_GE(corrections, 0);
  EXPECT_LE(corrections, 1.0 * slowness) << players.output();
}

// The ordered rate is stored with the world, and so are the world's ticks.
TEST_F(AnOperator, SlowsTimeDownAcrossARestartOfTheDirectory) {
  start_all();
  says({"dilate", "0.6"}, 0);
  EXPECT_TRUE(soon([&] { return series(110, "perigee_sim_time_rate_ratio") == 0.6; }));
  Child& directory = processes.front();
  directory.signal(SIGKILL);
  directory.wait();
  Child& again = start_directory();
  ASSERT_TRUE(again.says("ready")) << again.output();
  EXPECT_TRUE(soon([&] { return series(102, "perigee_directory_time_rate_ratio") == 0.6; }));
  EXPECT_TRUE(answers(110, "/ready", "200 OK"));
  const std::uint32_t from = status(20).tick();
  EXPECT_TRUE(soon([&] { return status(20).tick() - from > 60; }));
  EXPECT_EQ(series(110, "perigee_sim_time_rate_ratio"), 0.6);
  EXPECT_LT(series(110, "perigee_sim_tick_lag_seconds"), 1.0 * slowness) << "no tick was skipped";
}

}  // namespace
}  // namespace perigee::process_test
