#include "perigee/base/smoother.hpp"

#include <algorithm>

namespace perigee {

void QuinticSmoother::add_error(const Vec3& error) {
  const double size = length(offset() + error);
  add_error(error, size <= small_error_m ? small_seconds : large_seconds);
}

void QuinticSmoother::add_error(const Vec3& error, double seconds) {
  const double left = duration_ - elapsed_;
  const double t = std::max(seconds, left);  // never shorten a blend that is in progress
  const Vec3 p = offset() + error;
  const Vec3 v = velocity() * t;
  const Vec3 a = acceleration() * (t * t);
  // The quintic with p, v, a at 0 and zero position, velocity and acceleration at 1.
  c_[0] = p;
  c_[1] = v;
  c_[2] = a * 0.5;
  c_[3] = -10.0 * p - 6.0 * v - 1.5 * a;
  c_[4] = 15.0 * p + 8.0 * v + 1.5 * a;
  c_[5] = -6.0 * p - 3.0 * v - 0.5 * a;
  elapsed_ = 0;
  duration_ = t;
}

void QuinticSmoother::turn(const Quat& q) {
  for (Vec3& c : c_) c = rotate(q, c);
}

void QuinticSmoother::advance(double dt_s) { elapsed_ = std::min(elapsed_ + dt_s, duration_); }

Vec3 QuinticSmoother::offset() const {
  if (!active()) return {};
  const double u = elapsed_ / duration_;
  return c_[0] + u * (c_[1] + u * (c_[2] + u * (c_[3] + u * (c_[4] + u * c_[5]))));
}

Vec3 QuinticSmoother::velocity() const {
  if (!active()) return {};
  const double u = elapsed_ / duration_;
  const Vec3 d =
      c_[1] + u * (2.0 * c_[2] + u * (3.0 * c_[3] + u * (4.0 * c_[4] + u * (5.0 * c_[5]))));
  return d / duration_;
}

Vec3 QuinticSmoother::acceleration() const {
  if (!active()) return {};
  const double u = elapsed_ / duration_;
  const Vec3 d = 2.0 * c_[2] + u * (6.0 * c_[3] + u * (12.0 * c_[4] + u * (20.0 * c_[5])));
  return d / (duration_ * duration_);
}

double parent_switch_seconds(double metres) { return std::clamp(1.875 * metres / 12.0, 0.3, 2.0); }

}  // namespace perigee
