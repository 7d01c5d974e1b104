/// Moving frames.
#include "perigee/world/frame.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"
#include "perigee/world/aboard.hpp"

namespace perigee::world {
namespace {

Motion turning_ship() {
  Motion ship;
  ship.pose = {{100, 20, -300}, yaw_rotation(0.7)};
  ship.velocity = {30, 1, -40};
  ship.angular_velocity = {0.01, 0.4, -0.02};
  return ship;
}

TEST(ReExpression, ThereAndBackIsTheSameStateToAFloatsRounding) {
  const Motion ship = turning_ship();
  const ActorState state{.position = {103, 22, -290}, .velocity = {28, 0, -41}, .ground = 5};
  const ActorState aboard = re_express(state, {}, ship);
  const ActorState back = re_express(aboard, ship, {});
  EXPECT_LT(distance(back.position, state.position), 1e-9);
  EXPECT_LT(distance(to_double(back.velocity), to_double(state.velocity)), 1e-5);
  EXPECT_EQ(back.ground, 5U);
}

TEST(ReExpression, WhatMovesWithTheShipRestsInItsFrame) {
  const Motion ship = turning_ship();
  const Vec3 point{110, 25, -280};
  const ActorState state{.position = point, .velocity = to_float(velocity_at(ship, point))};
  EXPECT_LT(length(to_double(re_express(state, {}, ship).velocity)), 1e-5);
}

TEST(ReExpression, TheLookKeepsItsDirectionInTheWorld) {
  const Pose turned{{}, yaw_rotation(pi / 2)};
  EXPECT_NEAR(re_express_yaw(0, {}, turned), 49152, 1);
  EXPECT_NEAR(re_express_yaw(49152, turned, {}), 0, 1);
}

// A wheel on a turning ship: its velocities in the world equal its actual motion there.
TEST(WhatMovesWithAShip, MovesInTheWorldAsItsMotionSays) {
  Motion ship = turning_ship();
  ship.acceleration = {2, 0, -1};
  Motion wheel;
  wheel.pose = {{30, 2, -10}, yaw_rotation(1)};
  wheel.velocity = {0, 1, 2};
  wheel.angular_velocity = {0, 0.5, 0};
  constexpr double h = 1e-4;
  const auto after = [&](double s) {
    return moved_with(extrapolate(ship, s / seconds_per_tick),
                      extrapolate(wheel, s / seconds_per_tick));
  };
  const Motion now = after(0);
  EXPECT_LT(distance((after(h).pose.position - after(-h).pose.position) / (2 * h), now.velocity),
            1e-2);
  EXPECT_LT(distance((after(h).velocity - after(-h).velocity) / (2 * h), now.acceleration), 1e-2);
  const Vec3 turned = rotation_vector(after(h).pose.rotation * conjugate(now.pose.rotation));
  EXPECT_LT(distance(turned / h, now.angular_velocity), 1e-3);
}

TEST(WhatMovesWithAShip, IsSeenFromItAsItMovesThere) {
  const Motion ship = turning_ship();
  Motion local;
  local.pose = {{4, 2, -7}, small_rotation({0.1, 0.2, 0.3})};
  local.velocity = {1, -2, 3};
  local.angular_velocity = {0.3, 0.1, -0.2};
  const Motion back = seen_from(ship, moved_with(ship, local));
  EXPECT_LT(distance(back.pose.position, local.pose.position), 1e-9);
  EXPECT_NEAR(dot(back.pose.rotation, local.pose.rotation), 1, 1e-12);
  EXPECT_LT(distance(back.velocity, local.velocity), 1e-9);
  EXPECT_LT(distance(back.angular_velocity, local.angular_velocity), 1e-9);
}

TEST(MotionAhead, IsExtrapolationInWhateverOrderItIsAsked) {
  Motion truth = turning_ship();
  truth.angular_acceleration = {0, 0.2, 0};
  for (const double thrust_m_s2 : {3.0, 60.0}) {
    truth.acceleration = {thrust_m_s2, 0, 4};
    MotionAhead ahead;
    MotionOnward onward;
    ahead.start(turning_ship(), thrust_limit_default_m_s2);
    onward.start(turning_ship(), thrust_limit_default_m_s2);
    EXPECT_NE(ahead.after(40).pose, Pose{});
    EXPECT_EQ(onward.after(40).pose, ahead.after(40).pose);
    ahead.start(truth, thrust_limit_default_m_s2);
    onward.start(truth, thrust_limit_default_m_s2);
    for (const std::int32_t ticks : {0, 20, 7, 300, 129, -5, -4, -90, 2, 400, 401, 15, 16}) {
      const Motion expected = extrapolate(truth, ticks);
      EXPECT_EQ(ahead.after(ticks).pose, expected.pose) << ticks;
      EXPECT_EQ(ahead.after(ticks).velocity, expected.velocity) << ticks;
      EXPECT_EQ(ahead.after(ticks).angular_velocity, expected.angular_velocity) << ticks;
      EXPECT_EQ(onward.after(ticks).pose, expected.pose) << ticks;
      EXPECT_EQ(onward.after(ticks).velocity, expected.velocity) << ticks;
      EXPECT_EQ(onward.after(ticks).angular_velocity, expected.angular_velocity) << ticks;
    }
  }
}

TEST(Extrapolation, StepsAsTheBodyDoes) {
  Motion truth = turning_ship();
  truth.acceleration = {3, 0, 4};
  truth.angular_acceleration = {0, 0.2, 0};
  const Motion ahead = extrapolate(truth, 10);
  Motion stepped = truth;
  for (int i = 0; i < 10; ++i) stepped = extrapolate(stepped, 1);
  EXPECT_EQ(ahead.pose, stepped.pose);
  const Motion back = extrapolate(ahead, -10);
  EXPECT_LT(distance(back.pose.position, truth.pose.position), 1e-9);
  EXPECT_LT(distance(back.velocity, truth.velocity), 1e-9);
}

// The acceleration was measured over a tick in which the body has turned on.
TEST(Extrapolation, GoesOnWithASteadyTurn) {
  constexpr double radius_m = 90, rad_s = 0.44;
  const auto at = [](int tick) {
    Motion hull;
    const auto place = [](int t) {
      return rotate(yaw_rotation(rad_s * t * seconds_per_tick), Vec3{radius_m, 0, 0});
    };
    hull.pose = {place(tick), yaw_rotation(rad_s * tick * seconds_per_tick)};
    hull.velocity = (place(tick) - place(tick - 1)) / seconds_per_tick;
    hull.angular_velocity = {0, rad_s, 0};
    return hull;
  };
  const Motion measured = with_accelerations(at(0), at(1));
  const Motion back = extrapolate(measured, -1);
  EXPECT_LT(distance(back.pose.position, at(0).pose.position), 1e-9);
  EXPECT_LT(distance(back.velocity, at(0).velocity), 1e-9);
  const Motion ahead = extrapolate(measured, 60);
  EXPECT_LT(distance(ahead.pose.position, at(61).pose.position), 1e-6);
  EXPECT_LT(distance(ahead.velocity, at(61).velocity), 1e-6);
}

TEST(Extrapolation, ABlowIsNeverHeld) {
  Motion hit;
  hit.acceleration = {180, 0, 0};
  EXPECT_EQ(extrapolate(hit, 30).velocity, Vec3{});
  hit.acceleration = {20, 0, 0};
  EXPECT_NEAR(extrapolate(hit, 30).velocity.x, 10, 1e-9);
}

TEST(Extrapolation, AngularAccelerationIsBelievedAQuarterOfASecond) {
  Motion ship;
  ship.angular_acceleration = {0, 1, 0};
  EXPECT_NEAR(extrapolate(ship, 15).angular_velocity.y, 0.25, 1e-9);
  EXPECT_NEAR(extrapolate(ship, 60).angular_velocity.y, 0.25, 1e-9);
}

// A stamp of another age costs no more than one of five seconds ago: beyond that, motion is
// straight.
TEST(Extrapolation, OfAnotherAgeGoesStraightOn) {
  const Motion ship = turning_ship();
  for (const double sign : {1.0, -1.0}) {
    const Motion edge = extrapolate(ship, sign * extrapolate_ticks_max);
    const Motion later = extrapolate(ship, sign * (extrapolate_ticks_max + 600));
    EXPECT_LT(distance(later.pose.position, edge.pose.position + edge.velocity * (sign * 10)),
              1e-6);
    EXPECT_EQ(later.pose.rotation, edge.pose.rotation);
    const Motion age = extrapolate(ship, sign * 2e9);
    EXPECT_LT(distance(age.pose.position, edge.pose.position), 2e9);
    EXPECT_EQ(age.velocity, edge.velocity);
  }
}

TEST(FrameMotion, AFreeBodySeenFromAnySteeredShipMovesStraightInTheWorld) {
  // the ship is steered at random; the accelerations are those of exactly each tick
  Random random(3);
  Motion ship = turning_ship();
  const ActorParams params;
  Motion world;
  world.pose.position = {140, 30, -250};
  world.velocity = {20, 2, -30};
  ActorState state =
      re_express({.position = world.pose.position, .velocity = to_float(world.velocity)}, {}, ship);
  for (int tick = 0; tick < 600; ++tick) {
    Motion ahead = ship;
    ahead.acceleration = {random.between(-20, 20), random.between(-5, 5), random.between(-20, 20)};
    ahead.angular_acceleration = {0, random.between(-0.3, 0.3), 0};
    ahead = extrapolate(ahead, 1, 100);
    const FrameMotion frame = frame_motion(ship, ahead, Inertia::Full, {});
    step_actor(params, frame, {}, {}, state);
    ship = ahead;
  }
  const Motion now = world_motion_of(state, ship);
  EXPECT_LT(distance(now.pose.position, world.pose.position + world.velocity * 10.0), 0.001);
  EXPECT_LT(distance(now.velocity, world.velocity), 0.001);
}

// A body released on an open deck 90 m from the axis flies straight in the world. The textbook's
// way, Euler with centrifugal and Coriolis terms, is metres off within ten seconds.
TEST(FrameMotion, AFreeBodyOverACarouselDriftsLessThanAMillimetreWhereEulerDriftsMetres) {
  const double rate = 25 * pi / 180;
  const Vec3 spin{0, rate, 0};
  const Vec3 start{90, 5, 0};
  const Vec3 let_go{1, 2, -3};  // relative to the deck
  ActorState state{.position = start, .velocity = to_float(let_go), .flags = actor_jetpack};
  Vec3 euler = start;
  Vec3 euler_velocity = let_go;
  const Vec3 world_velocity = let_go + cross(spin, start);
  Motion deck;
  deck.angular_velocity = spin;
  const ActorParams params{.jetpack_speed_max_m_s = 1000};
  for (int tick = 1; tick <= 600; ++tick) {
    Motion after = deck;
    after.pose.rotation = yaw_rotation(rate * tick * seconds_per_tick);
    step_actor(params, frame_motion(deck, after, Inertia::Full, {}), {}, {}, state);
    deck = after;
    euler_velocity -=
        (cross(spin, cross(spin, euler)) + 2.0 * cross(spin, euler_velocity)) * seconds_per_tick;
    euler += euler_velocity * seconds_per_tick;
  }
  const Vec3 truth = start + world_velocity * 10.0;
  EXPECT_LT(distance(transform(deck.pose, state.position), truth), 1e-3);
  EXPECT_GT(distance(transform(deck.pose, euler), truth), 2);
}

// K23: a rotor on a steered ship turns its riders, and the ship's thrust has no effect on them
TEST(AMachineAboard, IsFeltAsItMovesInTheFrameOfAShipThatShieldsItsRiders) {
  EntityType ship{.kind = EntityKind::Body};
  EntityType rotor{.kind = EntityKind::Timeline, .inertia = Inertia::Full};
  EXPECT_TRUE(shields(ship, rotor));
  Motion from = turning_ship();
  Motion to = extrapolate(from, 1);
  to.velocity += Vec3{0.3, 0.1, 0.2};  // 22 m/s^2
  to.angular_velocity += Vec3{0, 0.01, 0};
  Motion spin;
  spin.pose.position = {4, 1, 9};
  spin.angular_velocity = {0, 0.5, 0};
  Motion later = spin;
  later.pose.rotation = yaw_rotation(0.5 * seconds_per_tick);
  const FrameMotion felt =
      frame_aboard(from, to, moved_with(from, spin), moved_with(to, later), rotor);
  EXPECT_LT(length(felt.acceleration), 1e-6);
  EXPECT_LT(length(felt.angular_acceleration), 1e-6);
  EXPECT_NEAR(felt.angular_velocity.y, 0.5, 1e-9);
  ship.inertia = Inertia::Full;
  EXPECT_FALSE(shields(ship, rotor)) << "its riders feel its thrust, on the rotor, too";
}

}  // namespace
}  // namespace perigee::world
