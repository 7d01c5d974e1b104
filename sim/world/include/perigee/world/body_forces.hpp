/// Impulses, gravity and drives of bodies in the coming step.
#pragma once

#include <vector>

#include "perigee/world/game_calls.hpp"
#include "perigee/world/gravity_fields.hpp"
#include "perigee/world/lively_entities.hpp"

namespace perigee::world {

class BodyForces {
 public:
  struct Needs {
    EntityTable& entities;
    const LivelyEntities& lively;
    const GravityFields& fields;
    GameCalls& calls;
    PhysicsWorld& physics;
  };
  explicit BodyForces(Needs needs);

  /// See World::set_drive.
  bool drive(Handle body, const Vec3& velocity, const Vec3& angular_velocity);
  /// Drops the drive of a body that is gone or another worker's.
  void drop_drive(EntityRecord& record);
  /// See World::apply_impulse_next_tick.
  bool add_impulse(Handle body, const Vec3& impulse, const Vec3& world_point);

  /// Before a step: all impulses in the order of entity ids, then gravity, then drives.
  void apply();

 private:
  struct Impulse {
    EntityId id;
    Handle body;
    Vec3 impulse, point;
  };
  void apply_impulses();
  void apply_fields();
  void slow_spin(const EntityRecord& record);
  void apply_drives();

  Needs needs_;
  std::vector<EntityRecord*> driven_;  ///< for the coming step
  std::vector<Impulse> impulses_;
};

}  // namespace perigee::world
