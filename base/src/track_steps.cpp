#include "perigee/base/track_steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "wire_numbers.hpp"

namespace perigee {
namespace {

/// An acceleration acts for the square of a time.
constexpr double acceleration_steps = 4, spin_acceleration_steps = 4;

constexpr double times(int brevity) { return static_cast<double>(1 << brevity); }

double velocity_step(Precision precision, int brevity) {
  return offset_step_m(precision) * times(brevity);
}
double acceleration_step(Precision precision, int brevity) {
  return offset_step_m(precision) * acceleration_steps * times(2 * brevity);
}
/// Of a circle's turn, rad/s: finer than an acceleration, because a circle lasts longer.
double turn_step(const TrackSteps& steps) {
  std::uint32_t ones = 0;
  for (const std::int32_t part : steps.velocity) ones |= static_cast<std::uint32_t>(std::abs(part));
  return times(steps.brevity) / static_cast<double>(std::uint64_t{2} << std::bit_width(ones));
}
double spin_step(int exponent) { return 1 / times(exponent); }

Steps whole_steps(const Vec3& v, double per_step, int bits) {
  const double limit = limit_of(bits);
  const auto one = [&](double part) {
    return static_cast<std::int32_t>(whole(std::clamp(part * per_step, -limit, limit)));
  };
  return {one(v.x), one(v.y), one(v.z)};
}
Vec3 times_step(const Steps& steps, double step) {
  return {steps[0] * step, steps[1] * step, steps[2] * step};
}

double largest_of(const Vec3& v) {
  return std::max(std::abs(v.x), std::max(std::abs(v.y), std::abs(v.z)));
}

SpinSteps spin_steps(const Vec3& spin, double step_rad_s) {
  int exponent = 0;
  const double largest = largest_of(spin);
  while (exponent + 1 < (1 << spin_exponent_bits) && spin_step(exponent) > step_rad_s &&
         largest / spin_step(exponent + 1) < limit_of(spin_width_max)) {
    ++exponent;
  }
  return {static_cast<std::uint8_t>(exponent), whole_steps(spin, times(exponent), spin_width_max)};
}
Vec3 spin_of(const SpinSteps& spin) { return times_step(spin.steps, spin_step(spin.exponent)); }

/// Without the rotation.
Track path_of(const TrackSteps& steps, Precision precision) {
  Track out;
  out.curve = steps.curve;
  out.turn = steps.turn;
  out.position = times_step(steps.position, offset_step_m(precision));
  out.velocity = times_step(steps.velocity, velocity_step(precision, steps.brevity));
  if (steps.curve == TrackCurve::Parabola) {
    out.acceleration = times_step(steps.bend, acceleration_step(precision, steps.brevity));
  } else if (steps.curve == TrackCurve::Circle) {
    out.acceleration = cross(times_step(steps.bend, turn_step(steps)), out.velocity);
  }
  return out;
}

void add_full_turn(const TrackSteps& steps, Track& out) {
  out.rotation = rotation_of(steps.rotation);
  out.angular_velocity = spin_of(steps.spin);
  if (steps.spins_faster) out.angular_acceleration = spin_of(steps.spin_acceleration);
}

}  // namespace

std::uint8_t yaw_steps(const Quat& rotation) {
  const double yaw = 2 * arc_tangent(rotation.y, rotation.w);
  return static_cast<std::uint8_t>(
      static_cast<std::int32_t>(whole(yaw * ((1 << yaw_bits) / (2 * pi)))));
}
Quat yaw_of(std::uint8_t steps) {
  return yaw_rotation(static_cast<double>(steps) * (2 * pi) / (1 << yaw_bits));
}

TrackSteps steps_of(const Track& track, Precision precision, double radius_m, int brevity) {
  constexpr double share = 5;
  TrackSteps out;
  out.curve = track.curve;
  out.turn = track.turn;
  out.brevity = static_cast<std::uint8_t>(brevity);
  out.position = whole_steps(track.position, 1 / offset_step_m(precision), offset_bits);
  if (track.curve != TrackCurve::Still) {
    out.velocity =
        whole_steps(track.velocity, 1 / velocity_step(precision, brevity), rate_width_max);
  }
  if (track.curve == TrackCurve::Parabola) {
    out.bend =
        whole_steps(track.acceleration, 1 / acceleration_step(precision, brevity), rate_width_max);
  } else if (track.curve == TrackCurve::Circle) {
    out.bend = whole_steps(circle_turn(track.velocity, track.acceleration), 1 / turn_step(out),
                           rate_width_max);
  }
  if (track.turn == TrackTurn::Yaw) out.yaw = yaw_steps(track.rotation);
  if (track.turn != TrackTurn::Full) return out;
  const double step_rad = bound_m(precision) / (share * std::max(radius_m, bound_m(precision)));
  out.rotation = rotation_steps(track.rotation, step_rad);
  out.spin = spin_steps(track.angular_velocity, step_rad * times(brevity));
  if (track.angular_acceleration != Vec3{}) {
    out.spins_faster = true;
    out.spin_acceleration = spin_steps(track.angular_acceleration,
                                       step_rad * spin_acceleration_steps * times(2 * brevity));
  }
  return out;
}

Track track_of(const TrackSteps& steps, Precision precision) {
  Track out = path_of(steps, precision);
  if (steps.turn == TrackTurn::Yaw) out.rotation = yaw_of(steps.yaw);
  if (steps.turn == TrackTurn::Full) add_full_turn(steps, out);
  return out;
}

bool is_possible(const TrackSteps& steps, Precision precision) {
  if (steps.curve != TrackCurve::Circle) return true;
  const Track track = path_of(steps, precision);
  return length(circle_turn(track.velocity, track.acceleration)) <= circle_turn_max_rad_s;
}

Expectation::Expectation(const TrackSteps& basis, Precision precision, double spin_damping_per_s,
                         std::int32_t ticks)
    : track_(path_of(basis, precision)),
      place_(place_at(track_, ticks)),
      precision_(precision),
      rotation_width_(basis.rotation.width),
      ticks_(ticks) {
  if (basis.turn == TrackTurn::Full) add_full_turn(basis, track_);
  track_.spin_damping_per_s = spin_damping_per_s;
}

Steps Expectation::position() const {
  return whole_steps(place_.position, 1 / offset_step_m(precision_), offset_bits);
}
Steps Expectation::velocity(int brevity) const {
  return whole_steps(place_.velocity, 1 / velocity_step(precision_, brevity), rate_width_max);
}

Steps Expectation::bend(const TrackSteps& like) const {
  const bool circle = track_.curve == TrackCurve::Circle;
  const Vec3 turn = circle || like.curve == TrackCurve::Circle
                        ? circle_turn(track_.velocity, track_.acceleration)
                        : Vec3{};
  if (like.curve == TrackCurve::Circle) {
    return whole_steps(turn, 1 / turn_step(like), rate_width_max);
  }
  return whole_steps(circle ? cross(turn, place_.velocity) : track_.acceleration,
                     1 / acceleration_step(precision_, like.brevity), rate_width_max);
}

std::optional<RotationSteps> Expectation::rotation() const {
  if (track_.turn != TrackTurn::Full) return std::nullopt;
  return rotation_steps_of_width(rotation_at(track_, ticks_), rotation_width_);
}
Steps Expectation::spin(int exponent) const {
  return whole_steps(spin_at(track_, ticks_), times(exponent), spin_width_max);
}
Steps Expectation::spin_acceleration(int exponent) const {
  return whole_steps(track_.angular_acceleration, times(exponent), spin_width_max);
}

}  // namespace perigee
