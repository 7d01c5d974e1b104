#include "bullet_manifolds.hpp"

#include "snapshot_bytes.hpp"

namespace perigee::world {
namespace {

/// One manifold of a snapshot, followed by its points as they lie in memory.
struct ManifoldHead {
  BodyId other = no_body;
  std::uint32_t nth = 0;  ///< index among the manifolds between the two bodies
  std::int32_t points = 0;
};

}  // namespace

std::uint32_t BulletManifolds::count_of(BodyId id) const {
  std::uint32_t count = 0;
  for_each(id, [&](const auto&, BodyId, std::uint32_t) { ++count; });
  return count;
}

void BulletManifolds::save(BodyId id, std::vector<std::byte>& bytes) const {
  for_each(id, [&](const btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
    append_bytes(bytes, ManifoldHead{other, nth, manifold.getNumContacts()});
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      append_bytes(bytes, manifold.getContactPoint(i));
    }
  });
}

void BulletManifolds::restore(BodyId id, const btCollisionObject& body, std::uint32_t count,
                              std::span<const std::byte> bytes) {
  meet_again(body);
  for_each(id,
           [](btPersistentManifold& manifold, BodyId, std::uint32_t) { manifold.clearManifold(); });
  for (std::uint32_t i = 0; i < count; ++i) restore_one(id, bytes);
}

void BulletManifolds::meet_again(const btCollisionObject& body) {
  needs_.broadphase.calculateOverlappingPairs(&needs_.dispatcher);
  auto& pairs = needs_.broadphase.getOverlappingPairCache()->getOverlappingPairArray();
  for (int i = 0; i < pairs.size(); ++i) {
    btBroadphasePair& pair = pairs[i];
    const bool own =
        pair.m_pProxy0->m_clientObject == &body || pair.m_pProxy1->m_clientObject == &body;
    if (!own) continue;
    needs_.dispatcher.getNearCallback()(pair, needs_.dispatcher, needs_.world.getDispatchInfo());
  }
}

void BulletManifolds::restore_one(BodyId id, std::span<const std::byte>& bytes) {
  ManifoldHead head;
  extract_bytes(bytes, head);
  btPersistentManifold* found = nullptr;
  for_each(id, [&](btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
    if (other == head.other && nth == head.nth) found = &manifold;
  });
  for (std::int32_t i = 0; i < head.points; ++i) {
    btManifoldPoint point;
    extract_bytes(bytes, point);
    if (found != nullptr) found->addManifoldPoint(point);
  }
}

}  // namespace perigee::world
