#include "perigee/world/watched_game.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "perigee/world/schema.hpp"

namespace perigee::world {
namespace {

/// Reads the note of the current call from within its functions.
class CuriousGame final : public GameModule {
 public:
  std::string_view name() const override { return "curious"; }
  std::uint64_t schema_hash() const override { return 7; }
  std::span<const EntityType> types() const override { return {}; }
  const ParentingParams& parenting() const override { return parenting_; }
  void populate(World&, const Bounds&, std::uint32_t) const override {}
  void drive(World&, Tick) const override {}
  ActorSpawn spawn_state(const World&, const Bounds&, std::uint32_t) const override { return {}; }
  UseOutcome accept_use(const World&, const UseAttempt&) const override { return {}; }
  void step(ActorContext& context, GameState&) const override {
    seen = game_call();
    context.mute();
  }
  void apply_event(const GameEvent& event, GameState& state) const override {
    if (event.kind == 1) throw std::runtime_error("a fault of the game");
    if (outer != nullptr) outer->hit_effect(9);
    seen = game_call();
    static_cast<void>(state);
  }
  std::uint8_t hit_effect(std::uint8_t kind) const override {
    within = game_call();
    return kind;
  }
  double cue_reach_m(std::uint8_t effect) const override {
    within = game_call();
    return effect;
  }
  PlayerInput drive_npc(const NpcView& view) const override {
    seen = game_call();
    return {.yaw = static_cast<std::uint16_t>(view.tick.count)};
  }
  const InputLayout& input_layout() const override { return inputs; }
  std::uint16_t buttons_aimed() const override { return aimed; }
  std::uint16_t aimed = perigee::buttons_aimed;
  InputLayout inputs;
  mutable GameCall seen, within;
  const GameModule* outer = nullptr;

 private:
  ParentingParams parenting_;
};

class AWatchedGame : public testing::Test {
 protected:
  bool is_noted(const GameCall& call, const std::string& function) const {
    return call.function != nullptr && call.function == function;
  }
  CuriousGame game;
  const WatchedGame watched{game};
  GameState state;
};

TEST_F(AWatchedGame, NotesTheStepOfAnActorWhileItRuns) {
  StepRecord record;
  record.tick = Tick{77};
  record.actor = 0x2000001;
  ActorContext context(record);
  watched.step(context, state);
  EXPECT_TRUE(record.wishes.muted) << "the game has run";
  EXPECT_TRUE(is_noted(game.seen, "step"));
  EXPECT_EQ(game.seen.tick, Tick{77});
  EXPECT_EQ(game.seen.avatar, 0x2000001U);
  EXPECT_EQ(game_call().function, nullptr);
}

TEST_F(AWatchedGame, NotesTheNpcThatItDrives) {
  const World world{WorldSetup{}};
  const ActorState npc;
  const NpcView view{
      .world = world, .tick = Tick{9}, .actor = 5, .identity = 0x42, .state = npc, .game = state};
  EXPECT_EQ(watched.drive_npc(view).yaw, 9) << "its game's answer";
  EXPECT_TRUE(is_noted(game.seen, "drive_npc"));
  EXPECT_EQ(game.seen.tick, Tick{9});
  EXPECT_EQ(game.seen.entity, 5U);
}

TEST_F(AWatchedGame, NotesTheOuterCallAgainWhenTheInnerOneHasEnded) {
  game.outer = &watched;
  watched.apply_event({.tick = Tick{5}}, state);
  EXPECT_TRUE(is_noted(game.within, "hit_effect"));
  EXPECT_TRUE(is_noted(game.seen, "apply_event"));
  EXPECT_EQ(game.seen.tick, Tick{5});
}

TEST_F(AWatchedGame, NotesNothingAfterAnException) {
  EXPECT_THROW(watched.apply_event({.kind = 1}, state), std::runtime_error);
  EXPECT_EQ(game_call().function, nullptr);
}

TEST_F(AWatchedGame, AnswersAsTheGameDoes) {
  EXPECT_EQ(watched.name(), "curious");
  EXPECT_EQ(watched.schema_hash(), 7U);
  EXPECT_EQ(&watched.parenting(), &game.parenting());
  EXPECT_EQ(&watched.state_codec(), &game.state_codec());
  EXPECT_EQ(watched.hit_effect(3), 3);
  EXPECT_EQ(watched.cue_reach_m(4), 4);
  EXPECT_TRUE(is_noted(game.within, "cue_reach_m"));
  EXPECT_EQ(&watched.input_layout(), &game.input_layout());
  game.aimed = 1 << 13;
  EXPECT_EQ(watched.buttons_aimed(), 1 << 13);
}

// A client with another layout would read the bits of another field: its log-in is refused.
TEST_F(AWatchedGame, AgreesOnTheLayoutOfItsInputs) {
  EXPECT_EQ(agreed_schema(watched), 7U) << "no own fields";
  const auto with_slots = [&](std::int64_t slots) {
    game.inputs = {};
    game.inputs.add({.name = "slot", .high = slots});
    game.inputs.close(1);
    return agreed_schema(watched);
  };
  const std::uint64_t schema = with_slots(5);
  EXPECT_NE(schema, 7U);
  EXPECT_NE(with_slots(6), schema);
  EXPECT_EQ(with_slots(5), schema);
}

// The client sends the age of its view with these buttons alone, and the worker's judge needs it.
TEST_F(AWatchedGame, AgreesOnTheButtonsThatAim) {
  const std::uint64_t usual = agreed_schema(watched);
  EXPECT_EQ(usual, 7U);
  game.aimed |= 1 << 13;
  const std::uint64_t more = agreed_schema(watched);
  EXPECT_NE(more, usual);
  game.aimed = 0;
  EXPECT_NE(agreed_schema(watched), usual);
  EXPECT_NE(agreed_schema(watched), more);
}

}  // namespace
}  // namespace perigee::world
