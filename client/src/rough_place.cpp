#include "perigee/client/rough_place.hpp"

namespace perigee::client {
namespace {

/// More than all errors of rounding.
float rounded_up(double value) { return static_cast<float>(value * 1.001 + 0.001); }

}  // namespace

RoughPlace RoughPlace::resting(Handle frame, const Vec3& position, double radius_m) {
  RoughPlace out;
  out.motion = Motion::None;
  out.frame = frame;
  out.radius_m = rounded_up(radius_m);
  out.position = position;
  return out;
}

RoughPlace RoughPlace::on_track(Handle frame, const Track& track, double radius_m,
                                StreamId stream) {
  RoughPlace out = resting(frame, track.position, radius_m);
  out.motion = Motion::Track;
  out.stream = stream;
  out.tick = track.tick;
  out.speed_m_s = rounded_up(length(track.velocity));
  out.acceleration_m_s2 = rounded_up(length(track.acceleration));
  return out;
}

// A circle is no longer way than its arc, and its speed stays.
double RoughPlace::moved_m(double after_s, double seconds_more) const {
  const double faster_m_s = double{acceleration_m_s2} * after_s;
  const double speed = double{speed_m_s};
  return (speed + faster_m_s / 2) * after_s + (speed + faster_m_s) * seconds_more;
}

}  // namespace perigee::client
