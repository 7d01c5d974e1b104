/// A track: a rigid motion from one tick on, as a few numbers. Worker, client and lab evaluate it
/// by the same function, so a receiver that has an entity's track needs nothing more until the
/// entity leaves it. Only sqrt of libm is used: every machine computes the same bits.
#pragma once

#include <cstdint>

#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

/// The path of a track's position.
enum class TrackCurve : std::uint8_t {
  Still,     ///< stays at its position
  Straight,  ///< constant velocity
  Parabola,  ///< constant acceleration
  Circle,    ///< constant speed; the radius follows from velocity and acceleration
  last = Circle
};
/// How a record says the rotation of a track.
enum class TrackTurn : std::uint8_t {
  None,  ///< no rotation
  Yaw,   ///< about +y alone, constant
  Full,  ///< any rotation, with an angular velocity
  last = Full
};

struct Track {
  Tick tick;  ///< the position is that at the start of this tick
  TrackCurve curve = TrackCurve::Still;
  TrackTurn turn = TrackTurn::None;
  Vec3 position;      ///< metres, in the track's frame
  Vec3 velocity;      ///< m/s; unused by Still
  Vec3 acceleration;  ///< m/s^2; unused by Still and Straight
  Quat rotation;
  Vec3 angular_velocity;  ///< rad/s, in the frame's axes; for Full only
  /// rad/s^2, in the frame's axes; for Full. Constant: without it, the spin is damped.
  Vec3 angular_acceleration;
  /// The part of the angular velocity that is lost in a second, tick by tick. Both sides know it
  /// from the entity's type.
  double spin_damping_per_s = 0;
};
/// Above, a body would stop within two ticks.
inline constexpr double spin_damping_max_per_s = default_tick_rate_hz / 2.0;

/// Fastest turn of a circle, rad/s. A circle that turns faster is no motion of a rigid body.
inline constexpr double circle_turn_max_rad_s = 30;
/// Rate of turn of the circle through this velocity and acceleration, as a vector, rad/s. 0 if the
/// velocity is.
Vec3 circle_turn(const Vec3& velocity, const Vec3& acceleration);

struct TrackPoint {
  Pose pose;
  Vec3 velocity;  ///< m/s
};
/// The motion `ticks` after the track's tick; negative values are earlier ones.
TrackPoint point_at(const Track& track, double ticks);

struct TrackPlace {
  Vec3 position;
  Vec3 velocity;  ///< m/s
};
/// Position and velocity of point_at(), without the work for its rotation.
TrackPlace place_at(const Track& track, double ticks);
/// Rotation and angular velocity then.
Quat rotation_at(const Track& track, double ticks);
Vec3 spin_at(const Track& track, std::int32_t ticks);

}  // namespace perigee
