#include "engine_shape.hpp"

#include <utility>

#include "bullet_convert.hpp"

namespace perigee::world {
namespace {

std::unique_ptr<btCollisionShape> make_child(const Box& box) {
  const bool upright = box.half.x == 0 && box.half.z == 0;
  if (upright && box.half.y == 0) return std::make_unique<btSphereShape>(box.radius);
  if (upright) return std::make_unique<btCapsuleShape>(box.radius, 2 * box.half.y);
  return std::make_unique<btBoxShape>(
      to_bullet(box.half + Vec3{box.radius, box.radius, box.radius}));
}

}  // namespace

EngineShape::EngineShape(ShapePtr source) : source_(std::move(source)) {
  const auto boxes = source_->boxes();
  if (boxes.size() == 1 && boxes[0].center == Vec3{} && boxes[0].rotation == Quat{}) {
    whole_ = make_child(boxes[0]);
    return;
  }
  auto compound = std::make_unique<btCompoundShape>(true, static_cast<int>(boxes.size()));
  for (const Box& box : boxes) {
    children_.push_back(make_child(box));
    compound->addChildShape(to_bullet(Pose{box.center, box.rotation}), children_.back().get());
  }
  whole_ = std::move(compound);
}

}  // namespace perigee::world
