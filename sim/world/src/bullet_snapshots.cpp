// Encodes a body of the Bullet world with its contacts, and restores it to the same bits.
#include "bullet_convert.hpp"
#include "bullet_world.hpp"
#include "snapshot_bytes.hpp"

namespace perigee::world {
namespace {

struct SnapshotHead {
  std::int32_t activation = 0;
  double quiet_s = 0;
  std::uint32_t manifolds = 0;
};

}  // namespace

BodySnapshot BulletWorld::snapshot(BodyId id) const {
  const btRigidBody& engine = *body(id).engine;
  BodySnapshot out{.body = id, .state = state(id)};
  SnapshotHead head{.activation = engine.getActivationState(),
                    .quiet_s = engine.getDeactivationTime(),
                    .manifolds = manifolds_.count_of(id)};
  append_bytes(out.engine, head);
  // The engine's own basis: conversion to a quaternion and back would change the last bits.
  append_bytes(out.engine, engine.getWorldTransform());
  manifolds_.save(id, out.engine);
  return out;
}

void BulletWorld::restore(const BodySnapshot& snapshot) {
  Body& restored = body(snapshot.body);
  std::span<const std::byte> bytes(snapshot.engine);
  SnapshotHead head;
  btTransform transform;
  extract_bytes(bytes, head);
  extract_bytes(bytes, transform);
  bring(snapshot.body);
  place(restored, snapshot.state);
  restored.engine->setCenterOfMassTransform(transform);
  restored.engine->setInterpolationWorldTransform(transform);
  world_.updateSingleAabb(restored.engine.get());
  restored.engine->forceActivationState(head.activation);
  restored.engine->setDeactivationTime(head.quiet_s);
  manifolds_.restore(snapshot.body, *restored.engine, head.manifolds, bytes);
}

}  // namespace perigee::world
