/// Gravity boxes of entities.
#pragma once

#include "perigee/world/entity_motions.hpp"

namespace perigee::world {

class GravityFields {
 public:
  struct Needs {
    const EntityTable& entities;
    const EntityMotions& motions;
    const Tick& now;
  };
  explicit GravityFields(Needs needs) : needs_(needs) {}

  /// See World::gravity_at.
  GravityBox at(const Vec3& world_point, Tick tick) const;
  /// Acceleration of a body there during the coming step.
  Vec3 pull_at(const Vec3& world_point) const;

 private:
  const EntityRecord* around(const Vec3& world_point, Tick tick) const;

  Needs needs_;
};

}  // namespace perigee::world
