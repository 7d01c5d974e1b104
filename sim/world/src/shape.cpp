#include "perigee/world/shape.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::world {
namespace {

Vec3 least(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
Vec3 greatest(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}
Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }
double component(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// Half extents of the bounds of a rotated box. Without a rotation they stay exact.
Vec3 turned_extents(const Quat& rotation, const Vec3& half) {
  if (rotation == Quat{}) return half;
  return absolute(rotate(rotation, {half.x, 0, 0})) + absolute(rotate(rotation, {0, half.y, 0})) +
         absolute(rotate(rotation, {0, 0, half.z}));
}

int longest_axis(const Vec3& size) {
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

}  // namespace

Bounds united(const Bounds& a, const Bounds& b) {
  return {least(a.low, b.low), greatest(a.high, b.high)};
}

Bounds inflated(const Bounds& bounds, double by_m) {
  const Vec3 by{by_m, by_m, by_m};
  return {bounds.low - by, bounds.high + by};
}

Bounds transformed(const Pose& pose, const Bounds& bounds) {
  const Vec3 center = transform(pose, bounds.center());
  const Vec3 half = turned_extents(pose.rotation, bounds.size() * 0.5);
  return {center - half, center + half};
}

Bounds bounds_of(const Box& box) {
  const Vec3 r{box.radius, box.radius, box.radius};
  const Vec3 half = turned_extents(box.rotation, box.half) + r;
  return {box.center - half, box.center + half};
}

Shape::Shape(std::vector<Box> boxes) {
  PERIGEE_ASSERT(!boxes.empty(), "a shape must have at least one box");
  std::vector<std::uint32_t> order(boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  bounds_ = bounds_of(boxes.front());
  for (const Box& box : boxes) bounds_ = united(bounds_, bounds_of(box));
  reach_m_ = length(greatest(absolute(bounds_.low), absolute(bounds_.high)));
  boxes_.reserve(boxes.size());
  box_bounds_.reserve(boxes.size());
  build(order, boxes);
}

Shape::Shape(std::vector<Box> boxes, const Bounds& bounds, std::shared_ptr<const VoxelPlan> voxels)
    : Shape(std::move(boxes)) {
  bounds_ = bounds;
  reach_m_ = length(greatest(absolute(bounds_.low), absolute(bounds_.high)));
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

ShapePtr make_shape(std::vector<Box> boxes) {
  return std::make_shared<const Shape>(std::move(boxes));
}

ShapePtr make_capsule_shape(double radius, double height) {
  return make_shape({Box{.half = {0, height / 2 - radius, 0}, .radius = radius}});
}

}  // namespace perigee::world
