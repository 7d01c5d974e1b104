/// Collision shapes: lists of rounded boxes and of hulls, and at most one mesh of triangles or one
/// heightfield. Both the actor's shape and the body's Bullet compound are made from one Shape, so
/// they cannot disagree.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "perigee/base/ring.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/bounds.hpp"
#include "perigee/world/heightfield.hpp"
#include "perigee/world/hull.hpp"
#include "perigee/world/mesh.hpp"

namespace perigee::world {

/// Everything within `radius` of the box with the given half extents: a sphere if all half extents
/// are zero, a capsule if only one is not zero, a plain box if the radius is zero.
struct Box {
  Vec3 center;
  Vec3 half;
  Quat rotation;
  double radius = 0;
};
Bounds bounds_of(const Box& box);

struct VoxelPlan;

/// Immutable list of boxes in the owner's frame with a tree above it, and perhaps hulls and a mesh;
/// shared by pointer.
class Shape {
 public:
  static constexpr std::uint32_t leaf_boxes_max = 4;

  static constexpr std::size_t hulls_max = 64;

  /// At least one box, hull, or mesh.
  explicit Shape(std::vector<Box> boxes, MeshPtr mesh = nullptr, std::vector<HullPtr> hulls = {});
  explicit Shape(HeightfieldPtr heightfield);
  /// Shape of a patch of cells: `boxes` in its initial state, `bounds` of all possible states.
  Shape(std::vector<Box> boxes, const Bounds& bounds, std::shared_ptr<const VoxelPlan> voxels);

  /// In tree order, which depends only on the list given to the constructor.
  std::span<const Box> boxes() const { return boxes_; }
  const Bounds& bounds() const { return bounds_; }
  /// The triangles, if it has any.
  const MeshPtr& mesh() const { return mesh_; }
  /// The terrain, if it is one: then there is nothing else.
  const HeightfieldPtr& heightfield() const { return heightfield_; }
  /// A mesh or a heightfield: such a shape is for static entities and scheduled objects.
  bool is_level() const { return mesh_ != nullptr || heightfield_ != nullptr; }
  /// Of the mesh or the heightfield. Null: the triangle has no material of its own.
  const SurfaceMaterial* material(std::uint32_t triangle) const {
    return mesh_ ? mesh_->material(triangle) : heightfield_->material(triangle);
  }
  Triangle triangle(std::uint32_t index) const {
    return mesh_ ? mesh_->triangle(index) : heightfield_->triangle(index);
  }
  /// For entities of any kind.
  std::span<const HullPtr> hulls() const { return hulls_; }
  bool has_triangles() const { return is_level() || !hulls_.empty(); }
  /// Calls visit(surface, bool of_a_hull) for the mesh, the heightfield and the surfaces of hulls.
  template <class Visit>
  void for_each_surface(Visit&& visit) const {
    if (mesh_) visit(*mesh_, false);
    if (heightfield_) visit(*heightfield_, false);
    for (const HullPtr& hull : hulls_) visit(hull->surface(), true);
  }
  /// The plan of a shape that is made of cells: then the cells count, not the boxes.
  const std::shared_ptr<const VoxelPlan>& voxels() const { return voxels_; }
  /// Radius of the smallest sphere about the origin that contains the bounds.
  double reach_m() const { return reach_m_; }

  /// Appends the indices of all boxes with bounds that overlap `query`, in tree order. False if
  /// `found` is full.
  template <std::size_t Capacity>
  bool find(const Bounds& query, FixedVector<std::uint32_t, Capacity>& found) const;

 private:
  /// Depth-first; an inner node's left child follows it directly. `skip` is the node after the
  /// whole subtree, so that a walk needs no stack.
  struct Node {
    Bounds bounds;
    std::uint32_t skip = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;  ///< boxes of a leaf, 0 for inner nodes
  };
  void build(std::span<const std::uint32_t> order, const std::vector<Box>& source);

  std::vector<Box> boxes_;
  std::vector<Bounds> box_bounds_;
  std::vector<Node> nodes_;
  Bounds bounds_;
  double reach_m_ = 0;
  MeshPtr mesh_;
  HeightfieldPtr heightfield_;
  std::vector<HullPtr> hulls_;
  std::shared_ptr<const VoxelPlan> voxels_;
};
using ShapePtr = std::shared_ptr<const Shape>;

ShapePtr make_shape(std::vector<Box> boxes, MeshPtr mesh = nullptr,
                    std::vector<HullPtr> hulls = {});
ShapePtr make_shape(HeightfieldPtr heightfield);
/// Upright capsule about the origin; `height` includes both caps.
ShapePtr make_capsule_shape(double radius, double height);

template <std::size_t Capacity>
bool Shape::find(const Bounds& query, FixedVector<std::uint32_t, Capacity>& found) const {
  for (std::uint32_t at = 0; at < nodes_.size();) {
    const Node& node = nodes_[at];
    if (!overlap(node.bounds, query)) {
      at = node.skip;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      if (overlap(box_bounds_[i], query) && !found.push_back(i)) return false;
    }
    ++at;
  }
  return true;
}

}  // namespace perigee::world
