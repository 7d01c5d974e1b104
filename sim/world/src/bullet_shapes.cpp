#include "bullet_shapes.hpp"

namespace perigee::world {

btCollisionShape* BulletShapes::use(const ShapePtr& shape) {
  UsedShape& used = shapes_[shape.get()];
  if (!used.engine) used.engine = std::make_unique<EngineShape>(shape);
  ++used.bodies;
  return used.engine->get();
}

void BulletShapes::drop(const Shape* shape) {
  const auto used = shapes_.find(shape);
  if (--used->second.bodies == 0) shapes_.erase(used);
}

}  // namespace perigee::world
