/// A node of the kd-tree, for code that traverses it.
#pragma once

#include <functional>

#include "perigee/directory/space.hpp"

namespace perigee::directory {

struct Space::Node {
  CellBox box;
  RegionId region;  ///< of a leaf
  Axis axis{};
  std::int32_t at = 0;
  Node* parent = nullptr;
  std::unique_ptr<Node> below, above;  ///< both or none

  bool leaf() const { return below == nullptr; }
  void divide(Axis by, std::int32_t plane, const std::array<CellBox, 2>& parts) {
    axis = by;
    at = plane;
    below = std::make_unique<Node>();
    above = std::make_unique<Node>();
    below->box = parts[0];
    above->box = parts[1];
    below->parent = above->parent = this;
  }
  Node* sibling() const {
    if (parent == nullptr) return nullptr;
    return parent->below.get() == this ? parent->above.get() : parent->below.get();
  }
  std::unique_ptr<Node> copy(Node* of_parent) const {
    auto out = std::make_unique<Node>();
    out->box = box;
    out->region = region;
    out->axis = axis;
    out->at = at;
    out->parent = of_parent;
    if (!leaf()) {
      out->below = below->copy(out.get());
      out->above = above->copy(out.get());
    }
    return out;
  }
  void each(const std::function<void(const Node&)>& visit) const {
    visit(*this);
    if (leaf()) return;
    below->each(visit);
    above->each(visit);
  }
};

/// The two halves of a box; none if one is smaller than the minimum size of a region.
inline std::optional<std::array<CellBox, 2>> halves(const CellBox& box, Axis axis,
                                                    std::int32_t at) {
  const auto i = static_cast<std::size_t>(axis);
  if (at <= box.low[i] || at >= box.high[i]) return {};
  if (at - box.low[i] < region_cells_min || box.high[i] - at < region_cells_min) return {};
  std::array out{box, box};
  out[0].high[i] = out[1].low[i] = at;
  return out;
}

}  // namespace perigee::directory
