#include "aside_tree.hpp"

#include <cstdint>

namespace perigee::world {
namespace {

struct Collect : btDbvt::ICollide {
  explicit Collect(std::vector<BodyId>& into) : found(into) {}
  void Process(const btDbvtNode* leaf) {
    found.push_back(static_cast<BodyId>(reinterpret_cast<std::uintptr_t>(leaf->data)));
  }
  std::vector<BodyId>& found;
};

}  // namespace

btDbvtNode* AsideTree::insert(BodyId body, const btDbvtVolume& box) {
  ++size_;
  // Bullet keeps a pointer. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return tree_.insert(box, reinterpret_cast<void*>(static_cast<std::uintptr_t>(body)));
}

void AsideTree::remove(btDbvtNode* leaf) {
  tree_.remove(leaf);
  --size_;
}

void AsideTree::list(const btDbvtVolume& box, std::vector<BodyId>& found) const {
  Collect collect(found);
  tree_.collideTV(tree_.m_root, box, collect);
}

}  // namespace perigee::world
