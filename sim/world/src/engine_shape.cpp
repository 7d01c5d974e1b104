#include "engine_shape.hpp"

#include <algorithm>
#include <utility>

#include "bullet_convert.hpp"

namespace perigee::world {
namespace {

/// The engine rounds triangles. With a smaller radius than its usual one, bodies rock and creep on
/// bumps. Bodies would rest that far above the surface, so the engine's surface lies deeper.
constexpr double surface_margin_m = 0.04;
constexpr double rest_gap_m = 0.01;  // as actors

/// The mesh's corners, moved back from the fronts of the triangles around them.
std::vector<Vec3f> sunk_corners(const Mesh& mesh) {
  std::vector<Vec3> middle(mesh.corners().size());
  std::vector<double> least(mesh.corners().size(), 1);
  for (std::uint32_t i = 0; i < mesh.triangles().size(); ++i) {
    for (const std::uint32_t corner : mesh.triangles()[i])
      middle[corner] += mesh.triangle(i).normal;
  }
  for (Vec3& each : middle) each = normalized(each);  // none where two fronts are back to back
  for (std::uint32_t i = 0; i < mesh.triangles().size(); ++i) {
    for (const std::uint32_t corner : mesh.triangles()[i]) {
      least[corner] = std::min(least[corner], dot(middle[corner], mesh.triangle(i).normal));
    }
  }
  std::vector<Vec3f> out;
  for (std::size_t i = 0; i < middle.size(); ++i) {
    const double by_m = (surface_margin_m - rest_gap_m) / std::max(least[i], 0.5);
    out.push_back(to_float(to_double(mesh.corners()[i]) - middle[i] * by_m));
  }
  return out;
}

std::unique_ptr<btCollisionShape> make_child(const Box& box) {
  const bool upright = box.half.x == 0 && box.half.z == 0;
  if (upright && box.half.y == 0) return std::make_unique<btSphereShape>(box.radius);
  if (upright) return std::make_unique<btCapsuleShape>(box.radius, 2 * box.half.y);
  return std::make_unique<btBoxShape>(
      to_bullet(box.half + Vec3{box.radius, box.radius, box.radius}));
}

}  // namespace

std::unique_ptr<btCollisionShape> EngineShape::make_surface(const Mesh& mesh) {
  corners_ = sunk_corners(mesh);
  btIndexedMesh part;
  part.m_numTriangles = static_cast<int>(mesh.triangles().size());
  part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(mesh.triangles().data());
  part.m_triangleIndexStride = sizeof(mesh.triangles()[0]);
  part.m_numVertices = static_cast<int>(corners_.size());
  part.m_vertexBase = reinterpret_cast<const unsigned char*>(corners_.data());
  part.m_vertexStride = sizeof(corners_[0]);
  part.m_vertexType = PHY_FLOAT;
  auto arrays = std::make_unique<btTriangleIndexVertexArray>();
  arrays->addIndexedMesh(part, PHY_INTEGER);
  triangles_ = std::move(arrays);
  auto surface = std::make_unique<btBvhTriangleMeshShape>(triangles_.get(), true);
  surface->setMargin(surface_margin_m);
  return surface;
}

EngineShape::EngineShape(ShapePtr source) : source_(std::move(source)) {
  const auto boxes = source_->boxes();
  if (source_->mesh() && boxes.empty()) {
    whole_ = make_surface(*source_->mesh());
    return;
  }
  if (!source_->mesh() && boxes.size() == 1 && boxes[0].center == Vec3{} &&
      boxes[0].rotation == Quat{}) {
    whole_ = make_child(boxes[0]);
    return;
  }
  auto compound = std::make_unique<btCompoundShape>(true, static_cast<int>(boxes.size()));
  for (const Box& box : boxes) {
    children_.push_back(make_child(box));
    compound->addChildShape(to_bullet(Pose{box.center, box.rotation}), children_.back().get());
  }
  if (source_->mesh()) {
    children_.push_back(make_surface(*source_->mesh()));
    compound->addChildShape(btTransform::getIdentity(), children_.back().get());
  }
  whole_ = std::move(compound);
}

}  // namespace perigee::world
