#include "perigee/directory/space.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "space_node.hpp"

namespace perigee::directory {
namespace {

std::int32_t cell_of(double meters) {
  return static_cast<std::int32_t>(std::floor(meters / cell_m));
}
std::int32_t cell_end(double meters) {
  return static_cast<std::int32_t>(std::ceil(meters / cell_m));
}

Error too_small() {
  return {"a region must be at least " +
          std::to_string(static_cast<int>(region_cells_min * cell_m)) + " m long, wide and high"};
}

Error unknown(RegionId region) { return {"there is no region " + std::to_string(region.number)}; }

}  // namespace

bool CellBox::contains(const CostCell& cell) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (cell[i] < low[i] || cell[i] >= high[i]) return false;
  }
  return true;
}
Vec3 CellBox::low_m() const { return Vec3{1.0 * low[0], 1.0 * low[1], 1.0 * low[2]} * cell_m; }
Vec3 CellBox::high_m() const { return Vec3{1.0 * high[0], 1.0 * high[1], 1.0 * high[2]} * cell_m; }

CellBox cells_around(const Vec3& low_m, const Vec3& high_m) {
  return {{cell_of(low_m.x), cell_of(low_m.y), cell_of(low_m.z)},
          {cell_end(high_m.x), cell_end(high_m.y), cell_end(high_m.z)}};
}

Space::Space(const CellBox& world) : root_(std::make_unique<Node>()) { root_->box = world; }
Space::Space(const Space& other) : root_(other.root_->copy(nullptr)), next_(other.next_) {}
Space& Space::operator=(const Space& other) {
  if (this != &other) *this = Space(other);
  return *this;
}
Space::Space(Space&&) noexcept = default;
Space& Space::operator=(Space&&) noexcept = default;
Space::~Space() = default;

const CellBox& Space::world() const { return root_->box; }

std::vector<Leaf> Space::leaves() const {
  std::vector<Leaf> out;
  root_->each([&](const Node& node) {
    if (node.leaf()) out.push_back({node.region, node.box});
  });
  return out;
}

Space::Node* Space::find(RegionId region) const {
  Node* out = nullptr;
  root_->each([&](const Node& node) {
    if (node.leaf() && node.region == region) out = const_cast<Node*>(&node);
  });
  return out;
}

const CellBox* Space::box_of(RegionId region) const {
  const Node* node = find(region);
  return node == nullptr ? nullptr : &node->box;
}

std::size_t Space::size() const {
  std::size_t out = 0;
  root_->each([&](const Node& node) {
    if (node.leaf()) ++out;
  });
  return out;
}

std::optional<RegionId> Space::region_of(const CostCell& cell) const {
  if (!root_->box.contains(cell)) return std::nullopt;
  const Node* node = root_.get();
  while (!node->leaf()) {
    node = cell[static_cast<std::size_t>(node->axis)] < node->at ? node->below.get()
                                                                 : node->above.get();
  }
  return node->region;
}

std::vector<Plane> Space::planes() const {
  std::vector<Plane> out;
  root_->each([&](const Node& node) {
    if (!node.leaf() && node.below->leaf() && node.above->leaf()) {
      out.push_back({node.axis, node.at, node.below->region, node.above->region});
    }
  });
  return out;
}

std::optional<RegionId> Space::sibling(RegionId region) const {
  const Node* node = find(region);
  const Node* other = node == nullptr ? nullptr : node->sibling();
  if (other == nullptr || !other->leaf()) return std::nullopt;
  return other->region;
}

Result<RegionId> Space::split(RegionId region, Axis axis, std::int32_t at) {
  Node* node = find(region);
  if (node == nullptr) return unknown(region);
  const auto parts = halves(node->box, axis, at);
  if (!parts) return too_small();
  if (size() >= regions_max || next_.number == std::numeric_limits<RegionId::Number>::max()) {
    return Error{"the limit of regions is reached, " + std::to_string(regions_max) +
                 "; merge others first"};
  }
  node->divide(axis, at, *parts);
  node->below->region = region;
  node->above->region = next_;
  return std::exchange(next_, next_.next());
}

Result<Ok> Space::merge(RegionId region) {
  Node* node = find(region);
  if (node == nullptr) return unknown(region);
  if (!sibling(region)) {
    return Error{"region " + std::to_string(region.number) +
                 " has no sibling to merge with; merge the parts that were split last first"};
  }
  Node* parent = node->parent;
  parent->region = region;
  parent->below.reset();
  parent->above.reset();
  return Ok{};
}

Result<Ok> Space::slide(RegionId region, std::int32_t to) {
  Node* node = find(region);
  if (node == nullptr) return unknown(region);
  if (!sibling(region)) {
    return Error{"region " + std::to_string(region.number) +
                 " has no sibling, so it has no plane that could slide"};
  }
  Node* parent = node->parent;
  const auto parts = halves(parent->box, parent->axis, to);
  if (!parts) return too_small();
  parent->at = to;
  parent->below->box = (*parts)[0];
  parent->above->box = (*parts)[1];
  return Ok{};
}

}  // namespace perigee::directory
