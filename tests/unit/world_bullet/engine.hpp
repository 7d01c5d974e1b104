/// The engine's world with boxes, for tests without a BulletWorld.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace perigee::world {

struct Engine {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  btBoxShape shape{btVector3(0.5, 0.5, 0.5)};
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  Engine() { world.setGravity({0, 0, 0}); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }
  /// Its id is its number, from 1 on.
  btRigidBody& add(double x) {
    btVector3 inertia;
    shape.calculateLocalInertia(1, inertia);
    bodies.push_back(std::make_unique<btRigidBody>(
        btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &shape, inertia)));
    btTransform at;
    at.setIdentity();
    at.setOrigin({x, 0, 0});
    bodies.back()->setWorldTransform(at);
    bodies.back()->setInterpolationWorldTransform(at);
    bodies.back()->setUserIndex(static_cast<int>(bodies.size()));
    world.addRigidBody(bodies.back().get());
    return *bodies.back();
  }
};

}  // namespace perigee::world
