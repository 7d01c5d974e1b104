/// The scene of UnityNetworkTransformBenchmark (github.com/KinematicSoup/benchmarks, 5c354e8):
/// bodies that fly freely in a ball around a planetoid. Its numbers are those of that project; its
/// bodies are spheres here, and step 60 times a second.
#pragma once

#include <vector>

#include "perigee/replication/published.hpp"
#include "perigee/world/game.hpp"

namespace perigee::bench {

class Asteroids final : public world::GameModule {
 public:
  static constexpr std::uint32_t count = 250;
  static constexpr double planetoid_m = 5;  ///< radius
  static constexpr double ball_m = 31.498;  ///< radius: 50 m for 1,000 bodies, as dense here
  static constexpr world::TypeId planetoid_type = count;  ///< types below it: one per body

  /// Rotations slow down by this share. The published prefabs have 0, Unity's default is 0.05.
  explicit Asteroids(double spin_damping_per_s);
  std::string_view name() const override { return "asteroids"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  void populate(world::World& world, const world::Bounds&, std::uint32_t spawner) const override;
  /// Accelerates each body for the step from `tick`.
  void drive(world::World& world, Tick tick) const override;
  world::ActorSpawn spawn_state(const world::World&, const world::Bounds&,
                                std::uint32_t) const override {
    return {};
  }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }

 private:
  double spin_damping_per_s_;
  std::vector<world::EntityType> types_;
  std::vector<double> target_m_s_;  ///< by type
  world::ParentingParams parenting_;
};

}  // namespace perigee::bench
