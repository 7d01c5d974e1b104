// Initial state of a space, and restoring it from its saved state.
#include <set>
#include <string>

#include "perigee/base/assert.hpp"
#include "space_node.hpp"

namespace perigee::directory {

Result<Space> Space::sliced(const CellBox& world, std::uint32_t parts) {
  const std::int32_t cells = world.length(Axis::X);
  if (parts == 0 || (parts > 1 && static_cast<std::int64_t>(parts) * region_cells_min > cells)) {
    return Error{std::to_string(parts) + " slices are too many: a region is at least " +
                 std::to_string(static_cast<int>(region_cells_min * cell_m)) + " m wide"};
  }
  Space out(world);
  const auto plane = [&](std::uint32_t i) {
    return world.low[0] + static_cast<std::int32_t>(std::int64_t{cells} * i / parts);
  };
  // A balanced tree, so that neighbours can merge at every level.
  const std::function<void(Node&, std::uint32_t, std::uint32_t)> cut =
      [&](Node& node, std::uint32_t first, std::uint32_t end) {
        node.region = RegionId{first};
        if (end - first == 1) return;
        const std::uint32_t middle = first + (end - first) / 2;
        const auto boxes = halves(node.box, Axis::X, plane(middle));
        PERIGEE_ASSERT(boxes.has_value(), "every slice must have the minimum width");
        node.divide(Axis::X, plane(middle), *boxes);
        cut(*node.below, first, middle);
        cut(*node.above, middle, end);
      };
  cut(*out.root_, 0, parts);
  out.next_ = RegionId{parts};
  return out;
}

SavedSpace Space::saved() const {
  SavedSpace out{.nodes = {}, .next = next_};
  root_->each([&](const Node& node) {
    if (node.leaf()) {
      out.nodes.push_back({.region = node.region});
    } else {
      out.nodes.push_back({.region = {}, .axis = node.axis, .at = node.at});
    }
  });
  return out;
}

Result<Space> Space::restored(const CellBox& world, const SavedSpace& saved) {
  const Error wrong{"its regions are not a valid partition of the world"};
  if (saved.nodes.size() > 2 * std::size_t{regions_max} - 1) return wrong;
  Space out(world);
  out.next_ = saved.next;
  std::set<RegionId> seen;
  std::size_t next = 0;
  const std::function<bool(Node&)> read = [&](Node& node) {
    if (next == saved.nodes.size()) return false;
    const SpaceNode& from = saved.nodes[next++];
    if (from.region) {
      node.region = *from.region;
      return node.region < saved.next && seen.insert(node.region).second;
    }
    if (from.axis > Axis::Z) return false;
    const auto boxes = halves(node.box, from.axis, from.at);
    if (!boxes) return false;
    node.divide(from.axis, from.at, *boxes);
    return read(*node.below) && read(*node.above);
  };
  if (!read(*out.root_) || next != saved.nodes.size()) return wrong;
  return out;
}

}  // namespace perigee::directory
