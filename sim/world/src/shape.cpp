#include "perigee/world/shape.hpp"

#include <algorithm>

#include "extents.hpp"
#include "perigee/base/assert.hpp"

namespace perigee::world {
namespace {

double component(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

int longest_axis(const Vec3& size) {
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

}  // namespace

Bounds bounds_of(const Box& box) {
  const Vec3 r{box.radius, box.radius, box.radius};
  const Vec3 half = extents_of(box.rotation, box.half) + r;
  return {box.center - half, box.center + half};
}

Shape::Shape(std::vector<Box> boxes, MeshPtr mesh, std::vector<HullPtr> hulls)
    : mesh_(std::move(mesh)), hulls_(std::move(hulls)) {
  PERIGEE_ASSERT(!boxes.empty() || has_triangles(), "a shape must have a box, a hull or a mesh");
  PERIGEE_ASSERT(hulls_.size() <= hulls_max, "a shape has at most 64 hulls");
  bounds_ = mesh_           ? mesh_->bounds()
            : boxes.empty() ? hulls_.front()->bounds()
                            : bounds_of(boxes.front());
  for (const HullPtr& hull : hulls_) bounds_ = united(bounds_, hull->bounds());
  for (const Box& box : boxes) bounds_ = united(bounds_, bounds_of(box));
  reach_m_ = farthest_m(bounds_);
  if (boxes.empty()) return;
  std::vector<std::uint32_t> order(boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  boxes_.reserve(boxes.size());
  box_bounds_.reserve(boxes.size());
  build(order, boxes);
}

Shape::Shape(HeightfieldPtr heightfield) : heightfield_(std::move(heightfield)) {
  PERIGEE_ASSERT(heightfield_ != nullptr,
                 "a shape must have a box, a hull, a mesh or a heightfield");
  bounds_ = heightfield_->bounds();
  reach_m_ = farthest_m(bounds_);
}

Shape::Shape(std::vector<Box> boxes, const Bounds& bounds, std::shared_ptr<const VoxelPlan> voxels)
    : Shape(std::move(boxes)) {
  bounds_ = bounds;
  reach_m_ = farthest_m(bounds_);
  voxels_ = std::move(voxels);
}

void Shape::build(std::span<const std::uint32_t> order, const std::vector<Box>& source) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Bounds bounds = bounds_of(source[order.front()]);
  for (const std::uint32_t i : order) bounds = united(bounds, bounds_of(source[i]));
  nodes_[at].bounds = bounds;
  if (order.size() <= leaf_boxes_max) {
    nodes_[at].first = static_cast<std::uint32_t>(boxes_.size());
    nodes_[at].count = static_cast<std::uint32_t>(order.size());
    for (const std::uint32_t i : order) {
      boxes_.push_back(source[i]);
      box_bounds_.push_back(bounds_of(source[i]));
    }
  } else {
    const int axis = longest_axis(bounds.size());
    std::vector<std::uint32_t> sorted(order.begin(), order.end());
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double pa = component(source[a].center, axis);
      const double pb = component(source[b].center, axis);
      return pa != pb ? pa < pb : a < b;
    });
    const std::size_t middle = sorted.size() / 2;
    build(std::span(sorted).first(middle), source);
    build(std::span(sorted).subspan(middle), source);
  }
  nodes_[at].skip = static_cast<std::uint32_t>(nodes_.size());
}

ShapePtr make_shape(std::vector<Box> boxes, MeshPtr mesh, std::vector<HullPtr> hulls) {
  return std::make_shared<const Shape>(std::move(boxes), std::move(mesh), std::move(hulls));
}

ShapePtr make_shape(HeightfieldPtr heightfield) {
  return std::make_shared<const Shape>(std::move(heightfield));
}

ShapePtr make_capsule_shape(double radius, double height) {
  return make_shape({Box{.half = {0, height / 2 - radius, 0}, .radius = radius}});
}

}  // namespace perigee::world
