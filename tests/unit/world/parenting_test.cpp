/// The choice of parents. (mission K34, K36, K37, K38, K45)
#include <gtest/gtest.h>

#include <limits>

#include "perigee/world/frame.hpp"
#include "perigee/world/parenting.hpp"

namespace perigee::world {
namespace {

constexpr Handle ferry = 10;
constexpr Handle carrier = 11;
constexpr Handle light_crate = 12;
constexpr double infinite = std::numeric_limits<double>::infinity();

ParentCandidate body(Handle handle, const Vec3& at, const Vec3& half, double mass_kg,
                     const Vec3& velocity = {}) {
  ParentCandidate out{.handle = handle, .bounds = {-half, half}, .mass_kg = mass_kg};
  out.motion.pose.position = at;
  out.motion.velocity = velocity;
  return out;
}

class Parenting : public testing::Test {
 protected:
  ParentingParams params;
  ParentTracker tracker;
  ParentedActor actor{.mass_kg = 80};
  std::vector<ParentCandidate> candidates{body(ferry, {}, {10, 6, 30}, 2e6, {0, 0, 50})};

  Parenting() { actor.state.flags = actor_jetpack; }
  void fly(const Vec3& at, const Vec3& velocity) {
    actor.state.flags = actor_jetpack;
    actor.world.pose.position = at;
    actor.world.velocity = velocity;
  }
  void stand_on(Handle ground, std::uint8_t ticks) {
    actor.state.flags = actor_grounded;
    actor.state.ground = ground;
    actor.state.grounded_ticks = ticks;
  }
  Handle choose(int times = 1) {
    for (int i = 0; i < times; ++i) {
      actor.parent = choose_parent(params, actor, candidates, tracker);
    }
    return actor.parent;
  }
};

TEST_F(Parenting, K36AWalkerBelongsToWhatItHasStoodOnForThreeTicks) {
  stand_on(ferry, 2);
  EXPECT_EQ(choose(10), no_entity);
  stand_on(ferry, 3);
  EXPECT_EQ(choose(), ferry);
}

TEST_F(Parenting, K37AFlyerNearbyAtSimilarVelocityIsTakenAfterTheDwellTime) {
  fly({14.9, 0, 0}, {0, 0, 47});
  EXPECT_EQ(choose(params.dwell_ticks - 1), no_entity);
  EXPECT_EQ(choose(), ferry);
}

TEST_F(Parenting, K37APasserByIsLeftAlone) {
  fly({14, 0, 0}, {0, 0, 44});
  EXPECT_EQ(choose(100), no_entity);
  fly({16.1, 0, 0}, {0, 0, 50});  // too far: 10 + max(5, 6) m
  EXPECT_EQ(choose(100), no_entity);
}

TEST_F(Parenting, K37VelocityIsComparedAtTheFlyersPoint) {
  candidates[0].motion.angular_velocity = {0, 0.5, 0};  // at x = 14: -7 m/s along z
  fly({14, 0, 0}, {0, 0, 50});
  EXPECT_EQ(choose(100), no_entity);
  fly({14, 0, 0}, {0, 0, 43});
  EXPECT_EQ(choose(100), ferry);
}

TEST_F(Parenting, K37LeavingNeedsMoreSpeedThanEntering) {
  actor.parent = ferry;
  fly({0, 8, 0}, {0, 7, 50});
  EXPECT_EQ(choose(100), ferry);
  fly({0, 8, 0}, {0, 8.1, 50});
  EXPECT_EQ(choose(100), no_entity);
}

/// Two floors side by side, each with its own gravity volume.
class TwoFloors : public Parenting {
 protected:
  TwoFloors() {
    candidates = {floor_at(ferry, 0), floor_at(carrier, 40)};
    actor.parent = ferry;
  }
  static ParentCandidate floor_at(Handle handle, double x) {
    ParentCandidate out = body(handle, {x, 0, 0}, {20, 0.5, 20}, infinite);
    out.gravity = {{0, -9.81, 0}, {{-20, -1, -20}, {20, 30, 20}}};
    return out;
  }
  void fall(const Vec3& at, const Vec3& velocity = {}) {
    fly(at, velocity);
    actor.state.flags = 0;
  }
};

TEST_F(TwoFloors, OneWhoJumpsAcrossBelongsToTheFloorWhoseGravityIsThere) {
  fall({19.9, 1.5, 0}, {10, 2, 0});
  EXPECT_EQ(choose(100), ferry);
  fall({20.1, 1.5, 0}, {10, 2, 0});
  EXPECT_EQ(choose(params.grounded_ticks_min - 1), ferry);
  EXPECT_EQ(choose(), carrier);
  fall({19.9, 1.5, 0}, {-10, 2, 0});
  EXPECT_EQ(choose(params.grounded_ticks_min), ferry) << "and back";
}

TEST_F(TwoFloors, OneWhoFallsFastOrBelongsToNothingIsTakenToo) {
  actor.parent = no_entity;
  fall({30, 20, 0}, {0, -40, 0});
  EXPECT_EQ(choose(params.grounded_ticks_min), carrier);
}

TEST_F(TwoFloors, OneBetweenTheirFieldsStaysWithTheParent) {
  for (auto& floor : candidates) floor.gravity.inside.high.x = floor.gravity.inside.high.z = 15;
  candidates[1].gravity.inside.low.x = -15;
  fall({20, 1.5, 0});
  EXPECT_EQ(choose(100), ferry);
}

TEST_F(TwoFloors, OneInBothFieldsStaysWithTheParent) {
  candidates[0].gravity.inside.high.x = 60;
  fall({22, 1.5, 0});
  EXPECT_EQ(choose(100), ferry);
}

TEST_F(TwoFloors, AJetpackIsPulledByNothing) {
  fly({21, 1.5, 0}, {});
  EXPECT_EQ(choose(100), ferry);
}

TEST_F(Parenting, AnInterruptedApproachStartsItsDwellTimeAnew) {
  fly({0, 8, 0}, {0, 0, 50});
  choose(params.dwell_ticks - 1);
  fly({0, 8, 0}, {0, 0, 20});
  choose();
  fly({0, 8, 0}, {0, 0, 50});
  EXPECT_EQ(choose(params.dwell_ticks - 1), no_entity);
}

TEST_F(Parenting, K38TheBiggerBoxWinsWhateverTheOrder) {
  candidates.push_back(body(carrier, {}, {50, 20, 90}, 1e8, {0, 0, 50}));
  fly({0, 8, 0}, {0, 0, 50});
  EXPECT_EQ(choose(params.dwell_ticks), carrier);
  std::swap(candidates[0], candidates[1]);
  actor.parent = no_entity;
  EXPECT_EQ(choose(params.dwell_ticks), carrier);
}

TEST_F(Parenting, K45NothingThatCouldBePushedIsAParent) {
  candidates = {body(light_crate, {}, {0.5, 0.5, 0.5}, 100), body(13, {}, {4, 4, 4}, 1599),
                body(14, {}, {2.9, 2.9, 2.9}, 1e6)};
  fly({0, 1, 0}, {});
  EXPECT_EQ(choose(100), no_entity);
  for (const Handle ground : {light_crate, Handle{13}, Handle{14}}) {
    stand_on(ground, 100);
    EXPECT_EQ(choose(10), no_entity);
  }
}

TEST_F(Parenting, K45ACrateUnderfootKeepsTheParent) {
  actor.parent = ferry;
  candidates.push_back(body(light_crate, {}, {0.5, 0.5, 0.5}, 100));
  stand_on(light_crate, 100);
  EXPECT_EQ(choose(10), ferry);
}

TEST_F(Parenting, AJumpKeepsItsParentInsideTheBoxWhateverItsSpeed) {
  actor.parent = ferry;
  actor.state.flags = 0;
  actor.world.pose.position = {0, 10, 0};
  actor.world.velocity = {0, 30, 50};
  EXPECT_EQ(choose(100), ferry);
  actor.world.pose.position = {0, 12.1, 0};
  EXPECT_EQ(choose(100), no_entity);
}

TEST_F(Parenting, AStationIsAParentThatRests) {
  candidates = {body(20, {}, {100, 5, 60}, infinite)};
  fly({0, 3, 0}, {0, 4, 0});
  EXPECT_EQ(choose(params.dwell_ticks), 20U);
}

TEST_F(Parenting, AVanishedParentLetsGoAtOnce) {
  actor.parent = ferry;
  candidates.clear();
  EXPECT_EQ(choose(), no_entity);
}

TEST_F(Parenting, K34TheGroundWinsOverWhateverElseIsNear) {
  candidates.push_back(body(carrier, {}, {50, 20, 90}, 1e8, {0, 0, 50}));
  stand_on(ferry, 3);
  EXPECT_EQ(choose(100), ferry);
}

TEST(ParentFrame, K41TheServerReportsSixtyTheClientTen) {
  Motion ship;
  ship.velocity = {50, 0, 0};
  const ActorState runner{.position = {1, 0, 0}, .velocity = {10, 0, 0}};
  EXPECT_DOUBLE_EQ(world_motion_of(runner, ship).velocity.x, 60);
  const Motion still = {};  // on the client every animated thing is at rest
  EXPECT_DOUBLE_EQ(world_motion_of(runner, still).velocity.x, 10);
  EXPECT_DOUBLE_EQ(world_motion_of({}, still).velocity.x, 0);
}

}  // namespace
}  // namespace perigee::world
