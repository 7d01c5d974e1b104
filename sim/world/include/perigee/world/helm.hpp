/// Steering a body: what a player's controls make of its motion, a tick at a time. Pure; the worker
/// and the driver's client run the same function. (mission K40)
#pragma once

#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/vec.hpp"

namespace perigee::world {

/// What a type of bodies offers to its driver. Forward is the body's +z, up its +y.
struct Helm {
  double thrust_m_s2 = 0;            ///< in any direction; 0: nobody can steer it
  double slew_m_s3 = 100;            ///< steeper changes of thrust are guessed worse by riders
  double speed_max_m_s = 80;         ///< thrust makes it no faster
  double yaw_rad_s = 0.436332313;    ///< 25 deg/s
  double yaw_rad_s2 = 0.2617993878;  ///< 15 deg/s^2, about all axes
  double upright_per_s = 0.5;        ///< how fast a tilted body comes back upright; 0: not at all
  Vec3 seat;                         ///< where the driver's middle is, in the body's frame
};

/// What a drive remembers from tick to tick, as floats: the wire is exact.
struct HelmState {
  Vec3f thrust;  ///< m/s^2, own axes
  friend bool operator==(const HelmState&, const HelmState&) = default;
};

struct HelmDrive {
  Vec3 velocity, angular_velocity;  ///< to leave the tick with, unless it hits something
};

/// Axes: forward and up push along the body, right turns it to the right. Held dampers brake what
/// is not steered.
HelmDrive steer(const Helm& helm, const PlayerInput& input, const Motion& now, HelmState& state);

}  // namespace perigee::world
