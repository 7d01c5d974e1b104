#include "engine_shape.hpp"

#include <algorithm>
#include <utility>

#include "bullet_convert.hpp"
#include "engine_heightfield.hpp"

namespace perigee::world {
namespace {

/// The engine rounds triangles. With a smaller radius than its usual one, bodies rock and creep on
/// bumps. Bodies would rest that far above the surface, so the engine's surface lies deeper.
constexpr double surface_margin_m = 0.04;
constexpr double rest_gap_m = 0.01;  // as actors

/// The engine rounds hulls, too, by less if they are thin. With more, piles fall; with less, some
/// rocks never rest on triangles.
constexpr double solid_margin_m = 0.03;
constexpr double margin_share = 0.2;

/// The way of a corner when the planes through it move inwards by 1: exact for three of them, the
/// nearest way for more.
Vec3 way_inwards(const Hull& hull, const Vec3& corner) {
  constexpr double at_corner_m = 1e-3;
  Vec3 rows[3];
  Vec3 sum;
  for (const Hull::Plane& plane : hull.planes()) {
    const Vec3& n = plane.normal;
    if (plane.above_m(corner) < -at_corner_m) continue;
    rows[0] += n * n.x;
    rows[1] += n * n.y;
    rows[2] += n * n.z;
    sum += n;
  }
  const double size = dot(rows[0], cross(rows[1], rows[2]));
  if (size < 1e-6) return normalized(sum);  // nearly one plane
  return (cross(rows[1], rows[2]) * sum.x + cross(rows[2], rows[0]) * sum.y +
          cross(rows[0], rows[1]) * sum.z) /
         size;
}

double thickness_m(const Hull& hull) {
  double least = 1e300;
  for (const Hull::Plane& plane : hull.planes()) {
    double deepest = 0;
    for (const Vec3f& corner : hull.corners()) {
      deepest = std::min(deepest, plane.above_m(to_double(corner)));
    }
    least = std::min(least, -deepest);
  }
  return least;
}

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

std::unique_ptr<btCollisionShape> EngineShape::make_solid(const Hull& hull) {
  const double margin_m = std::min(solid_margin_m, margin_share * thickness_m(hull));
  auto out = std::make_unique<btConvexHullShape>();
  for (const Vec3f& corner : hull.corners()) {
    const Vec3 at = to_double(corner);
    out->addPoint(to_bullet(at - way_inwards(hull, at) * margin_m), false);
  }
  out->setMargin(margin_m);
  out->recalcLocalAabb();
  return out;
}

EngineShape::EngineShape(ShapePtr source) : source_(std::move(source)) {
  if (const auto& field = source_->heightfield()) {
    whole_ = std::make_unique<EngineHeightfield>(*field, surface_margin_m, rest_gap_m);
    return;
  }
  const auto boxes = source_->boxes();
  const auto hulls = source_->hulls();
  if (source_->mesh() && boxes.empty() && hulls.empty()) {
    whole_ = make_surface(*source_->mesh());
    return;
  }
  if (!source_->mesh() && boxes.empty() && hulls.size() == 1) {
    whole_ = make_solid(*hulls.front());
    return;
  }
  if (!source_->has_triangles() && boxes.size() == 1 && boxes[0].center == Vec3{} &&
      boxes[0].rotation == Quat{}) {
    whole_ = make_child(boxes[0]);
    return;
  }
  auto compound = std::make_unique<btCompoundShape>(true, static_cast<int>(boxes.size()));
  for (const Box& box : boxes) {
    children_.push_back(make_child(box));
    compound->addChildShape(to_bullet(Pose{box.center, box.rotation}), children_.back().get());
  }
  for (const HullPtr& hull : hulls) {
    children_.push_back(make_solid(*hull));
    compound->addChildShape(btTransform::getIdentity(), children_.back().get());
  }
  if (source_->mesh()) {
    children_.push_back(make_surface(*source_->mesh()));
    compound->addChildShape(btTransform::getIdentity(), children_.back().get());
  }
  whole_ = std::move(compound);
}

}  // namespace perigee::world
