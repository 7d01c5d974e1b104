/// A jetpack leaves the station, overtakes the ferry, gets it as its parent and lands on its deck:
/// a small version of the worker's whole order of calls. (mission K33 to K39)
#include <gtest/gtest.h>

#include "perigee/skiff/skiff.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::skiff {
namespace {

/// The ferry passes the station in ten seconds.
Tunables near_the_station() {
  Tunables tunables;
  tunables.fast.start_m = 500;
  return tunables;
}

struct Journey {
  const Skiff game{near_the_station()};
  world::World world{{.types = game.types(), .start = Tick{}}};
  Handle self = no_entity;
  Handle parent = no_entity;
  Handle ferry = no_entity;
  ActorState state;
  PlayerInput input;
  world::ParentTracker tracker;
  std::optional<Motion> switched_from;
  std::vector<Handle> parents;
  double worst_jump_m = 0;  ///< of the world position at a parent switch

  Journey() {
    game.populate(world, whole_world, 1);
    const world::ActorSpawn spawn =
        game.spawn_state(world, {{0, -2000, -8000}, {8000, 2000, 8000}}, 100);
    parent = spawn.parent;
    parents = {parent};
    state = spawn.state;
    self = world.spawn({.id = world::make_entity_id(9, Tick{}, 0),
                        .type = spawn.type,
                        .parent = parent,
                        .local = {state.position, {}}});
    for (const Handle handle : world.in_order()) {
      const bool plus = world.pose(handle, world.now())->position.x > 0;
      if (world.find(handle)->type == ferry_row && plus) ferry = handle;
    }
  }
  const world::ActorParams& params() const { return game.types()[character_row].actor; }
  /// Right after a switch the state is still relative to the old parent.
  Motion seen() const {
    return world::world_motion_of(
        state, switched_from ? *switched_from : *world.motion(parent, world.now()));
  }

  /// Sets the input so that the jetpack accelerates like this, in world axes.
  void steer(const Vec3& acceleration) {
    const Quat axes = world.pose(parent, world.now())->rotation;
    const Vec3 a = rotate_back(axes, acceleration) / params().jetpack_m_s2;
    const double size = std::max(1.0, length(a));
    const double turn = arc_tangent(a.x, a.z) / (2 * pi);
    input.yaw = static_cast<std::uint16_t>(static_cast<int>(turn * 65536) & 0xffff);
    input.forward = static_cast<std::int8_t>(127 * std::sqrt(a.x * a.x + a.z * a.z) / size);
    input.up = static_cast<std::int8_t>(127 * a.y / size);
  }
  void tick() {
    const Tick now = world.now();
    game.drive(world, now);
    world.step_bodies(now);
    world::StepRecord record{.tick = now, .parent = parent, .switched_from = switched_from};
    record.parent_motion = *world.motion(parent, now);
    record.frame = *world.frame(parent, now);
    record.input = input;
    const ActorState aboard =
        switched_from ? world::re_express(state, *switched_from, record.parent_motion) : state;
    world.gather_neighbours(parent, world::reach_of(params(), aboard), now, self,
                            record.neighbours);
    if (switched_from) {
      const Vec3 before = transform(switched_from->pose, state.position);
      const Vec3 after = transform(record.parent_motion.pose, aboard.position);
      worst_jump_m = std::max(worst_jump_m, distance(before, after));
    }
    state = world::replay_step(params(), record, state);
    switched_from.reset();
    world.set_actor(self, parent, state, world.now());
    input.samples.clear();
    choose();
  }
  void choose() {
    world::ParentedActor actor{.parent = parent, .world = seen(), .state = state, .mass_kg = 80};
    world::ParentCandidates near;
    world.parent_candidates(actor.world.pose.position, world.now(), parent, near);
    const Handle next =
        choose_parent(game.parenting(), actor, {near.begin(), near.size()}, tracker);
    if (next == parent) return;
    switched_from = world.motion(parent, world.now());
    parent = next;
    parents.push_back(next);
  }
};

TEST(Boarding, AJetpackFromTheStationLandsOnThePassingFerry) {
  Journey journey;
  journey.input.samples.push_back({.pressed = button_jetpack});
  bool landing = false;
  for (int i = 0; i < 60 * 60 && journey.state.ground != journey.ferry; ++i) {
    const Motion hull = *journey.world.motion(journey.ferry, journey.world.now());
    const Motion self = journey.seen();
    // First straight up, clear of the station, then after the ferry to a place above its deck.
    const bool climbs = i < 240;
    const Vec3 goal = climbs ? Vec3{self.pose.position.x, 40, self.pose.position.z}
                             : hull.pose.position + Vec3{0, 8, 0};
    const Vec3 error = goal - self.pose.position;
    const Vec3 closing = (climbs ? Vec3{} : hull.velocity) - self.velocity;
    // Never faster than it can brake, and aboard never as fast as the leave threshold.
    const double limit = journey.parent == journey.ferry ? 6 : 12;
    Vec3 wish = error * 0.3;
    if (length(wish) > limit) wish = wish * (limit / length(wish));
    const bool in_field = journey.parent != no_entity;
    journey.steer((wish + closing) * 1.5 + Vec3{0, in_field ? 9.81 : 0, 0});
    if (!landing && journey.parent == journey.ferry && length(error) < 3 && length(closing) < 2) {
      landing = true;
      journey.input.samples.push_back({.pressed = button_jetpack});
    }
    journey.tick();
  }
  EXPECT_EQ(journey.state.ground, journey.ferry);
  EXPECT_EQ(journey.parent, journey.ferry);
  // station, open space, ferry: no flapping in between
  EXPECT_EQ(journey.parents.size(), 3U);
  EXPECT_EQ(journey.parents[1], no_entity);
  EXPECT_LT(journey.worst_jump_m, 1e-6);

  // and the actor stays aboard through the curve, standing
  const Vec3 stood = journey.state.position;
  journey.input = {};
  for (int i = 0; i < 60 * 30; ++i) journey.tick();
  EXPECT_LT(distance(journey.state.position, stood), 1);
  EXPECT_NEAR(length(journey.seen().velocity), 50, 3);
}

}  // namespace
}  // namespace perigee::skiff
