#include "perigee/purity/checked_twice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace perigee::purity {
namespace {

using namespace world;

struct Purse {
  std::uint16_t coins = 0;
  std::uint16_t days = 0;
  std::array<std::uint16_t, 38> rents{};
  static void fields(auto&& field, auto& purse) {
    field(purse.coins, SeenBy::Everybody);
    field(purse.days, SeenBy::Owner);
    for (auto& rent : purse.rents) field(rent, SeenBy::Owner);
  }
};

/// Has the fault that its member names.
struct Game : GameModule {
  enum class Fault : std::uint8_t {
    None,
    Field,
    LastField,
    Cue,
    Proposal,
    Speed,
    Impulse,
    Event,
    Judgement,
    Place,
    Hit,
    Npc,
    NpcField
  };
  explicit Game(Fault has) : fault(has) {
    inputs_.add({.name = "slot", .high = 9});
    inputs_.close(1);
  }

  std::string_view name() const override { return "game"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const EntityType> types() const override { return {}; }
  const ParentingParams& parenting() const override { return parenting_; }
  void populate(World&, const Bounds&, std::uint32_t) const override {}
  void drive(World&, Tick) const override {}
  ActorSpawn spawn_state(const World&, const Bounds&, std::uint32_t) const override {
    ActorSpawn out;
    out.state.position.x = other(Fault::Place);
    return out;
  }
  UseOutcome accept_use(const World&, const UseAttempt&) const override { return {}; }
  const GameStateCodec& state_codec() const override { return codec_; }
  void step(ActorContext& context, GameState& state) const override {
    state.as<Purse>().coins = 7;
    state.as<Purse>().days = static_cast<std::uint16_t>(other(Fault::Field));
    state.as<Purse>().rents.back() = static_cast<std::uint16_t>(other(Fault::LastField));
    context.cue(static_cast<std::uint8_t>(1 + other(Fault::Cue)));
    context.propose({.kind = 1, .amount = other(Fault::Proposal)}, 0);
    context.limit_speed(1.0 / (1 + other(Fault::Speed)));
  }
  void after_motion(ActorContext& context, GameState&) const override {
    context.impulse({0, static_cast<double>(other(Fault::Impulse)), 0});
  }
  void apply_event(const GameEvent&, GameState& state) const override {
    state.as<Purse>().coins = static_cast<std::uint16_t>(other(Fault::Event));
  }
  std::uint8_t hit_effect(std::uint8_t) const override {
    return static_cast<std::uint8_t>(other(Fault::Hit));
  }

  PlayerInput drive_npc(const NpcView& view) const override {
    PlayerInput input{.forward = 100,
                      .yaw = static_cast<std::uint16_t>((view.tick + other(Fault::Npc)).count)};
    inputs_.set(input.own, *inputs_.find("slot"), other(Fault::NpcField));
    return input;
  }
  const InputLayout& input_layout() const override { return inputs_; }

  Fault fault;

 private:
  int other(Fault of) const { return of == fault ? ++calls_ : 0; }
  mutable int calls_ = 0;
  ParentingParams parenting_;
  GameStateCodec codec_ = codec_of<Purse>();
  InputLayout inputs_;
};

struct AGame : testing::Test {
  explicit AGame() = default;
  CheckedTwice& checked(Game::Fault fault) {
    return *(twice = std::make_unique<CheckedTwice>(
                 std::make_shared<Game>(fault),
                 [this](const Impurity& impurity) { found.push_back(impurity); }));
  }
  void step(const GameModule& game) {
    StepRecord record;
    record.tick = Tick{77};
    record.actor = 0x2000001;
    ActorContext context(record);
    game.step(context, state);
    game.after_motion(context, state);
    cues = record.wishes.cues.size();
  }

  std::unique_ptr<CheckedTwice> twice;
  std::vector<Impurity> found;
  GameState state;
  std::size_t cues = 0;
};

TEST_F(AGame, ThatIsPureIsPlayedAsWithoutTheCheck) {
  step(checked(Game::Fault::None));
  twice->apply_event({}, state);
  twice->hit_effect(1);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(twice->differences(), 0U);
  EXPECT_EQ(cues, 1U) << "the effects of the first call alone";
}

TEST_F(AGame, WithAnotherStateIsNamedWithFunctionActorTickAndField) {
  step(checked(Game::Fault::Field));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(to_sentence(found[0]),
            "step of actor 2000001 at tick 77 gives another field 2 of the state when it is called "
            "again with the same arguments: it must read nothing else");
  EXPECT_EQ(state.as<Purse>().days, 1) << "the first result counts";
}

TEST_F(AGame, IsNamedForEachKindOfResult) {
  step(checked(Game::Fault::LastField));
  EXPECT_EQ(found.back().field, "field 40 of the state");
  step(checked(Game::Fault::Cue));
  EXPECT_EQ(found.back().field, "cue()");
  step(checked(Game::Fault::Proposal));
  EXPECT_EQ(found.back().field, "propose()");
  step(checked(Game::Fault::Speed));
  EXPECT_EQ(found.back().function + ": " + found.back().field, "step: limit_speed()");
  step(checked(Game::Fault::Impulse));
  EXPECT_EQ(found.back().function + ": " + found.back().field, "after_motion: impulse()");
  checked(Game::Fault::Event).apply_event({}, state);
  EXPECT_EQ(found.back().function + ": " + found.back().field, "apply_event: field 1 of the state");
  checked(Game::Fault::Hit).hit_effect(1);
  EXPECT_EQ(found.back().function, "hit_effect");
}

TEST_F(AGame, WhoseNpcsHaveAnotherInputIsNamedWithTheNpc) {
  const World world{WorldSetup{}};
  const ActorState npc;
  const NpcView view{
      .world = world, .tick = Tick{88}, .actor = 5, .identity = 0x42, .state = npc, .game = state};
  EXPECT_EQ(checked(Game::Fault::None).drive_npc(view).yaw, 88);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(checked(Game::Fault::Npc).drive_npc(view).yaw, 89) << "the first input counts";
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(to_sentence(found[0]),
            "drive_npc of actor 42 at tick 88 gives another input when it is called again with the "
            "same arguments: it must read nothing else");
  checked(Game::Fault::NpcField).drive_npc(view);
  EXPECT_EQ(found.back().field, "field 'slot' of the input");
}

TEST_F(AGame, IsReportedOnceForEachFunctionAndFieldAndCountedAlways) {
  checked(Game::Fault::Field);
  for (int i = 0; i < 5; ++i) step(*twice);
  EXPECT_EQ(found.size(), 1U);
  EXPECT_EQ(twice->differences(), 5U);
}

}  // namespace
}  // namespace perigee::purity
