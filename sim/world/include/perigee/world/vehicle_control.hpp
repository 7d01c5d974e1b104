/// Vehicle control: the motion that a player's controls give to a body, tick by tick. Pure; the
/// worker and the driver's client run the same function.
#pragma once

#include "perigee/base/player_input.hpp"
#include "perigee/base/vec.hpp"

namespace perigee::world {

/// Vehicle control of a type of bodies. Forward is the body's +z, up its +y.
struct VehicleControl {
  double thrust_m_s2 = 0;            ///< in any direction; 0: the body cannot be steered
  double slew_m_s3 = 100;            ///< steeper changes of thrust make riders' predictions worse
  double speed_max_m_s = 80;         ///< thrust does not accelerate beyond this
  double yaw_rad_s = 0.436332313;    ///< 25 deg/s
  double yaw_rad_s2 = 0.2617993878;  ///< 15 deg/s^2, about all axes
  double upright_per_s = 0.5;        ///< rate at which a tilted body turns upright; 0: never
  Vec3 seat;                         ///< centre of the driver, in the body's frame
};

/// State of a drive from tick to tick, as floats: the wire is exact.
struct VehicleState {
  Vec3f thrust;  ///< m/s^2, own axes
  friend bool operator==(const VehicleState&, const VehicleState&) = default;
};

struct VehicleDrive {
  Vec3 velocity, angular_velocity;  ///< at the end of the tick, unless the body hits something
};

/// Axes: forward and up push along the body, right turns it to the right. Held dampers brake along
/// the axes that are not steered.
VehicleDrive steer(const VehicleControl& vehicle, const PlayerInput& input, const Motion& now,
                   VehicleState& state);

}  // namespace perigee::world
