/// Repeating a step gives the same bits: in a replay, with every compiler, at every -O.
#include <gtest/gtest.h>

#include "perigee/world/step_record.hpp"
#include "scene.hpp"

namespace perigee::world {
namespace {

/// A deck with huts that turns and accelerates below its riders, with a moving platform on it.
struct MovingDeck {
  ActorParams params;
  ShapePtr deck = make_deck();
  ShapePtr platform = make_shape({box_at({0, 0.2, 0}, {3, 0.2, 3})});
  ShapePtr other = actor_shape(params);

  static ShapePtr make_deck() {
    std::vector<Box> boxes{box_at({0, -0.7, 0}, {40, 0.5, 40})};
    for (int i = 0; i < 4; ++i) {
      const std::vector<Box> more = hut({i % 2 * 16.0 - 8, 0, i / 2 * 16.0 - 8}, 0.3 - 0.2 * i);
      boxes.insert(boxes.end(), more.begin(), more.end());
    }
    return make_shape(boxes);
  }
  Pose platform_pose(Tick tick) const {
    const SinCos at = sin_cos(tick.count * 0.01);
    return {{6 * at.sin, -0.2 + 0.5 * at.cos, 0}, yaw_rotation(tick.count * 0.005)};
  }
  StepRecord record(Tick tick, const PlayerInput& input, Inertia inertia) const {
    StepRecord out{.tick = tick, .parent = hull, .input = input};
    const SinCos at = sin_cos(tick.count * 0.02);
    out.frame = {.acceleration = {8 * at.sin, 0, 5 * at.cos},
                 .angular_velocity = {0, 0.2 + 0.1 * at.sin, 0.02 * at.cos},
                 .angular_acceleration = {0, 0.12 * at.cos, 0},
                 .inertia = inertia,
                 .gravity = {{0, -9.81, 0}, {{-40, -5, -40}, {40, 30, 40}}}};
    insert_by_id(out.neighbours, make_neighbour(9, NeighbourKind::Solid, *platform,
                                                platform_pose(tick), platform_pose(tick + 1)));
    insert_by_id(out.neighbours, make_neighbour(hull, NeighbourKind::Solid, *deck, {}, {}));
    const Pose someone{{4 * at.cos, 0.8, 4 * at.sin}, {}};
    insert_by_id(out.neighbours,
                 make_neighbour(20, NeighbourKind::Actor, *other, someone, someone));
    return out;
  }
};

std::uint64_t hash_of(const ActorState& state, const StepReport& report) {
  StateHash hash;
  hash.add(state.position.x).add(state.position.y).add(state.position.z);
  hash.add(state.velocity.x).add(state.velocity.y).add(state.velocity.z);
  hash.add(state.ground).add(state.flags).add(state.coyote_ticks).add(state.jump_ticks);
  return hash.add(state.grounded_ticks).add(report.contact_digest).value();
}

TEST(ActorReplay, SixteenTicksFromEveryTickAreBitExact) {
  const MovingDeck deck;
  Random random(4);
  PlayerInput input;
  ActorState state{.position = {-8, 1, -8}};
  std::vector<StepRecord> records;
  for (int i = 0; i < 2000; ++i) {
    wander(input, random);
    if (i % 400 == 399) input.samples.push_back({.pressed = button_jetpack});
    records.push_back(deck.record(input.tick, input, i < 1000 ? Inertia::None : Inertia::Full));
    state = replay_step(deck.params, records.back(), state);
    ++input.tick;
    input.samples.clear();
  }
  for (std::size_t from = 0; from + 16 <= records.size(); ++from) {
    ActorState again = records[from].before;
    for (std::size_t i = from; i < from + 16; ++i) {
      StepRecord copy = records[i];
      again = replay_step(deck.params, copy, again);
      ASSERT_EQ(again, records[i].after) << "from " << from << " at " << i;
      ASSERT_EQ(copy.report.contact_digest, records[i].report.contact_digest);
    }
  }
}

TEST(ActorReplay, AChangedInputChangesTheOutcome) {
  const MovingDeck deck;
  StepRecord record = deck.record({}, {}, Inertia::None);
  const ActorState before{.position = {20, 1, 20}};
  const ActorState idle = replay_step(deck.params, record, before);
  record.input.forward = 127;
  EXPECT_NE(replay_step(deck.params, record, before), idle);
}

TEST(ActorReplay, ARecordedParentSwitchComesBeforeTheStep) {
  // runs at 10 m/s in world axes, and gets a ship at 50 m/s as its parent. (mission K41)
  const MovingDeck deck;
  StepRecord record{.parent = 8, .switched_from = Motion{}};
  record.parent_motion.pose = {{100, 0, 0}, {}};
  record.parent_motion.velocity = {50, 0, 0};
  const ActorState before{.position = {103, 20, 1}, .velocity = {60, 0, 0}};
  const ActorState after = replay_step(deck.params, record, before);
  EXPECT_EQ(record.before, before);
  EXPECT_FLOAT_EQ(after.velocity.x, 10);
  EXPECT_NEAR(after.position.x, 3 + 10 / 60.0, 1e-9);
}

TEST(ActorReplay, ANewerPoseOfAnotherActorReplacesTheRecordedOne) {
  const MovingDeck deck;
  StepRecord record = deck.record({}, {}, Inertia::None);
  const ActorState before{.position = {20, 0.72, 20}};
  const ActorState alone = replay_step(deck.params, record, before);
  EXPECT_FALSE(replace_actor(record, 21, {}, {}));
  ASSERT_TRUE(replace_actor(record, 20, {20.3, 0.8, 20}, {}));
  EXPECT_LT(replay_step(deck.params, record, before).position.x, alone.position.x);
}

/// Four scenes of 20,000 ticks each, with all forces. The literal is checked in: it must be the
/// same at -O0, -O2, with sanitizers and with every compiler.
TEST(ActorReplay, FourScenesHaveTheirGoldenHash) {
  MovingDeck deck;
  deck.params.push_m_s = 4;  // the default when the literal was made
  StateHash all;
  for (int scene = 0; scene < 4; ++scene) {
    Random random(static_cast<std::uint64_t>(scene) + 100);
    PlayerInput input;
    const ActorState start{.position = {scene * 8.0 - 12, 3, 3}};
    ActorState state = start;
    for (int tick = 0; tick < 20000; ++tick) {
      wander(input, random);
      if (scene == 3 && tick % 300 == 0) input.samples.push_back({.pressed = button_jetpack});
      if (scene == 3) input.held = static_cast<std::uint16_t>(input.held | button_dampers);
      StepRecord record =
          deck.record(input.tick, input, scene % 2 == 0 ? Inertia::None : Inertia::Full);
      state = replay_step(deck.params, record, state);
      all.add(hash_of(state, record.report));
      if (length(state.position) > 45) state = start;  // off the deck
      ++input.tick;
      input.samples.clear();
    }
  }
  EXPECT_EQ(all.value(), 0x2d0742edf8baac95ULL);
}

}  // namespace
}  // namespace perigee::world
