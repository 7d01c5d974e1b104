/// The engine's shapes, one for all bodies that share a shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "engine_shape.hpp"

namespace perigee::world {

class BulletShapes {
 public:
  /// For one more body.
  btCollisionShape* use(const ShapePtr& shape);
  /// For one body less: dug ground has ever new shapes, so unused ones are removed.
  void drop(const Shape* shape);
  std::size_t size() const { return shapes_.size(); }

 private:
  struct UsedShape {
    std::unique_ptr<EngineShape> engine;
    std::uint32_t bodies = 0;
  };
  std::unordered_map<const Shape*, UsedShape> shapes_;  ///< never iterated
};

}  // namespace perigee::world
