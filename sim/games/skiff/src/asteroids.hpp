/// The stage of asteroids: bodies that fly freely in a ball around a planetoid. Its rules and
/// numbers are those of UnityNetworkTransformBenchmark (github.com/KinematicSoup/benchmarks,
/// 5c354e8); its bodies are spheres, in some sizes, and step 60 times a second.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "perigee/skiff/skiff.hpp"

namespace perigee::skiff {

class Asteroids {
 public:
  explicit Asteroids(double spin_damping_per_s);

  /// Fills the rows of the type table.
  void add_types(std::vector<world::EntityType>& rows) const;
  /// `first_ordinal`: of the entities' identities; the planetoid has the last one.
  void populate(world::World& world, const world::Bounds& region, std::uint32_t spawner,
                std::uint32_t first_ordinal) const;
  /// Accelerates one of the bodies for the step from `tick`.
  void drive(world::World& world, const world::Entity& entity, Tick tick,
             std::uint32_t first_ordinal) const;
  /// A place outside of the ball, for a player in this region.
  static Vec3 spawn_place(const world::Bounds& region, std::uint32_t ordinal);

 private:
  struct Plan {
    double target_m_s = 0;
    std::uint32_t size = 0;
    Pose start;
    Vec3 velocity, spin;
  };
  double spin_damping_per_s_;
  std::vector<Plan> plans_;
};

}  // namespace perigee::skiff
