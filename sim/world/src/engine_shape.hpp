/// A Shape converted to Bullet's collision shapes.
#pragma once

#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

#include "perigee/world/shape.hpp"

namespace perigee::world {

/// One engine shape per Shape, shared by all of its bodies.
class EngineShape {
 public:
  explicit EngineShape(ShapePtr source);
  btCollisionShape* get() const { return whole_.get(); }

 private:
  std::unique_ptr<btCollisionShape> make_surface(const Mesh& mesh);
  static std::unique_ptr<btCollisionShape> make_solid(const Hull& hull);

  ShapePtr source_;  // kept alive, so that its address cannot be reused for another shape
  std::vector<Vec3f> corners_;                          ///< of the engine's surface
  std::unique_ptr<btStridingMeshInterface> triangles_;  ///< reads them and the mesh's triangles
  std::vector<std::unique_ptr<btCollisionShape>> children_;
  std::unique_ptr<btCollisionShape> whole_;
};

}  // namespace perigee::world
