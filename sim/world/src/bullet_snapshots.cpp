// Encodes a body of the Bullet world with its contacts, and restores it to the same bits.
#include <cstring>

#include "bullet_convert.hpp"
#include "bullet_world.hpp"

namespace perigee::world {
namespace {

/// One manifold of a snapshot, followed by its points as they lie in memory.
struct ManifoldHead {
  BodyId other = no_body;
  std::uint32_t nth = 0;  ///< index among the manifolds between the two bodies
  std::int32_t points = 0;
};
struct SnapshotHead {
  std::int32_t activation = 0;
  double quiet_s = 0;
  std::uint32_t manifolds = 0;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, static_cast<const void*>(&value), sizeof(T));
}
template <class T>
void extract(std::span<const std::byte>& bytes, T& value) {
  PERIGEE_ASSERT(bytes.size() >= sizeof(T), "a body's snapshot is of another build");
  std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
}

}  // namespace

BodySnapshot BulletWorld::snapshot(BodyId id) const {
  const btRigidBody& engine = *body(id).engine;
  BodySnapshot out{.body = id, .state = state(id)};
  SnapshotHead head{.activation = engine.getActivationState(),
                    .quiet_s = engine.getDeactivationTime()};
  for_each_manifold(id, [&](const auto&, BodyId, std::uint32_t) { ++head.manifolds; });
  append(out.engine, head);
  // The engine's own basis: conversion to a quaternion and back would change the last bits.
  append(out.engine, engine.getWorldTransform());
  for_each_manifold(id, [&](const btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
    append(out.engine, ManifoldHead{other, nth, manifold.getNumContacts()});
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      append(out.engine, manifold.getContactPoint(i));
    }
  });
  return out;
}

void BulletWorld::restore(const BodySnapshot& snapshot) {
  Body& restored = body(snapshot.body);
  std::span<const std::byte> bytes(snapshot.engine);
  SnapshotHead head;
  btTransform transform;
  extract(bytes, head);
  extract(bytes, transform);
  bring(snapshot.body);
  place(restored, snapshot.state);
  restored.engine->setCenterOfMassTransform(transform);
  restored.engine->setInterpolationWorldTransform(transform);
  world_.updateSingleAabb(restored.engine.get());
  restored.engine->forceActivationState(head.activation);
  restored.engine->setDeactivationTime(head.quiet_s);
  meet_again(*restored.engine);
  for_each_manifold(snapshot.body, [](btPersistentManifold& manifold, BodyId, std::uint32_t) {
    manifold.clearManifold();
  });
  for (std::uint32_t i = 0; i < head.manifolds; ++i) restore_manifold(snapshot.body, bytes);
}

void BulletWorld::meet_again(const btRigidBody& body) {
  broadphase_.calculateOverlappingPairs(&dispatcher_);
  auto& pairs = broadphase_.getOverlappingPairCache()->getOverlappingPairArray();
  for (int i = 0; i < pairs.size(); ++i) {
    btBroadphasePair& pair = pairs[i];
    const bool own =
        pair.m_pProxy0->m_clientObject == &body || pair.m_pProxy1->m_clientObject == &body;
    if (own) dispatcher_.getNearCallback()(pair, dispatcher_, world_.getDispatchInfo());
  }
}

void BulletWorld::restore_manifold(BodyId id, std::span<const std::byte>& bytes) {
  ManifoldHead head;
  extract(bytes, head);
  btPersistentManifold* found = nullptr;
  for_each_manifold(id, [&](btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
    if (other == head.other && nth == head.nth) found = &manifold;
  });
  for (std::int32_t i = 0; i < head.points; ++i) {
    btManifoldPoint point;
    extract(bytes, point);
    if (found != nullptr) found->addManifoldPoint(point);
  }
}

}  // namespace perigee::world
