/// The stage of asteroids of Skiff.
#pragma once

#include "perigee/skiff/skiff.hpp"
#include "scene.hpp"

namespace perigee::bench {

class Asteroids final : public Scene {
 public:
  explicit Asteroids(double spin_damping_per_s)
      : game_({.stage = skiff::Stage::Asteroids,
               .asteroid_spin_damping_per_s = spin_damping_per_s}) {}

  std::span<const world::EntityType> types() const override { return game_.types(); }
  world::ParentingParams parenting() const override { return game_.parenting(); }
  void populate(world::World& world) override { game_.populate(world, skiff::whole_world, 1); }
  void drive(world::World& world) override { game_.drive(world, world.now()); }
  /// A rotation that moves a point at 5 m by 1 cm changes a component of the quaternion by 0.001.
  double radius_m(const world::EntityType& /*type*/) const override { return 5; }
  bool is_sample(const world::World& /*world*/, const world::Entity& entity,
                 Tick /*tick*/) const override {
    return entity.type != skiff::planetoid_row;
  }

 private:
  skiff::Skiff game_;
};

}  // namespace perigee::bench
