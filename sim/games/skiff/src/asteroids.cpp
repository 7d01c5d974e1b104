#include "asteroids.hpp"

#include <algorithm>
#include <cmath>

#include "owns.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::skiff {
namespace {

constexpr double scale_min_m = 0.25, scale_max_m = 1;  // diameters
constexpr double target_min_m_s = 1, target_max_m_s = 4;
constexpr double pull_m_s2 = 10, thrust_max_m_s2 = 5;
constexpr double spin_max_rad_s = 45 * pi / 180;
constexpr double speed_slack_m2_s2 = 0.001;  // of the square of a speed
constexpr double gap_scales = 2;             // of a new body to others
constexpr double outside_m = 8;              // players begin so far from the ball
constexpr std::uint64_t scene_seed = 250;

constexpr std::array<std::string_view, asteroid_sizes> size_names{
    "asteroid_1",  "asteroid_2",  "asteroid_3",  "asteroid_4",  "asteroid_5",  "asteroid_6",
    "asteroid_7",  "asteroid_8",  "asteroid_9",  "asteroid_10", "asteroid_11", "asteroid_12",
    "asteroid_13", "asteroid_14", "asteroid_15", "asteroid_16"};

constexpr double scale_m(std::uint32_t size) {
  return scale_min_m + (scale_max_m - scale_min_m) * (size + 0.5) / asteroid_sizes;
}

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

struct Placed {
  Vec3 at;
  double radius_m = 0;
};

/// A random place in the ball, moved outwards until it is far enough from everything.
Vec3 free_place(Random& random, double wide_m, const std::vector<Placed>& others) {
  const Vec3 way = in_unit_ball(random);
  const Vec3 outwards = normalized(way, {1, 0, 0});
  Vec3 at = way * asteroids_ball_m;
  const auto too_near = [&](const Placed& other) {
    return distance(at, other.at) < gap_scales * wide_m + other.radius_m;
  };
  while (std::any_of(others.begin(), others.end(), too_near))
    at += outwards * (gap_scales * wide_m);
  return at;
}

Vec3 accelerated(const Motion& motion, double target_m_s) {
  const Vec3& velocity = motion.velocity;
  const Vec3& at = motion.pose.position;
  if (length(at) > asteroids_ball_m) {
    return velocity - normalized(at) * (pull_m_s2 * seconds_per_tick);
  }
  const double speed = length(velocity);
  if (std::abs(speed * speed - target_m_s * target_m_s) <= speed_slack_m2_s2) return velocity;
  constexpr double change_max = thrust_max_m_s2 * seconds_per_tick;
  return velocity + normalized(velocity) * std::clamp(target_m_s - speed, -change_max, change_max);
}

}  // namespace

Asteroids::Asteroids(double spin_damping_per_s) : spin_damping_per_s_(spin_damping_per_s) {
  Random sizes(scene_seed), starts(scene_seed + 1);
  std::vector<Placed> placed{{{}, planetoid_radius_m}};
  for (std::uint32_t n = 0; n < asteroids_count; ++n) {
    Plan plan;
    plan.size = sizes.below(asteroid_sizes);
    plan.target_m_s = sizes.between(target_min_m_s, target_max_m_s);
    const double wide_m = scale_m(plan.size);
    plan.start.position = free_place(starts, wide_m, placed);
    plan.start.rotation = any_rotation(starts);
    plan.velocity = normalized(in_unit_ball(starts), {1, 0, 0}) * plan.target_m_s;
    plan.spin = in_unit_ball(starts) * spin_max_rad_s;
    placed.push_back({plan.start.position, wide_m / 2});
    plans_.push_back(plan);
  }
}

void Asteroids::add_types(std::vector<world::EntityType>& rows) const {
  const auto sphere = [](double radius_m) {
    return world::make_shape({world::Box{.center = {}, .half = {}, .radius = radius_m}});
  };
  for (std::uint32_t size = 0; size < asteroid_sizes; ++size) {
    const double wide_m = scale_m(size);
    rows[asteroid_row + size] = {.name = size_names[size],
                                 .kind = world::EntityKind::Body,
                                 .shape = sphere(wide_m / 2),
                                 .mass_kg = wide_m * wide_m * wide_m,
                                 .friction = 0.6,
                                 .spin_damping_per_s = spin_damping_per_s_};
  }
  rows[planetoid_row] = {.name = "planetoid",
                         .kind = world::EntityKind::Static,
                         .shape = sphere(planetoid_radius_m),
                         .friction = 0.6,
                         .size = world::SizeClass::Medium};
}

void Asteroids::populate(world::World& world, const world::Bounds& region, std::uint32_t spawner,
                         std::uint32_t first_ordinal) const {
  const auto id = [&](std::uint32_t n) {
    return world::make_entity_id(spawner, Tick{}, first_ordinal + n);
  };
  if (owns(region, {})) world.spawn({.id = id(asteroids_count), .type = planetoid_row});
  for (std::uint32_t n = 0; n < asteroids_count; ++n) {
    const Plan& plan = plans_[n];
    if (!owns(region, plan.start.position)) continue;
    world.spawn({.id = id(n),
                 .type = static_cast<world::TypeId>(asteroid_row + plan.size),
                 .local = plan.start,
                 .velocity = plan.velocity,
                 .angular_velocity = plan.spin});
  }
}

void Asteroids::drive(world::World& world, const world::Entity& entity, Tick tick,
                      std::uint32_t first_ordinal) const {
  const std::uint32_t n = entity.id.ordinal() - first_ordinal;
  const auto motion = world.motion(entity.handle, tick);
  if (!motion || n >= asteroids_count) return;
  world.set_drive(entity.handle, accelerated(*motion, plans_[n].target_m_s),
                  motion->angular_velocity * (1 - spin_damping_per_s_ * seconds_per_tick));
}

// Places that are spread evenly over a sphere, in turn; the nearest point of a region without any.
Vec3 Asteroids::spawn_place(const world::Bounds& region, std::uint32_t ordinal) {
  constexpr std::uint32_t places = 64;
  constexpr double golden_turn_rad = 2.399963229728653;
  const auto place = [](std::uint32_t n) {
    const double y = 1 - (2.0 * (n % places) + 1) / places;
    const double level = std::sqrt(1 - y * y);
    const SinCos turn = sin_cos(golden_turn_rad * (n % places));
    return Vec3{level * turn.cos, y, level * turn.sin} * (asteroids_ball_m + outside_m);
  };
  std::uint32_t here = 0;
  for (std::uint32_t n = 0; n < places; ++n) here += owns(region, place(n));
  std::uint32_t left = here > 0 ? ordinal % here : 0;
  for (std::uint32_t n = 0; n < places; ++n) {
    if (owns(region, place(n)) && left-- == 0) return place(n);
  }
  const Vec3 at = place(ordinal);
  const Vec3 &low = region.low, &high = region.high;
  return {std::clamp(at.x, low.x, high.x - 1), std::clamp(at.y, low.y, high.y - 1),
          std::clamp(at.z, low.z, high.z - 1)};
}

}  // namespace perigee::skiff
