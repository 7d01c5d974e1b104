#include "perigee/base/track.hpp"

#include <algorithm>
#include <cmath>

namespace perigee {
namespace {

/// Slower circles are parabolas: the difference is below a millimetre for minutes.
constexpr double turn_min_rad_s = 1e-4;

TrackPlace on_parabola(const Track& track, double s) {
  return {track.position + (track.velocity + track.acceleration * (s / 2)) * s,
          track.velocity + track.acceleration * s};
}

TrackPlace on_circle(const Track& track, double s) {
  const Vec3 turn = circle_turn(track.velocity, track.acceleration);
  const double rad_s = length(turn);
  if (rad_s < turn_min_rad_s) return on_parabola(track, s);
  const SinCos angle = sin_cos(rad_s * s);
  const Vec3 aside = cross(turn, track.velocity) / rad_s;  // the velocity, a quarter turn later
  return {track.position + track.velocity * (angle.sin / rad_s) + aside * ((1 - angle.cos) / rad_s),
          track.velocity * angle.cos + aside * angle.sin};
}

double power(double base, std::int32_t exponent) {
  double out = 1;
  for (auto left = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent); left != 0;
       left >>= 1, base *= base) {
    if ((left & 1) != 0) out *= base;
  }
  return exponent < 0 ? 1 / out : out;
}

/// For how long the first angular velocity would have to last to turn as far. Whole ticks, forwards
/// or backwards: the sum of a geometric series.
double spun_s(double kept, std::int32_t ticks) {
  return seconds_per_tick * kept * (1 - power(kept, ticks)) / (1 - kept);
}

double spun_s(const Track& track, double ticks) {
  const double kept = 1 - track.spin_damping_per_s * seconds_per_tick;
  if (kept == 1) return ticks * seconds_per_tick;
  constexpr double most = 1 << 24;
  const double whole = std::floor(std::clamp(ticks, -most, most));
  const auto from = static_cast<std::int32_t>(whole);
  const double a = spun_s(kept, from);
  return a + (spun_s(kept, from + 1) - a) * (ticks - whole);
}

// No body turns faster and faster for long.
constexpr double accelerates_s_max = 10;

/// As a rotation vector.
Vec3 turned(const Track& track, double ticks) {
  if (track.angular_acceleration == Vec3{}) {
    return track.angular_velocity != Vec3{} ? track.angular_velocity * spun_s(track, ticks)
                                            : Vec3{};
  }
  const double s = ticks * seconds_per_tick;
  const double faster_s = std::clamp(s, -accelerates_s_max, accelerates_s_max);
  return track.angular_velocity * s + track.angular_acceleration * (faster_s * (s - faster_s / 2));
}

}  // namespace

Vec3 circle_turn(const Vec3& velocity, const Vec3& acceleration) {
  const double speed2 = length_squared(velocity);
  return speed2 > 1e-12 ? cross(velocity, acceleration) / speed2 : Vec3{};
}

TrackPlace place_at(const Track& track, double ticks) {
  const double s = ticks * seconds_per_tick;
  switch (track.curve) {
    case TrackCurve::Still:
      break;
    case TrackCurve::Straight:
      return {track.position + track.velocity * s, track.velocity};
    case TrackCurve::Parabola:
      return on_parabola(track, s);
    case TrackCurve::Circle:
      return on_circle(track, s);
  }
  return {track.position, {}};
}

Vec3 spin_at(const Track& track, std::int32_t ticks) {
  if (track.angular_acceleration != Vec3{}) {
    const double s = std::clamp(ticks * seconds_per_tick, -accelerates_s_max, accelerates_s_max);
    return track.angular_velocity + track.angular_acceleration * s;
  }
  if (track.angular_velocity == Vec3{} || track.spin_damping_per_s == 0) {
    return track.angular_velocity;
  }
  return track.angular_velocity * power(1 - track.spin_damping_per_s * seconds_per_tick, ticks);
}

Quat rotation_at(const Track& track, double ticks) {
  if (track.turn != TrackTurn::Full) return track.rotation;
  const Vec3 angle = turned(track, ticks);
  return angle != Vec3{} ? rotation_by(angle) * track.rotation : track.rotation;
}

TrackPoint point_at(const Track& track, double ticks) {
  const TrackPlace place = place_at(track, ticks);
  return {{place.position, rotation_at(track, ticks)}, place.velocity};
}

}  // namespace perigee
