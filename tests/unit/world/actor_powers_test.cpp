// Powers of a game over an actor's motion: impulses, limits of speed, and reactions to contacts and
// triggers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "meshes.hpp"
#include "perigee/world/game.hpp"
#include "scene.hpp"

namespace perigee::world {
namespace {

struct Wanderer {
  std::uint16_t entered = 0;
  std::uint16_t left = 0;
  static void fields(auto&& field, auto& wanderer) {
    field(wanderer.entered, SeenBy::Everybody);
    field(wanderer.left, SeenBy::Everybody);
  }
};

/// Its two functions are set by the test.
class PowerfulGame final : public GameModule {
 public:
  std::function<void(ActorContext&)> before_motion = [](ActorContext&) {};
  std::function<void(ActorContext&)> afterwards = [](ActorContext&) {};

  std::string_view name() const override { return "powerful"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const EntityType> types() const override { return {}; }
  const ParentingParams& parenting() const override { return parenting_; }
  const GameStateCodec& state_codec() const override { return codec_; }
  void populate(World&, const Bounds&, std::uint32_t) const override {}
  void drive(World&, Tick) const override {}
  ActorSpawn spawn_state(const World&, const Bounds&, std::uint32_t) const override { return {}; }
  UseOutcome accept_use(const World&, const UseAttempt&) const override { return {}; }
  void step(ActorContext& context, GameState&) const override { before_motion(context); }
  void after_motion(ActorContext& context, GameState& state) const override {
    for (const TriggerContact& trigger : context.triggers()) {
      state.as<Wanderer>().entered += trigger.entered;
      state.as<Wanderer>().left += trigger.left;
    }
    afterwards(context);
  }

 private:
  ParentingParams parenting_;
  GameStateCodec codec_ = codec_of<Wanderer>();
};

class AnActorOfAGame : public testing::Test {
 protected:
  void add(Handle id, NeighbourKind kind, const Box& box, const Pose& pose = {}) {
    add_moving(id, kind, box, pose, pose);
  }
  void add_moving(Handle id, NeighbourKind kind, const Box& box, const Pose& from, const Pose& to) {
    shapes.push_back(make_shape({box}));
    Neighbour made = make_neighbour(id, kind, *shapes.back(), from, to);
    made.type = static_cast<TypeId>(id);
    insert_by_id(neighbours, made);
  }
  void tick(int times = 1) {
    for (int i = 0; i < times; ++i) {
      record.tick = input.tick;
      record.input = input;
      record.frame = with_gravity();
      record.neighbours = neighbours;
      state = play_tick(game, params, record, state, game_state);
      game_state = record.game_after;
      ++input.tick;
      input.samples.clear();
    }
  }
  void add_mesh(Handle id, const MeshPtr& mesh, const Pose& pose = {}) {
    shapes.push_back(make_shape({}, mesh));
    neighbours.push_back(make_neighbour(id, NeighbourKind::Solid, *shapes.back(), pose, pose));
  }
  const Wanderer& wanderer() const { return game_state.as<Wanderer>(); }
  bool grounded() const { return (state.flags & actor_grounded) != 0; }
  bool refused(GameValue value) const {
    return (record.wishes.refused & 1U << static_cast<unsigned>(value)) != 0;
  }
  /// Applies the impulse in the coming tick alone.
  void push_once(const Vec3& change_m_s) {
    game.before_motion = [=](ActorContext& context) { context.impulse(change_m_s); };
    tick();
    game.before_motion = [](ActorContext&) {};
  }

  PowerfulGame game;
  ActorParams params;
  std::vector<ShapePtr> shapes;
  Neighbours neighbours;
  StepRecord record;
  PlayerInput input;
  ActorState state{.position = {0, 0.91, 0}};
  GameState game_state = game.state_codec().initial;
};

TEST_F(AnActorOfAGame, IsThrownAsHighAsTheImpulseSays) {
  add(hull, NeighbourKind::Solid, floor_box());
  tick(5);
  ASSERT_TRUE(grounded());
  push_once({0, 9, 0});
  EXPECT_FALSE(grounded());
  EXPECT_FLOAT_EQ(state.velocity.y, 9);
  double highest_m = 0;
  for (int i = 0; i < 120; ++i) {
    tick();
    highest_m = std::max(highest_m, state.position.y - 0.91);
  }
  EXPECT_NEAR(highest_m, 9 * 9 / (2 * 9.81), 0.1);
  EXPECT_TRUE(grounded());
}

TEST_F(AnActorOfAGame, IsToldThatAPressHasCrushedIt) {
  MeshSource press;
  add_block(press, {-3, 0, -3}, {3, 1, 3}, 2);
  add_mesh(hull, mesh_of(floor_of(10, 1)));
  add_mesh(9, mesh_of(press), {{0, 3, 0}, {}});
  bool before = false, after = false;
  game.before_motion = [&](ActorContext& context) { before = before || context.crushed(); };
  game.afterwards = [&](ActorContext& context) { after = context.crushed(); };
  for (int i = 1; i <= 120 && !after; ++i) {
    Neighbour& moving = neighbours[1];
    moving = make_neighbour(moving.id, moving.kind, *moving.shape, moving.pose,
                            {{0, 3 - i / 30.0, 0}, {}});
    tick();
    EXPECT_EQ(after, record.report.crushed);
  }
  EXPECT_TRUE(after);
  EXPECT_FALSE(before) << "not known before the motion";
}

TEST_F(AnActorOfAGame, CannotJumpInTheAirAfterAnImpulse) {
  add(hull, NeighbourKind::Solid, floor_box());
  tick(5);
  push_once({0, 6, 0});
  tick(params.jump_ticks);
  const float rising_m_s = state.velocity.y;
  input.samples.push_back({.pressed = button_jump});
  tick();
  EXPECT_LT(state.velocity.y, rising_m_s);
}

TEST_F(AnActorOfAGame, SlidesFromABlowAndStopsByItsOwnBrakes) {
  add(hull, NeighbourKind::Solid, floor_box());
  tick(5);
  push_once({8, 0, 0});
  EXPECT_TRUE(grounded());
  tick(60);
  // 8 m/s, braked with 40 m/s2: 0.8 m.
  EXPECT_NEAR(state.position.x, 0.8, 0.1);
  EXPECT_NEAR(state.velocity.x, 0, 1e-6);
}

TEST_F(AnActorOfAGame, IsStoppedByAWallHoweverHardTheBlow) {
  add(hull, NeighbourKind::Solid, floor_box());
  add(9, NeighbourKind::Solid, box_at({6, 1, 0}, {0.05, 3, 5}));
  tick(5);
  push_once({1000, 0, 0});
  tick(5);
  EXPECT_LT(state.position.x, 6);
  EXPECT_GT(state.position.x, 5);
}

TEST_F(AnActorOfAGame, HasAllImpulsesOfATickAddedAndRefusesUnusableOnes) {
  game.before_motion = [](ActorContext& context) {
    EXPECT_TRUE(context.impulse({1, 0, 0}));
    EXPECT_FALSE(context.impulse({std::nan(""), 0, 0}));
    EXPECT_FALSE(context.impulse({0, std::numeric_limits<double>::infinity(), 0}));
    EXPECT_FALSE(context.impulse({0, 2 * speed_max_m_s, 0}));
  };
  game.afterwards = [](ActorContext& context) { EXPECT_TRUE(context.impulse({0, 0, 2})); };
  record.frame.gravity = {};
  tick();
  EXPECT_FLOAT_EQ(state.velocity.x, 1);
  EXPECT_FLOAT_EQ(state.velocity.z, 2);
  EXPECT_TRUE(refused(GameValue::ActorImpulse));
}

TEST_F(AnActorOfAGame, IsNotMovedByAnImpulseAtVehicleControls) {
  game.before_motion = [](ActorContext& context) { context.impulse({5, 5, 5}); };
  state.flags = actor_at_controls;
  const ActorState before = state;
  tick();
  EXPECT_EQ(state, before);
}

TEST_F(AnActorOfAGame, WalksAtTheSmallestShareOfItsSpeed) {
  add(hull, NeighbourKind::Solid, floor_box());
  input.forward = 127;
  tick(60);
  EXPECT_NEAR(length(to_double(state.velocity)), params.walk_m_s, 0.01);
  game.before_motion = [](ActorContext& context) {
    EXPECT_TRUE(context.limit_speed(0.5));
    EXPECT_TRUE(context.limit_speed(0.8));
    EXPECT_FALSE(context.limit_speed(std::nan("")));
    EXPECT_FALSE(context.limit_speed(-0.1));
    EXPECT_FALSE(context.limit_speed(1.1));
  };
  tick(30);
  EXPECT_NEAR(length(to_double(state.velocity)), params.walk_m_s / 2, 0.01);
  EXPECT_TRUE(refused(GameValue::SpeedShare));
  game.before_motion = [](ActorContext& context) { context.limit_speed(0); };
  tick(30);
  EXPECT_NEAR(length(to_double(state.velocity)), 0, 1e-6);
}

TEST_F(AnActorOfAGame, HasNoJetpackIfItsTypeHasNone) {
  add(hull, NeighbourKind::Solid, floor_box());
  tick(5);
  input.up = 127;
  for (const double strength_m_s2 : {0.0, 15.0}) {
    params.jetpack_m_s2 = strength_m_s2;
    input.samples.push_back({.pressed = button_jetpack});
    tick(30);
    EXPECT_EQ(grounded(), strength_m_s2 == 0);
  }
}

TEST_F(AnActorOfAGame, WalksThroughATriggerAndIsToldOnceEach) {
  add(hull, NeighbourKind::Solid, floor_box());
  add(9, NeighbourKind::Trigger, box_at({3, 1, 0}, {0.5, 1, 2}));
  input.forward = 127;
  input.yaw = 16384;  // +x
  int inside_ticks = 0;
  game.afterwards = [&](ActorContext& context) {
    for (const TriggerContact& trigger : context.triggers()) {
      EXPECT_EQ(trigger.id, 9U);
      EXPECT_EQ(trigger.type, 9U);
      EXPECT_EQ(context.type_of(9), 9);
      inside_ticks += !trigger.left;
    }
  };
  tick(120);
  EXPECT_GT(state.position.x, 8) << "nothing stops it";
  EXPECT_EQ(wanderer().entered, 1);
  EXPECT_EQ(wanderer().left, 1);
  // 1 m of trigger and 0.8 m of actor at 5 m/s.
  EXPECT_NEAR(inside_ticks, 1.8 / 5 * 60, 2);
}

TEST_F(AnActorOfAGame, IsToldOfASheetThatItPassesInOneTick) {
  add(9, NeighbourKind::Trigger, box_at({2, 1, 0}, {0.01, 3, 3}));
  state.velocity = {600, 0, 0};  // 10 m in a tick
  int both = 0;
  game.afterwards = [&](ActorContext& context) {
    for (const TriggerContact& trigger : context.triggers())
      both += trigger.entered && trigger.left;
  };
  tick();
  EXPECT_EQ(both, 1);
  tick();
  EXPECT_EQ(wanderer().entered, 1);
}

TEST_F(AnActorOfAGame, IsNotToldOfATriggerThatItStopsBeside) {
  add(9, NeighbourKind::Trigger, box_at({1.405, 1, 0}, {1, 3, 3}));  // 5 mm from the actor
  record.frame.gravity = {};
  tick(10);
  EXPECT_EQ(wanderer().entered, 0);
}

TEST_F(AnActorOfAGame, IsToldOfATriggerThatPassesOverIt) {
  add(hull, NeighbourKind::Solid, floor_box());
  for (int i = 0; i < 40; ++i) {
    neighbours.clear();
    shapes.clear();
    add(hull, NeighbourKind::Solid, floor_box());
    const Pose from{{-4 + i * 0.2, 1, 0}, {}};
    const Pose to{{-4 + (i + 1) * 0.2, 1, 0}, {}};
    add_moving(9, NeighbourKind::Trigger, box_at({}, {0.5, 1, 1}), from, to);
    game.afterwards = [](ActorContext& context) {
      const auto velocity = context.velocity_of(9);
      ASSERT_TRUE(velocity);
      EXPECT_NEAR(velocity->x, 0.2 * 60, 1e-9);
      EXPECT_FALSE(context.velocity_of(10)) << "it is not near";
    };
    tick();
  }
  EXPECT_EQ(wanderer().entered, 1);
  EXPECT_EQ(wanderer().left, 1);
  EXPECT_NEAR(state.position.x, 0, 1e-9) << "it pushes nobody";
}

TEST_F(AnActorOfAGame, DoesNotHitTriggersWithItsRays) {
  add(9, NeighbourKind::Trigger, box_at({1, 1, 0}, {0.2, 1, 1}));
  add(10, NeighbourKind::Solid, box_at({2, 1, 0}, {0.2, 1, 1}));
  std::optional<NearHit> hit;
  game.before_motion = [&](ActorContext& context) { hit = context.ray({0, 1, 0}, {1, 0, 0}, 3); };
  tick();
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->entity, 10U);
}

TEST_F(AnActorOfAGame, IsToldWhatItTouchesWhereAndHowFast) {
  add(hull, NeighbourKind::Solid, floor_box());
  add(9, NeighbourKind::Solid, box_at({1, 1, 0}, {0.1, 1, 5}));
  tick(5);
  state.velocity = {6, 0, 0};
  input.forward = 127;
  input.yaw = 16384;
  float fastest_m_s = 0;
  Vec3f point;
  game.afterwards = [&](ActorContext& context) {
    for (const Contact& contact : context.contacts()) {
      if (contact.id != 9) continue;
      EXPECT_FALSE(contact.actor);
      fastest_m_s = std::max(fastest_m_s, contact.closing_m_s);
      point = contact.point;
    }
  };
  tick(30);
  EXPECT_GT(fastest_m_s, 4);
  EXPECT_NEAR(point.x, 0.9, 0.02);
}

TEST_F(AnActorOfAGame, IsToldWhichActorItTouches) {
  add(hull, NeighbourKind::Solid, floor_box());
  const ShapePtr other = actor_shape(params);
  const Pose there{{0.7, 0.91, 0}, {}};
  insert_by_id(neighbours, make_neighbour(20, NeighbourKind::Actor, *other, there, there));
  state.velocity = {3, 0, 0};
  input.forward = 127;
  input.yaw = 16384;
  int touches = 0;
  game.afterwards = [&](ActorContext& context) {
    for (const Contact& contact : context.contacts()) {
      if (!contact.actor) continue;
      ++touches;
      EXPECT_EQ(contact.id, 20U);
      EXPECT_GT(contact.closing_m_s, 2);
      EXPECT_NEAR(contact.normal.x, -1, 1e-6);
    }
  };
  tick();
  EXPECT_EQ(touches, 1);
}

TEST_F(AnActorOfAGame, RepeatsEveryTickBitByBit) {
  add(hull, NeighbourKind::Solid, floor_box());
  for (const double x : {-3.0, 3.0}) {
    add(x < 0 ? 8 : 9, NeighbourKind::Trigger, box_at({x, 0.5, 0}, {0.5, 0.5, 20}));
  }
  game.before_motion = [](ActorContext& context) {
    if (context.tick().count % 7 < 3) context.limit_speed(0.6);
  };
  game.afterwards = [](ActorContext& context) {
    for (const TriggerContact& trigger : context.triggers()) {
      if (trigger.entered) context.impulse({0.3, 7, -2});
    }
  };
  Random random(8);
  std::vector<StepRecord> records;
  for (int i = 0; i < 1'000; ++i) {
    input.forward = 127;
    if (i % 90 == 0) input.yaw = static_cast<std::uint16_t>(random.below(65536));
    if (length(state.position) > 20) state = {.position = {0, 0.91, 0}};
    tick();
    records.push_back(record);
  }
  EXPECT_GT(wanderer().entered, 3);
  for (std::size_t from = 0; from + 16 <= records.size(); from += 3) {
    ActorState again = records[from].before;
    GameState game_again = records[from].game_before;
    for (std::size_t i = from; i < from + 16; ++i) {
      if (records[i].before != again) break;  // brought back to the middle
      StepRecord copy = records[i];
      again = play_tick(game, params, copy, again, game_again);
      game_again = copy.game_after;
      ASSERT_EQ(again, records[i].after) << "from " << from << " at " << i;
      ASSERT_EQ(game_again, records[i].game_after);
    }
  }
}

}  // namespace
}  // namespace perigee::world
