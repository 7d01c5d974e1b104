#include "bench/interest/crowd.hpp"

#include <cmath>

namespace perigee::bench {
namespace {

constexpr double height_m = 50;
constexpr double speed_m_s = 30;
constexpr double clump_m = 400;

}  // namespace

Crowd::Place Crowd::place(Random& random, const std::vector<Vec3>& centers) const {
  Place out;
  if (!centers.empty() && random.below(5) != 0) {
    const Vec3& center = centers[random.below(static_cast<std::uint32_t>(centers.size()))];
    // The sum of uniforms is dense in the middle.
    const auto around = [&] { return (random.between(-1, 1) + random.between(-1, 1)) * clump_m; };
    out.position = center + Vec3{around(), random.between(-height_m, height_m), around()};
  } else {
    out.position = {random.between(-plan_.half_m, plan_.half_m),
                    random.between(-height_m, height_m),
                    random.between(-plan_.half_m, plan_.half_m)};
  }
  out.velocity = {random.between(-speed_m_s, speed_m_s), 0, random.between(-speed_m_s, speed_m_s)};
  out.radius_m = static_cast<float>(random.between(0.3, 5));
  return out;
}

Crowd::Crowd(const CrowdPlan& plan, std::uint64_t seed) : plan_(plan) {
  Random random(seed);
  std::vector<Vec3> centers;
  for (std::uint32_t i = 0; i < plan.clumps; ++i) {
    const double inner_m = plan.half_m - 2 * clump_m;
    centers.push_back({random.between(-inner_m, inner_m), 0, random.between(-inner_m, inner_m)});
  }
  for (std::uint32_t i = 0; i < plan.entities; ++i) {
    places_.push_back(place(random, centers));
    phases_.push_back(static_cast<std::uint8_t>(phase_class(random.next())));
  }
  for (std::uint32_t i = 0; i < plan.observers; ++i) {
    observers_.emplace_back();
    observers_.back().session = i;
  }
  move();
}

void Crowd::move() {
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    Place& p = places_[i];
    p.position = p.position + p.velocity * seconds_per_tick;
    if (std::abs(p.position.x) > plan_.half_m)
      p.velocity.x = std::copysign(p.velocity.x, -p.position.x);
    if (std::abs(p.position.z) > plan_.half_m)
      p.velocity.z = std::copysign(p.velocity.z, -p.position.z);
    if (i < observers_.size()) observers_[i].position = p.position;
  }
}

}  // namespace perigee::bench
