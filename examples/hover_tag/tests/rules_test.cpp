// The rules alone, with a paper journal: points, and the way of a torch.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "perigee/test_bench/paper_journal.hpp"
#include "players.hpp"

namespace hover_tag {
namespace {

using namespace perigee;

constexpr Handle red = 1, blue = 2, mate = 3, thing = 9;

/// Runs everything at once, on one worker. Messages to absent runners return.
struct PaperJournal final : test_bench::PaperJournal {
  explicit PaperJournal(const Game& of) : game(of) {}

  Runner& add(Handle runner, std::uint8_t team) {
    states[runner] = game.state_codec().initial;
    runner_of(runner).team = team;
    runner_of(runner).match = 1;
    return runner_of(runner);
  }
  Runner& runner_of(Handle runner) { return states.at(runner).as<Runner>(); }

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
  void write(const world::JournalEntry& entry) override { entries.push_back(entry); }
  bool send(const world::Message& message) override {
    if (full) return false;
    const bool there = states.contains(message.to) || message.to == thing;
    if (there || states.contains(message.from)) game.receive(*this, message, !there);
    return true;
  }
  world::Spawned spawn(const world::ThingSpawn& order) override {
    spawned.push_back(order);
    return {100, world::SpawnRefusal::None};
  }
  world::SpawnRefusal despawn(Handle) override {
    return std::exchange(thing_there, false) ? world::SpawnRefusal::None
                                             : world::SpawnRefusal::NoSuchEntity;
  }
  world::TellRefusal tell_everybody(std::span<const std::byte> message) override {
    told.emplace_back(reinterpret_cast<const char*>(message.data()), message.size());
    return {};
  }

  const Game& game;
  std::map<Handle, world::GameState> states;
  std::vector<world::JournalEntry> entries;
  std::vector<world::ThingSpawn> spawned;
  std::vector<std::string> told;
  bool thing_there = true, full = false;
};

class TheRules : public testing::Test {
 protected:
  TheRules() {
    journal.add(red, 1).torch = 1;
    journal.add(blue, 2);
    journal.add(mate, 1);
  }
  /// The verdict on a touch of that tick.
  CancelReason touch(Handle by, Handle target, std::uint32_t tick = 990) {
    const int team = journal.runner_of(by).team;
    return game
        .commit(journal,
                {.wish = {.kind = tag, .target = target, .amount = 100 | team << 16},
                 .actor = by,
                 .tick = Tick{tick}},
                {})
        .reason;
  }
  int torches() {
    int out = static_cast<int>(journal.spawned.size());
    for (auto& [handle, state] : journal.states) out += state.as<Runner>().torch;
    return out;
  }

  const Game game;
  PaperJournal journal{game};
};

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

TEST_F(TheRules, ATeamIsThatOfTheTokenElseOfTheId) {
  PlayerAccount account{.player_id = 4};
  game.on_join(journal, {.actor = blue, .account = account});
  EXPECT_EQ(journal.runner_of(blue).team, 1);
  for (const char c : std::string_view(R"({"team":2})")) account.claims.push_back(c);
  game.on_join(journal, {.actor = blue, .account = account});
  EXPECT_EQ(journal.runner_of(blue).team, 2);
}

TEST_F(TheRules, AChatNamesItsPlayer) {
  PlayerAccount account;
  for (const char c : std::string_view("Ada")) account.name.push_back(c);
  game.on_message(journal, {.actor = blue, .account = account},
                  std::as_bytes(std::span(std::string_view("hi"))));
  const std::vector<std::byte> too_long(201);
  game.on_message(journal, {.actor = blue, .account = account}, too_long);
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
