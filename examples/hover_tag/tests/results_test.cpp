// The end of a match: the table, results and profiles.
#include "paper.hpp"

namespace hover_tag {
namespace {

class TheEndOfAMatch : public TheRules {
 protected:
  TheEndOfAMatch() {
    for (const Handle runner : {red, blue, mate}) {
      PlayerAccount account{.player_id = 100 + runner};
      game.on_join(journal, {.actor = runner, .account = account});
      journal.runner_of(runner).team = runner == blue ? 2 : 1;
    }
    journal.runner_of(red).score = 2;
    journal.runner_of(blue).score = 4;
    journal.runner_of(mate).score = 3;
    journal.add(npc, 0).score = 50;
    journal.profiles.erase(npc);
  }
  void think(std::int32_t ticks_of_break) {
    journal.now = Tick{static_cast<std::uint32_t>(game.rules().match_ticks + ticks_of_break)};
    game.think(context);
  }
  Profile profile(Handle runner) { return *profile_of(journal, runner); }

  static constexpr Handle npc = 5;
  PaperThink context{journal};
};

TEST_F(TheEndOfAMatch, IsATableByScoreAndARowForEachPlayer) {
  for (int tick = 0; tick < close_ticks + 3; ++tick) think(tick);
  ASSERT_EQ(journal.results.size(), 3U) << "none of the NPC";
  EXPECT_EQ(journal.results.at({1, 1}).player_id, 100U + blue);
  EXPECT_EQ(journal.results.at({1, 2}).player_id, 100U + mate);
  EXPECT_EQ(journal.results.at({1, 3}).player_id, 100U + red);
  EXPECT_EQ(journal.standings().outcome, Standings::TeamOne) << "5 : 4";
  EXPECT_EQ(journal.standings().rows, 3);
  EXPECT_EQ(journal.results.at({1, 1}).won, 0);
  EXPECT_EQ(journal.results.at({1, 3}).won, 1);
  EXPECT_EQ(journal.told, (std::vector<std::string>{{"\2\1\0", 3}})) << "one horn";
  EXPECT_EQ(profile(red).wins, 1);
  EXPECT_EQ(profile(red).points, 2U);
  EXPECT_EQ(profile(blue).wins, 0);
  EXPECT_EQ(profile(blue).matches, 1);
  EXPECT_EQ(journal.runner_of(red).wins, 1) << "its player sees it";
}

TEST_F(TheEndOfAMatch, IsCountedOnceThoughTheWorldGoesBack) {
  const auto before = journal.states;
  const auto standings_before = journal.world;
  for (int tick = 0; tick < close_ticks + 3; ++tick) think(tick);
  journal.states = before;
  journal.world = standings_before;
  journal.runner_of(red).score = 9;
  for (int tick = 0; tick < close_ticks + 3; ++tick) think(tick);
  EXPECT_EQ(profile(red).matches, 1);
  EXPECT_EQ(profile(red).points, 2U);
}

TEST_F(TheEndOfAMatch, IsKeptLaterWhileTheStoreIsFull) {
  journal.store_full = true;
  for (int tick = 0; tick < close_ticks + 5; ++tick) think(tick);
  EXPECT_TRUE(journal.results.empty());
  EXPECT_EQ(profile(red).matches, 0);
  journal.store_full = false;
  for (int tick = close_ticks + 5; tick < close_ticks + 7; ++tick) think(tick);
  EXPECT_EQ(journal.results.size(), 3U);
  EXPECT_EQ(profile(red).matches, 1);
}

TEST_F(TheEndOfAMatch, FindsAReportThatIsLateAndOneThatIsSentTwice) {
  for (int tick = 0; tick < close_ticks - 1; ++tick) think(tick);
  journal.runner_of(blue).reported = 0;  // its mark was lost
  think(close_ticks - 1);
  EXPECT_EQ(journal.standings().rows, 3);
  think(close_ticks);
  journal.add(6, 2).score = 9;  // its worker had died
  think(close_ticks + 30);
  think(close_ticks + 31);
  EXPECT_EQ(journal.results.at({1, 4}).score, 9);
  EXPECT_EQ(journal.results.size(), 4U);
}

}  // namespace
}  // namespace hover_tag
