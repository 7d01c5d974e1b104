/// A heightfield as a shape of Bullet, without a copy of its heights.
#pragma once

#include <btBulletCollisionCommon.h>

#include "perigee/world/heightfield.hpp"

namespace perigee::world {

/// Any type but those that the engine knows more about: it would take the shape for its own class.
inline constexpr int heightfield_type = FAST_CONCAVE_MESH_PROXYTYPE;

/// Gives the engine the triangles of the field with their own indices. `btHeightfieldTerrainShape`
/// has no holes.
class EngineHeightfield final : public btConcaveShape {
 public:
  /// The engine rounds triangles by `margin_m`. The surface lies deeper, so that bodies rest
  /// `rest_gap_m` above the field. The field must outlive the shape.
  EngineHeightfield(const Heightfield& field, double margin_m, double rest_gap_m);

  void processAllTriangles(btTriangleCallback* callback, const btVector3& low,
                           const btVector3& high) const override;
  void getAabb(const btTransform& at, btVector3& low, btVector3& high) const override;
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override { return scaling_; }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "heightfield"; }

 private:
  /// A sample's place, below the surface by the same distance along the normals of the triangles
  /// around it.
  btVector3 sunk(std::uint32_t column, std::uint32_t row) const;

  const Heightfield& field_;
  double sunk_m_ = 0;
  btVector3 scaling_{1, 1, 1};
};

}  // namespace perigee::world
