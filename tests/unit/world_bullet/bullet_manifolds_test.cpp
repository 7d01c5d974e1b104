#include "bullet_manifolds.hpp"

#include <gtest/gtest.h>

#include "engine.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::world {
namespace {

struct TheBulletManifolds : testing::Test {
  Engine engine;
  BulletManifolds manifolds{
      {.dispatcher = engine.dispatcher, .broadphase = engine.broadphase, .world = engine.world}};
};

TEST_F(TheBulletManifolds, AreOfBothBodies) {
  engine.add(0);
  engine.add(0.9);
  engine.add(50);
  engine.world.performDiscreteCollisionDetection();
  EXPECT_EQ(manifolds.count_of(1), 1U);
  EXPECT_EQ(manifolds.count_of(2), 1U);
  EXPECT_EQ(manifolds.count_of(3), 0U);
  manifolds.for_each(1, [](const btPersistentManifold& manifold, BodyId other, std::uint32_t nth) {
    EXPECT_GT(manifold.getNumContacts(), 0);
    EXPECT_EQ(other, 2U);
    EXPECT_EQ(nth, 0U);
  });
}

TEST_F(TheBulletManifolds, AreRestoredToTheSameBytes) {
  btRigidBody& body = engine.add(0);
  engine.add(0.9);
  engine.world.performDiscreteCollisionDetection();
  std::vector<std::byte> saved, again;
  manifolds.save(1, saved);
  manifolds.for_each(
      1, [](btPersistentManifold& manifold, BodyId, std::uint32_t) { manifold.clearManifold(); });
  manifolds.restore(1, body, manifolds.count_of(1), saved);
  manifolds.save(1, again);
  EXPECT_FALSE(saved.empty());
  EXPECT_EQ(saved, again);
}

}  // namespace
}  // namespace perigee::world
