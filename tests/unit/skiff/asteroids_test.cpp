// The stage of asteroids.
#include <gtest/gtest.h>

#include <map>

#include "perigee/skiff/skiff.hpp"

namespace perigee::skiff {
namespace {

constexpr world::Bounds right_half{{0, -2000, -8000}, {8000, 2000, 8000}};
constexpr world::Bounds left_half{{-8000, -2000, -8000}, {0, 2000, 8000}};

struct AStageOfAsteroids : testing::Test {
  Skiff game{{.stage = Stage::Asteroids}};
  std::unique_ptr<world::World> world = fresh(whole_world);

  std::unique_ptr<world::World> fresh(const world::Bounds& region) const {
    auto made = std::make_unique<world::World>(world::WorldSetup{.types = game.types()});
    game.populate(*made, region, 7);
    return made;
  }
  void step(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      game.drive(*world, world->now());
      world->step_bodies(world->now());
    }
  }
  static std::map<std::uint32_t, Vec3> places(const world::World& of) {
    std::map<std::uint32_t, Vec3> out;
    for (const Handle handle : of.in_order()) {
      out[of.find(handle)->id.ordinal()] = of.pose(handle, of.now())->position;
    }
    return out;
  }
};

TEST_F(AStageOfAsteroids, HasTheSameTypesAsEveryOtherStage) {
  EXPECT_EQ(game.schema_hash(), Skiff().schema_hash());
  EXPECT_EQ(stage_names[static_cast<std::size_t>(Tunables{}.stage)], "stations");
}

TEST_F(AStageOfAsteroids, IsMadeOf250BodiesThatDoNotTouchAndAPlanetoid) {
  const auto all = places(*world);
  EXPECT_EQ(all.size(), asteroids_count + 1);
  for (const Handle a : world->in_order()) {
    for (const Handle b : world->in_order()) {
      if (a >= b) continue;
      const auto radius_m = [&](Handle of) {
        return world->type_of(*world->find(of)).shape->boxes()[0].radius;
      };
      const double apart_m =
          distance(world->pose(a, world->now())->position, world->pose(b, world->now())->position);
      EXPECT_GT(apart_m, radius_m(a) + radius_m(b));
    }
  }
}

TEST_F(AStageOfAsteroids, IsTheSameInTwoRegionsAsInOne) {
  auto halves = places(*fresh(left_half));
  const auto right = places(*fresh(right_half));
  EXPECT_GT(halves.size(), asteroids_count / 3);
  EXPECT_GT(right.size(), asteroids_count / 3);
  halves.insert(right.begin(), right.end());
  EXPECT_EQ(halves, places(*world));
}

TEST_F(AStageOfAsteroids, KeepsItsBodiesNearTheBallAndAtTheirSpeeds) {
  step(60 * 60);
  int fast = 0;
  for (const Handle handle : world->in_order()) {
    const auto motion = world->motion(handle, world->now());
    EXPECT_LT(length(motion->pose.position), asteroids_ball_m + 10);
    const double speed = length(motion->velocity);
    if (length(motion->pose.position) < asteroids_ball_m) fast += speed > 0.9 && speed < 4.1;
  }
  EXPECT_GT(fast, asteroids_count / 2);
}

TEST_F(AStageOfAsteroids, LetsPlayersBeginInTheirRegionOutsideOfTheBall) {
  for (const world::Bounds& region : {left_half, right_half, whole_world}) {
    std::map<double, int> heights;
    for (std::uint32_t i = 0; i < 20; ++i) {
      const world::ActorSpawn spawn = game.spawn_state(*world, region, i);
      EXPECT_EQ(spawn.parent, no_entity);
      EXPECT_TRUE(region.contains(spawn.state.position));
      EXPECT_NEAR(length(spawn.state.position), asteroids_ball_m + 8, 1e-9);
      ++heights[spawn.state.position.y];
    }
    EXPECT_EQ(heights.size(), 20U) << "all at different places";
  }
  const world::Bounds remote{{4000, 0, 4000}, {8000, 2000, 8000}};
  EXPECT_TRUE(remote.contains(game.spawn_state(*world, remote, 3).state.position));
}

}  // namespace
}  // namespace perigee::skiff
