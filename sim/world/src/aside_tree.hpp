/// Boxes of the bodies that are not in the engine's world.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cstddef>
#include <vector>

#include "perigee/world/physics.hpp"

namespace perigee::world {

class AsideTree {
 public:
  btDbvtNode* insert(BodyId body, const btDbvtVolume& box);
  void move(btDbvtNode* leaf, btDbvtVolume box) { tree_.update(leaf, box); }
  void remove(btDbvtNode* leaf);
  /// Appends the bodies with boxes that overlap this one.
  void list(const btDbvtVolume& box, std::vector<BodyId>& found) const;
  std::size_t size() const { return size_; }

 private:
  btDbvt tree_;
  std::size_t size_ = 0;
};

}  // namespace perigee::world
