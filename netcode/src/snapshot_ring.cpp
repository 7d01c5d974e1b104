#include "perigee/netcode/snapshot_ring.hpp"

#include <algorithm>

namespace perigee {
namespace {

// Cubic Hermite between two samples that carry velocities.
Vec3 hermite(const Snapshot& a, const Snapshot& b, double u, double dt_s) {
  const double u2 = u * u;
  const double u3 = u2 * u;
  return (2 * u3 - 3 * u2 + 1) * a.pose.position + (u3 - 2 * u2 + u) * dt_s * a.velocity +
         (-2 * u3 + 3 * u2) * b.pose.position + (u3 - u2) * dt_s * b.velocity;
}

// Farther than its velocities take it in that time: placed anew, and nowhere in between.
bool leaps(const Snapshot& a, const Snapshot& b, double dt_s) {
  constexpr double leap_m = 10;
  const double way_m = distance(a.pose.position, b.pose.position);
  return way_m > leap_m + 2 * (length(a.velocity) + length(b.velocity)) * dt_s;
}

}  // namespace

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
  return SnapshotOffer::Stored;
}

SnapshotRing::Sample SnapshotRing::sample(Tick origin, double ticks,
                                          double extrapolate_ticks_max) const {
  PERIGEE_ASSERT(!empty(), "sampling an entity that was never heard of");
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

double SnapshotRing::interval_ticks() const {
  if (samples_.size() < 2) return 1;
  const std::size_t first = samples_.size() > 5 ? samples_.size() - 5 : 0;
  const double span = ticks_between(samples_[first].tick, samples_.back().tick);
  return std::max(1.0, span / static_cast<double>(samples_.size() - 1 - first));
}

}  // namespace perigee
