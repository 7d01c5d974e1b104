/// Picks and stones: the game's rules on a small world.
#include <gtest/gtest.h>

#include "perigee/skiff/fighter.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/test_bench/paper_journal.hpp"

namespace perigee::skiff {
namespace {

struct Digging : testing::Test {
  Skiff game;
  world::World world{{.types = game.types(), .start = Tick{500}}};
  world::StepRecord record{.tick = Tick{500}, .actor = 77};
  world::GameState state = game.state_codec().initial;
  Handle ground = no_entity;

  /// Puts the actor on the mound's lowest terrace, in its frame.
  void SetUp() override {
    ground = world.spawn({.id = {1}, .type = ground_row});
    world.step_bodies(Tick{500});
    record.after.position = {1.5, 1.91, 16.5};
  }
  Fighter& fighter() { return state.as<Fighter>(); }
  const world::Wishes& step(std::uint16_t held, std::int16_t pitch = -16384) {
    ++record.tick;
    record.input = {.tick = record.tick, .yaw = 16384, .pitch = pitch, .held = held};
    record.wishes = {};
    const world::Shape& shape = *game.types()[ground_row].shape;
    record.neighbours.clear();
    record.neighbours.push_back(
        world::make_neighbour(ground, world::NeighbourKind::Solid, shape, {}, {}));
    world::cut_out(game.tunables().character, record.after, record,
                   [&](Handle patch, const world::Bounds& around, Tick tick, auto& out) {
                     return world.cut_cells(patch, around, tick, out);
                   });
    world::ActorContext context(record);
    game.step(context, state);
    return record.wishes;
  }
};

TEST_F(Digging, ThePickTakesTheCellThatOneLooksAt) {
  const world::Wishes& wishes = step(button_dig);
  ASSERT_EQ(wishes.proposals.size(), 1U);
  ASSERT_TRUE(wishes.proposals[0].edit);
  const world::CellEdit& edit = *wishes.proposals[0].edit;
  EXPECT_EQ(edit.patch, ground);
  EXPECT_EQ(world.voxels(ground)->plan().cell_of(edit.cell), (world::Cell{1, 0, 16}));
  EXPECT_FALSE(edit.solid);
  EXPECT_EQ(wishes.cues[0].effect, dig_effect);
  EXPECT_EQ(fighter().stones, 0) << "not before it is beyond dispute";
}

TEST_F(Digging, ThePickFallsEveryEighteenTicks) {
  int blows = 0;
  for (int i = 0; i < 90; ++i) blows += static_cast<int>(step(button_dig).proposals.size());
  EXPECT_EQ(blows, 5);
}

TEST_F(Digging, WhatIsOutOfReachIsNoCell) {
  const world::Wishes& wishes = step(button_dig, 0);  // a ray along the terrace, above the next one
  ASSERT_EQ(wishes.proposals.size(), 1U);
  EXPECT_EQ(wishes.proposals[0].edit->patch, no_entity);
}

TEST_F(Digging, AStoneIsPutDownOnceAndNotWhereOneStands) {
  EXPECT_EQ(step(button_fill).proposals.size(), 0U) << "no stone, no wish";
  fighter().stones = 2;
  const world::Wishes under = step(button_fill);  // the cell of its own feet
  ASSERT_EQ(under.proposals.size(), 1U);
  EXPECT_EQ(under.proposals[0].edit->patch, no_entity);
  EXPECT_EQ(fighter().stones, 2);
  for (int i = 0; i < 18; ++i) step(0);
  const world::Wishes beside = step(button_fill, -7300);
  ASSERT_EQ(beside.proposals.size(), 1U);
  const world::CellEdit& edit = *beside.proposals[0].edit;
  EXPECT_TRUE(edit.solid);
  EXPECT_FALSE(
      world.voxels(ground)->solid(world.voxels(ground)->plan().cell_of(edit.cell), record.tick));
  EXPECT_EQ(fighter().stones, 1) << "at once: nobody puts down more than there are";
}

TEST_F(Digging, OneHasTheStoneWhenItIsBeyondDisputeAndBackWhatDidNotFit) {
  struct Paper final : test_bench::PaperJournal {
    const Skiff& game;
    world::GameState& of;
    std::vector<world::JournalEntry> entries;
    Paper(const Skiff& g, world::GameState& s) : game(g), of(s) {}
    std::optional<world::GameState> state(Handle) const override { return of; }
    bool notify(Handle, const world::GameEvent& event) override {
      game.apply_event(event, of);
      return true;
    }
    void write(const world::JournalEntry& entry) override { entries.push_back(entry); }
  } journal(game, state);
  world::Outcome dug{.wish = {.kind = dig_wish, .target = ground, .amount = 5}, .tick = Tick{9}};
  dug.wish.edit = world::CellEdit{ground, 5, false};
  game.commit(journal, dug, {.target = ground});
  EXPECT_EQ(fighter().stones, 1);
  ASSERT_EQ(journal.entries.size(), 1U);
  EXPECT_EQ(journal.entries[0].kind, dig_entry);
  EXPECT_EQ(journal.entries[0].amount, 5);
  game.commit(journal, dug, {.reason = CancelReason::Overruled});
  EXPECT_EQ(fighter().stones, 1) << "somebody else has it";
  world::Outcome filled = dug;
  filled.wish.kind = fill_wish;
  game.commit(journal, filled, {.target = ground});
  EXPECT_EQ(fighter().stones, 1);
  game.commit(journal, filled, {.reason = CancelReason::NotAllowed});
  EXPECT_EQ(fighter().stones, 2);
  EXPECT_EQ(journal.entries.size(), 2U);
}

}  // namespace
}  // namespace perigee::skiff
