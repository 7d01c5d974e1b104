#include "asteroids.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/base/hash.hpp"

namespace perigee::bench {
namespace {

constexpr double scale_min_m = 0.25, scale_max_m = 1;  // diameters
constexpr double target_min_m_s = 1, target_max_m_s = 4;
constexpr double pull_m_s2 = 10, thrust_max_m_s2 = 5;
constexpr double spin_max_rad_s = 45 * pi / 180;
constexpr double speed_slack_m2_s2 = 0.001;  // of the square of a speed
constexpr double gap_scales = 2;             // of a new body to others
constexpr std::uint64_t seed = 250;

Vec3 in_unit_ball(Random& random) {
  for (;;) {
    const auto part = [&] { return random.between(-1, 1); };
    const Vec3 at{part(), part(), part()};
    if (length_squared(at) <= 1) return at;
  }
}

Quat any_rotation(Random& random) {
  for (;;) {
    const auto part = [&] { return random.between(-1, 1); };
    const Quat q{part(), part(), part(), part()};
    if (dot(q, q) <= 1 && dot(q, q) > 0.01) return normalized(q);
  }
}

world::ShapePtr sphere(double radius_m) {
  return world::make_shape({world::Box{.center = {}, .half = {}, .radius = radius_m}});
}

struct Placed {
  Vec3 at;
  double radius_m = 0;
};

/// A random place in the ball, moved outwards until it is far enough from everything.
Vec3 free_place(Random& random, double scale_m, const std::vector<Placed>& others) {
  const Vec3 way = in_unit_ball(random);
  const Vec3 outwards = normalized(way, {1, 0, 0});
  Vec3 at = way * Asteroids::ball_m;
  const auto too_near = [&](const Placed& other) {
    return distance(at, other.at) < gap_scales * scale_m + other.radius_m;
  };
  while (std::any_of(others.begin(), others.end(), too_near))
    at += outwards * (gap_scales * scale_m);
  return at;
}

Vec3 accelerated(const Motion& motion, double target_m_s) {
  const Vec3& velocity = motion.velocity;
  const Vec3& at = motion.pose.position;
  if (length(at) > Asteroids::ball_m) {
    return velocity - normalized(at) * (pull_m_s2 * seconds_per_tick);
  }
  const double speed = length(velocity);
  if (std::abs(speed * speed - target_m_s * target_m_s) <= speed_slack_m2_s2) return velocity;
  constexpr double change_max = thrust_max_m_s2 * seconds_per_tick;
  return velocity + normalized(velocity) * std::clamp(target_m_s - speed, -change_max, change_max);
}

}  // namespace

Asteroids::Asteroids(double spin_damping_per_s) : spin_damping_per_s_(spin_damping_per_s) {
  Random random(seed);
  for (std::uint32_t n = 0; n < count; ++n) {
    const double scale_m = random.between(scale_min_m, scale_max_m);
    target_m_s_.push_back(random.between(target_min_m_s, target_max_m_s));
    types_.push_back({.id = static_cast<world::TypeId>(n),
                      .name = "asteroid",
                      .kind = world::EntityKind::Body,
                      .shape = sphere(scale_m / 2),
                      .mass_kg = scale_m * scale_m * scale_m,
                      .friction = 0.6,
                      .spin_damping_per_s = spin_damping_per_s});
  }
  types_.push_back({.id = planetoid_type,
                    .name = "planetoid",
                    .kind = world::EntityKind::Static,
                    .shape = sphere(planetoid_m),
                    .friction = 0.6});
}

void Asteroids::populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const {
  Random random(seed + 1);
  std::vector<Placed> placed{{{}, planetoid_m}};
  world.spawn({.id = world::make_entity_id(spawner, Tick{}, count), .type = planetoid_type});
  for (std::uint32_t n = 0; n < count; ++n) {
    const double radius_m = types_[n].shape->boxes()[0].radius;
    const Vec3 at = free_place(random, 2 * radius_m, placed);
    placed.push_back({at, radius_m});
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, n),
                 .type = static_cast<world::TypeId>(n),
                 .local = {at, any_rotation(random)},
                 .velocity = normalized(in_unit_ball(random), {1, 0, 0}) * target_m_s_[n],
                 .angular_velocity = in_unit_ball(random) * spin_max_rad_s});
  }
}

void Asteroids::drive(world::World& world, Tick tick) const {
  const double kept = 1 - spin_damping_per_s_ * seconds_per_tick;
  for (const Handle handle : world.in_order()) {
    const world::Entity& entity = *world.find(handle);
    if (entity.type == planetoid_type) continue;
    const auto motion = world.motion(handle, tick);
    world.set_drive(handle, accelerated(*motion, target_m_s_[entity.type]),
                    motion->angular_velocity * kept);
  }
}

}  // namespace perigee::bench
