/// The components of a world with bodies, for tests of one of them without a World.
#pragma once

#include <memory>

#include "perigee/world/body_forces.hpp"
#include "perigee/world/entity_bodies.hpp"
#include "perigee/world/remote_entities.hpp"
#include "perigee/world/spawner.hpp"
#include "records.hpp"

namespace perigee::world {

struct Parts : Records {
  std::unique_ptr<PhysicsWorld> physics = make_bullet_world(16);
  NeighbourGrid grid{setup.limits};
  GameCalls calls{table, now};
  EntityNews news{table, motions, now};
  LivelyEntities lively{{.entities = table,
                         .motions = motions,
                         .grid = grid,
                         .news = news,
                         .physics = *physics,
                         .now = now}};
  VoxelPatches patches{{.entities = table, .motions = motions, .physics = *physics, .now = now}};
  GravityFields fields{{.entities = table, .motions = motions, .now = now}};
  Joints joints{{.entities = table, .calls = calls, .physics = *physics}};
  EntityBodies bodies{{.entities = table,
                       .motions = motions,
                       .lively = lively,
                       .calls = calls,
                       .physics = *physics,
                       .now = now}};
  BodyForces forces{
      {.entities = table, .lively = lively, .fields = fields, .calls = calls, .physics = *physics}};
  RemoteEntities remote{{.entities = table,
                         .lively = lively,
                         .forces = forces,
                         .joints = joints,
                         .news = news,
                         .physics = *physics,
                         .now = now}};
  Spawner spawner{{.entities = table,
                   .motions = motions,
                   .grid = grid,
                   .news = news,
                   .calls = calls,
                   .lively = lively,
                   .patches = patches,
                   .bodies = bodies,
                   .forces = forces,
                   .now = now}};

  EntityRecord& spawn(TypeId type, const Vec3& at, Handle parent = no_entity) {
    return *spawner.enter({.id = make_entity_id(1, Tick{}, ordinal++),
                           .type = type,
                           .parent = parent,
                           .local = {at, {}}});
  }
  /// Bodies enter physics.
  void enter() {
    bodies.remove_left();
    bodies.enter();
  }
};

}  // namespace perigee::world
