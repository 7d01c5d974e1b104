#include "perigee/world/vehicle_control.hpp"

#include <algorithm>

#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

constexpr double dt = seconds_per_tick;
constexpr double damping_per_s = 2;

double lever(std::int8_t axis) { return std::max<int>(axis, -127) / 127.0; }

Vec3 at_most(const Vec3& v, double limit) {
  const double l = length(v);
  return l > limit ? v * (limit / l) : v;
}

/// In the body's axes.
Vec3 wanted_thrust(const VehicleControl& vehicle, const PlayerInput& input, const Vec3& velocity) {
  const Vec3 levers = at_most({0, lever(input.up), lever(input.forward)}, 1);
  Vec3 wanted = levers * vehicle.thrust_m_s2;
  if ((input.held & button_dampers) != 0) {
    const Vec3 along = normalized(levers);
    wanted -= (velocity - along * std::max(dot(velocity, along), 0.0)) * damping_per_s;
  }
  return at_most(wanted, vehicle.thrust_m_s2);
}

}  // namespace

VehicleDrive steer(const VehicleControl& vehicle, const PlayerInput& input, const Motion& now,
                   VehicleState& state) {
  const Quat& axes = now.pose.rotation;
  const Vec3 wanted = wanted_thrust(vehicle, input, rotate_back(axes, now.velocity));
  const Vec3 thrust = to_double(state.thrust);
  state.thrust = to_float(thrust + at_most(wanted - thrust, vehicle.slew_m_s3 * dt));

  VehicleDrive out;
  const Vec3 pushed = now.velocity + rotate(axes, to_double(state.thrust)) * dt;
  out.velocity = at_most(pushed, std::max(vehicle.speed_max_m_s, length(now.velocity)));
  const Vec3 up = rotate(axes, Vec3{0, 1, 0});
  const Vec3 turn = Vec3{0, -lever(input.right) * vehicle.yaw_rad_s, 0} +
                    cross(up, Vec3{0, 1, 0}) * vehicle.upright_per_s;
  out.angular_velocity =
      now.angular_velocity + at_most(turn - now.angular_velocity, vehicle.yaw_rad_s2 * dt);
  return out;
}

}  // namespace perigee::world
