/// The contacts of bodies in the engine's world, as bytes of snapshots.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "perigee/world/physics.hpp"

namespace perigee::world {

inline BodyId id_of(const btCollisionObject* object) {
  return static_cast<BodyId>(object->getUserIndex());
}

class BulletManifolds {
 public:
  struct Needs {
    btCollisionDispatcher& dispatcher;
    btDbvtBroadphase& broadphase;
    btCollisionWorld& world;
  };
  explicit BulletManifolds(Needs needs) : needs_(needs) {}

  std::size_t size() const { return static_cast<std::size_t>(needs_.dispatcher.getNumManifolds()); }
  /// Calls visit(btPersistentManifold&, BodyId other, std::uint32_t nth between the two).
  template <class Visit>
  void for_each(BodyId id, Visit&& visit) const {
    std::unordered_map<BodyId, std::uint32_t> seen;
    for (int i = 0; i < needs_.dispatcher.getNumManifolds(); ++i) {
      btPersistentManifold* manifold = needs_.dispatcher.getManifoldByIndexInternal(i);
      const BodyId first = id_of(manifold->getBody0());
      const BodyId second = id_of(manifold->getBody1());
      if (first != id && second != id) continue;
      const BodyId other = first == id ? second : first;
      visit(*manifold, other, seen[other]++);
    }
  }
  std::uint32_t count_of(BodyId id) const;
  /// Appends the manifolds of a body.
  void save(BodyId id, std::vector<std::byte>& bytes) const;
  /// Replaces the body's manifolds by `count` saved ones.
  void restore(BodyId id, const btCollisionObject& body, std::uint32_t count,
               std::span<const std::byte> bytes);

 private:
  /// Creates the manifolds of pairs that have parted since the snapshot. They are filled from the
  /// snapshot.
  void meet_again(const btCollisionObject& body);
  void restore_one(BodyId id, std::span<const std::byte>& bytes);

  Needs needs_;
};

}  // namespace perigee::world
