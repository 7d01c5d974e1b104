/// Steering: thrust, slew, yaw, dampers.
#include "perigee/world/vehicle_control.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

struct AVehicle : testing::Test {
  VehicleControl vehicle{.thrust_m_s2 = 20};
  VehicleState state;
  Motion ship;
  PlayerInput input;

  void drive(int ticks = 1) {
    for (int i = 0; i < ticks; ++i) {
      const VehicleDrive drive = steer(vehicle, input, ship, state);
      ship.velocity = drive.velocity;
      ship.angular_velocity = drive.angular_velocity;
      ship.pose.position += ship.velocity * seconds_per_tick;
      ship.pose.rotation =
          normalized(small_rotation(ship.angular_velocity * seconds_per_tick) * ship.pose.rotation);
    }
  }
};

TEST_F(AVehicle, PushesForwardAfterTheThrustHasBuiltUp) {
  input.forward = 127;
  drive(6);
  EXPECT_LT(length(to_double(state.thrust)), 10.001);  // 100 m/s^3 for 0.1 s
  drive(54);
  EXPECT_NEAR(to_double(state.thrust).z, 20, 1e-4);
  EXPECT_NEAR(ship.velocity.z, 20 - 2, 0.2);  // after a second, minus the build-up
  input.forward = 0;
  drive(60);
  const Vec3 drifting = ship.velocity;
  drive(60);
  EXPECT_EQ(ship.velocity, drifting);  // without thrust there is no braking
}

TEST_F(AVehicle, NeverExceedsItsLimitsWhateverThePlayerDoes) {
  Random random(4);
  for (int i = 0; i < 6000; ++i) {
    if (i % 17 == 0) {
      input.forward = static_cast<std::int8_t>(random.next());
      input.up = static_cast<std::int8_t>(random.next());
      input.right = static_cast<std::int8_t>(random.next());
      input.held = random.below(2) == 0 ? button_dampers : 0;
    }
    const Vec3 thrust = to_double(state.thrust);
    const Vec3 turning = ship.angular_velocity;
    const double speed = length(ship.velocity);
    drive();
    ASSERT_LE(length(to_double(state.thrust)), 20.0001) << i;
    ASSERT_LE(distance(to_double(state.thrust), thrust), 100.0 / 60 + 1e-4) << i;
    ASSERT_LE(distance(ship.angular_velocity, turning), 15 * pi / 180 / 60 + 1e-9) << i;
    ASSERT_LE(length(ship.angular_velocity), 25 * pi / 180 + 1e-6) << i;
    ASSERT_LE(length(ship.velocity), std::max(80.0, speed) + 1e-9) << i;
  }
}

TEST_F(AVehicle, TurnsTheNoseToTheRight) {
  input.right = 127;
  drive(120);
  EXPECT_NEAR(ship.angular_velocity.y, -25 * pi / 180, 1e-6);
  EXPECT_LT(rotate(ship.pose.rotation, {0, 0, 1}).x, -0.1);  // looking along +z, right is -x
}

TEST_F(AVehicle, DampersStopWhatIsNotSteered) {
  ship.velocity = {10, -3, 5};
  input.held = button_dampers;
  drive(300);
  EXPECT_LT(length(ship.velocity), 0.05);
  input.forward = 127;
  drive(60);
  ship.velocity.x = 8;
  drive(180);
  EXPECT_LT(std::abs(ship.velocity.x), 0.1);
  EXPECT_GT(ship.velocity.z, 40);
}

TEST_F(AVehicle, RightsATiltedHull) {
  ship.pose.rotation = small_rotation({0.5, 0, 0.2});
  drive(900);
  EXPECT_GT(rotate(ship.pose.rotation, {0, 1, 0}).y, 0.99);
}

// The wire has the complete state: rounding it to floats changes nothing.
TEST_F(AVehicle, GoesOnFromWhatTheWireCarries) {
  input.forward = 90;
  input.up = 20;
  drive(4);
  VehicleState copy{state.thrust};
  EXPECT_EQ(copy, state);
}

}  // namespace
}  // namespace perigee::world
