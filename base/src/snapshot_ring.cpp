#include "perigee/base/snapshot_ring.hpp"

#include <algorithm>

#include "perigee/base/smoother.hpp"

namespace perigee {
namespace {

// Cubic Hermite between two samples that carry velocities.
Vec3 hermite(const Snapshot& a, const Snapshot& b, double u, double dt_s) {
  const double u2 = u * u;
  const double u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * a.pose.position + (u3 - 2 * u2 + u) * dt_s * a.velocity +
         (-2 * u3 + 3 * u2) * b.pose.position + (u3 - u2) * dt_s * b.velocity;
}

// Whether `b` is farther from `a` than their velocities allow: the entity was teleported, and must
// not be interpolated.
bool leaps(const Snapshot& a, const Snapshot& b, double dt_s) {
  constexpr double leap_m = 10;
  const double way_m = distance(a.pose.position, b.pose.position);
  return way_m > leap_m + 2 * (length(a.velocity) + length(b.velocity)) * dt_s;
}

// Offset of `b` from the place that a motion from `a` with the two samples' velocities could have
// reached. Zero for samples far apart in time: the entity may have turned in between.
Vec3 beside(const Snapshot& a, const Snapshot& b) {
  constexpr std::int32_t span_ticks_max = 12;
  constexpr double slack_m = 0.1;
  const std::int32_t span = ticks_between(a.tick, b.tick);
  const double dt_s = span * seconds_per_tick;
  if (a.frame != b.frame || span > span_ticks_max || leaps(a, b, dt_s)) return {};
  const Vec3 off = b.pose.position - a.pose.position - (a.velocity + b.velocity) * (dt_s / 2);
  const double turn_m = length(b.velocity - a.velocity) * (dt_s / 2);
  return length(off) > turn_m + slack_m ? off : Vec3{};
}

// Falls from 1 to 0, with zero speed and acceleration at both ends.
double left_of(double part) {
  const double u = std::clamp(part, 0.0, 1.0);
  return 1 - u * u * u * (10 - 15 * u + 6 * u * u);
}

}  // namespace

void SnapshotRing::compare(std::size_t place) {
  if (place == 0 || place >= samples_.size()) return;
  samples_[place].rewritten = beside(samples_[place - 1], samples_[place]);
  samples_[place].rewritten_since = samples_[place - 1].tick;
}

SnapshotOffer SnapshotRing::insert(const Snapshot& snapshot) {
  std::size_t place = samples_.size();
  while (place > 0 && before(snapshot.tick, samples_[place - 1].tick)) --place;
  if (place > 0 && samples_[place - 1].tick == snapshot.tick) return SnapshotOffer::Duplicate;
  if (samples_.full()) {
    if (place == 0) return SnapshotOffer::TooOld;
    samples_.erase(0);
    --place;
  }
  samples_.insert(place, snapshot);
  compare(place);
  compare(place + 1);
  return SnapshotOffer::Stored;
}

SnapshotRing::Sample SnapshotRing::sample(Tick origin, double ticks,
                                          double extrapolate_ticks_max) const {
  PERIGEE_ASSERT(!empty(), "sample() needs a snapshot");
  const auto at = [&](const Snapshot& s) {
    return static_cast<double>(ticks_between(origin, s.tick));
  };
  std::size_t after = 0;
  while (after < samples_.size() && at(samples_[after]) <= ticks) ++after;
  if (after == 0) {
    const Snapshot& first = samples_[0];
    return {first.frame, first.pose, first.velocity, false, true};
  }
  const Snapshot& a = samples_[after - 1];
  if (after < samples_.size() && samples_[after].frame == a.frame) {
    const Snapshot& b = samples_[after];
    const double span = at(b) - at(a);
    if (leaps(a, b, span * seconds_per_tick)) return {a.frame, a.pose, {}, false, true};
    const double u = (ticks - at(a)) / span;
    return {a.frame,
            {hermite(a, b, u, span * seconds_per_tick), slerp(a.pose.rotation, b.pose.rotation, u)},
            lerp(a.velocity, b.velocity, u),
            false,
            false};
  }
  const double wanted = ticks - at(a);
  const double ahead = std::min(wanted, extrapolate_ticks_max);
  const bool beyond = wanted > extrapolate_ticks_max;
  return {a.frame,
          {a.pose.position + a.velocity * (ahead * seconds_per_tick), a.pose.rotation},
          beyond ? Vec3{} : a.velocity,
          ahead > 0,
          beyond};
}

// The curve between the two samples spreads the rewritten offset over the gap between them. Take
// that share out, and blend the whole offset over its own duration instead.
SnapshotRing::Sample SnapshotRing::drawn(Tick origin, double ticks,
                                         double extrapolate_ticks_max) const {
  Sample out = sample(origin, ticks, extrapolate_ticks_max);
  for (const Snapshot& s : samples_) {
    const double since = ticks - ticks_between(origin, s.rewritten_since);
    if (s.rewritten == Vec3{} || s.frame != out.frame || since < 0) continue;
    const double takes_s = parent_switch_seconds(length(s.rewritten));
    const double span = ticks_between(s.rewritten_since, s.tick);
    const double u = std::min(since / span, 1.0);
    const double not_yet = 2 * u * u * u - 3 * u * u + 1;
    out.pose.position += s.rewritten * (not_yet - left_of(since * seconds_per_tick / takes_s));
  }
  return out;
}

double SnapshotRing::interval_ticks() const {
  if (samples_.size() < 2) return 1;
  const std::size_t first = samples_.size() > 5 ? samples_.size() - 5 : 0;
  const double span = ticks_between(samples_[first].tick, samples_.back().tick);
  return std::max(1.0, span / static_cast<double>(samples_.size() - 1 - first));
}

}  // namespace perigee
