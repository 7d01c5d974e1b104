/// Wounds, deaths and respawns: the game's rules alone, with a fake journal.
#include <gtest/gtest.h>

#include <map>

#include "perigee/skiff/fighter.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/test_bench/paper_journal.hpp"

namespace perigee::skiff {
namespace {

constexpr Handle alice = 1, bob = 2;

struct PaperJournal final : test_bench::PaperJournal {
  const Skiff& game;
  std::map<Handle, world::GameState> states;
  std::vector<world::JournalEntry> entries;
  std::vector<Handle> begun_anew;

  explicit PaperJournal(const Skiff& of) : game(of) {
    for (const Handle h : {alice, bob}) states[h] = game.state_codec().initial;
  }
  std::optional<world::GameState> state(Handle actor) const override {
    const auto found = states.find(actor);
    return found == states.end() ? std::nullopt : std::optional(found->second);
  }
  bool notify(Handle actor, const world::GameEvent& event) override {
    const auto found = states.find(actor);
    if (found == states.end()) return false;
    game.apply_event(event, found->second);
    return true;
  }
  bool respawn(Handle actor) override {
    begun_anew.push_back(actor);
    return true;
  }
  void write(const world::JournalEntry& entry) override { entries.push_back(entry); }
  bool send(const world::Message& message) override {
    game.receive(*this, message, false);
    return true;
  }
  const Fighter& fighter(Handle actor) const { return states.at(actor).as<Fighter>(); }
};

struct Fighting : testing::Test {
  Skiff game;
  PaperJournal journal{game};
  world::StepRecord record{.tick = Tick{500}, .actor = 77};

  /// One tick of an actor with this input.
  const world::Wishes& step(Handle actor, std::uint16_t held = 0) {
    ++record.tick;
    record.input = {.tick = record.tick, .held = held};
    record.wishes = {};
    world::ActorContext context(record);
    game.step(context, journal.states.at(actor));
    return record.wishes;
  }
  world::Judgement hit(Handle shooter, Handle target, Tick tick) {
    const world::Outcome shot{.actor = shooter, .tick = tick};
    return game.commit(journal, shot, {.detail = shot_hit, .target = target});
  }
};

TEST_F(Fighting, TheRifleFiresEveryTwelveTicksWhileTheTriggerIsHeld) {
  int shots = 0;
  for (int i = 0; i < 60; ++i) {
    const world::Wishes& wishes = step(alice, button_fire);
    shots += static_cast<int>(wishes.proposals.size());
    EXPECT_EQ(wishes.cues.size(), wishes.proposals.size());
  }
  EXPECT_EQ(shots, 5);
}

// B7: 0.6 s from the first visible sign to the shot
TEST_F(Fighting, TheBowIsDrawnBeforeItLooses) {
  EXPECT_EQ(step(alice, button_alternate).cues[0].effect, draw_effect);
  for (int i = 2; i < 36; ++i) EXPECT_EQ(step(alice, button_alternate).indices, 0) << i;
  const world::Wishes& loosed = step(alice, button_alternate);
  ASSERT_EQ(loosed.proposals.size(), 1U);
  EXPECT_EQ(loosed.proposals[0].kind, arrow_wish);
  EXPECT_EQ(loosed.proposals[0].speed_m_s, 60);
  EXPECT_EQ(loosed.cues[0].effect, loose_effect);
}

TEST_F(Fighting, ABowThatIsLetGoHalfDrawnLoosesNothing) {
  for (int i = 0; i < 20; ++i) step(alice, button_alternate);
  step(alice);
  for (int i = 0; i < 35; ++i) EXPECT_TRUE(step(alice, button_alternate).proposals.empty()) << i;
  EXPECT_FALSE(step(alice, button_alternate).proposals.empty());
}

// B8: an arrow in flight is independent of its shooter's fate
TEST_F(Fighting, AnArrowOutlivesItsArcher) {
  for (const int i : {0, 12, 24}) hit(alice, bob, Tick{600} + i);
  world::Outcome arrow{.actor = bob, .tick = Tick{650}, .flew = true};
  arrow.wish.kind = arrow_wish;
  game.commit(journal, arrow, {.detail = shot_hit, .target = alice});
  EXPECT_EQ(journal.fighter(alice).health, 2);
}

TEST_F(Fighting, TheThirdHitKillsAndIsWrittenDown) {
  for (const int i : {0, 12}) hit(alice, bob, Tick{600} + i);
  EXPECT_EQ(journal.fighter(bob).health, 1);
  EXPECT_TRUE(journal.entries.empty());
  hit(alice, bob, Tick{624});
  EXPECT_TRUE(journal.fighter(bob).dead());
  EXPECT_EQ(journal.fighter(bob).deaths, 1);
  EXPECT_EQ(journal.fighter(alice).kills, 1);
  ASSERT_EQ(journal.entries.size(), 1U);
  EXPECT_EQ(journal.entries[0].kind, kill_entry);
  hit(alice, bob, Tick{636});  // no player dies twice
  EXPECT_EQ(journal.fighter(bob).deaths, 1);
  EXPECT_EQ(journal.entries.size(), 1U);
}

// S2: deaths take effect at the end of their tick
TEST_F(Fighting, AShotCountsUpToTheTickOfItsShootersDeath) {
  for (const int i : {0, 12, 24}) hit(alice, bob, Tick{600} + i);
  EXPECT_EQ(hit(bob, alice, Tick{624}).reason, CancelReason::None);
  EXPECT_EQ(journal.fighter(alice).health, 2);
  EXPECT_EQ(hit(bob, alice, Tick{625}).reason, CancelReason::Overruled);
  EXPECT_EQ(journal.fighter(alice).health, 2);
}

TEST_F(Fighting, TheDeadDoNothingAndBeginAnewAfterThreeSeconds) {
  for (const int i : {0, 12, 24}) hit(alice, bob, Tick{600} + i);
  record.tick = Tick{640};
  std::optional<Tick> asked;
  for (int i = 0; i < 200 && !asked; ++i) {
    const world::Wishes& wishes = step(bob, button_fire);
    EXPECT_TRUE(wishes.muted);
    EXPECT_TRUE(wishes.cues.empty());
    if (!wishes.proposals.empty()) asked = record.tick;
  }
  ASSERT_TRUE(asked);
  EXPECT_EQ(*asked, Tick{624 + 180});
  const world::Outcome begin{.wish = record.wishes.proposals[0], .actor = bob, .tick = record.tick};
  game.commit(journal, begin, {});
  EXPECT_EQ(journal.begun_anew, std::vector<Handle>{bob});
  EXPECT_EQ(journal.fighter(bob).health, 3);
  EXPECT_EQ(journal.fighter(bob).deaths, 1) << "the score stays";
  game.commit(journal, begin, {});
  EXPECT_EQ(journal.begun_anew.size(), 1U) << "once";
}

TEST_F(Fighting, WhoIsGoneIsNobody) {
  journal.states.erase(bob);
  EXPECT_EQ(hit(alice, bob, Tick{600}).reason, CancelReason::None);
  EXPECT_EQ(hit(bob, alice, Tick{600}).reason, CancelReason::None);
  EXPECT_EQ(journal.fighter(alice).health, 3);
  EXPECT_TRUE(journal.entries.empty());
}

}  // namespace
}  // namespace perigee::skiff
