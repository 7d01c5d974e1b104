#include "perigee/skiff/course.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/base/assert.hpp"

namespace perigee::skiff {
namespace {

constexpr double dt = seconds_per_tick;
constexpr Quat half_turn{0, 1, 0, 0};

std::uint32_t whole_ticks(double seconds) { return static_cast<std::uint32_t>(seconds / dt + 0.5); }

}  // namespace

Course::Course(const CourseTunables& tunables, const Pose& placed)
    : placed_(placed),
      speed_m_s_(tunables.speed_m_s),
      start_tick_(whole_ticks(tunables.start_m / tunables.speed_m_s)) {
  const std::uint32_t straight = whole_ticks(tunables.straight_m / speed_m_s_);
  const double wanted_rate = speed_m_s_ / tunables.arc_radius_m;
  const std::uint32_t ramp = whole_ticks(wanted_rate / tunables.yaw_slew_rad_s2) + 1;
  const std::uint32_t turning = whole_ticks(pi / wanted_rate);
  PERIGEE_ASSERT(turning > ramp, "the arc must be longer than its ramps");
  // The rates of a ramp up and a ramp down add up to `ramp` full ones. So this rate gives exactly
  // half a turn, and two half turns close the lap.
  const double rate = pi / (turning * dt);
  Vec3 position{0, 0, -tunables.straight_m / 2};
  double heading = 0;
  const auto advance = [&](double yaw_rate) {
    half_.push_back({position, heading, yaw_rate});
    heading += yaw_rate * dt;
    const SinCos ahead = sin_cos(heading);
    position += Vec3{ahead.sin, 0, ahead.cos} * (speed_m_s_ * dt);
  };
  for (std::uint32_t i = 0; i < straight; ++i) advance(0);
  for (std::uint32_t i = 1; i <= ramp; ++i) advance(rate * i / ramp);
  for (std::uint32_t i = ramp; i < turning; ++i) advance(rate);
  for (std::uint32_t i = ramp - 1; i > 0; --i) advance(rate * i / ramp);
  half_way_ = position;
}

Motion Course::in_lap(std::uint32_t tick) const {
  const auto half = static_cast<std::uint32_t>(half_.size());
  const bool back = tick >= half;
  const std::uint32_t in_half = back ? tick - half : tick;
  const Step& here = half_[in_half];
  const double led_rate = half_[(in_half + half - 1) % half].yaw_rate;
  const SinCos ahead = sin_cos(here.heading_rad);
  Motion out;
  out.pose = {here.position, yaw_rotation(here.heading_rad)};
  out.velocity = Vec3{ahead.sin, 0, ahead.cos} * speed_m_s_;
  if (back) {
    out.pose.position = half_way_ + rotate(half_turn, here.position - half_.front().position);
    out.pose.rotation = half_turn * out.pose.rotation;
    out.velocity = rotate(half_turn, out.velocity);
  }
  out.angular_velocity = {0, led_rate, 0};
  return out;
}

Motion Course::at(Tick tick) const {
  const Motion local = in_lap((tick.count + start_tick_) % lap_ticks());
  Motion out;
  out.pose = placed_ * local.pose;
  out.velocity = rotate(placed_.rotation, local.velocity);
  out.angular_velocity = rotate(placed_.rotation, local.angular_velocity);
  return out;
}

}  // namespace perigee::skiff
