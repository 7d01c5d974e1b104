// Cues for others: the clients that get them, and the tick in which they do.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "border.hpp"

namespace perigee::worker {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint8_t step_effect = 20, boom_effect = 21;

/// Players 3 m apart, of which each makes a cue while it holds a button.
class Cues : public testing::Test {
 protected:
  Cues() {
    mischief.step = [this](world::ActorContext& context) {
      if (context.wants(button_fill)) context.cue(step_effect, subject);
    };
    options.weapons = true;
    options.mischief = &mischief;
  }
  void start(std::uint32_t players = 2) {
    bench.emplace(options);
    for (std::uint32_t n = 0; n < players; ++n) bench->join(n);
    count = players;
    pass(70);
  }
  /// All players stand still, and their inputs come in time.
  void pass(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      for (std::uint32_t n = 0; n < count; ++n) {
        bench->send(PlayerInput{.tick = bench->core->next_tick()}, n);
      }
      bench->tick();
    }
  }
  Tick now() const { return bench->core->next_tick(); }
  /// Player 0 holds the button in the coming tick; the others stand still.
  void press(std::uint16_t button = button_fill) {
    bench->send(PlayerInput{.tick = now(), .yaw = to_minus_x, .held = button}, 0);
    for (std::uint32_t n = 1; n < count; ++n) bench->send(PlayerInput{.tick = now()}, n);
    bench->tick();
  }
  /// Each once, as a client plays them.
  std::vector<CueEvent> heard_by(std::uint32_t n) const {
    std::vector<CueEvent> out;
    for (const ReadBlock& block : bench->blocks) {
      if (block.session != session_of(n)) continue;
      for (const CueEvent& cue : block.cues) {
        if (std::ranges::find(out, cue) == out.end()) out.push_back(cue);
      }
    }
    return out;
  }
  Handle avatar(std::uint32_t n) const { return bench->player(n).avatar; }

  test::YardMischief mischief;
  test::YardOptions options;
  std::optional<Bench> bench;
  std::uint32_t count = 0;
  Handle subject = no_entity;
};

TEST_F(Cues, OfAStepAreForOthersAtOnce) {
  start(3);
  subject = avatar(2);
  const Tick t = now();
  press();
  pass(3);
  for (const std::uint32_t other : {1U, 2U}) {
    const auto heard = heard_by(other);
    ASSERT_THAT(heard, SizeIs(1));
    EXPECT_EQ(heard[0], (CueEvent{avatar(0), t, step_effect, 0, subject, {}}));
  }
  EXPECT_THAT(heard_by(0), IsEmpty()) << "its client has predicted it";
}

TEST_F(Cues, OfALateInputComeWithItAndOnlyOnce) {
  start();
  const Tick t = now();
  const auto send = [&](Tick tick, std::uint16_t held) {
    bench->send(PlayerInput{.tick = tick, .held = held}, 0);
  };
  bench->tick(6);  // guesses
  EXPECT_THAT(heard_by(1), IsEmpty());
  send(t + 3, button_fill);
  bench->tick(3);
  ASSERT_THAT(heard_by(1), SizeIs(1)) << "guesses that repeat it count for nothing";
  EXPECT_EQ(heard_by(1)[0].tick, t + 3);
  for (const int tick : {2, 1, 0}) {  // the tick runs again with each of them
    send(t + tick, 0);
    bench->tick(2);
  }
  EXPECT_THAT(heard_by(1), SizeIs(1));
}

// The inputs of a gap come in one packet, some of them more than a second late.
TEST_F(Cues, OfASecondAgoAreCountedOnly) {
  start();
  // A client that repeats nothing cannot fill a gap.
  bench->send(bench->frame_of({PlayerInput{.tick = now()}, PlayerInput{.tick = now() - 1}}), 0);
  pass(1);
  const Tick t = now();
  constexpr std::int32_t gap_ticks = 100;
  for (std::int32_t i = 0; i < gap_ticks; ++i) {
    bench->send(PlayerInput{.tick = now()}, 1);
    bench->tick();
  }
  std::vector<PlayerInput> newest_first;
  for (std::int32_t i = gap_ticks; i >= 0; --i) {
    PlayerInput& input = newest_first.emplace_back(PlayerInput{.tick = t + i});
    if (i == 10 || i == 70) input.held = button_fill;
  }
  bench->send(bench->frame_of(newest_first), 0);
  bench->tick(4);
  EXPECT_EQ(bench->count(metric.gaps_given_up), 0U);
  EXPECT_EQ(bench->count(metric.cues_late), 1U);
  ASSERT_THAT(heard_by(1), SizeIs(1));
  EXPECT_EQ(heard_by(1)[0].tick, t + 70);
}

// A shot in a tick that was committed without it is refused: a client that holds its inputs back
// makes no flash.
TEST_F(Cues, OfAShotThatComesTooLateAreForNobody) {
  start();
  bench->send(bench->frame_of({PlayerInput{.tick = now()}, PlayerInput{.tick = now() - 1}}), 0);
  pass(1);
  const Tick t = now();
  constexpr std::int32_t gap_ticks = 50;
  for (std::int32_t i = 0; i < gap_ticks; ++i) {
    bench->send(PlayerInput{.tick = now()}, 1);
    bench->tick();
  }
  std::vector<PlayerInput> newest_first;
  for (std::int32_t i = gap_ticks; i >= 0; --i) {
    PlayerInput& input = newest_first.emplace_back(PlayerInput{.tick = t + i});
    if (i == 10) input.held = button_fire;
  }
  bench->send(bench->frame_of(newest_first), 0);
  bench->tick(4);
  EXPECT_EQ(bench->count(metric.outcomes_too_late), 1U);
  EXPECT_THAT(heard_by(1), IsEmpty());
}

TEST_F(Cues, OfAShotAreForOthersUnlessItIsRefused) {
  start();
  const Tick t = now();
  press(button_fire);
  pass(3);
  ASSERT_THAT(heard_by(1), SizeIs(1));
  EXPECT_EQ(heard_by(1)[0].effect, test::flash_effect);
  EXPECT_EQ(heard_by(1)[0].tick, t);
  pass(20);
  mischief.judge = [](world::Judgement& judgement) { judgement.reason = CancelReason::NotAllowed; };
  press(button_fire);
  pass(3);
  EXPECT_THAT(heard_by(1), SizeIs(1)) << "a refused shot makes no flash";
}

TEST_F(Cues, ReachAsFarAsTheGameSays) {
  options.spacing = {40, 0, 0};
  mischief.cue_reach_m = [](std::uint8_t effect) { return effect == step_effect ? 39.0 : 500.0; };
  start();
  press();
  pass(5);
  EXPECT_THAT(heard_by(1), IsEmpty());
  press(button_fire);
  pass(5);
  EXPECT_THAT(heard_by(1), SizeIs(1));
  mischief.cue_reach_m = [](std::uint8_t) { return std::numeric_limits<double>::quiet_NaN(); };
  press();
  pass(5);
  EXPECT_THAT(heard_by(1), SizeIs(1));
  EXPECT_GT(bench->count(metric.game_values_refused), 0U) << "a reach must be a number";
}

TEST_F(Cues, OfNpcsAreForEverybody) {
  Handle npc = no_entity;
  mischief.think = [&](world::ThinkContext& context) {
    if (npc != no_entity) return;
    npc = context.journal()
              .spawn_npc({.type = test::person_row, .place = {no_entity, {0, 0.91, 6}, {}}})
              .entity;
  };
  bool walks = false;
  mischief.drive_npc = [&](const world::NpcView&) {
    PlayerInput input;
    if (walks) input.held = button_fill;
    return input;
  };
  start(1);
  walks = true;
  pass(1);
  walks = false;
  pass(5);
  ASSERT_THAT(heard_by(0), SizeIs(1));
  EXPECT_EQ(heard_by(0)[0].entity, npc);
}

/// Cues that the game's server logic orders in one tick.
struct Orders : Cues {
  std::vector<world::CueOrder> orders;
  std::vector<bool> answers;
  Handle despawned = no_entity;
  Tick at;

  Orders() {
    options.pillars = true;
    mischief.think = [this](world::ThinkContext& context) {
      for (const world::CueOrder& order : std::exchange(orders, {})) {
        at = context.tick();
        answers.push_back(context.journal().cue(order));
      }
      if (const Handle gone = std::exchange(despawned, no_entity)) context.journal().despawn(gone);
    };
  }
};

TEST_F(Orders, AreForEverybodyNear) {
  start();
  const Handle door = bench->find(test::door_row);
  orders = {{.entity = door, .effect = boom_effect, .detail = 3},
            {.entity = avatar(0), .effect = boom_effect},
            {.effect = boom_effect, .place = Vec3{1, 2, 3}}};
  pass(5);
  EXPECT_EQ(answers, (std::vector<bool>{true, true, true}));
  for (const std::uint32_t n : {0U, 1U}) {
    const auto heard = heard_by(n);
    ASSERT_THAT(heard, SizeIs(3)) << "also of the own avatar: its client could not predict it";
    EXPECT_THAT(heard, testing::Contains(CueEvent{door, at, boom_effect, 3, no_entity, {}}));
    EXPECT_THAT(heard, testing::Contains(
                           CueEvent{no_entity, at, boom_effect, 0, no_entity, Vec3f{1, 2, 3}}));
  }
}

TEST_F(Orders, OfAnEntityThatIsRemovedAreHeardAtItsPlace) {
  start();
  const Handle pillar = bench->find(test::pillar_row);
  const auto pose = bench->core->world().pose(pillar, now());
  orders = {{.entity = pillar, .effect = boom_effect}};
  despawned = pillar;
  pass(5);
  ASSERT_EQ(bench->core->world().find(pillar), nullptr);
  ASSERT_THAT(heard_by(1), SizeIs(1));
  EXPECT_EQ(heard_by(1)[0].place, to_float(pose->position));
}

TEST_F(Orders, OfAnEntityThatNobodyKnowsYetAreHeardAtItsPlace) {
  start();
  mischief.think = [this](world::ThinkContext& context) {
    if (context.tick() != at) return;
    const Handle made =
        context.journal().spawn({.type = test::pillar_row, .at = {{5, 0, 5}, {}}}).entity;
    answers.push_back(context.journal().cue({.entity = made, .effect = boom_effect}));
  };
  at = now() + 2;
  pass(8);
  EXPECT_EQ(answers, std::vector<bool>{true});
  ASSERT_THAT(heard_by(1), SizeIs(1));
  EXPECT_EQ(heard_by(1)[0].place, (Vec3f{5, 0, 5}));
}

TEST_F(Orders, ThatAreUnusableAreRefused) {
  start();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  orders = {{.entity = 4711, .effect = boom_effect},
            {.effect = boom_effect},
            {.effect = boom_effect, .place = Vec3{nan, 0, 0}}};
  pass(5);
  EXPECT_EQ(answers, (std::vector<bool>{false, false, false}));
  EXPECT_THAT(heard_by(1), IsEmpty());
  EXPECT_EQ(bench->count(metric.game_values_refused), 1U) << "the place";
  orders.assign(CueSender::orders_max + 3, {.entity = avatar(0), .effect = boom_effect});
  answers.clear();
  pass(1);
  EXPECT_EQ(std::ranges::count(answers, true), static_cast<std::ptrdiff_t>(CueSender::orders_max));
}

// A shot hits an actor of the neighbour: the shooter's worker knows its ghost.
TEST(AnOrder, OfAnotherWorkersEntityIsHeardAtItsPlace) {
  test::YardMischief mischief;
  test::YardOptions at_home = yard_at_the_border({30, person_m, 0});
  at_home.mischief = &mischief;
  Border border(at_home, yard_at_the_border({45, person_m, 0}));
  Handle target = no_entity;
  mischief.think = [&](world::ThinkContext& context) {
    if (target == no_entity) return;
    EXPECT_TRUE(context.journal().cue({.entity = target, .effect = boom_effect}));
    target = no_entity;
  };
  border.step(30);
  border.here.join();
  border.there.join(7, 1);
  for (int i = 0; i < 60; ++i) {
    border.play(0, {});
    border.play(7, {});
    border.step();
  }
  ASSERT_EQ(border.owner(7), &border.there);
  target = border.there.player(7).avatar;
  const world::Entity* ghost = border.here.core->world().find(target);
  ASSERT_NE(ghost, nullptr);
  ASSERT_TRUE(ghost->remote);
  border.step(4);
  std::vector<CueEvent> heard;
  for (const ReadBlock& block : border.here.blocks) {
    if (block.session == session_of(0)) {
      heard.insert(heard.end(), block.cues.begin(), block.cues.end());
    }
  }
  ASSERT_FALSE(heard.empty());
  ASSERT_TRUE(heard[0].place);
  const auto pose = border.there.core->world().pose(border.there.player(7).avatar,
                                                    border.there.core->next_tick());
  EXPECT_LT(distance(to_double(*heard[0].place), pose->position), 0.1);
}

}  // namespace
}  // namespace perigee::worker
