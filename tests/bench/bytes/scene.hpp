/// A world of the suite: its entities, and the forces that move them.
#pragma once

#include <span>

#include "perigee/world/world.hpp"

namespace perigee::bench {

class Scene {
 public:
  virtual ~Scene() = default;
  virtual std::span<const world::EntityType> types() const = 0;
  virtual world::ParentingParams parenting() const { return {}; }
  virtual void populate(world::World& world) = 0;
  /// Before each step of the bodies.
  virtual void drive(world::World& world) = 0;
  /// For the publisher: its bound for a rotation is that of a point at this distance.
  virtual double radius_m(const world::EntityType& type) const = 0;
  /// Whether the displayed pose of the entity at `tick` is a sample.
  virtual bool is_sample(const world::World& world, const world::Entity& entity,
                         Tick tick) const = 0;
};

}  // namespace perigee::bench
