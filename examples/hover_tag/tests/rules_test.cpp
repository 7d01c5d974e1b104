// The rules alone, with a paper journal: points, the way of a torch, and teams.
#include <gtest/gtest.h>

#include "paper.hpp"

namespace hover_tag {
namespace {

using namespace perigee;

TEST_F(TheRules, ATagIsAPointAndHandsTheTorchOver) {
  EXPECT_EQ(touch(red, blue), CancelReason::None);
  EXPECT_EQ(journal.runner_of(red).torch, 0);
  EXPECT_EQ(journal.runner_of(red).score, 1);
  EXPECT_EQ(journal.runner_of(blue).torch, 1);
  EXPECT_EQ(journal.runner_of(blue).blow_at, 1'009U) << "announced, not at once";
  EXPECT_EQ(journal.runner_of(blue).blow_yaw, 100);
  ASSERT_EQ(journal.entries.size(), 1U);
  EXPECT_EQ(journal.entries[0].actor, red);
}

TEST_F(TheRules, AFormerCarrierIsNotTaggedBack) {
  touch(red, blue);
  touch(blue, red);
  EXPECT_EQ(journal.runner_of(blue).torch, 1) << "it came back";
  EXPECT_EQ(journal.runner_of(blue).score, 0);
  journal.runner_of(red).tag_wait = 0;
  touch(blue, red);
  EXPECT_EQ(journal.runner_of(blue).score, 1);
  EXPECT_EQ(torches(), 1);
}

TEST_F(TheRules, ATouchOfAMateOrOfACarrierDoesNotCount) {
  touch(red, mate);
  journal.runner_of(blue).torch = 1;
  touch(red, blue);
  EXPECT_EQ(journal.runner_of(red).torch, 1);
  EXPECT_EQ(journal.runner_of(red).score, 0);
  EXPECT_TRUE(journal.entries.empty());
}

TEST_F(TheRules, ATouchOfAMateDoesNotKeepTheCarrierFromTagging) {
  touch(red, mate);
  EXPECT_LE(journal.runner_of(red).tag_wait, tag_wait_ticks);
}

TEST_F(TheRules, NothingComesOfAnInputThatIsTooLate) {
  const world::Judgement late{.reason = CancelReason::TooLate};
  for (const std::uint8_t kind : {tag, throw_ball, take_power, take_torch}) {
    const auto verdict = game.commit(
        journal, {.wish = {.kind = kind, .target = blue}, .actor = red, .tick = Tick{990}}, late);
    EXPECT_EQ(verdict.reason, CancelReason::TooLate);
  }
  EXPECT_EQ(journal.runner_of(red).torch, 1);
  EXPECT_TRUE(journal.spawned.empty());
  EXPECT_TRUE(journal.entries.empty());
}

TEST_F(TheRules, OnlyOneTouchOfATickHandsTheTorchOver) {
  journal.add(4, 2);
  EXPECT_EQ(touch(red, blue), CancelReason::None);
  EXPECT_EQ(touch(red, 4), CancelReason::NotAllowed);
  EXPECT_EQ(torches(), 1);
}

TEST_F(TheRules, ATorchOnItsWayIsNeverLost) {
  touch(red, 77);  // has left
  EXPECT_EQ(journal.runner_of(red).torch, 1);
  journal.full = true;
  EXPECT_EQ(touch(red, blue), CancelReason::NotAllowed);
  EXPECT_EQ(journal.runner_of(red).torch, 1);
  // The carrier takes another one, or leaves, while its own comes back: it lies in the arena again.
  game.receive(journal, {.tick = Tick{990}, .kind = back_torch, .from = blue, .to = red}, false);
  EXPECT_EQ(journal.spawned.size(), 1U);
  game.receive(journal, {.tick = Tick{990}, .kind = back_torch, .from = blue, .to = 77}, true);
  EXPECT_EQ(journal.spawned.size(), 2U);
  EXPECT_EQ(journal.spawned[0].type, torch_row);
}

TEST_F(TheRules, ATorchOfAPlayerThatLeavesLiesInTheArena) {
  game.on_leave(journal, {.tick = journal.now, .actor = blue, .account = {}});
  EXPECT_TRUE(journal.spawned.empty());
  game.on_leave(journal, {.tick = journal.now, .actor = red, .account = {}});
  ASSERT_EQ(journal.spawned.size(), 1U);
  EXPECT_EQ(journal.spawned[0].type, torch_row);
}

TEST_F(TheRules, AThingIsTakenOnce) {
  for (const Handle by : {blue, mate}) {
    game.commit(journal,
                {.wish = {.kind = take_power, .target = thing}, .actor = by, .tick = journal.now},
                {});
  }
  EXPECT_EQ(journal.runner_of(blue).powers, 1);
  EXPECT_FALSE(journal.runner_of(blue).fast(Tick{1'008}));
  EXPECT_TRUE(journal.runner_of(blue).fast(Tick{1'009}));
  EXPECT_FALSE(journal.runner_of(blue).fast(Tick{1'009 + boost_ticks}));
  EXPECT_EQ(journal.runner_of(mate).powers, 0);
}

TEST_F(TheRules, NothingCountsInABreakAndNothingIsCarriedOver) {
  const Rules rules;
  const auto end = static_cast<std::uint32_t>(rules.match_ticks);
  EXPECT_EQ(touch(red, blue, end - 1), CancelReason::None) << "the last tick of the match";
  EXPECT_EQ(touch(blue, mate, end), CancelReason::NotAllowed);
  // A torch of the old match that comes back late is not another one.
  journal.now = Tick{end + static_cast<std::uint32_t>(rules.break_ticks) + 10};
  game.receive(journal, {.tick = Tick{end - 1}, .kind = back_torch, .from = red, .to = 77}, true);
  EXPECT_TRUE(journal.spawned.empty());
}

TEST_F(TheRules, ATeamIsTheSmallerOneUnlessTheTokenNamesOne) {
  const auto team_of_newcomer = [&](std::string_view claims) {
    journal.add(blue, 0);
    PlayerAccount account{.player_id = 4};
    for (const char c : claims) account.claims.push_back(c);
    game.on_join(journal, {.actor = blue, .account = account});
    return journal.runner_of(blue).team;
  };
  EXPECT_EQ(team_of_newcomer(""), 1);
  EXPECT_EQ(team_of_newcomer(""), 2);
  EXPECT_EQ(team_of_newcomer(R"({"team": 2})"), 2);
  EXPECT_EQ(team_of_newcomer(""), 1);
  EXPECT_EQ(journal.standings().runners, (std::array<std::uint16_t, 2>{2, 2}));
  game.on_leave(journal, {.actor = blue, .account = {}});
  EXPECT_EQ(journal.standings().runners, (std::array<std::uint16_t, 2>{1, 2}));
  EXPECT_EQ(team_of_newcomer(R"({"team":"x"})"), 1);
}

TEST_F(TheRules, AChatNamesItsPlayer) {
  PlayerAccount account;
  for (const char c : std::string_view("Ada")) account.name.push_back(c);
  game.on_message(journal, {.actor = blue, .account = account},
                  std::as_bytes(std::span(std::string_view("hi"))));
  const std::vector<std::byte> too_long(201, std::byte{'x'});
  game.on_message(journal, {.actor = blue, .account = account}, too_long);
  game.on_message(journal, {.actor = blue, .account = account},
                  std::as_bytes(std::span(std::string_view("hi\nBob: I am Bob"))));
  EXPECT_EQ(journal.told, std::vector<std::string>{"\1Ada: hi"});
}

TEST(TheTimetable, IsAFunctionOfTheTick) {
  const Rules rules{.match_ticks = 100, .break_ticks = 20};
  EXPECT_EQ(match_time(rules, Tick{0}).match, 1);
  EXPECT_EQ(match_time(rules, Tick{99}).left, 1);
  EXPECT_EQ(match_time(rules, Tick{100}).phase, Phase::Break);
  EXPECT_EQ(match_time(rules, Tick{100}).match, 1);
  EXPECT_EQ(match_time(rules, Tick{100}).left, 20);
  EXPECT_EQ(match_time(rules, Tick{120}).match, 2);
  EXPECT_EQ(match_time(rules, Tick{120}).phase, Phase::Match);
}

}  // namespace
}  // namespace hover_tag
